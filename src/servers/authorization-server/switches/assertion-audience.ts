import type { Client } from '../../../protocol/oauth/client.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { clauseOf } from '../profiles/profiles.js'

/** The audiences that a client assertion may name. */
export interface AssertionAudience {
  readonly audiences: readonly string[]
  /** True when `aud` must be a string, not a list. */
  readonly asString: boolean
  readonly rule: Citation | undefined
}

/**
 * Returns the audiences of a client's assertions. By default these are the issuer, the token endpoint (RFC 7523 §3) and the
 * called endpoint (RFC 9126 §2). A strict client names the issuer alone: an assertion for an address of one server could
 * be made for another one that claims the address (draft-ietf-oauth-rfc7523bis §4).
 * @param called the URL of the called endpoint
 */
export function assertionAudience(client: Client, issuer: string, called: string): AssertionAudience {
  if (client.strict_assertion_audience !== true) {
    return { audiences: [issuer, `${issuer}/token`, called], asString: false, rule: undefined }
  }
  const rule = clauseOf(client, 'audience', 'draft-ietf-oauth-rfc7523bis §4')
  return { audiences: [issuer], asString: true, rule }
}
