import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTransport, type Transport } from '../../../../src/client/transport.js'
import { gateLayer } from '../../../../src/flows/middleware/gate.js'
import { startLab } from '../../../../src/lab/lab.js'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../../src/lab/model.js'
import { memoryState } from '../../../../src/lab/state/memory-state.js'
import { cut } from '../../../../src/protocol/events.js'
import { header } from '../../../../src/protocol/http/message.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { walkFlow } from '../../../../src/session/api/flow.js'
import { hear } from '../../../../src/show/tui/flow/changes.js'
import { createRunner } from '../../../../src/show/tui/flow/runner.js'
import { type FlowState, initialState, serverEventsAt } from '../../../../src/show/tui/flow/state.js'
import { createStore } from '../../../../src/show/tui/screen/store.js'
import { PLAN } from '../steps.js'

const home = memoryState()
let lab: Lab
let transport: Transport
beforeAll(async () => {
  const config = await loadLabConfig(undefined)
  lab = await startLab({ config, home, ports: { authorization: 0, resource: 0 } })
  transport = createTransport({ caPem: lab.caPem, requestOn: lab.requestOn })
})
afterAll(async () => {
  transport.close()
  await lab.stop()
  home.remove()
})

/** Steps through a flow as the screen does, and returns the last state. Every other flow asks for no scope it may have. */
async function stepThrough(i: number): Promise<FlowState> {
  const store = createStore(initialState(PLAN, false))
  const user = ['alice', 'bob'][i % 2]!
  const scope = i < 4 ? 'openid records:read' : `unknown-${i}`
  const runner = createRunner({
    store,
    start: (_ask, signal, _say, gate) =>
      walkFlow({ lab, home, send: async () => gateLayer(gate)(transport.send) }, 'resource', {
        user,
        scope,
        signal,
      }),
    suggestedUser: undefined,
    onError: error => expect.fail(String(error)),
  })
  const ignore = lab.events.subscribe(event => store.update(state => hear(state, event)))
  runner.runAll()
  await expect.poll(() => store.get().outcome, { timeout: 20_000 }).toBeDefined()
  // request.answered is published once the answer is written.
  await new Promise(setImmediate)
  ignore()
  await runner.stop()
  return store.get()
}

it('shows at each step the events of its own requests, with 8 flows at once', async () => {
  const states = await Promise.all(Array.from({ length: 8 }, (_, i) => stepThrough(i)))
  const outcomes = states.map(({ outcome }) => outcome?.outcome)
  expect(outcomes).toEqual([...Array(4).fill('granted'), ...Array(4).fill('refused')])
  const owners = new Map<number, number>()
  for (const [i, state] of states.entries()) {
    for (const [selected, step] of state.steps.entries()) {
      const { exchange, token } = step
      const events = serverEventsAt({ ...state, selected })
      if (exchange === undefined) {
        expect(events, step.name).toEqual([])
        continue
      }
      const { id, method, url } = exchange.request
      const answered = events.find(({ type, request }) => type === 'request.answered' && request === id)
      expect(answered, step.name).toMatchObject({ method, status: exchange.response?.status })
      expect(String(answered?.path).split('?', 1)).toEqual([new URL(url).pathname])
      for (const { request = 0, cause } of events) {
        const owner = owners.get(request) ?? i
        expect(owner).toBe(i)
        owners.set(request, i)
        if (cause !== undefined) expect(owners.get(cause) ?? i).toBe(i)
      }
      const published = (type: string) => events.find(each => each.type === type)
      if (step.name === 'token_request') {
        expect(published('token.issued')?.jti).toBe(decodeJwt(token?.value ?? '').claims.jti)
      }
      const code = new URL(header(exchange.response!, 'location') ?? 'none:').searchParams.get('code')
      if (code !== null) expect(published('code.issued')?.code).toBe(cut(code))
    }
    const shown = state.steps.flatMap((_, selected) => serverEventsAt({ ...state, selected }))
    const types = shown.map(({ type }) => type)
    expect(types).toEqual(
      expect.arrayContaining(i < 4 ? ['code.issued', 'token.issued'] : ['authorization.refused']),
    )
  }
}, 60_000)
