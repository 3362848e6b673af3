import type { AskLogin, LoginAnswer } from '../../../client/login.js'
import type { Gate, RequestPart } from '../../../flows/middleware/gate.js'
import type { FlowRecord, PlannedStep, StepName } from '../../../flows/step.js'
import { type Store, without } from '../screen/store.js'
import * as changes from './changes.js'
import { loginAnswer, type SuggestedUser } from './login.js'
import type { StartFlow } from './offers.js'
import { type FlowState, isBad } from './state.js'

/** Another run than the one the screen began with. */
export interface OtherRun {
  readonly plan: readonly PlannedStep[]
  readonly start: StartFlow
  readonly move?: string
  /** Goes on by itself until this step is next. */
  readonly until?: StepName
}

/** Pulls a flow one step at a time and hands each record to the store. */
export interface Runner {
  /** Starts the next step, unless one is under way or the flow has ended. */
  readonly advance: () => void
  readonly runAll: () => void
  /** Drops the run and begins a new one; nothing is sent yet, unless it is to go on until some step. */
  readonly restart: (other?: OtherRun) => void
  /** A new run as the screen began: without a wrong move. */
  readonly honest: () => void
  /** Sends the request that is held, with these parts. */
  readonly release: (parts: readonly RequestPart[]) => void
  /** Sends the request again that got no answer, or lets the flow fail. */
  readonly retry: (again: boolean) => void
  /** Answers the login panel. */
  readonly answer: (answer: LoginAnswer) => void
  /** Ends the run. Resolves when the flow has let go of what it held, or after a moment. */
  readonly stop: () => Promise<void>
}

/** The options of a runner. */
export interface RunnerOptions {
  readonly store: Store<FlowState>
  readonly start: StartFlow
  readonly suggestedUser: SuggestedUser | undefined
  /** How far the lab's clock is ahead, in milliseconds: wrong moves that wait set it forward too. */
  readonly clockAhead?: () => number
  /** Gets what a flow throws: a bug, or an error that ends the screen. */
  readonly onError: (error: unknown) => void
}

/** How long a stopped flow may take to close its sockets before it is left alone. */
const PATIENCE = 1000

/** One run: its generator and the way to end it. */
interface Run {
  readonly number: number
  readonly controller: AbortController
  readonly records: AsyncGenerator<FlowRecord>
  /** The step under way; settled, never rejected. */
  pending: Promise<void>
  /** Answers the login panel while it is open. */
  answer: ((answer: LoginAnswer) => void) | undefined
  /** Lets the held request go. */
  release: ((parts: readonly RequestPart[]) => void) | undefined
  retry: ((again: boolean) => void) | undefined
}

function settle(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => {},
    () => {},
  )
}

async function end(run: Run): Promise<void> {
  run.controller.abort()
  run.answer?.({ kind: 'cancel' })
  const closed = settle(Promise.all([run.pending, run.records.return(undefined)]))
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>(resolve => {
    timer = setTimeout(resolve, PATIENCE)
  })
  await Promise.race([closed, patience])
  clearTimeout(timer)
}

/** True when the flow yields more without a request: the outcome after its last or refused step. */
function outcomeFollows(record: FlowRecord): boolean {
  return record.type === 'step' && !record.repeats && (record.n >= record.of || isBad(record))
}

/** The things that a run waits for; set while it does. */
interface Waits {
  readonly release?: ((parts: readonly RequestPart[]) => void) | undefined
  readonly retry?: ((again: boolean) => void) | undefined
}

/**
 * The gate of one run: holds its requests when the state asks for that, until they are released.
 * @param waitFor receives the function that continues the run while it waits for a person
 */
