import { createSecretKey } from 'node:crypto'
import type { Exchange } from '../../protocol/http/exchange.js'
import {
  advice,
  type Check,
  check,
  firstFailed,
  isBreach,
  NO_ISSUER,
  shown,
} from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { isAccessTokenType } from '../../protocol/second-reading.js'
import { type DecodedJwt, decodeIfJwt } from '../../protocol/tokens/decode.js'
import { checkDateUnit, explainToken } from '../../protocol/tokens/explain.js'
import {
  type CarriedKeys,
  type JwkSet,
  readKeySet,
  type VerificationKeys,
} from '../../protocol/tokens/keys.js'
import { type Expectations, verifyJwt } from '../../protocol/tokens/verify.js'
import { defined } from '../../protocol/values.js'
import { failedCheck } from '../outcome.js'
import { type LoginDemand, loginChecks } from '../requests/login-demand.js'
import type { StepToken } from '../step.js'

function subjectOf({ id_token: idToken, access_token: accessToken }: TokenResponse): string | undefined {
  const readable = (idToken === undefined ? undefined : decodeIfJwt(idToken)) ?? decodeIfJwt(accessToken)
  const sub = readable?.claims.sub
  return typeof sub === 'string' ? sub : undefined
}

/** Compares the subjects of old and new tokens, where both can be read. @throws OAuthError when they differ */
export function sameSubject(before: TokenResponse, after: TokenResponse, rule: Citation): Check[] {
  const [was, is] = [subjectOf(before), subjectOf(after)]
  if (was === undefined || is === undefined) return []
  if (was === is) return [check('sub', true, rule, `still ${is}`)]
  throw new OAuthError('subject_mismatch', {
    description: `the new tokens are about ${is}, the old ones about ${was}`,
    rule,
  })
}

/** The algorithms that a client expects its provider to sign by. */
interface ExpectedAlgorithms {
  readonly announced: unknown
  /** The algorithms of the client alone. Absent: it names none. */
  readonly registered?: RegisteredAlgorithm | undefined
}

/** The algorithm of a client's registration, such as `id_token_signed_response_alg`, or those of FAPI 2.0. */
export type RegisteredAlgorithm = string | readonly string[]

/** Returns the failed check of a JWT by an algorithm that its client or its provider does not name (RFC 8725 §3.1). */
export function unexpectedAlgorithm(
  { header }: DecodedJwt,
  { announced, registered }: ExpectedAlgorithms,
  rule: Citation,
): Check[] {
  const refused = (why: string) => [check('alg', false, rule, `${shown(header.alg)} is not ${why}`)]
  if (typeof registered === 'object' && !registered.some(each => each === header.alg)) {
    const allowed = `${shown(header.alg)} is not allowed; allowed: ${registered.join(', ')}`
    return [check('alg', false, 'FAPI 2.0 Security Profile §5.4.1-1', allowed)]
  }
  if (typeof registered === 'string' && header.alg !== registered) {
    return refused(`the algorithm that this client is registered for; registered: ${registered}`)
  }
  if (!Array.isArray(announced) || announced.length === 0 || announced.includes(header.alg)) return []
  return refused(`announced; announced: ${announced.slice(0, 10).map(shown).join(', ')}`)
}

/** Accepted difference between the clocks of two computers, in seconds. */
export const CLOCK_LEEWAY = 5

/** Returns a token in the form that a step shows. */
export function stepToken(kind: StepToken['kind'], value: string, checks: readonly Check[] = []): StepToken {
  const decoded = decodeIfJwt(value)
  return defined({ kind, value, explained: decoded && explainToken(decoded), checks })
}

/** The access token and the other tokens of a response, as a step shows them. */
export function stepTokens(tokens: TokenResponse): { token: StepToken; tokens?: StepToken[] } {
  const others: StepToken[] = []
  if (tokens.id_token !== undefined) others.push(stepToken('id_token', tokens.id_token))
  if (tokens.refresh_token !== undefined) others.push(stepToken('refresh_token', tokens.refresh_token))
  return defined({
    token: stepToken('access_token', tokens.access_token),
    tokens: others.length > 0 ? others : undefined,
  })
}

/** Reads the published keys; undefined when the server has no jwks_uri. @throws OAuthError, UnreadableAnswer */
export function readKeys(exchange: Exchange | undefined): JwkSet | undefined {
  return exchange && readKeySet(exchange)
}

/** Without `at_hash` any access token could accompany the id_token. */
const NO_AT_HASH = check('at_hash', false, 'OpenID Connect Core §3.2.2.9', 'missing')

/** The keys that a client knows for signatures of its provider. */
export interface KnownKeys {
  readonly published: JwkSet | undefined
  readonly carriedKeys?: CarriedKeys | undefined
  readonly clientSecret?: string | undefined
}

