/** Sections with a MUST of RFC 8414 (server metadata), RFC 9207 (iss in answers) and RFC 9728 (resource metadata). */
export const musts = {
  'RFC 8414 §2':
    'Metadata has issuer (https, no query, no fragment), the endpoints in use, response types, and no alg none.',
  'RFC 8414 §2.1': 'Signed metadata names its issuer and goes before plain values.',
  'RFC 8414 §3': 'Metadata is published over https, at /.well-known/ between host and path of the issuer.',
  'RFC 8414 §3.1': 'Metadata is fetched by GET; a slash at the end of the issuer is dropped first.',
  'RFC 8414 §3.2': 'Metadata is a 200 with a JSON object, and leaves out empty lists.',
  'RFC 8414 §3.3':
    'The issuer of the metadata is exactly the issuer that was asked; else nothing of it is used.',
  'RFC 8414 §4': 'Strings are compared code point by code point, without normalization.',
  'RFC 8414 §6.1': 'Servers support TLS 1.2 or later, and clients check the certificate.',
  'RFC 8414 §6.2':
    'A client compares the issuer of the metadata with the one that it wanted, letter by letter.',
  'RFC 9207 §2': 'Every authorization response, errors as well, names its issuer in iss.',
  'RFC 9207 §2.3': 'The issuer in answers is the one in the metadata, which announce that it is sent.',
  'RFC 9207 §2.4':
    'A client compares iss with the issuer it asked, and refuses an answer with another or none.',
  'RFC 9207 §4':
    'A client accepts no two servers with one issuer, and refuses an answer with several issuers.',
  'RFC 9728 §2': 'Resource metadata names the resource (https, no fragment), and allows no alg none.',
  'RFC 9728 §2.1': 'A text without a language tag is shown as it is.',
  'RFC 9728 §2.2': 'Signed resource metadata name their issuer and go before plain values.',
  'RFC 9728 §3': 'Resource metadata are published at /.well-known/ between host and path of the resource.',
  'RFC 9728 §3.1': 'Resource metadata are fetched by GET; a slash after the host is dropped first.',
  'RFC 9728 §3.2': 'Resource metadata are a 200 with a JSON object; unknown members are ignored.',
  'RFC 9728 §3.3':
    'The resource in the metadata is exactly the one that was asked; else nothing of it is used.',
  'RFC 9728 §6': 'Strings are compared code point by code point, without normalization.',
  'RFC 9728 §7.1': 'Implementations support TLS, as BCP 195 recommends.',
  'RFC 9728 §7.3':
    'A client compares the resource of the metadata with the one it wanted, and checks the certificate.',
} as const

/** Other sections that the program refers to. */
export const others = {
  'RFC 8414 §5': 'The metadata of OpenID Connect may stay at its older address.',
  'RFC 9207 §3': 'Metadata say whether the server sends iss.',
  'RFC 9728 §4': 'An authorization server may list the resources that it issues tokens for.',
  'RFC 9728 §5': 'A refused request leads to the metadata: resource_metadata in WWW-Authenticate.',
  'RFC 9728 §7.7':
    'A client that fetches addresses from metadata guards against requests into its own network.',
} as const
