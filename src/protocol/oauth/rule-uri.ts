import type { Citation } from '../rules/rule.js'

/** Specifications of the OpenID Foundation, by their names in our rules. Their sections have anchors like those of old RFCs. */
const OPENID: Readonly<Record<string, string>> = {
  'OpenID Connect Core': 'openid-connect-core-1_0',
  'OpenID Connect Discovery': 'openid-connect-discovery-1_0',
  'OpenID Connect Registration': 'openid-connect-registration-1_0',
  'OpenID Connect RP-Initiated Logout': 'openid-connect-rpinitiated-1_0',
  'OpenID Connect Back-Channel Logout': 'openid-connect-backchannel-1_0',
  'OpenID Connect Front-Channel Logout': 'openid-connect-frontchannel-1_0',
  'OpenID Connect Session Management': 'openid-connect-session-1_0',
  'OpenID Connect CIBA Core': 'openid-client-initiated-backchannel-authentication-core-1_0',
  'OAuth 2.0 Multiple Response Type Encoding Practices': 'oauth-v2-multiple-response-types-1_0',
}

/** Pages of the Model Context Protocol, by their names in our rules. Their sections have no stable anchors. */
const MCP: Readonly<Record<string, string>> = {
  'MCP 2026-07-28 Authorization': '2026-07-28/basic/authorization',
  'MCP 2026-07-28 Discovery': '2026-07-28/basic/authorization/authorization-server-discovery',
  'MCP 2026-07-28 Registration': '2026-07-28/basic/authorization/client-registration',
  'MCP 2026-07-28 Security': '2026-07-28/basic/authorization/security-considerations',
  'MCP 2026-07-28 Transport': '2026-07-28/basic/transports/streamable-http',
  'MCP 2026-07-28 Versioning': '2026-07-28/basic/versioning',
  'MCP 2025-11-25 Lifecycle': '2025-11-25/basic/lifecycle',
  'MCP 2025-11-25 Transports': '2025-11-25/basic/transports',
  'MCP 2025-03-26 Authorization': '2025-03-26/basic/authorization',
}

/** Returns the URL of a rule such as `RFC 6750 §3.1`; undefined for a rule of another form. */
export function ruleUri(rule: Citation): string | undefined {
  const [, rfcAppendix, appendix = ''] = /^RFC (\d+) Appendix ([A-Z](?:\.\d+)*)$/.exec(rule) ?? []
  if (rfcAppendix !== undefined)
    return `https://www.rfc-editor.org/rfc/rfc${rfcAppendix}#appendix-${appendix}`
  const [, name = '', section = ''] = /^(.+) §([0-9.]+)(?:-\d+)?$/.exec(rule) ?? []
  if (/^draft-[a-z0-9-]+$/.test(name))
    return `https://datatracker.ietf.org/doc/html/${name}#section-${section}`
  if (name === 'FAPI 2.0 Security Profile')
    return `https://openid.net/specs/fapi-security-profile-2_0-final.html#section-${section}`
  if (name === 'JARM') return `https://openid.net/specs/oauth-v2-jarm-final.html#section-${section}`
  if (Object.hasOwn(OPENID, name))
    return `https://openid.net/specs/${OPENID[name]}.html#rfc.section.${section}`
  if (Object.hasOwn(MCP, name)) return `https://modelcontextprotocol.io/specification/${MCP[name]}`
  const rfc = /^RFC (\d+)$/.exec(name)?.[1]
  return rfc === undefined ? undefined : `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`
}