/** The values that the client compares its tokens with. */
export interface TokenExpectations {
  /** Absent where it is not known: `iss` is pointed out, and not compared. */
  readonly issuer?: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly carriedKeys?: CarriedKeys
  readonly idTokenAlgorithms?: readonly string[]
  readonly registeredAlgorithm?: RegisteredAlgorithm
  /** The audience that the access token must name; absent when only the resource server cares. */
  readonly audience?: string
  /** Takes the place of `audience` (RFC 8707 §2). */
  readonly resource?: string
  readonly nonce?: string
  readonly demand?: LoginDemand
  /** True when `openid` was granted, so that an id_token must be there. */
  readonly openId: boolean
  /** True when only at_hash ties the tokens together. */
  readonly fromBrowser?: boolean
  /** Makes problems of an access token advice when it was never meant for this client. */
  readonly foreignAccessTokens?: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface TokenVerdict {
  readonly shown: { token: StepToken; tokens?: StepToken[]; checks?: Check[]; note: string }
  readonly subject: string | undefined
  readonly refusal?: OAuthError
}

function refusalOf({ kind, checks }: StepToken): OAuthError | undefined {
  const failed = firstFailed(checks, isBreach)
  if (!failed) return undefined
  const detail = failed.detail === undefined ? '' : `: ${failed.detail}`
  return new OAuthError('invalid_token', {
    description: `the ${failed.name} of the ${kind} is not accepted${detail}`,
    rule: failed.rule,
  })
}

async function verified(
  kind: StepToken['kind'],
  value: string,
  keys: VerificationKeys,
  expected: Expectations,
): Promise<StepToken> {
  const { checks, token } = await verifyJwt(value, keys, { ...expected, tolerance: CLOCK_LEEWAY })
  const unit = checkDateUnit(token.claims)
  const [signature, ...claims] = checks
  // A wrong unit explains every failed check of a date, so it comes before them.
  return stepToken(kind, value, unit.ok || !signature ? checks : [signature, unit, ...claims])
}

/** The keys for an id_token or signed userinfo. HS256 uses the client secret (OpenID Connect Core §10.1). */
export function responseKeys(
  { header: { alg } }: DecodedJwt,
  { published, carriedKeys, clientSecret }: KnownKeys,
  announced: unknown,
): VerificationKeys | undefined {
  // A provider with published keys signs by them, unless it announces HS256.
  const mayShare = published === undefined || (Array.isArray(announced) && announced.includes('HS256'))
  if (alg === 'HS256' && clientSecret && mayShare) {
    return { kind: 'key', key: createSecretKey(clientSecret, 'utf8'), alg: 'HS256' }
  }
  return published ? { kind: 'jwks', jwks: published } : carriedKeys?.keys
}

/** Verifies the id_token (OpenID Connect Core §3.1.3.7), and a JWT access token of known keys (RFC 7519 §7.2). */
export async function verifyTokens(
  tokens: TokenResponse,
  published: JwkSet | undefined,
  expected: TokenExpectations,
): Promise<TokenVerdict> {
  const { issuer, clientSecret, carriedKeys, audience, resource, now } = expected
  const keys: VerificationKeys | undefined = published ? { kind: 'jwks', jwks: published } : carriedKeys?.keys
  const access = decodeIfJwt(tokens.access_token)
  // Its reader is the resource server. The client cannot know that name, and takes the token as an opaque text (RFC 9068 §2.1, §6).
  const opaque = isAccessTokenType(access?.header.typ)
  const named = resource === undefined && !opaque ? audience : undefined
  const readable = keys !== undefined && access !== undefined
  const found = readable
    ? await verified('access_token', tokens.access_token, keys, {
        now,
        ...(issuer !== undefined && { issuer }),
        ...(audience !== undefined && defined({ resource, audience: named })),
      })
    : stepToken('access_token', tokens.access_token)
  const token = expected.foreignAccessTokens ? pointedOut(found) : found
  const name = opaque ? 'access token (the lab reads it so that you can; a client does not)' : 'access token'
  const names = readable && token.checks.every(({ ok }) => ok) ? [name] : []
  const id = tokens.id_token === undefined ? undefined : decodeIfJwt(tokens.id_token)
  const idKeys = id && responseKeys(id, { published, carriedKeys, clientSecret }, expected.idTokenAlgorithms)
  const problem = idTokenProblem(tokens, id, idKeys, expected.openId)
  if (problem || !idKeys || !id || tokens.id_token === undefined) {
    const missing = problem && [failedCheck(problem, 'id_token')]
    return verdict(token, [], names, undefined, refusalOf(token) ?? problem, missing)
  }
  const beside = { accessToken: tokens.access_token }
  const idToken = await verifiedIdToken(tokens.id_token, id, idKeys, expected, beside)
  const subject = typeof id.claims.sub === 'string' ? id.claims.sub : undefined
  return verdict(token, [idToken], [...names, 'id token'], subject, refusalOf(token) ?? refusalOf(idToken))
}

/** The parts of a response whose hashes its id_token has. */
export interface BesideIdToken {
  readonly accessToken?: string | undefined
  /** The code of a hybrid response, whose id_token must have c_hash. */
  readonly code?: string
}

/** Verifies an id_token by every rule of its response (OpenID Connect Core §3.1.3.7, §3.2.2.11, §3.3.2.12). */
async function verifiedIdToken(
  value: string,
  id: DecodedJwt,
  keys: VerificationKeys,
  { issuer, clientId, nonce, demand, now, fromBrowser, ...algorithms }: IdTokenExpectations,
  { accessToken, code }: BesideIdToken,
): Promise<StepToken> {
  const expected = defined({ issuer, audience: clientId, accessToken, code, nonce, now })
  const checked = await verified('id_token', value, keys, { ...expected, idToken: true })
  const { idTokenAlgorithms: announced, registeredAlgorithm: registered } = algorithms
  const foreign = unexpectedAlgorithm(id, { announced, registered }, 'OpenID Connect Core §3.1.3.7')
  const untied = fromBrowser === true && accessToken !== undefined && id.claims.at_hash === undefined
  const login = loginChecks(id.claims, demand, now)
  const unknown = issuer === undefined ? [uncomparedIssuer(id)] : []
  return {
    ...checked,
    checks: [...foreign, ...checked.checks, ...unknown, ...(untied ? [NO_AT_HASH] : []), ...login],
  }
}

/** The remark on the issuer of an id_token where the client does not know which one to expect. */
function uncomparedIssuer({ claims: { iss } }: DecodedJwt): Check {
  return advice('iss', false, 'OpenID Connect Core §3.1.3.7', `${shown(iss)}; ${NO_ISSUER}`)
}

export type IdTokenExpectations = Pick<
  TokenExpectations,
  | 'issuer'
  | 'clientId'
  | 'nonce'
  | 'demand'
  | 'now'
  | 'idTokenAlgorithms'
  | 'registeredAlgorithm'
  | 'fromBrowser'
>

/** Verifies the id_token of a hybrid response (OpenID Connect Core §3.3.2.12). */
export async function verifyBrowserIdToken(
  idToken: string,
  known: KnownKeys,
  expected: IdTokenExpectations,
  beside: BesideIdToken,
): Promise<{ readonly token: StepToken; readonly refusal?: OAuthError }> {
  const decoded = decodeIfJwt(idToken)
  const keys = decoded && responseKeys(decoded, known, expected.idTokenAlgorithms)
  const problem = tokenProblem(decoded, keys)
  if (problem !== undefined || keys === undefined || decoded === undefined) {
    return defined({ token: stepToken('id_token', idToken), refusal: problem })
  }
  const token = await verifiedIdToken(idToken, decoded, keys, { ...expected, fromBrowser: true }, beside)
  return defined({ token, refusal: refusalOf(token) })
}

function pointedOut(token: StepToken): StepToken {
  return { ...token, checks: token.checks.map(each => (each.ok ? each : { ...each, advice: true })) }
}

/** Undefined when an id_token can be verified, or none is needed. */
function idTokenProblem(
  { id_token: value }: TokenResponse,
  id: DecodedJwt | undefined,
  keys: VerificationKeys | undefined,
  wanted: boolean,
): OAuthError | undefined {
  if (value !== undefined) return tokenProblem(id, keys)
  return wanted
    ? invalidIdToken('openid was granted without an id_token', 'OpenID Connect Core §3.1.3.3')
    : undefined
}

function invalidIdToken(description: string, rule: Citation): OAuthError {
  return new OAuthError('invalid_token', { description, rule })
}

function tokenProblem(
  id: DecodedJwt | undefined,
  keys: VerificationKeys | undefined,
): OAuthError | undefined {
  if (!id) return invalidIdToken('the id_token is no signed JWT', 'OpenID Connect Core §2')
  if (keys) return undefined
  return invalidIdToken('no keys are published to verify the id_token with', 'OpenID Connect Discovery §3')
}

function verdict(
  token: StepToken,
  others: StepToken[],
  names: readonly string[],
  subject: string | undefined,
  refusal: OAuthError | undefined,
  checks?: Check[],
): TokenVerdict {
  const note =
    refusal !== undefined
      ? refusal.description
      : names.length === 0
        ? 'nothing for the client to verify'
        : `${names.join(' and ')} verified`
  const tokens = others.length > 0 ? others : undefined
  return { subject, ...defined({ shown: defined({ token, tokens, checks, note }), refusal }) }
}
