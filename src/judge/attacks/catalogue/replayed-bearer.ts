import { resourceRequest } from '../../../flows/steps/resource-step.js'
import type { Steps } from '../../../flows/walk.js'
import { header, jsonResponse } from '../../../protocol/http/message.js'
import { generateDpopKey, makeDpopProof } from '../../../protocol/tokens/dpop.js'
import { attack, type Refusal, type Scene } from '../model.js'
import { HONEST_REDEMPTION, needMember, PUBLIC_CLIENT, recordsRequest, victimsLogin } from '../moves.js'

/** The attacker reads the records with a token that was not made for this use. */
async function* replay(scene: Scene, token: string, note: string): Steps<Refusal | undefined> {
  const records = await scene.attacker.send(recordsRequest(scene, token))
  yield scene.step('replayed_token', { exchange: records, note, repeats: true })
  return scene.refusal(records)
}

/** A token bound to a key of the application, which stands in a log that the attacker reads. */
async function* boundToken(scene: Scene): Steps<Refusal | undefined> {
  const { urls, step } = scene
  const key = await generateDpopKey()
  const proof = await makeDpopProof(key, { method: 'POST', url: `${urls.authorization}/token` }, scene)
  const answer = yield* victimsLogin(scene, 'records:read', { headers: [['dpop', proof]] })
  const token = needMember(answer, 'access_token')
  yield step('theft', { note: 'a log of the application has the token, and not its key', repeats: true })
  return yield* replay(scene, token, 'Authorization: Bearer, without a proof')
}

/** A token for the attacker's own resource server, which alice's application sends there as it should. */
async function* foreignToken(scene: Scene): Steps<Refusal | undefined> {
  const { victim, site, foreignResource, step } = scene
  site.serve('/weather', () => jsonResponse(200, { weather: 'rain' }))
  const answer = yield* victimsLogin(scene, 'records:read', { resource: foreignResource })
  const token = needMember(answer, 'access_token')
  if (foreignResource !== site.url) {
    yield step('theft', { note: `the attacker runs ${foreignResource}, which receives the token` })
    return yield* replay(scene, token, 'a token for another resource server')
  }
  const call = await victim.send(resourceRequest(`${site.url}/weather`, token))
  yield step('theft', { exchange: call, note: 'the attacker’s own resource server receives the token' })
  const received = header(site.visits.at(-1)!, 'authorization')?.replace(/^Bearer /, '')
  return received === undefined
    ? undefined
    : yield* replay(scene, received, 'a token for another resource server')
}

/** An access token in the wrong hands, sent on to the resource server. */
export const replayedBearer = attack({
  name: 'replayed-bearer',
  title: 'an access token of the victim, presented by somebody else',
  rule: 'RFC 9700 §4.10',
  weak: ['bearer-for-dpop', 'any-audience'],
  opened: {
    'bearer-for-dpop': { stolen: true },
    'any-audience': { stolen: true },
    'any-resource': { stolen: true },
  },
  starts: [
    'The attacker reads a log with a token of alice that is bound to a key of her application (A4 in RFC 9700 §3).',
    'The attacker runs a resource server of their own, which alice uses too (A5 in RFC 9700 §3).',
  ],
  steals: 'records of alice',
  defences: [
    { check: 'cnf', rule: 'RFC 9449 §7.2' },
    { check: 'aud', rule: 'RFC 7519 §4.1.3' },
  ],
  wouldNotHelp: [
    'PKCE and state: the code was redeemed by the right client',
    'the signature: the token is real',
    'TLS: the attacker received the token at the end of the connection',
  ],
  running: { needs: [PUBLIC_CLIENT] },
  story: {
    authorization_request: 'Alice logs in for her own application.',
    login: 'Alice allows the application to read her records.',
    token_request: 'The application gets a token: bound to its key by DPoP, or for one resource server.',
    theft:
      'The token comes to the attacker: from a log, or because the attacker’s resource server receives it.',
    replayed_token: 'The attacker presents the token to the resource server that keeps the records of alice.',
  },
  lanes: {
    token_request: HONEST_REDEMPTION,
    theft: ['client', 'attacker', 'the token, in a log or a request', '9700 §4.9'],
    replayed_token: ['attacker', 'resource_server', 'GET /records', '6750 §2.1'],
  },
  async *run(scene) {
    const refusal = yield* boundToken(scene)
    return refusal && (yield* foreignToken(scene)) && refusal
  },
})
