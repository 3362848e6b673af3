/** Sections with a MUST of the draft on client ID metadata documents, by the numbers of its revision 02. */
export const musts = {
  'draft-ietf-oauth-client-id-metadata-document-02 §3':
    'A client_id that is a URL has https and a path, without user information, dot segments and fragment.',
  'draft-ietf-oauth-client-id-metadata-document-02 §4':
    'The document of a client is JSON, and its client_id is the same string as its address.',
  'draft-ietf-oauth-client-id-metadata-document-02 §4.1':
    'The document of a client holds public keys alone: no secret, no private key, no method with a secret.',
  'draft-ietf-oauth-client-id-metadata-document-02 §4.2':
    'The document lists the redirect addresses of its client, which are compared as strings.',
  'draft-ietf-oauth-client-id-metadata-document-02 §5':
    'A document is answered with 200; every other status is an error, and no redirect is followed.',
  'draft-ietf-oauth-client-id-metadata-document-02 §5.2':
    'Documents are kept as their HTTP headers say, within bounds; errors and invalid documents are not kept.',
  'draft-ietf-oauth-client-id-metadata-document-02 §6':
    'A server that fetches documents says so in its metadata (client_id_metadata_document_supported).',
  'draft-ietf-oauth-client-id-metadata-document-02 §8.2':
    'A client whose document says private_key_jwt authenticates with a key that it publishes.',
  'draft-ietf-oauth-client-id-metadata-document-02 §8.6':
    'A server fetches nothing at addresses of private networks, which a stranger could make it call.',
  'MCP 2026-07-28 Security §7.2':
    'The page that asks a person shows the host of the redirect address, and warns of addresses of this computer.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'draft-ietf-oauth-client-id-metadata-document-02 §5.1':
    'A request ends when the document of its client cannot be fetched.',
  'draft-ietf-oauth-client-id-metadata-document-02 §8.4':
    'A document can change at any time; a person may have allowed something else before.',
  'draft-ietf-oauth-client-id-metadata-document-02 §8.5':
    'The page that asks a person shows the host of the client_id.',
  'draft-ietf-oauth-client-id-metadata-document-02 §8.7':
    'A server reads a few kilobytes of a document, and refuses longer ones; 5 kB are recommended.',
  'RFC 9111 §4.2.1': 'An answer is fresh for max-age, else until Expires.',
  'RFC 9111 §5.2': 'Cache-Control is a list of directives, such as max-age.',
  'RFC 9111 §5.2.2': 'no-store and no-cache in an answer: it is not used again unasked.',
  'RFC 9111 §5.3': 'A malformed Expires is a time in the past.',
} as const
