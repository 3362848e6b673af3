import { isLoopbackUrl } from '../protocol/http/message.js'
import { refusalIn } from '../protocol/oauth/answers.js'
import { advice, type Check, check } from '../protocol/oauth/check.js'
import { type LogoutRequest, logoutRequest, logoutResponse } from '../protocol/oauth/logout-request.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import type { Rule } from '../protocol/rules/rule.js'
import { defined } from '../protocol/values.js'
import { grantedScope } from './answers/granted-scope.js'
import { openEncrypted } from './answers/open-encrypted.js'
import { type FlowOptions, isForUserinfo } from './options.js'
import { failedCheck, outcomeOf } from './outcome.js'
import { afterwards, codeSteps, type PlanOptions, path, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { FlowRecord, PlannedStep } from './step.js'
import { unguessable } from './steps/front-channel.js'
import { obtainByCode } from './steps/obtain-by-code.js'
import { resourceRequest } from './steps/resource-step.js'
import { checkSession, type SessionState } from './steps/session-check.js'
import { tradeRequest } from './steps/token-step.js'
import { createWalk, type Steps, type Walk } from './walk.js'

/** Shows if an access token outlives the session; undefined where none is known. */
function survivorEndpoint({
  resource,
  metadata,
  ...more
}: Pick<PlanOptions, 'resource' | 'metadata'>): string | undefined {
  return resource ?? (isForUserinfo({ metadata, ...more }) ? metadata.userinfo_endpoint : undefined)
}

/** The steps of a logout before they happen (OpenID Connect RP-Initiated Logout §2). */
export function logoutPlan(options: PlanOptions): PlannedStep[] {
  const { resource: _, ...verified } = options
  return [
    ...codeSteps(options),
    tokenStep(options),
    ...afterwards(verified),
    ...leavingSteps(options),
    ...survivors(options),
  ]
}

function leavingSteps({ metadata, logoutMethod = 'GET', postLogoutRedirectUri }: PlanOptions): PlannedStep[] {
  const logout = path(metadata.end_session_endpoint, '/end-session')
  const silent = {
    from: 'user_agent',
    to: 'authorization_server',
    title: `GET ${path(metadata.authorization_endpoint, '/authorization')}`,
  } as const
  const back: PlannedStep = {
    name: 'logout_response',
    from: 'user_agent',
    to: 'client',
    title: `GET ${path(postLogoutRedirectUri, '/logged-out')}`,
    rfc: 'OpenID Connect RP-Initiated Logout §3',
    why: 'The browser comes back to an address that is registered for this client, with the state of the request.',
  }
  return [
    {
      ...silent,
      name: 'session_check',
      rfc: 'OpenID Connect Core §3.1.2.1',
      why: 'A request with prompt=none gets no page: a code shows that the server still knows who is logged in.',
    },
    {
      name: 'logout_request',
      from: 'user_agent',
      to: 'authorization_server',
      title: `${logoutMethod} ${logout}`,
      rfc: 'OpenID Connect RP-Initiated Logout §2',
      why: 'The client sends the browser to the server, and the ID token says whose session is to end.',
    },
    {
      name: 'logout_confirmation',
      from: 'user_agent',
      to: 'authorization_server',
      title: `POST ${logout}`,
      rfc: 'OpenID Connect RP-Initiated Logout §2',
      why: 'The server asks first where no ID token shows that this client may log out the person.',
    },
    {
      name: 'frontchannel_logout',
      from: 'user_agent',
      to: 'client',
      title: 'GET the frames of the logout page',
      rfc: 'OpenID Connect Front-Channel Logout §3',
      why: 'Frames of the logout page open an address of each client, which ends its own session.',
    },
    ...(postLogoutRedirectUri === undefined ? [] : [back]),
    {
      ...silent,
      name: 'ended_session_check',
      rfc: 'OpenID Connect Core §3.1.2.6',
      why: 'The same request once more: login_required shows that the session at the server has ended.',
    },
  ]
}

function survivors(options: PlanOptions): PlannedStep[] {
  const endpoint = survivorEndpoint(options)
  const token: PlannedStep = {
    name: 'surviving_token_request',
    from: 'client',
    to: options.resource === undefined ? 'authorization_server' : 'resource_server',
    title: `GET ${path(endpoint, '/resource')}`,
    rfc: '6750 §2.1',
    why: 'The access token of before: a logout ends a session, and no resource server hears of that.',
  }
  return [
    ...(endpoint === undefined ? [] : [token]),
    tokenStep(options, {
      name: 'surviving_refresh_request',
      rfc: 'OpenID Connect Back-Channel Logout §2.7',
      why: 'The refresh token of before: it may bring new tokens after the logout, until the client revokes it.',
    }),
  ]
}

const RULE = 'OpenID Connect RP-Initiated Logout §2'
const METADATA_RULE = 'OpenID Connect RP-Initiated Logout §2.1'

/** A logout that the client starts (OpenID Connect RP-Initiated Logout 1.0), between two proofs of the session. */
export async function* logoutFlow(
  ports: AllPorts,
  wanted: FlowOptions,
): AsyncGenerator<FlowRecord, void, void> {
  try {
    yield* steps(ports, wanted)
    yield { type: 'outcome', outcome: 'granted', logged_out: true }
  } catch (error) {
    yield outcomeOf(error, ports.signal)
  }
}

async function* steps(ports: AllPorts, wanted: FlowOptions): Steps<void> {
  const walk = createWalk(ports, logoutPlan(wanted))
  const endpoint = logoutEndpoint(wanted)
  const { tokens } = yield* obtainByCode(walk, ports, wanted)
  const hint =
    tokens.id_token === undefined
      ? undefined
      : await openEncrypted(tokens.id_token, 'id_token', wanted.decryptionKey)
  const before = yield* checkSession(walk, ports, wanted, {
    name: 'session_check',
    hint,
    judge: judgeBefore,
  })
  yield* leave(walk, ports, wanted, requestFor(ports, wanted, endpoint, hint))
  const after = yield* checkSession(walk, ports, wanted, {
    name: 'ended_session_check',
    hint,
    judge: state => judgeAfter(state, before),
  })
  if (after.session === 'alive') {
    throw new OAuthError('still_logged_in', {
      description: `the logout did not end the session at the server: ${after.answer}`,
      rule: RULE,
    })
  }
  yield* presentAccessToken(walk, wanted, tokens)
  yield* presentRefreshToken(walk, wanted, tokens)
}

function logoutEndpoint({ metadata }: FlowOptions): string {
  const { end_session_endpoint: url, issuer } = metadata
  const refused = (description: string, evidence?: string) =>
    new OAuthError('invalid_metadata', { description, rule: METADATA_RULE, evidence })
  if (url === undefined) {
    throw refused('end_session_endpoint is missing: this server announces no logout for clients')
  }
  const isLocal = isLoopbackUrl(url) && !(issuer !== undefined && /^https:/i.test(issuer))
  // The ID token travels in the request.
  if (!/^https:/i.test(url) && !isLocal) throw refused('end_session_endpoint is not https', url)
  return url
}

function requestFor(
  { random }: Pick<AllPorts, 'random'>,
  {
    clientId,
    postLogoutRedirectUri,
    logoutMethod: method = 'GET',
    sendsHint = true,
    logoutHint,
    logoutLocales: uiLocales,
  }: FlowOptions,
  endpoint: string,
  hint: string | undefined,
): LogoutRequest {
  return logoutRequest(
    defined({
      endpoint,
      method,
      clientId,
      idTokenHint: sendsHint ? hint : undefined,
      logoutHint,
      postLogoutRedirectUri,
      state: postLogoutRedirectUri === undefined ? undefined : unguessable(random),
      uiLocales,
    }),
  )
}

function requestChecks(request: LogoutRequest): Check[] {
  const { endpoint, idTokenHint, logoutHint, postLogoutRedirectUri, state, uiLocales } = request
  const isTls = /^https:/i.test(endpoint)
  const hinted =
    idTokenHint === undefined ? 'left out: the server has to ask first' : 'the ID token of this login'
  const back =
    postLogoutRedirectUri ?? 'left out: the logout page is the end (--post-logout-redirect-uri URI)'
  return [
    advice(
      'end_session_endpoint',
      isTls,
      METADATA_RULE,
      isTls ? endpoint : 'no TLS: good on this machine only',
    ),
    advice('id_token_hint', idTokenHint !== undefined, RULE, hinted),
    ...(logoutHint === undefined ? [] : [check('logout_hint', true, RULE, logoutHint)]),
    check('post_logout_redirect_uri', true, 'OpenID Connect RP-Initiated Logout §3', back),
    ...(state === undefined ? [] : [check('state', true, RULE, '256 random bits, kept for the return')]),
    ...(uiLocales === undefined ? [] : [check('ui_locales', true, RULE, uiLocales)]),
  ]
}

async function* leave(
  walk: Walk,
  { userAgent, signal }: AllPorts,
  { postLogoutRedirectUri: back }: FlowOptions,
  request: LogoutRequest,
): Steps<void> {
  if (!userAgent.logout) throw new Error('this user agent cannot log out')
  let checks: readonly Check[] = requestChecks(request)
  let returned = false
  for await (const { name, landed, ...shown } of userAgent.logout({ request, signal })) {
    signal.throwIfAborted()
    if (landed !== undefined) {
      const found = yield* walk.orRefused(name, shown.exchange, () => logoutResponse(landed, request))
      yield walk.step(name, { ...shown, url: landed, checks: found })
      returned = true
      continue
    }
    yield walk.step(name, { ...shown, checks: [...checks, ...(shown.checks ?? [])] })
    checks = []
  }
  if (returned || back === undefined) return
  const detail = 'the server did not send the browser back to this address'
  yield walk.step('logout_response', {
    checks: [advice('return', false, 'OpenID Connect RP-Initiated Logout §3', detail)],
    note: detail,
  })
}

function judgeBefore({ session, answer }: SessionState): { check: Check; note: string } {
  const isAlive = session === 'alive'
  const rule = 'OpenID Connect Core §3.1.2.1'
  const note = isAlive ? `the session is alive: ${answer}` : `no session is shown: ${answer}`
  return { check: advice('session', isAlive, rule, answer), note }
}

function judgeAfter({ session, answer }: SessionState, before: SessionState): { check: Check; note: string } {
  const rule: Rule = 'OpenID Connect Core §3.1.2.6'
  if (session === 'ended') {
    const note = before.session === 'alive' ? 'the session has ended' : 'no session, as before the logout'
    return { check: check('session_ended', true, rule, answer), note: `${answer}: ${note}` }
  }
  if (session === 'alive') {
    return { check: check('session_ended', false, RULE, answer), note: `still logged in: ${answer}` }
  }
  const note = `not known if the session has ended: ${answer}`
  return { check: advice('session_ended', false, rule, answer), note }
}

/** The logout ended no token, so either answer is right. */
async function* presentAccessToken(walk: Walk, wanted: FlowOptions, tokens: TokenResponse): Steps<void> {
  const endpoint = survivorEndpoint(wanted)
  if (endpoint === undefined) return
  const exchange = await walk.send(resourceRequest(endpoint, tokens.access_token))
  const status = exchange.response?.status ?? 0
  const isGood = status >= 200 && status < 300
  const note = isGood
    ? 'did not end: the access token is accepted until it expires'
    : `ended too: the access token is refused (${status})`
  const found = check('access_token', true, 'RFC 6750 §2.1', `status ${status} after the logout`)
  yield walk.step('surviving_token_request', { exchange, checks: [found], note })
}

/** The server chooses if the refresh token ends with the session. */
async function* presentRefreshToken(walk: Walk, wanted: FlowOptions, tokens: TokenResponse): Steps<void> {
  const { refresh_token: token } = tokens
  if (token === undefined) return
  const parameters = [['refresh_token', token]] as const
  const exchange = await walk.send(tradeRequest({ grantType: 'refresh_token', parameters }, wanted))
  const name = 'surviving_refresh_request'
  const rule: Rule = 'OpenID Connect Back-Channel Logout §2.7'
  if (exchange.response?.status === 200) {
    const offline = grantedScope(wanted.scope, tokens.scope)?.split(' ').includes('offline_access') ?? false
    const why = offline ? 'offline_access was granted, so it is meant to' : 'revoke it as well (RFC 7009)'
    const note = `did not end: the refresh token brings new tokens; ${why}`
    yield walk.step(name, { exchange, checks: [check('refresh_token', true, rule, why)], note })
    return
  }
  const refusal = yield* walk.orRefused(name, exchange, () => refusalIn(exchange))
  const ended = refusal.code === 'invalid_grant'
  const found = ended ? check('refresh_token', true, rule, refusal.code) : failedCheck(refusal)
  const note = ended ? 'ended with the session: the refresh token is refused' : refusal.description
  yield walk.step(name, { exchange, checks: [found], note })
}
