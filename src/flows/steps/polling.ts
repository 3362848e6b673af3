import { errorInSuccess, refusalIn } from '../../protocol/oauth/answers.js'
import { advice, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { Rule } from '../../protocol/rules/rule.js'
import type { FlowOptions } from '../options.js'
import type { AllPorts } from '../ports.js'
import type { StepName } from '../step.js'
import type { Steps, Walk } from '../walk.js'
import { readTrade, type TokenTrade, tradeRequest } from './token-step.js'

/** Milliseconds that `slow_down` adds to every later pause (RFC 8628 §3.5, CIBA §11). */
const SLOWER = 5000

/** A request that a person decides on while the client polls. */
export interface Pending extends Pick<TokenTrade, 'grantType' | 'parameters' | 'scope' | 'details'> {
  /** The section about the answers to a poll. */
  readonly rule: Rule
  /** Times in milliseconds. */
  readonly expiresIn: number
  readonly interval: number
  readonly expired: string
}

export interface Polls {
  /** @returns undefined while nobody has decided */
  ask(name: StepName, again?: { readonly repeats: true }): Steps<TokenResponse | undefined>
  /** Polls at the pace of the server until the person decides. */
  untilDecided(): Steps<TokenResponse>
}

/** Prepares the polling for a request that was accepted just now. */
export function createPolls(
  walk: Walk,
  { now, wait }: Pick<AllPorts, 'now' | 'wait'>,
  wanted: FlowOptions,
  { rule, expiresIn, interval: asked, expired, ...trade }: Pending,
): Polls {
  const deadline = now() + expiresIn
  let interval = asked
  let askedAt = now()

  async function* ask(name: StepName, again?: { readonly repeats: true }): Steps<TokenResponse | undefined> {
    const exchange = await walk.send(tradeRequest(trade, wanted))
    askedAt = now()
    const inSuccess = errorInSuccess(exchange)
    if (exchange.response?.status === 200 && inSuccess === undefined) {
      return yield* readTrade(walk, wanted, { ...trade, name }, exchange)
    }
    const refusal = yield* walk.orRefused(name, exchange, () => inSuccess ?? refusalIn(exchange))
    if (refusal.code !== 'authorization_pending' && refusal.code !== 'slow_down') {
      // The refusal is read like any other refusal of a token request.
      return yield* readTrade(walk, wanted, { ...trade, name }, exchange)
    }
    if (refusal.code === 'slow_down') interval += SLOWER
    const detail = `ask again in ${interval / 1000} s`
    const checks = [check(refusal.code, true, rule, detail)]
    if (inSuccess !== undefined) {
      checks.push(advice('status', false, 'RFC 6749 §5.2', '200, where an error has 400'))
    }
    yield walk.step(name, { exchange, checks, note: `${refusal.code}: ${detail}`, ...again })
    return undefined
  }

  return {
    ask,
    async *untilDecided() {
      for (;;) {
        await wait(Math.max(0, askedAt + interval - now()))
        if (now() >= deadline) throw new OAuthError('expired_token', { description: expired, rule })
        const tokens = yield* ask('token_request', { repeats: true })
        if (tokens !== undefined) return tokens
      }
    },
  }
}