function createGate(store: Store<FlowState>, signal: AbortSignal, waitFor: (waits: Waits) => void): Gate {
  /** Shows a panel until a person answers, or the run ends. `set` keeps the function that takes the answer. */
  const asked = <Answer>(
    panel: 'held' | 'noAnswer',
    show: (state: FlowState) => FlowState,
    set: (answer: ((answer: Answer) => void) | undefined) => void,
    atEnd: Answer,
  ) =>
    new Promise<Answer>(resolve => {
      signal.addEventListener('abort', () => resolve(atEnd), { once: true })
      set(answer => {
        set(undefined)
        store.update(state => without(state, panel) as FlowState)
        resolve(answer)
      })
      store.update(show)
    })
  const { run } = store.get()
  return {
    answered({ request: { id } }) {
      if (id !== undefined) store.update(changes.ofRun(run, state => changes.sent(state, id)))
    },
    async hold(request) {
      const { breaks, until } = store.get()
      if (signal.aborted || breaks === 'never' || until !== undefined) return request.parts
      const show = (state: FlowState) => changes.hold(state, request)
      return asked('held', show, release => waitFor({ release }), request.parts)
    },
    async noAnswer(why) {
      if (signal.aborted) return false
      const show = (state: FlowState) => changes.unanswered(state, why)
      return asked<boolean>('noAnswer', show, retry => waitFor({ retry }), false)
    },
  }
}

/** Makes the runner of a screen. */
export function createRunner({
  store,
  start: usual,
  suggestedUser,
  clockAhead,
  onError,
}: RunnerOptions): Runner {
  let stopped = false
  let start = usual
  const { plan: usualPlan } = store.get()
  let run = begin()

  function begin(): Run {
    const { run: number } = store.get()
    const controller = new AbortController()
    const ask: AskLogin = prompt =>
      new Promise(resolve => {
        if (controller.signal.aborted) {
          resolve({ kind: 'cancel' })
          return
        }
        const { until, lastLogin } = store.get()
        const asksAgain =
          prompt.message !== undefined || prompt.oneTimeCode === true || prompt.pastes !== undefined
        const known = until === undefined || asksAgain ? undefined : lastLogin
        const again = known && loginAnswer(known)
        if (again) {
          resolve(again)
          return
        }
        mine.answer = answer => {
          mine.answer = undefined
          store.update(changes.ofRun(number, changes.answered))
          resolve(answer)
        }
        store.update(state => changes.ask(state, prompt, suggestedUser))
      })
    const say = (text: string) => store.update(changes.ofRun(number, state => changes.say(state, text)))
    const { signal } = controller
    const gate = createGate(store, signal, waits => Object.assign(mine, waits))
    const mine: Run = {
      number,
      controller,
      records: start(ask, signal, say, gate),
      pending: Promise.resolve(),
      answer: undefined,
      release: undefined,
      retry: undefined,
    }
    return mine
  }

  async function pull(mine: Run): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await mine.records.next()
        if (stopped || mine !== run) return
        if (done) return store.update(changes.ofRun(mine.number, changes.stopped))
        store.update(changes.ofRun(mine.number, state => changes.receive(state, value)))
        if (clockAhead) store.update(state => changes.withClock(state, clockAhead()))
        if (value.type === 'outcome') return
        const { runAll, until } = store.get()
        if (!runAll && until === undefined && !outcomeFollows(value)) return
        store.update(state => changes.wait(state, outcomeFollows(value)))
      }
    } catch (error) {
      // A stopped flow may throw.
      if (!stopped && mine === run) onError(error)
    }
  }

  const advance = (): void => {
    const { waiting, outcome } = store.get()
    if (stopped || waiting || outcome !== undefined) return
    store.update(state => changes.wait(state, false))
    run.pending = pull(run)
  }

  const restart = (other?: OtherRun): void => {
    const old = run
    if (other) start = other.start
    store.update(state => changes.restarted(state, other))
    void end(old)
    run = begin()
    const { until, plan } = store.get()
    if (until === undefined) return
    if (plan[0]?.name === until) store.update(state => without(state, 'until'))
    else advance()
  }

  return {
    advance,
    runAll: () => {
      store.update(state => ({ ...state, runAll: !state.runAll }))
      if (store.get().runAll) advance()
    },
    restart,
    honest: () => restart({ plan: usualPlan, start: usual }),
    release: parts => run.release?.(parts),
    retry: again => run.retry?.(again),
    answer: answer => run.answer?.(answer),
    stop: async () => {
      stopped = true
      await end(run)
    },
  }
}
