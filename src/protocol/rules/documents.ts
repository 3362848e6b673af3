/** The documents whose sections the lab knows, each a file of `content/rules`, in the order of lists and pages. */
const FILES = {
  'RFC 6749': () => import('../../../content/rules/rfc-6749.json'),
  'RFC 6750': () => import('../../../content/rules/rfc-6750.json'),
  'RFC 7009': () => import('../../../content/rules/rfc-7009.json'),
  'RFC 7523': () => import('../../../content/rules/rfc-7523.json'),
  'RFC 7591': () => import('../../../content/rules/rfc-7591.json'),
  'RFC 7592': () => import('../../../content/rules/rfc-7592.json'),
  'RFC 7636': () => import('../../../content/rules/rfc-7636.json'),
  'RFC 7662': () => import('../../../content/rules/rfc-7662.json'),
  'RFC 8252': () => import('../../../content/rules/rfc-8252.json'),
  'RFC 8414': () => import('../../../content/rules/rfc-8414.json'),
  'RFC 8628': () => import('../../../content/rules/rfc-8628.json'),
  'RFC 8693': () => import('../../../content/rules/rfc-8693.json'),
  'RFC 8705': () => import('../../../content/rules/rfc-8705.json'),
  'RFC 8707': () => import('../../../content/rules/rfc-8707.json'),
  'RFC 9068': () => import('../../../content/rules/rfc-9068.json'),
  'RFC 9101': () => import('../../../content/rules/rfc-9101.json'),
  'FAPI 2.0 Message Signing': () => import('../../../content/rules/fapi-2.0-message-signing.json'),
  'RFC 9126': () => import('../../../content/rules/rfc-9126.json'),
  'RFC 9207': () => import('../../../content/rules/rfc-9207.json'),
  'RFC 9396': () => import('../../../content/rules/rfc-9396.json'),
  'RFC 9449': () => import('../../../content/rules/rfc-9449.json'),
  'RFC 9470': () => import('../../../content/rules/rfc-9470.json'),
  'RFC 9700': () => import('../../../content/rules/rfc-9700.json'),
  'RFC 9701': () => import('../../../content/rules/rfc-9701.json'),
  'RFC 9728': () => import('../../../content/rules/rfc-9728.json'),
  'RFC 10017': () => import('../../../content/rules/rfc-10017.json'),
  'RFC 9901': () => import('../../../content/rules/rfc-9901.json'),
  'OpenID Connect Core': () => import('../../../content/rules/openid-core.json'),
  'OpenID Connect Discovery': () => import('../../../content/rules/openid-discovery.json'),
  'OpenID Connect Registration': () => import('../../../content/rules/openid-registration.json'),
  'OpenID Connect RP-Initiated Logout': () => import('../../../content/rules/openid-rp-logout.json'),
  'OpenID Connect Back-Channel Logout': () => import('../../../content/rules/openid-back-channel.json'),
  'OpenID Connect Front-Channel Logout': () => import('../../../content/rules/openid-front-channel.json'),
  'OpenID Connect Session Management': () => import('../../../content/rules/openid-session-management.json'),
  'OpenID Connect CIBA Core': () => import('../../../content/rules/openid-ciba-core.json'),
  'OAuth 2.0 Multiple Response Type Encoding Practices': () =>
    import('../../../content/rules/oauth-response-types.json'),
  JARM: () => import('../../../content/rules/jarm.json'),
  'FAPI 2.0 Security Profile': () => import('../../../content/rules/fapi-2.0-security-profile.json'),
  'draft-ietf-oauth-v2-1': () => import('../../../content/rules/oauth-2.1.json'),
  'draft-ietf-oauth-client-id-metadata-document-02': () =>
    import('../../../content/rules/client-id-document.json'),
  'RFC 7521': () => import('../../../content/rules/rfc-7521.json'),
  'draft-ietf-oauth-rfc7523bis': () => import('../../../content/rules/rfc-7523bis.json'),
  'RFC 7522': () => import('../../../content/rules/rfc-7522.json'),
  'SAML 2.0 Bindings': () => import('../../../content/rules/saml-2.0-bindings.json'),
  'SAML 2.0 Core': () => import('../../../content/rules/saml-2.0-core.json'),
  'SAML 2.0 Profiles': () => import('../../../content/rules/saml-2.0-profiles.json'),
  XMLDSig: () => import('../../../content/rules/xmldsig.json'),
  'RFC 7515': () => import('../../../content/rules/rfc-7515.json'),
  'RFC 7517': () => import('../../../content/rules/rfc-7517.json'),
  'RFC 7518': () => import('../../../content/rules/rfc-7518.json'),
  'RFC 7519': () => import('../../../content/rules/rfc-7519.json'),
  'RFC 7800': () => import('../../../content/rules/rfc-7800.json'),
  'RFC 8725': () => import('../../../content/rules/rfc-8725.json'),
  'draft-ietf-oauth-v2-http-mac-00': () => import('../../../content/rules/oauth-http-mac.json'),
  'MCP 2026-07-28 Authorization': () => import('../../../content/rules/mcp-2026-07-28-authorization.json'),
  'MCP 2026-07-28 Discovery': () => import('../../../content/rules/mcp-2026-07-28-discovery.json'),
  'MCP 2026-07-28 Registration': () => import('../../../content/rules/mcp-2026-07-28-registration.json'),
  'MCP 2026-07-28 Security': () => import('../../../content/rules/mcp-2026-07-28-security.json'),
  'MCP 2026-07-28 Tools': () => import('../../../content/rules/mcp-2026-07-28-tools.json'),
  'MCP 2026-07-28 Transport': () => import('../../../content/rules/mcp-2026-07-28-transport.json'),
  'MCP 2026-07-28 Versioning': () => import('../../../content/rules/mcp-2026-07-28-versioning.json'),
  'MCP 2025-11-25 Lifecycle': () => import('../../../content/rules/mcp-2025-11-25-lifecycle.json'),
  'MCP 2025-11-25 Transports': () => import('../../../content/rules/mcp-2025-11-25-transports.json'),
  'MCP 2025-03-26 Authorization': () => import('../../../content/rules/mcp-2025-03-26-authorization.json'),
  'MCP Client Credentials': () => import('../../../content/rules/mcp-client-credentials.json'),
  'MCP Enterprise-Managed Authorization': () => import('../../../content/rules/mcp-enterprise.json'),
  'RFC 3986': () => import('../../../content/rules/rfc-3986.json'),
  'RFC 6238': () => import('../../../content/rules/rfc-6238.json'),
  'RFC 6265': () => import('../../../content/rules/rfc-6265.json'),
  'RFC 6585': () => import('../../../content/rules/rfc-6585.json'),
  'RFC 7617': () => import('../../../content/rules/rfc-7617.json'),
  'RFC 8259': () => import('../../../content/rules/rfc-8259.json'),
  'RFC 8446': () => import('../../../content/rules/rfc-8446.json'),
  'RFC 8878': () => import('../../../content/rules/rfc-8878.json'),
  'RFC 8996': () => import('../../../content/rules/rfc-8996.json'),
  'RFC 9110': () => import('../../../content/rules/rfc-9110.json'),
  'RFC 9111': () => import('../../../content/rules/rfc-9111.json'),
  'RFC 9112': () => import('../../../content/rules/rfc-9112.json'),
  'RFC 9325': () => import('../../../content/rules/rfc-9325.json'),
}

