import { outcomeOf } from '../../flows/outcome.js'
import type { FlowRecord, Outcome, PlannedStep, Step, StepName } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { isBreach } from '../../protocol/oauth/check.js'
import type { Move, NotMade } from './move.js'
import { NOT_ASKED, wasNotRead } from './moves/documents.js'
import { endsUnread, type Made, observeEnd } from './observe.js'
import { addedStep, tokenStepOf } from './plan.js'
import type { Situation } from './situation.js'
import type { Tampering } from './tampering.js'
import {
  concluded,
  judge,
  judgedStep,
  notHere,
  type Observed,
  observeResource,
  observeToken,
  outcomeFor,
  unreadablePage,
  type Verdict,
} from './verdict.js'

/** The steps in which a server shows error pages. */
const pages: ReadonlySet<StepName> = new Set(['login_form', 'logout_request', 'logout_confirmation'])

/** True when the flow may end with this step: a check failed, or the server shows an error. */
function mayBeLast({ name, checks = [], token, tokens = [], exchange }: Step): boolean {
  const all = [...checks, ...(token?.checks ?? []), ...tokens.flatMap(each => each.checks)]
  return all.some(isBreach) || (pages.has(name) && (exchange?.response?.status ?? 0) >= 400)
}

/** The step with the changed message, for moves of the browser. */
function messageOf({ at }: Move): StepName {
  return at === 'login' || at === 'logout_request' ? at : 'login_form'
}

/** True at the step that shows no session, where a logout has nothing to end. */
function hasNothingToEnd(move: Move, { name, checks = [] }: Step): boolean {
  const asks = move.at === 'logout_request' && move.mustAsk === true
  return asks && name === 'session_check' && checks.some(each => each.name === 'session' && !each.ok)
}

/** The move with the refusals that a pushed request may get at once (RFC 9126 §2.3). */
export function moveFor(move: Move, { pushed }: Situation): Move {
  if (!pushed || move.at !== 'authorization_request' || move.afterPush) return move
  return { ...move, expects: [{ by: 'token', status: [400, 401], errors: [] }, ...move.expects] }
}

/** A flow with a wrong move in it, as the driver walks it. */
export interface TamperedWalk {
  readonly signal: AbortSignal
  readonly tampering: Tampering
  readonly records: AsyncGenerator<FlowRecord, void, void>
  /** The number of steps that the move adds to the flow, or takes from it. */
  readonly longer: number
  readonly plan: readonly PlannedStep[]
  /** The move and its circumstances so far: a client may learn its server on the way. */
  here(): { readonly move: Move; readonly situation: Situation }
  /** Returns the step with the addresses that were really used, and takes note of what it shows. */
  asSent(step: Step): Step
  /** Reads the answer to the move from a step. Returns undefined while there is none. */
  observe(step: Step, facts: Made): Observed | undefined
  /** Reads the answer to the move from the end of the flow, where nothing else shows it. */
  observeEnd?(outcome: Outcome): Promise<Observed | undefined>
  /** Shows a token after a step. Returns the answer, or why nothing can be shown; undefined after another step. */
  present?(step: Step): Promise<Exchange | NotMade | undefined>
}

/**
 * Walks a flow with a wrong move in it. It ends where the move is refused, or should have been: the step has the check
 * `tamper`, the outcome says whether the refusal came as `expected`.
 */
export async function* walkTampered(walk: TamperedWalk): AsyncGenerator<FlowRecord, void, void> {
  const { records, tampering, signal, plan } = walk
  let made = false
  let nothingToEnd = false
  let ahead: IteratorResult<FlowRecord, void> | undefined

  /** Sends the second request of a move, where the step is the one before it. Returns true when that ends the flow. */
  async function* further(step: Step, ended: Outcome | undefined): AsyncGenerator<FlowRecord, boolean, void> {
    const { move, situation } = walk.here()
    const again = move.at === 'token_request' && move.again && step.name === tokenStepOf(move, situation)
    const shown = await walk.present?.(step)
    const exchange = shown ?? (again && step.token && !ended ? await tampering.sendAgain(signal) : undefined)
    if (exchange === undefined) return false
    if ('problem' in exchange) {
      yield notHere(move, exchange.problem)
      return true
    }
    const verdict = judge(move, shown ? observeResource(exchange) : observeToken(exchange), situation)
    const n = step.n + 1
    yield* ends({ type: 'step', n, of: n, ...addedStep(move, situation, plan)!, exchange }, verdict)
    return true
  }

  try {
    for (;;) {
      const { value, done } = ahead ?? (await records.next())
      ahead = undefined
      if (done) return
      const { move, situation } = walk.here()
      if (value.type === 'outcome') {
        const seen = observeEnd(value, move, made) ?? (await walk.observeEnd?.(value))
        if (seen) yield outcomeFor(judge(move, seen, situation))
        else yield endsUnread(value) ? unreadablePage(value, move) : concluded(value, move)
        return
      }
      if (mayBeLast(value)) ahead = await records.next()
      const ended = ahead?.value?.type === 'outcome' ? ahead.value : undefined
      const step = walk.asSent({ ...value, of: Math.max(value.n, value.of + walk.longer) })
      made ||= step.name === messageOf(move)
      nothingToEnd ||= hasNothingToEnd(move, step)
      const seen = walk.observe(step, { situation, tampering, ended, made })
      const why = whyNot(step, move, seen)
      if (seen && why === undefined) {
        yield* ends(step, judge(move, seen, walk.here().situation))
        return
      }
      yield step
      if (why !== undefined) {
        yield notHere(move, why)
        return
      }
      if (yield* further(step, ended)) return
      if (ended) {
        yield concluded(ended, move)
        return
      }
    }
  } catch (error) {
    yield concluded(outcomeOf(error, signal), walk.here().move)
  } finally {
    await records.return()
  }

  function* ends(step: Step, verdict: Verdict): Generator<FlowRecord, void, void> {
    yield judgedStep(step, verdict)
    yield outcomeFor(verdict)
  }

  /** The reason why the move proves nothing at this step; undefined where it may. */
  function whyNot(step: Step, move: Move, seen: Observed | undefined): string | undefined {
    const { name } = step
    if (nothingToEnd && name === 'ended_session_check' && !step.repeats) {
      return 'prompt=none shows no session that a logout could end'
    }
    if (seen && wasNotRead(move, walk.here().situation)) return NOT_ASKED
    if (tampering.noted.problem !== undefined) return tampering.noted.problem
    return !seen && move.at === 'login' && !made && name === 'authorization_response'
      ? 'the server shows no login form'
      : undefined
  }
}
