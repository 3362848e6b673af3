import { discover } from '../../client/discovery.js'
import { UserError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import { bytes, type HttpResponse, jsonResponse, splitUrl } from '../../protocol/http/message.js'
import { sourceOf } from '../../protocol/http/network.js'
import { policySources } from '../../protocol/http/page.js'
import type { RequestContext, Route } from '../../protocol/http/site.js'
import { type Check, check, isBreach, shown } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { type DecodedJwt, decodeJwt } from '../../protocol/tokens/decode.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { createReplayGuard, type ReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import type { Context } from './events.js'
import { fieldsOf, formText, RequestRefusal } from './forms.js'
import type { EndedLogins, Sessions } from './sessions.js'
import { BACK_CHANNEL_PATH, type DemoClientPorts, type DemoClientSettings, type Issuer } from './settings.js'

const NOT_STORED = [['cache-control', 'no-store']] as const

const FRONT_CHANNEL_PATH = '/frontchannel-logout'

/** The addresses at which authorization servers end the sessions of this client. */
export function logoutChannels(
  { issuers }: DemoClientSettings,
  { now, sendFor }: DemoClientPorts,
  sessions: Sessions,
): readonly Route[] {
  const parts = { issuers, now, replay: createReplayGuard({ now }) }

  /** Takes a logout token (Back-Channel Logout §2.5, §2.8). */
  const back: Route['methods'][string] = async (request, context: RequestContext) => {
    const { publish }: Context = context
    try {
      const { logout_token: token } = fieldsOf(formText(request), ['logout_token'])
      if (token === undefined) {
        throw new RequestRefusal(400, 'logout_token is missing', 'OpenID Connect Back-Channel Logout §2.5')
      }
      const { checks, ...ended } = await judgeLogoutToken(token, parts, sendFor(request.id))
      sessions.endAll(ended, ended.issuer)
      const { issuer, sid, subject: sub } = ended
      publish(defined({ type: 'demo_client.logout_accepted', channel: 'back', issuer, sid, sub, checks }))
      return { status: 200, headers: NOT_STORED, body: new Uint8Array() }
    } catch (error) {
      if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
      const rule = 'OpenID Connect Back-Channel Logout §2.6'
      const why =
        error instanceof OAuthError ? error : { description: error.message, rule: rule as typeof rule }
      const { description } = why
      publish({ type: 'demo_client.logout_refused', channel: 'back', description, rule: why.rule })
      // The issuer could not be asked: that is no fault of the token, so the server may try again.
      if (!(error instanceof OAuthError)) {
        return jsonResponse(
          503,
          { error: 'temporarily_unavailable', error_description: description },
          NOT_STORED,
        )
      }
      const status = error instanceof RequestRefusal ? error.status : 400
      return jsonResponse(status, { error: 'invalid_request', error_description: description }, NOT_STORED)
    }
  }

  const policy = `default-src 'none'; frame-ancestors ${policySources(issuers.map(each => new URL(each.issuer).origin)).join(' ') || "'none'"}`
  const framed = (status: number, text: string): HttpResponse => ({
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
      ...NOT_STORED,
    ],
    body: bytes(`<!doctype html>\n<title>${text}</title>\n`),
  })

  /** Ends a session from a frame of a logout page (Front-Channel Logout §2). `sid` is no secret of this browser alone. */
  const front: Route['methods'][string] = (request, context: RequestContext) => {
    const { publish }: Context = context
    try {
      const { iss, sid } = fieldsOf(splitUrl(request.url).query, ['iss', 'sid'])
      const at = issuers.find(each => each.issuer === iss)
      if (at === undefined || sid === undefined) {
        const description = 'iss and sid do not name a session of an issuer of this client'
        throw new RequestRefusal(400, description, 'OpenID Connect Front-Channel Logout §2')
      }
      const { issuer } = at
      sessions.endAll({ issuer, sid }, sourceOf(request.remoteAddress))
      publish({ type: 'demo_client.logout_accepted', channel: 'front', issuer, sid })
      return framed(200, 'Logged out')
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error
      const { description, rule, status } = error
      publish({ type: 'demo_client.logout_refused', channel: 'front', description, rule })
      return framed(status, 'Refused')
    }
  }

  return [
    { path: BACK_CHANNEL_PATH, methods: { POST: back } },
    { path: FRONT_CHANNEL_PATH, methods: { GET: front } },
  ]
}

/** A logout token that passed all checks. */
interface AcceptedLogout extends EndedLogins {
  readonly checks: readonly Check[]
}

/** The parts that judge logout tokens. */
interface LogoutTokenParts {
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

const decoded = (token: string): DecodedJwt =>
  decodeJwt(token, problem => refused(`the logout token is no signed JWT: ${problem}`))

/**
 * Checks a logout token, as an ID token is checked and more (Back-Channel Logout §2.6).
 * @throws OAuthError for a token that is refused; TransportError, TimeoutError when its keys cannot be read
 */
async function judgeLogoutToken(
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
    replay.use(JSON.stringify([at.issuer, jti]), now() + (MAX_AGE + CLOCK_LEEWAY) * 1000, at.issuer) ===
    'first'
  const once = check('jti', first, RULE, first ? 'new' : 'this token came before')
  requireAll([once])
  return {
    issuer: at.issuer,
    ...defined({ sid: sid as string | undefined, subject: sub as string | undefined }),
    checks: [...content, ...verdict.checks, once],
  }
}
