import { attack } from '../model.js'
import { grantRequest, PUBLIC_CLIENT, stealRecords } from '../moves.js'

const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A grant of an identity provider for one client (ID-JAG) that another client presents. */
export const stolenGrant = attack({
  name: 'stolen-grant',
  title: 'an ID-JAG that was issued to another client',
  rule: 'MCP Enterprise-Managed Authorization §5',
  weak: ['id-jag-not-bound'],
  opened: { 'id-jag-not-bound': { stolen: true } },
  starts: [
    'Alice works with an application, and her organisation’s identity provider signs a grant about her for it.',
    'The attacker reads that grant in a log of the application (A4 in RFC 9700 §3).',
    'The attacker has a client of their own, which may exchange grants for tokens.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'client_id', rule: 'MCP Enterprise-Managed Authorization §5' }],
  wouldNotHelp: [
    'the signature: the identity provider signed the grant',
    'client authentication: the client of the attacker has a secret of its own',
    'aud: the grant is for this authorization server',
    'one use: the attacker may be first',
  ],
  clients: () => [
    {
      client_id: 'mallory-reports',
      client_name: 'Reports of Mallory',
      grant_types: [JWT_GRANT],
      client_secret: 'a-secret-of-mallory-0123456789abcdef0123',
    },
  ],
  noWindow: 'the victim does nothing in it',
  running: { standIn: 'demo', ownIssuer: true },
  story: {
    honest_login: 'Alice logs in for an application. The identity provider signs a grant about her for it.',
    theft: 'The attacker reads the grant in a log of the application.',
    token_request: 'The attacker presents it with a client of their own. The server must compare client_id.',
    resource_request: 'The attacker reads the records with a token about alice.',
  },
  lanes: {
    honest_login: ['user_agent', 'client', 'log in at the identity provider', '7521 §3'],
    theft: ['client', 'attacker', 'the grant, in a log', '9700 §4.9'],
    token_request: ['attacker', 'authorization_server', 'POST /token', '7523 §2.1'],
  },
  async *run(scene) {
    const { catcher, step } = scene
    const assertion = await scene.victimsGrant(PUBLIC_CLIENT)
    yield step('honest_login', { note: `a grant for ${PUBLIC_CLIENT}, signed (typ oauth-id-jag+jwt)` })
    yield step('theft', { note: `client_id in it is ${PUBLIC_CLIENT}` })
    const asked = { assertion, scope: 'records:read' }
    return yield* stealRecords(scene, grantRequest(scene, catcher.client, JWT_GRANT, asked))
  },
})
