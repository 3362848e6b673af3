import {
  DEVICE_GRANT_TYPE,
  type DeviceAuthorization,
  deviceAuthorizationResponse,
} from '../protocol/oauth/answers.js'
import { check } from '../protocol/oauth/check.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { defined } from '../protocol/values.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, type PlanOptions, path, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { createPolls } from './steps/polling.js'
import { formRequest } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of the device grant before they happen (RFC 8628 §1, figure 1). */
export function devicePlan(options: PlanOptions): PlannedStep[] {
  return [
    {
      name: 'device_authorization_request',
      from: 'client',
      to: 'authorization_server',
      title: `POST ${path(options.metadata.device_authorization_endpoint, '/device_authorization')}`,
      rfc: '8628 §3.1',
      why: 'A device without a browser asks for a short code that a person can type elsewhere.',
    },
    tokenStep(options, {
      name: 'poll_request',
      rfc: '8628 §3.4',
      why: 'The device asks for its tokens, and hears that nobody has decided.',
    }),
    tokenStep(options, {
      name: 'early_poll_request',
      rfc: '8628 §3.5',
      why: 'The device asks again at once, which it should not: the server may answer slow_down.',
    }),
    {
      name: 'device_verification',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'GET the verification address',
      rfc: '8628 §3.3',
      why: 'The person opens the address on another device, and compares the code.',
    },
    {
      name: 'device_approval',
      from: 'user_agent',
      to: 'authorization_server',
      title: 'POST the decision',
      rfc: '8628 §3.3',
      why: 'The person logs in and decides; no redirect leads back, for the device has no address.',
    },
    tokenStep(options, {
      rfc: '8628 §3.4',
      why: 'The device waits as long as the server asked, and polls until there is a decision.',
    }),
    ...afterwards(options),
  ]
}

/** The device authorization grant (RFC 8628). */
export const deviceFlow = flowOf(devicePlan, steps)

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const device = yield* beginDevice(walk, wanted)
  const polls = createPolls(walk, ports, wanted, {
    grantType: DEVICE_GRANT_TYPE,
    parameters: [['device_code', device.deviceCode]],
    rule: 'RFC 8628 §3.5',
    expiresIn: device.expiresIn,
    interval: device.interval,
    expired: 'nobody decided while the code was good',
  })
  let tokens = (yield* polls.ask('poll_request')) ?? (yield* polls.ask('early_poll_request'))
  if (tokens === undefined) {
    yield* decide(walk, ports, wanted, device)
    tokens = yield* polls.untilDecided()
  }
  return yield* spendTokens(walk, ports, wanted, tokens, { login: true })
}

async function* beginDevice(walk: Walk, wanted: FlowOptions): Steps<DeviceAuthorization> {
  const name = 'device_authorization_request'
  const parameters = [['scope', wanted.scope] as const, ...detailsParameters(wanted)]
  const exchange = await walk.send(formRequest('device_authorization_endpoint', wanted, parameters))
  const device = yield* walk.orRefused(name, exchange, () => deviceAuthorizationResponse(exchange))
  const { userCode, verificationUri, verificationUriComplete, expiresIn, interval } = device
  const times = `good for ${expiresIn / 1000} s, ask every ${interval / 1000} s`
  yield walk.step(name, {
    url: verificationUriComplete ?? verificationUri,
    exchange,
    checks: [check('user_code', true, 'RFC 8628 §3.2', times)],
    note: `type ${userCode} at ${verificationUri}`,
  })
  return device
}

async function* decide(
  walk: Walk,
  { deviceVerifier, signal }: AllPorts,
  { clientId, scope }: FlowOptions,
  { userCode, verificationUri, verificationUriComplete: complete }: DeviceAuthorization,
): Steps<void> {
  const task = defined({ url: complete ?? verificationUri, userCode, clientId, signal, scope })
  for await (const { name, ...shown } of deviceVerifier.verify(task)) {
    signal.throwIfAborted()
    yield walk.step(name, shown)
  }
}
