import type { Citation } from '../rules/rule.js'
import type { OAuthErrorCode } from './error-codes.js'
import { ruleUri } from './rule-uri.js'

/** The members of an OAuthError besides its code. */
export interface OAuthErrorDetail {
  /** The problem, for the other side. Characters that RFC 6749 does not allow are replaced when it is sent. */
  readonly description: string
  /** The rule that was broken, such as `RFC 6749 §4.1.2`. */
  readonly rule: Citation
  /** The value of `error_uri`. */
  readonly uri?: string | undefined
  /** The offending value, for events and screens. It is never sent to the other side and holds no secret. */
  readonly evidence?: string | undefined
  /** The next moves of a person, where the code alone does not say them. */
  readonly hints?: readonly string[] | undefined
}

/**
 * A protocol error that either side throws. It is a result, not a bug, and names the broken rule.
 * @typeParam Code the possible codes; default: all
 */
export class OAuthError<out Code extends OAuthErrorCode = OAuthErrorCode> extends Error {
  override name = 'OAuthError'
  readonly description: string
  readonly rule: Citation
  readonly uri: string | undefined
  readonly evidence: string | undefined
  readonly hints: readonly string[] | undefined

  /**
   * @param code the RFC's error code, or a name of this project where the RFC has no code (`state_mismatch`)
   */
  constructor(
    readonly code: Code,
    detail: OAuthErrorDetail,
  ) {
    super(`${code}: ${detail.description}`)
    this.description = detail.description
    this.rule = detail.rule
    this.uri = detail.uri
    this.evidence = detail.evidence
    this.hints = detail.hints
  }
}

/** True for a thrown OAuthError with one of these codes. */
export function isRefusal<Code extends OAuthErrorCode>(
  error: unknown,
  codes: readonly Code[],
): error is OAuthError<Code> {
  return error instanceof OAuthError && codes.some(code => code === error.code)
}

/** Replaces characters that `error_description` may not contain (RFC 6749 §4.1.2.1: %x20-21 / %x23-5B / %x5D-7E). */
export function describable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replaceAll('§', 'section ')
    .replaceAll('…', '...')
    .replace(/[\t\r\n]/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
}

/** Returns the parameters of an error response, in the order of the RFC. `error_uri` leads to the broken rule. */
export function errorParameters(error: OAuthError): [name: string, value: string | undefined][] {
  return [
    ['error', error.code],
    ['error_description', describable(error.description)],
    ['error_uri', error.uri ?? ruleUri(error.rule)],
  ]
}
