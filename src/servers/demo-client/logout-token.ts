import { discover } from '../../client/discovery.js'
import type { Send } from '../../protocol/http/exchange.js'
import { type Check, check, isBreach, shown } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { type DecodedJwt, decodeJwt, TokenFormatError } from '../../protocol/tokens/decode.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import type { ReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import type { Issuer } from './issuer.js'

/** The sessions that a message of an issuer ends: those of one session there, or all of a person. */
export interface EndedLogins {
  readonly issuer: string
  readonly sid?: string
  readonly subject?: string
}

/** A logout token that passed all checks. */
export interface AcceptedLogout extends EndedLogins {
  readonly checks: readonly Check[]
}

/** The parts that judge logout tokens. */
export interface LogoutTokenParts {
  readonly issuers: readonly Issuer[]
  readonly now: () => number
  readonly replay: ReplayGuard
}

const RULE = 'OpenID Connect Back-Channel Logout §2.6'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Oldest token that is accepted, in seconds. An id is remembered that long. */
const MAX_AGE = 300

/** Accepted difference between the clocks of two computers, in seconds. */
const CLOCK_LEEWAY = 5

function refused(description: string, rule: Citation = RULE): OAuthError<'invalid_token'> {
  return new OAuthError('invalid_token', { description, rule })
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The checks that need no key, in the order of the section. They come first, so that noise causes no request. */
function contentChecks({ header, claims }: DecodedJwt, now: number): Check[] {
  const { iat, events, sub, sid, jti } = claims as JsonObject
  const { typ } = header
  const event = isJsonObject(events) ? (events as JsonObject)[EVENT] : undefined
  const age = typeof iat === 'number' ? Math.floor(now / 1000) - iat : Number.NaN
  const named = (isText(sub) || isText(sid)) && [sub, sid].every(each => each === undefined || isText(each))
  const isTyped = typ === undefined || (isText(typ) && /^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ))
  return [
    check('typ', isTyped, RULE, shown(typ)),
    check(
      'events',
      isJsonObject(event),
      RULE,
      isJsonObject(event) ? undefined : 'the logout event is missing',
    ),
    check(
      'nonce',
      claims.nonce === undefined,
      RULE,
      claims.nonce === undefined ? 'absent' : 'a logout token has none',
    ),
    check('sub or sid', named, RULE, named ? undefined : 'neither names a session'),
    check('jti', isText(jti), RULE, isText(jti) ? undefined : 'missing'),
    check('age', age <= MAX_AGE, RULE, Number.isNaN(age) ? 'iat is missing' : `${age} s old`),
  ]
}

/** @throws OAuthError for the first check that failed */
function requireAll(checks: readonly Check[]): void {
  const failed = checks.find(isBreach)
  if (failed === undefined) return
  const detail = failed.detail === undefined ? '' : `: ${failed.detail}`
  throw refused(`the ${failed.name} of the logout token is not accepted${detail}`, failed.rule)
}

function decoded(token: string): DecodedJwt {
  try {
    return decodeJwt(token)
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw refused(`the logout token is no signed JWT: ${error.message}`)
  }
}

/**
 * Checks a logout token, as an ID token is checked and more (Back-Channel Logout §2.6).
 * @throws OAuthError for a token that is refused; TransportError, TimeoutError when its keys cannot be read
 */
export async function judgeLogoutToken(
  token: string,
  { issuers, now, replay }: LogoutTokenParts,
  send: Send,
): Promise<AcceptedLogout> {
  const jwt = decoded(token)
  const at = issuers.find(each => each.issuer === jwt.claims.iss)
  if (at === undefined) throw refused(`this client does not log in at the issuer ${shown(jwt.claims.iss)}`)
  const content = contentChecks(jwt, now())
  requireAll(content)
  const metadata = await discover(at.issuer, send)
  if (metadata.jwks_uri === undefined) throw refused('the issuer publishes no keys', 'RFC 8414 §2')
  const { id_token_signing_alg_values_supported: announced } = metadata
  const alg = shown(jwt.header.alg)
  requireAll([check('alg', announced?.includes(alg) ?? true, RULE, `${alg} is not announced for ID tokens`)])
  const keys = await send({
    method: 'GET',
    url: metadata.jwks_uri,
    headers: [['accept', 'application/json']],
    body: new Uint8Array(),
  })
  const expected = { issuer: at.issuer, audience: at.clientId, now: now(), tolerance: CLOCK_LEEWAY }
  const verdict = await verifyJwt(token, { kind: 'jwks', jwks: readKeySet(keys) }, expected)
  requireAll(verdict.checks)
  const { jti, sid, sub } = jwt.claims as JsonObject
  // Last, so that a token which is refused for another reason stays unused.
  const first =
    replay.use(JSON.stringify([at.issuer, jti]), now() + (MAX_AGE + CLOCK_LEEWAY) * 1000) === 'first'
  const once = check('jti', first, RULE, first ? 'new' : 'this token came before')
  requireAll([once])
  return {
    issuer: at.issuer,
    ...defined({ sid: sid as string | undefined, subject: sub as string | undefined }),
    checks: [...content, ...verdict.checks, once],
  }
}