/** A document whose sections the lab knows, such as `RFC 6749`. */
export type DocumentName = keyof typeof FILES

type Content<Name extends DocumentName> = Awaited<ReturnType<(typeof FILES)[Name]>>['default']

type SectionsIn<File> =
  | (File extends { readonly must: infer Sections } ? keyof Sections : never)
  | (File extends { readonly other: infer Sections } ? keyof Sections : never)

/**
 * A section of a document that the lab knows, such as `RFC 6749 §4.1.2.1`. A section outside the registry does not
 * compile: the file of its document gets it first, with its demand in one sentence.
 */
export type Rule = {
  [Name in DocumentName]: `${Name} ${SectionsIn<Content<Name>> & string}`
}[DocumentName]

/** The sections of a document, each with a sentence. */
type Sections = Readonly<Record<string, string>>

/** A document of the registry. */
export interface RuleDocument {
  readonly title: string
  /** True when the lab wants to know every MUST of it. */
  readonly whole?: boolean
  /** The sections that hold a MUST, each with its demand. */
  readonly must?: Sections
  /** The other sections that the program refers to: recommendations, explanations and attacks. */
  readonly other?: Sections
  /**
   * Sections that demand again what a section of this or another document demands, as the considerations at the end of an
   * RFC do, and RFCs that build on others. What keeps the other section keeps them too.
   */
  readonly repeats?: Sections
}

/** Every document of the registry, in the order of lists and pages. */
export type RuleDocuments = Readonly<Record<DocumentName, RuleDocument>>

/** Loads the registry. */
export async function ruleDocuments(): Promise<RuleDocuments> {
  const load = Object.entries(FILES).map(async ([name, file]) => [name, (await file()).default] as const)
  const documents: Record<string, RuleDocument> = Object.fromEntries(await Promise.all(load))
  return documents as RuleDocuments
}

/** The number of a section: `§4.1.2`, `§5-2`, `Appendix B`. */
const SECTION = /^(?:§\d+(?:\.\d+)*(?:-\d+)?|Appendix [A-Z](?:\.\d+)*)$/

/** True for a text that names a document of the registry and the number of a section. It loads no document. */
export function namesSection(text: string): boolean {
  const { document, section } = splitRule(text as Rule)
  return Object.hasOwn(FILES, document) && SECTION.test(section)
}

/** Returns the document and the number of a rule, such as `RFC 6749` and `§4.1.2`. */
export function splitRule(rule: Rule): { readonly document: DocumentName; readonly section: string } {
  const at = rule.search(/ (?:§|Appendix )/)
  return { document: rule.slice(0, at) as DocumentName, section: rule.slice(at + 1) }
}

/**
 * Returns the sentence of the first rule that a text names, such as `invalid_grant RFC 7636 §4.6`; undefined where it names
 * none that the lab knows.
 */
export function ruleDemand(documents: RuleDocuments, text: string): string | undefined {
  for (const [name, { must, other }] of Object.entries(documents)) {
    const at = text.indexOf(`${name} `)
    if (at < 0) continue
    const [section = ''] = /^(?:§|Appendix )[\w.-]*\w/.exec(text.slice(at + name.length + 1)) ?? []
    const demand = must?.[section] ?? other?.[section]
    if (demand !== undefined) return demand
  }
  return undefined
}
