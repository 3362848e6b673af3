import { defined } from '../defined.js'
import { advice, type Check, check } from '../oauth/check.js'
import {
  type BackchannelAcknowledgement,
  backchannelAcknowledgement,
  CIBA_GRANT_TYPE,
} from '../oauth/ciba.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { clientRequest, type TokenResponse } from '../oauth/token.js'
import { backchannelParameters } from './backchannel-request.js'
import type { BackchannelWish } from './backchannel-wish.js'
import { checkTokens } from './check-step.js'
import { endpoint } from './endpoint.js'
import { loginDemand } from './login-demand.js'
import type { FlowOptions } from './options.js'
import { afterwards, type PlanOptions, path, tokenStep } from './plan-parts.js'
import { createPolls } from './polling.js'
import type { AllPorts } from './ports.js'
import { callResource } from './resource-step.js'
import type { FlowRecord, PlannedStep } from './step.js'
import { concluded, createWalk, type Steps, type Walk } from './walk.js'

/** The steps of a backchannel authentication before they happen (OpenID Connect CIBA Core §5). */
export function cibaPlan(options: PlanOptions): PlannedStep[] {
  return [
    {
      name: 'backchannel_authentication_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(options.metadata.backchannel_authentication_endpoint, '/bc-authorize')}`,
      rfc: 'OpenID Connect CIBA Core §7.1',
      why: 'The client names a person, and asks the server to let that person log in on a device of their own.',
    },
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
    ...afterwards(options),
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

/** Client-initiated backchannel authentication (CIBA Core), where the client polls. */
export function cibaFlow(ports: AllPorts, wanted: FlowOptions): AsyncGenerator<FlowRecord, void, void> {
  return concluded(steps(ports, wanted), ports.signal)
}

async function* steps(ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const walk = createWalk(ports, cibaPlan(wanted))
  const wish = wishOf(wanted)
  const demand = loginDemand(
    { ...(wanted.acrValues !== undefined && { acrValues: wanted.acrValues }) },
    ports.now(),
  )
  const { authReqId, expiresIn, interval } = yield* begin(walk, wanted, wish)
  const polls = createPolls(walk, ports, wanted, {
    grantType: CIBA_GRANT_TYPE,
    parameters: [['auth_req_id', authReqId]],
    scope: wanted.scope,
    details: wanted.authorizationDetails,
    rule: 'OpenID Connect CIBA Core §11',
    expiresIn,
    interval,
    expired: 'nobody decided while the request was good',
  })
  let tokens = yield* polls.ask('poll_request')
  if (tokens === undefined) {
    yield* decide(walk, ports, wanted, wish)
    tokens = yield* polls.untilDecided()
  }
  yield* checkTokens(walk, ports, wanted, tokens, { login: true, demand })
  yield* callResource(walk, wanted, tokens.access_token)
  return tokens
}

/** @throws OAuthError for options without a hint: the server could ask nobody */
function wishOf({ backchannel }: FlowOptions): BackchannelWish {
  if (backchannel !== undefined) return backchannel
  const description = 'the request names nobody: exactly one hint is needed'
  throw new OAuthError('invalid_request', { description, rule: 'OpenID Connect CIBA Core §7.1' })
}

async function* begin(
  walk: Walk,
  wanted: FlowOptions,
  wish: BackchannelWish,
): Steps<BackchannelAcknowledgement> {
  const name = 'backchannel_authentication_request'
  const { metadata, clientId, clientSecret, auth } = wanted
  const exchange = await walk.send(
    clientRequest(
      defined({
        endpoint: endpoint(metadata, 'backchannel_authentication_endpoint'),
        clientId,
        auth,
        clientSecret,
        parameters: backchannelParameters(wanted, wish),
      }),
    ),
  )
  const known = yield* walk.orRefused(name, exchange, () => backchannelAcknowledgement(exchange))
  const compared = wish.bindingMessage === undefined ? '' : `: “${wish.bindingMessage}”`
  yield walk.step(name, {
    exchange,
    checks: acknowledgementChecks(known),
    note: `${wish.hint.name === 'login_hint' ? wish.hint.value : 'the person'} is asked${compared}`,
  })
  return known
}

/** Characters of an auth_req_id that servers are to use (OpenID Connect CIBA Core §7.3). */
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

/** Lets the named person decide on their own device; elsewhere than at a lab nobody here knows which one that is. */
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
  const errand = defined({ clientId, scope, bindingMessage, denies: decision === 'deny', signal })
  for await (const { name, ...shown } of device.decide(errand)) {
    signal.throwIfAborted()
    yield walk.step(name, shown)
  }
}
