import type { FormPairs } from '../protocol/http/form.js'
import {
  type BackchannelAcknowledgement,
  backchannelAcknowledgement,
  CIBA_GRANT_TYPE,
} from '../protocol/oauth/answers.js'
import { advice, type Check, check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { defined } from '../protocol/values.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, objectSteps, type PlanOptions, path, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { BackchannelWish } from './requests/backchannel-wish.js'
import { loginDemand } from './requests/login-demand.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { requestObjectOf } from './steps/front-channel.js'
import { createPolls } from './steps/polling.js'
import { formRequest } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of a backchannel authentication before they happen (OpenID Connect CIBA Core §5). */
export function cibaPlan(options: PlanOptions): PlannedStep[] {
  return [
    ...objectSteps(options),
    {
      name: 'backchannel_authentication_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(options.metadata.backchannel_authentication_endpoint, '/bc-authorize')}`,
      rfc: 'OpenID Connect CIBA Core §7.1',
      why: 'The client names a person, and asks the server to let that person log in on a device of their own.',
    },
    ...(isPinged(options) ? pingedSteps(options) : polledSteps(options)),
    ...afterwards(options),
  ]
}

function isPinged({ backchannel }: Pick<PlanOptions, 'backchannel'>): boolean {
  return backchannel?.notificationEndpoint !== undefined
}

function polledSteps(options: PlanOptions): PlannedStep[] {
  return [
    tokenStep(options, {
      name: 'poll_request',
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The client asks for its tokens, and hears that nobody has decided.',
    }),
    ...approvalSteps(options),
    tokenStep(options, {
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The client waits as long as the server asked, and polls until there is a decision.',
    }),
  ]
}

function pingedSteps(options: PlanOptions): PlannedStep[] {
  return [
    ...approvalSteps(options),
    {
      name: 'ping_callback',
      from: 'authorization_server',
      to: 'client',
      title: `POST ${path(options.backchannel?.notificationEndpoint, '/notification')}`,
      rfc: 'OpenID Connect CIBA Core §10.2',
      why: 'The server notifies the client that there is a decision; the client checks the bearer token that it chose.',
    },
    tokenStep(options, {
      rfc: 'OpenID Connect CIBA Core §10.1',
      why: 'The notification holds no tokens: the client asks for them, and proves who it is.',
    }),
  ]
}

function approvalSteps({ backchannel }: PlanOptions): PlannedStep[] {
  if (backchannel?.decision === 'ignore') return []
  return [
    {
      name: 'approval_page',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'GET the page that asks',
      rfc: 'OpenID Connect CIBA Core §8',
      why: 'The person opens the request on their own device, and compares the message that the client shows too.',
    },
    {
      name: 'approval',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'POST the decision',
      rfc: 'OpenID Connect CIBA Core §8',
      why: 'The named person logs in and decides; nothing leads back to the client, which has no browser there.',
    },
  ]
}

/** A backchannel request binds no code to a key (RFC 9449 §10). */
const BROWSER_ONLY = 'dpop_jkt'

/** @param token the bearer token for notifications */
function backchannelParameters(
  wanted: FlowOptions,
  { hint, bindingMessage, requestedExpiry }: BackchannelWish,
  token?: string,
): FormPairs {
  const { scope, acrValues, authorizationParameters = [] } = wanted
  const optional: readonly (readonly [string, string | undefined])[] = [
    ['scope', scope],
    [hint.name, hint.value],
    ['binding_message', bindingMessage],
    ['requested_expiry', requestedExpiry === undefined ? undefined : String(requestedExpiry)],
    ['acr_values', acrValues],
    ['client_notification_token', token],
  ]
  return [
    ...optional.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ...detailsParameters(wanted),
    ...authorizationParameters.filter(([name]) => name !== BROWSER_ONLY),
  ]
}

/** Client-initiated backchannel authentication (CIBA Core): the client polls, or is pinged. */
export const cibaFlow = flowOf(cibaPlan, steps)

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const wish = wishOf(wanted)
  const demand = loginDemand(
    { ...(wanted.acrValues !== undefined && { acrValues: wanted.acrValues }) },
    ports.now(),
  )
  const notifications = wish.notificationEndpoint === undefined ? undefined : ports.notifications
  const token = isPinged(wanted) ? Buffer.from(ports.random(32)).toString('base64url') : undefined
  if (token !== undefined) notifications?.expectToken(token)
  const known = yield* begin(walk, ports, wanted, wish, token)
  const { authReqId, expiresIn, interval } = known
  notifications?.expectRequest(authReqId)
  const polls = createPolls(walk, ports, wanted, {
    grantType: CIBA_GRANT_TYPE,
    parameters: [['auth_req_id', authReqId]],
    rule: 'OpenID Connect CIBA Core §11',
    expiresIn,
    interval,
    expired: 'nobody decided while the request was good',
  })
  const early = token === undefined ? yield* polls.ask('poll_request') : undefined
  if (early === undefined) yield* decide(walk, ports, wanted, wish)
  const pinged = token !== undefined && (yield* awaitPing(walk, ports, wish, known))
  const tokens =
    early ??
    (pinged ? yield* polls.ask('token_request', { repeats: true }) : undefined) ??
    (yield* polls.untilDecided())
  return yield* spendTokens(walk, ports, wanted, tokens, { login: true, demand })
}

