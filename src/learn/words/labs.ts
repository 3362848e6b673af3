import type { Word } from './word.js'

/** Terms of the part Labs: clients that nobody knows. */
export const labWords: readonly Word[] = [
  {
    term: 'MCP',
    also: ['Model Context Protocol', 'MCP server'],
    explanation: [
      'A protocol by which an assistant calls the tools of a server, such as a calendar.',
      'The server is a resource server, and most of its clients are programs that it has never heard of.',
    ],
    rule: 'MCP 2026-07-28 Authorization §3',
    lesson: 28,
  },
  {
    term: 'protected resource metadata',
    also: ['PRM', 'oauth-protected-resource'],
    explanation: [
      'A document of a resource server about itself: its address, and the authorization servers that it trusts.',
      'A client that was refused finds its way by it, and checks that the document is about the server that it asked.',
    ],
    rule: 'RFC 9728 §2',
    lesson: 28,
  },
  {
    term: 'dynamic client registration',
    also: ['DCR'],
    explanation: [
      'A request by which a client introduces itself to an authorization server, and gets a client_id.',
      'Everything in it is what the client says of itself, so its name proves nothing.',
    ],
    rule: 'RFC 7591 §3',
    lesson: 28,
  },
  {
    term: 'client ID metadata document',
    also: ['CIMD'],
    explanation: [
      'A document about a client, whose https address is the client_id; the authorization server fetches it.',
      'The client belongs to the one who controls that address, and a server must not fetch inner addresses for a stranger.',
    ],
    rule: 'draft-ietf-oauth-client-id-metadata-document-02 §4',
    lesson: 28,
  },
]
