import type { Exchange, SendOptions } from '../protocol/http/exchange.js'
import { type HttpRequest, header } from '../protocol/http/message.js'
import { lacksChallenge } from '../protocol/oauth/bearer.js'
import { advice, type Check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import type { Citation } from '../protocol/rules/rule.js'
import { defined } from '../protocol/values.js'
import type { FlowOptions } from './options.js'
import { failedCheck, granted, outcomeOf } from './outcome.js'
import type { FlowPorts } from './ports.js'
import type { FlowRecord, PlannedStep, Step, StepName } from './step.js'

function ruleFor(authorization: string): Citation {
  return /^basic /i.test(authorization) ? 'RFC 6749 §5.2' : 'RFC 6750 §3'
}

/** The check of a 401 to a request with an Authorization header; none for all other answers. */
function challengeChecks(exchange: Exchange | undefined): Check[] {
  const authorization = exchange && header(exchange.request, 'authorization')
  if (exchange === undefined || authorization === undefined || !lacksChallenge(exchange)) return []
  const detail = '401 without a WWW-Authenticate header, which has to say how to authenticate'
  return [advice('challenge', false, ruleFor(authorization), detail)]
}

/** The members of a step that its plan does not know. */
export type Shown = Pick<Step, 'url' | 'exchange' | 'checks' | 'token' | 'tokens' | 'note' | 'repeats'>

/** The steps that a part of a flow yields, and what it is for. */
export type Steps<Result> = AsyncGenerator<Step, Result, void>

/** One walk through a plan: makes its steps and sends its requests. */
export interface Walk {
  step(name: StepName, shown: Shown): Step
  /** Numbers the following steps from 1 again. */
  startOver(): void
  /** Sends a request, unless the flow was ended. */
  send(request: HttpRequest, options?: Pick<SendOptions, 'enough'>): Promise<Exchange>
  /** Reads an answer; a refusal is shown as a failed check first. @param beside further members of that step */
  orRefused<Read>(
    name: StepName,
    exchange: Exchange | undefined,
    read: () => Read | Promise<Read>,
    beside?: Shown,
  ): Steps<Read>
}

export function createWalk(
  { send, signal }: Pick<FlowPorts, 'send' | 'signal'>,
  plan: readonly PlannedStep[],
): Walk {
  /** By place in the plan. A step that the flow leaves out gets none. */
  const numbers = new Map<number, number>()
  const step: Walk['step'] = (name, shown) => {
    const index = plan.findIndex(each => each.name === name)
    const n = numbers.get(index) ?? numbers.size + 1
    numbers.set(index, n)
    return { type: 'step', n, of: plan.length - index - 1 + n, ...plan[index]!, ...shown }
  }
  return {
    step,
    startOver: () => numbers.clear(),
    async send(request, options = {}) {
      signal.throwIfAborted()
      return send(request, { ...options, signal })
    },
    async *orRefused(name, exchange, read, beside = {}) {
      try {
        return await read()
      } catch (error) {
        if (error instanceof OAuthError) {
          const checks = [failedCheck(error), ...challengeChecks(exchange)]
          yield step(name, defined({ ...beside, exchange, checks }))
        }
        throw error
      }
    },
  }
}

/** A flow with its outcome behind its steps: a broken rule and a failed network are outcomes too. */
export const flowOf = <Ports extends FlowPorts>(
  plan: (wanted: FlowOptions) => PlannedStep[],
  steps: (walk: Walk, ports: Ports, wanted: FlowOptions) => Steps<Partial<TokenResponse>>,
) =>
  async function* flow(ports: Ports, wanted: FlowOptions): AsyncGenerator<FlowRecord, void, void> {
    try {
      yield granted(yield* steps(createWalk(ports, plan(wanted)), ports, wanted))
    } catch (error) {
      yield outcomeOf(error, ports.signal)
    }
  }

export function get(url: string): HttpRequest {
  return { method: 'GET', url, headers: [['accept', 'application/json']], body: new Uint8Array() }
}
