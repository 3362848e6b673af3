import { describe, expect, it, vi } from 'vitest'
import type { LoginAnswer } from '../../../../src/client/login.js'
import type { FlowRecord } from '../../../../src/flows/step.js'
import type { StartFlow } from '../../../../src/show/tui/flow/offers.js'
import { createRunner } from '../../../../src/show/tui/flow/runner.js'
import { initialState } from '../../../../src/show/tui/flow/state.js'
import { createStore } from '../../../../src/show/tui/screen/store.js'
import { GRANTED, PLAN, REFUSED, REPLAYED, RUN, STEPS } from '../steps.js'

function running(start: StartFlow) {
  const store = createStore(initialState(PLAN, false))
  const onError = vi.fn()
  const runner = createRunner({ store, start, suggestedUser: { username: 'alice' }, onError })
  return { store, runner, onError, steps: () => store.get().steps.length }
}

/** A flow that yields records and counts how often it was asked for one. */
function recorded(records: readonly FlowRecord[]) {
  const pulls = { count: 0 }
  const start: StartFlow = async function* () {
    for (const record of records) {
      pulls.count++
      await Promise.resolve()
      yield record
    }
  }
  return { pulls, start }
}

describe('the runner', () => {
  it('sends nothing by itself, and one step for each Enter', async () => {
    const { pulls, start } = recorded(RUN)
    const { runner, store, steps } = running(start)
    expect(pulls.count).toBe(0)
    runner.advance()
    expect(store.get().waiting).toBe(true)
    await vi.waitFor(() => expect(steps()).toBe(1), 20_000)
    expect(store.get().waiting).toBe(false)
    expect(pulls.count).toBe(1)
  })

  it('never has two steps under way', async () => {
    const { pulls, start } = recorded(RUN)
    const { runner, steps } = running(start)
    for (let i = 0; i < 5; i++) runner.advance()
    await vi.waitFor(() => expect(steps()).toBe(1), 20_000)
    expect(pulls.count).toBe(1)
  })

  it.each([
    ['the last step', STEPS[5]!, GRANTED],
    ['a step that was refused', REPLAYED, REFUSED],
  ])('brings the outcome with %s', async (_which, step, outcome) => {
    const { runner, store } = running(recorded([step, outcome]).start)
    runner.advance()
    await vi.waitFor(() => expect(store.get().outcome).toEqual(outcome), 20_000)
  })

  it('runs all steps, and stops at once on request', async () => {
    const { start } = recorded(RUN)
    const all = running(start)
    all.runner.runAll()
    await vi.waitFor(() => expect(all.store.get().outcome).toEqual(GRANTED), 20_000)

    const some = running(recorded(RUN).start)
    some.runner.runAll()
    some.runner.runAll()
    await vi.waitFor(() => expect(some.store.get().waiting).toBe(false), 20_000)
    expect(some.steps()).toBe(1)
  })

  it('asks for a login in the panel and passes the answer on', async () => {
    const answers: LoginAnswer[] = []
    const { runner, store } = running(async function* (ask) {
      answers.push(await ask({ clientId: 'demo' }))
      answers.push(await ask({ clientId: 'demo', message: 'wrong' }))
      yield STEPS[2]!
    })
    runner.advance()
    await vi.waitFor(() => expect(store.get().login?.username).toBe('alice'), 20_000)
    runner.answer({ kind: 'credentials', username: 'alice', password: 'x' })
    await vi.waitFor(() => expect(store.get().login?.prompt.message).toBe('wrong'), 20_000)
    runner.answer({ kind: 'browser' })
    await vi.waitFor(() => expect(store.get().steps).toHaveLength(1), 20_000)
    expect(answers).toEqual([{ kind: 'credentials', username: 'alice', password: 'x' }, { kind: 'browser' }])
    expect(store.get().login).toBeUndefined()
  })

  it('asks for a one-time code', async () => {
    const answers: LoginAnswer[] = []
    const { runner, store } = running(async function* (ask) {
      answers.push(await ask({ clientId: 'demo', oneTimeCode: true }))
      yield STEPS[2]!
    })
    runner.advance()
    await vi.waitFor(() => expect(store.get().login?.field).toBe('code'), 20_000)
    runner.answer({ kind: 'code', code: '287082' })
    await vi.waitFor(() => expect(store.get().steps).toHaveLength(1), 20_000)
    expect(answers).toEqual([{ kind: 'code', code: '287082' }])
  })

  it('keeps messages of the flow until the browser is back', async () => {
    const { runner, store } = running(async function* (_ask, _signal, say) {
      say('open https://127.0.0.1/')
      yield STEPS[1]!
      yield STEPS[3]!
    })
    runner.advance()
    await vi.waitFor(() => expect(store.get().steps).toHaveLength(1), 20_000)
    expect(store.get().notices).toEqual(['open https://127.0.0.1/'])
    runner.advance()
    await vi.waitFor(() => expect(store.get().steps).toHaveLength(2), 20_000)
    expect(store.get().notices).toEqual([])
  })

  it('restarts: the old run is stopped, and nothing of it arrives', async () => {
    const signals: AbortSignal[] = []
    let late = () => {}
    const { runner, store, onError } = running(async function* (_ask, signal) {
      signals.push(signal)
      if (signals.length === 1) {
        await new Promise<void>(resolve => {
          late = resolve
        })
      }
      yield STEPS[0]!
    })
    runner.advance()
    await vi.waitFor(() => expect(signals).toHaveLength(1), 20_000)
    runner.restart()
    expect(signals[0]?.aborted).toBe(true)
    late()
    await Promise.resolve()
    expect(store.get()).toMatchObject({ run: 2, steps: [], waiting: false })
    runner.advance()
    await vi.waitFor(() => expect(store.get().steps).toHaveLength(1), 20_000)
    expect(onError).not.toHaveBeenCalled()
  })

  it('stops a flow that waits for a login, and lets it clean up', async () => {
    let cleaned = false
    const { runner, store } = running(async function* (ask, signal) {
      try {
        await ask({ clientId: 'demo' })
        signal.throwIfAborted()
        yield STEPS[2]!
      } finally {
        cleaned = true
      }
    })
    runner.advance()
    await vi.waitFor(() => expect(store.get().login).toBeDefined(), 20_000)
    await runner.stop()
    expect(cleaned).toBe(true)
  })

  it('reports what a flow throws, but not after it was stopped', async () => {
    const boom = new Error('boom')
    const throwing = running(async function* () {
      if (PLAN.length > 0) throw boom
      yield GRANTED
    })
    throwing.runner.advance()
    await vi.waitFor(() => expect(throwing.onError).toHaveBeenCalledWith(boom), 20_000)

    const stopped = running(async function* (_ask, signal) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(boom)))
      yield GRANTED
    })
    stopped.runner.advance()
    await stopped.runner.stop()
    expect(stopped.onError).not.toHaveBeenCalled()
  })
})
