import { bytes, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'
import { cimd } from '../../../protocol/rules/rule.js'
import type { JsonObject } from '../../../protocol/values.js'
import { STRANGER } from '../messages.js'
import { authorizationTable, documentLieOf, type Move, page } from '../move.js'
import type { Situation } from '../situation.js'

const answering = (members: (document: JsonObject) => JsonObject) => ({
  answer: (document: JsonObject): HttpResponse => jsonResponse(200, members(document)),
})

/** Size of an oversized document, in body bytes. The draft advises 5 kB. */
const OVERSIZE = 1_000_000

/** Client ID metadata documents, and addresses of them, that an authorization server must refuse. */
export const documentMoves = authorizationTable(
  {
    codeOnly: true,
    expects: [{ by: 'page', errors: ['invalid_client', 'unauthorized_client', 'invalid_request'] }, page],
    notHere: ({ documents }: Situation) =>
      documents ? undefined : 'the authorization server announces no client ID metadata documents',
    // The authorization request is honest.
    change: pairs => pairs,
  },
  [
    {
      name: 'document-of-other-client',
      does: 'serves a document whose client_id is the address of another client',
      risk: 'a client shows the name and the host of another one',
      rule: cimd('4'),
      document: answering(document => ({ ...document, client_id: `https://${STRANGER}/client.json` })),
    },
    {
      name: 'document-without-redirect-uri',
      does: 'asks for an answer at an address that its document does not list',
      risk: 'codes of the client go to an address of somebody else',
      rule: cimd('4.2'),
      document: answering(document => ({ ...document, redirect_uris: [`https://${STRANGER}/callback`] })),
    },
    {
      name: 'redirected-document',
      does: 'answers a redirect to another address in place of its document',
      risk: 'an open redirect on a host is enough to speak in the name of that host',
      rule: cimd('5'),
      document: {
        answer: ({ client_id: id }) => ({
          status: 302,
          headers: [['location', `${String(id)}?document`]],
          body: new Uint8Array(),
        }),
      },
    },
    {
      name: 'oversized-document',
      does: `serves a document of ${OVERSIZE / 1_000_000} MB`,
      risk: 'strangers fill the memory of the server',
      rule: cimd('8.7'),
      document: answering(document => ({ ...document, 'x-padding': 'x'.repeat(OVERSIZE) })),
    },
    {
      name: 'html-document',
      does: 'serves a page of HTML in place of its document',
      risk: 'a page that people may write, such as a comment, becomes a client of its host',
      rule: cimd('4'),
      document: {
        answer: document => ({
          status: 200,
          headers: [['content-type', 'text/html; charset=utf-8']],
          body: bytes(`<!doctype html><title>client</title><pre>${JSON.stringify(document)}</pre>`),
        }),
      },
    },
    {
      name: 'document-with-secret',
      does: 'serves a document that wants to authenticate with a shared secret',
      risk: 'a secret that everybody can read proves nothing',
      rule: cimd('4.1'),
      document: answering(document => ({
        ...document,
        token_endpoint_auth_method: 'client_secret_basic',
        client_secret: 'everybody-reads-this-secret-here',
      })),
    },
    {
      name: 'private-document-address',
      does: 'names a document at a link-local address of the network of the server',
      risk: 'strangers make the server call addresses that only it can reach',
      rule: cimd('8.6'),
      document: { clientId: () => 'https://169.254.169.254/client.json' },
    },
    {
      name: 'document-address-with-fragment',
      does: 'names its document by an address with a fragment',
      risk: 'one document has any number of client_ids, and a block list knows one of them',
      rule: cimd('3'),
      document: { clientId: address => `${address}#other` },
    },
    {
      name: 'document-address-with-dot-segments',
      does: 'names its document by an address with dot segments',
      risk: 'programs disagree about which client that is',
      rule: cimd('3'),
      document: { clientId: address => address.replace(/\/([^/]*)$/, '/other/../$1') },
    },
    {
      name: 'document-address-without-path',
      does: 'names its document by an address without a path',
      risk: 'a whole host is one client, and its tenants share it',
      rule: cimd('3'),
      document: { clientId: address => new URL(address).origin },
    },
  ],
)

/** True where a wrong document cannot be the reason of an answer, because nobody read the document. */
export function wasNotRead(move: Move, { documentAsked }: Pick<Situation, 'documentAsked'>): boolean {
  return documentLieOf(move)?.answer !== undefined && documentAsked?.() === false
}

/** The reason why a move says nothing about a server that did not ask for the document. */
export const NOT_ASKED = 'the authorization server did not ask for the document'
