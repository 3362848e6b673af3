import type { Rule } from './rule.js'

/** A document whose sections the registry has, such as `RFC 6749`. */
export type DocumentName = Rule extends infer Each
  ? Each extends `${infer Name} §${string}` | `${infer Name} Appendix ${string}`
    ? Name
    : never
  : never

/** A document: its title, and true when the lab wants to know every MUST of it. */
interface DocumentFacts {
  readonly title: string
  readonly whole: boolean
}

const whole = (title: string): DocumentFacts => ({ title, whole: true })
const partly = (title: string): DocumentFacts => ({ title, whole: false })

/** The documents, in the order of lists and pages. */
export const DOCUMENTS = {
  'RFC 6749': whole('OAuth 2.0'),
  'RFC 6750': whole('bearer tokens'),
  'RFC 7009': whole('revocation'),
  'RFC 7523': whole('JWT as grant and client authentication'),
  'RFC 7591': whole('client registration'),
  'RFC 7592': whole('management of registrations'),
  'RFC 7636': whole('PKCE'),
  'RFC 7662': whole('introspection'),
  'RFC 8252': whole('native apps'),
  'RFC 8414': whole('authorization server metadata'),
  'RFC 8628': whole('device grant'),
  'RFC 8693': whole('token exchange'),
  'RFC 8705': whole('mutual TLS'),
  'RFC 8707': whole('resource indicators'),
  'RFC 9068': whole('JWT access tokens'),
  'RFC 9101': whole('request objects (JAR)'),
  'FAPI 2.0 Message Signing': partly('signed requests of FAPI 2.0'),
  'RFC 9126': whole('pushed authorization requests (PAR)'),
  'RFC 9207': whole('issuer in authorization responses'),
  'RFC 9396': whole('rich authorization requests'),
  'RFC 9449': whole('DPoP'),
  'RFC 9470': whole('step-up authentication'),
  'RFC 9700': whole('best current practice for OAuth 2.0 security'),
  'RFC 9701': whole('signed introspection responses'),
  'RFC 9728': whole('protected resource metadata'),
  'RFC 9901': partly('selective disclosure of claims (SD-JWT)'),
  'OpenID Connect Core': whole('login with OAuth 2.0'),
  'OpenID Connect Discovery': partly('metadata of a provider'),
  'OpenID Connect Registration': partly('registration with OpenID Connect'),
  'OpenID Connect RP-Initiated Logout': partly('logout that a client starts'),
  'OpenID Connect Back-Channel Logout': partly('logout tokens from server to client'),
  'OpenID Connect Front-Channel Logout': partly('logout through frames'),
  'OpenID Connect Session Management': partly('a frame that reports a logout'),
  'OpenID Connect CIBA Core': partly('login that a client starts by itself, on another device'),
  'OAuth 2.0 Multiple Response Type Encoding Practices': partly('response types and modes'),
  JARM: partly('authorization responses in a JWT'),
  'FAPI 2.0 Security Profile': partly('high-security clients and servers'),
  'draft-ietf-oauth-v2-1': partly('OAuth 2.1'),
  'draft-ietf-oauth-client-id-metadata-document-02': partly('client ids that are addresses of documents'),
  'RFC 7521': partly('assertions'),
  'draft-ietf-oauth-rfc7523bis': partly('the audience of client assertions'),
  'RFC 7522': partly('SAML assertions as grants'),
  'SAML 2.0 Bindings': partly('how SAML messages travel'),
  'SAML 2.0 Core': partly('SAML assertions'),
  'SAML 2.0 Profiles': partly('SAML logins'),
  XMLDSig: partly('XML signatures'),
  'RFC 7515': partly('JWS, signatures of JWTs'),
  'RFC 7517': partly('JWK, keys as JSON'),
  'RFC 7518': partly('JWA, algorithms of JWTs'),
  'RFC 7519': partly('JWT'),
  'RFC 7800': partly('keys in JWTs (cnf)'),
  'RFC 8725': partly('best current practice for JWTs'),
  'draft-ietf-oauth-v2-http-mac-00': partly('MAC tokens'),
  'MCP 2026-07-28 Authorization': partly('authorization of the Model Context Protocol'),
  'MCP 2026-07-28 Discovery': partly('how an MCP client finds the authorization server'),
  'MCP 2026-07-28 Registration': partly('how an MCP client introduces itself'),
  'MCP 2026-07-28 Security': partly('security of MCP authorization'),
  'MCP 2026-07-28 Tools': partly('tools of MCP servers'),
  'MCP 2026-07-28 Transport': partly('MCP over HTTP'),
  'MCP 2026-07-28 Versioning': partly('revisions of MCP'),
  'MCP 2025-11-25 Lifecycle': partly('MCP with initialize'),
  'MCP 2025-11-25 Transports': partly('MCP with sessions'),
  'MCP 2025-03-26 Authorization': partly('the first authorization of MCP'),
  'MCP Client Credentials': partly('MCP clients without a user'),
  'MCP Enterprise-Managed Authorization': partly('MCP access that an organisation decides'),
  'RFC 3986': partly('URIs'),
  'RFC 6238': partly('one-time codes by time (TOTP)'),
  'RFC 6265': partly('cookies'),
  'RFC 6585': partly('429 and other statuses'),
  'RFC 7617': partly('HTTP Basic'),
  'RFC 8259': partly('JSON'),
  'RFC 8446': partly('TLS 1.3'),
  'RFC 8878': partly('zstd'),
  'RFC 8996': partly('the end of TLS 1.0 and 1.1'),
  'RFC 9110': partly('HTTP semantics'),
  'RFC 9111': partly('HTTP caching'),
  'RFC 9112': partly('HTTP/1.1'),
  'RFC 9325': partly('recommendations for TLS'),
} as const satisfies Readonly<Record<DocumentName, DocumentFacts>>

/** Returns the document and the number of a rule, such as `RFC 6749` and `§4.1.2`. */
export function splitRule(rule: Rule): { readonly document: DocumentName; readonly section: string } {
  const at = rule.search(/ (?:§|Appendix )/)
  return { document: rule.slice(0, at) as DocumentName, section: rule.slice(at + 1) }
}
