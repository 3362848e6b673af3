import type { Exchange } from '../../http/exchange.js'
import { isBreach } from '../../oauth/check.js'
import { OAuthError } from '../../oauth/oauth-error.js'
import type { TokenResponse } from '../../oauth/token.js'
import type { JwkSet } from '../../tokens/keys.js'
import { type CodeFlowOptions, codeFlow } from '../code.js'
import { outcomeOf } from '../outcome.js'
import type { FlowRecord, Step } from '../step.js'
import { readKeys } from '../verify-tokens.js'
import { concluded, notHere, outcomeFor } from './conclusion.js'
import type { Move, Presentable, PresentationMove, Situation } from './move.js'
import { observeEnd, observeStep } from './observe.js'
import { addedStep, tamperedPlan } from './plan.js'
import { EXPIRY_MARGIN } from './token-moves.js'
import { judge, observeResource, observeToken, tamperCheck, type Verdict } from './verdict.js'
import { type TamperPorts, tamperWires } from './wires.js'

/** The tokens that a step shows. */
function tokensOf(step: Step): Pick<TokenResponse, 'access_token' | 'id_token'> | undefined {
  if (step.token?.kind !== 'access_token') return undefined
  const id = step.tokens?.find(({ kind }) => kind === 'id_token')
  return { access_token: step.token.value, ...(id && { id_token: id.value }) }
}

/** Whether the flow may end with this step: a check failed, or the server shows an error. */
function mayBeLast({ name, checks = [], exchange }: Step): boolean {
  return checks.some(isBreach) || (name === 'login_form' && (exchange?.response?.status ?? 0) >= 400)
}

/** The keys of an answer; undefined where they cannot be read, which the flow itself refuses. */
function publishedKeys(exchange: Exchange | undefined): JwkSet | undefined {
  try {
    return readKeys(exchange)
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

/** Shows the forged token. @returns the exchange, or why there is none */
async function present(
  move: PresentationMove,
  ports: Pick<TamperPorts, 'send' | 'signal'>,
  situation: Situation,
  what: Presentable,
): Promise<Exchange | string> {
  const request = await move.present(what)
  if (typeof request === 'string') return request
  if (move.wait === 'accessToken')
    situation.advance?.((situation.lifetimes?.accessToken ?? 0) + EXPIRY_MARGIN)
  return ports.send(request, { signal: ports.signal })
}

/**
 * The code flow with one wrong move in it. It ends where the move is refused, or should have been: the step has the
 * check `tamper`, the outcome says whether the refusal came as `expected`.
 */
export async function* tamperedCodeFlow(
  ports: TamperPorts,
  wanted: CodeFlowOptions,
  move: Move,
  situation: Situation,
): AsyncGenerator<FlowRecord, void, void> {
  const wires = tamperWires(ports, move, situation, wanted.metadata.token_endpoint)
  const plan = tamperedPlan(wanted, move, situation)
  const added = addedStep(move, situation, plan)
  const records = codeFlow(wires.ports, wanted)
  const judged = (step: Step, verdict: Verdict): Step => ({
    ...step,
    checks: [...(step.checks ?? []), tamperCheck(verdict)],
    note: verdict.expected ? `as expected: ${verdict.found}` : `not refused as expected: ${verdict.found}`,
  })
  const addition = (exchange: Exchange, verdict: Verdict): Step =>
    judged({ type: 'step', n: plan.length, of: plan.length, ...added!, exchange }, verdict)

  let made = false
  let ahead: IteratorResult<FlowRecord, void> | undefined
  let tokens: ReturnType<typeof tokensOf>
  try {
    for (;;) {
      const { value, done } = ahead ?? (await records.next())
      ahead = undefined
      if (done) return
      if (value.type === 'outcome') {
        const seen = observeEnd(value, move, made)
        yield seen ? outcomeFor(judge(move, seen)) : concluded(value, move, false)
        return
      }
      if (mayBeLast(value)) ahead = await records.next()
      const ended = ahead?.value?.type === 'outcome' ? ahead.value : undefined
      const step = retold({ ...value, of: plan.length })
      made ||= step.name === (move.at === 'login' ? 'login' : 'login_form')
      tokens ??= tokensOf(step)
      const seen = observeStep(step, move, wires, ended, made)
      if (seen) {
        const verdict = judge(move, seen)
        yield judged(step, verdict)
        yield outcomeFor(verdict)
        return
      }
      yield step
      if (move.at === 'login' && !made && step.name === 'authorization_response') {
        yield notHere(move, 'the server shows no login form')
        return
      }
      if (move.at === 'userinfo_request' && step.name === 'keys_request' && tokens) {
        const keys = publishedKeys(step.exchange)
        const endpoint = situation.presentAt ?? ''
        const exchange = await present(move, ports, situation, { endpoint, tokens, ...(keys && { keys }) })
        if (typeof exchange === 'string') {
          yield notHere(move, exchange)
          return
        }
        const verdict = judge(move, observeResource(exchange))
        yield addition(exchange, verdict)
        yield outcomeFor(verdict)
        return
      }
      if (ended) {
        yield concluded(ended, move, false)
        return
      }
      if (move.at === 'token_request' && move.again && step.name === 'token_request') {
        const exchange = await wires.sendAgain()
        const verdict = judge(move, observeToken(exchange))
        yield addition(exchange, verdict)
        yield outcomeFor(verdict)
        return
      }
    }
  } catch (error) {
    yield concluded(outcomeOf(error, ports.signal), move, false)
  } finally {
    await records.return()
  }

  /** A step with the addresses that were really used. */
  function retold(step: Step): Step {
    const landed = step.name === 'authorization_response' ? wires.landedAt() : undefined
    if (landed !== undefined) return { ...step, url: landed }
    if (step.name !== 'authorization_request' || step.url === undefined) return step
    return { ...step, url: wires.changedUrl(step.url), note: `tamper ${move.name}: ${move.does}` }
  }
}
