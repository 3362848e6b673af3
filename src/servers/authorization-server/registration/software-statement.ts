import { shown } from '../../../protocol/oauth/check.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import { verifyJwt } from '../../../protocol/tokens/verify.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { RegistrationErrorCode } from './registration-error.js'
import type { StatementIssuer } from './settings.js'

/** Longest software statement, in characters. */
const MAX_LENGTH = 16 * 1024

const RULE = 'RFC 7591 §2.3'

const invalid = (description: string, evidence?: string) =>
  new OAuthError<RegistrationErrorCode>('invalid_software_statement', { description, rule: RULE, evidence })

const unapproved = (description: string, evidence?: string) =>
  new OAuthError<RegistrationErrorCode>('unapproved_software_statement', {
    description,
    rule: RULE,
    evidence,
  })

/** The server that a software statement is shown to. */
export interface StatementExpectations {
  readonly issuers: readonly StatementIssuer[]
  /** Values of `aud` that name this server. A statement may have no `aud`. */
  readonly audiences: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A statement whose signature and times were checked. */
export interface VerifiedStatement {
  readonly issuer: string
  /** Its claims. Those about a client go before the members beside the statement (RFC 7591 §3.1.1). */
  readonly claims: JsonObject
}

function decode(statement: string): DecodedJwt {
  if (statement.length > MAX_LENGTH)
    throw invalid(`software_statement is longer than ${MAX_LENGTH} characters`)
  try {
    return decodeJwt(statement)
  } catch (error) {
    if (error instanceof TokenFormatError) throw invalid(`software_statement is no JWT: ${error.message}`)
    throw error
  }
}

/**
 * Verifies a software statement: a JWT about the software of a client, signed by an issuer that this server trusts
 * (RFC 7591 §2.3).
 * @throws OAuthError `unapproved_software_statement` for a foreign issuer, `invalid_software_statement` for any other fault
 */
export async function verifySoftwareStatement(
  statement: unknown,
  { issuers, audiences, now }: StatementExpectations,
): Promise<VerifiedStatement> {
  if (typeof statement !== 'string') throw invalid('software_statement is no text')
  if (issuers.length === 0) {
    throw unapproved('this server trusts no issuer of software statements; leave software_statement out')
  }
  const { iss, aud } = decode(statement).claims
  if (typeof iss !== 'string') throw invalid('software_statement has no iss')
  const issuer = issuers.find(each => each.issuer === iss)
  if (issuer === undefined) {
    throw unapproved('this server does not trust the issuer of software_statement', `iss: ${shown(iss)}`)
  }
  const verdict = await verifyJwt(
    statement,
    { kind: 'jwks', jwks: issuer.jwks },
    { issuer: iss, now, mayLackExp: true },
  )
  const broken = verdict.checks.find(each => !each.ok)
  if (!verdict.ok) {
    throw invalid(`software_statement is refused: ${broken?.name ?? 'a check failed'}`, broken?.detail)
  }
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  if (aud !== undefined && !named.some(each => audiences.some(own => own === each))) {
    throw invalid('aud of software_statement does not name this server', `aud: ${named.map(shown).join(' ')}`)
  }
  return { issuer: iss, claims: verdict.token.claims as JsonObject }
}