/** Without a hint the server could ask nobody. */
function wishOf({ backchannel }: FlowOptions): BackchannelWish {
  if (backchannel !== undefined) return backchannel
  const description = 'the request names nobody: exactly one hint is needed'
  throw new OAuthError('invalid_request', { description, rule: 'OpenID Connect CIBA Core §7.1' })
}

async function* begin(
  walk: Walk,
  ports: AllPorts,
  wanted: FlowOptions,
  wish: BackchannelWish,
  token: string | undefined,
): Steps<BackchannelAcknowledgement> {
  const name = 'backchannel_authentication_request'
  const { requestObject } = wanted
  const plain = backchannelParameters(wanted, wish, token)
  const parameters: FormPairs = requestObject
    ? [['request', yield* requestObjectOf(walk, ports, plain, wanted, requestObject)]]
    : plain
  const exchange = await walk.send(formRequest('backchannel_authentication_endpoint', wanted, parameters))
  const known = yield* walk.orRefused(name, exchange, () => backchannelAcknowledgement(exchange))
  const compared = wish.bindingMessage === undefined ? '' : `: “${wish.bindingMessage}”`
  yield walk.step(name, {
    exchange,
    checks: acknowledgementChecks(known),
    note: `${wish.hint.name === 'login_hint' ? wish.hint.value : 'the person'} is asked${compared}`,
  })
  return known
}

/** Characters of an auth_req_id (OpenID Connect CIBA Core §7.3). */
const PLAIN_ID = /^[A-Za-z0-9._-]+$/

/** Fewest characters for 128 bits, with 64 different characters (OpenID Connect CIBA Core §7.3). */
const ENOUGH = 22

function acknowledgementChecks({ authReqId, expiresIn, interval }: BackchannelAcknowledgement): Check[] {
  const rule = 'OpenID Connect CIBA Core §7.3'
  const plain = PLAIN_ID.test(authReqId)
  const enough = authReqId.length >= ENOUGH
  const size = `${authReqId.length} characters${enough ? '' : ', too few for 128 bits'}`
  return [
    check('auth_req_id', true, rule, `good for ${expiresIn / 1000} s, ask every ${interval / 1000} s`),
    advice('auth_req_id_entropy', enough, rule, size),
    advice(
      'auth_req_id_characters',
      plain,
      rule,
      plain ? 'A-Z a-z 0-9 . - _' : 'others than A-Z a-z 0-9 . - _',
    ),
  ]
}

const LEAST_PATIENCE = 5000

/** Lets the named person decide on their own device, which only a lab knows. */
async function* decide(
  walk: Walk,
  { authenticationDevice: device, signal }: AllPorts,
  { clientId, scope }: FlowOptions,
  { bindingMessage, decision }: BackchannelWish,
): Steps<void> {
  if (decision === 'ignore') return
  if (device === undefined) {
    yield walk.step('approval', { note: 'the person decides on a device of their own' })
    return
  }
  const task = defined({ clientId, scope, bindingMessage, denies: decision === 'deny', signal })
  for await (const { name, ...shown } of device.decide(task)) {
    signal.throwIfAborted()
    yield walk.step(name, shown)
  }
}

/** Waits for the interval where the decision is made here, else for half the life of the request. */
async function* awaitPing(
  walk: Walk,
  { notifications, authenticationDevice, signal }: AllPorts,
  { notificationEndpoint, decision }: BackchannelWish,
  { interval, expiresIn }: BackchannelAcknowledgement,
): Steps<boolean> {
  const rule = 'OpenID Connect CIBA Core §10.2'
  if (notifications === undefined) {
    const detail = `${notificationEndpoint} is not on this computer`
    yield walk.step('ping_callback', {
      checks: [advice('ping', false, rule, detail)],
      note: 'nobody listens for it here: the client polls',
    })
    return false
  }
  const decided = authenticationDevice !== undefined && decision !== 'ignore'
  const patience = decided ? Math.max(interval, LEAST_PATIENCE) : expiresIn / 2
  const ping = await notifications.receive(patience, signal)
  const count = notifications.refused()
  const foreign = count === 0 ? [] : [advice('foreign_pings', false, rule, `${count} refused`)]
  if (ping === undefined) {
    const detail = `none within ${patience / 1000} s`
    yield walk.step('ping_callback', {
      checks: [advice('ping', false, rule, detail), ...foreign],
      note: `${detail}: the client polls`,
    })
    return false
  }
  const { exchange, checks } = ping
  yield walk.step('ping_callback', { exchange, checks: [...checks, ...foreign], note: 'there is a decision' })
  return true
}
