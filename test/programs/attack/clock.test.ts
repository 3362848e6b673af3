import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FlowError, type Lab, startLab } from '../../../src/index.js'
import { listen } from '../../../src/lab/listening/listen.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import type { NewEvent } from '../../../src/protocol/events.js'
import { textResponse } from '../../../src/protocol/http/message.js'
import { createRateLimit } from '../../../src/protocol/rate-limit.js'
import { createReplayGuard } from '../../../src/protocol/tokens/replay-guard.js'
import { recordingBus } from '../../support/ask.js'
import { ask } from '../../support/https.js'

const START = Date.parse('2030-01-01T00:00:00Z')
const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ now: START })
})
afterAll(() => lab.stop())
beforeEach(() => lab.clock.set(START))

async function status(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await lab.fetch(`${lab.urls.resource}/resource`, { headers })).status
}

/** Logs in up to the point where the code is there, jumps, and redeems it. */
async function redeemAfter(jump: number): Promise<string> {
  for await (const record of lab.flow('code', { client: 'demo', user: 'alice' })) {
    if (record.type === 'outcome') return record.outcome
    if (record.name === 'authorization_response') lab.clock.set(lab.clock.now() + jump)
  }
  throw new Error('no outcome')
}

const jumps = [
  ['a minute forward', 60_000],
  ['a day forward', 24 * HOUR],
  ['forty years forward', 40 * YEAR],
  ['a minute back', -60_000],
  ['a day back', -24 * HOUR],
  ['to 1971', Date.parse('1971-01-01') - START],
] as const

describe('a clock that jumps', () => {
  it.each(jumps)('%s: people log in as before, and nothing fails', async (_, jump) => {
    const before = await lab.login()
    lab.clock.set(START + jump)
    const { access_token: token } = await lab.login()
    expect(await status(token)).toBe(200)
    // The old one is good from its nbf to its exp, whichever way the time came.
    expect(await status(before.access_token)).toBe(jump === 60_000 ? 200 : 401)
    lab.clock.set(START + HOUR - 1000)
    expect(await status(before.access_token)).toBe(200)
    lab.clock.set(START + HOUR + 30_000)
    expect(await status(before.access_token)).toBe(401)
    expect(lab.events.past('server.failed')).toEqual([])
  })

  it.each([
    [59_000, 'granted'],
    [11 * 60_000, 'refused'],
    [-HOUR, 'granted'],
  ] as const)('by %d ms between code and token: the code is %s', async (jump, outcome) => {
    expect(await redeemAfter(jump).catch((error: FlowError) => error)).toBe(outcome)
  })

  it('there and back keeps a revoked token revoked', async () => {
    const login = async () =>
      (await lab.login({ client: 'demo-spa', user: 'alice', scope: 'openid' })).access_token
    const token = await login()
    const revoke = async (revoked: string) => {
      const { status } = await lab.fetch(`${lab.issuer}/revocation`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token: revoked, client_id: 'demo-spa' }).toString(),
      })
      expect(status).toBe(200)
    }
    const userinfo = async () => {
      const headers = { authorization: `Bearer ${token}` }
      return (await lab.fetch(`${lab.issuer}/userinfo`, { headers })).status
    }
    expect(await userinfo()).toBe(200)
    await revoke(token)
    expect(await userinfo()).toBe(401)
    lab.clock.set(START + YEAR)
    await revoke(await login())
    lab.clock.set(START)
    expect(await userinfo()).toBe(401)
  })

  it('back while a request is answered makes no time negative', async () => {
    const events: NewEvent[] = []
    let now = START
    const listener = await listen({
      hosts: ['127.0.0.1'],
      port: 0,
      portOption: '--port',
      home: memoryState(),
      bodyLimit: 0,
      baseUrl: () => 'http://localhost',
      events: recordingBus(events),
      crashed: () => {},
      now: () => now,
      site: () => ({
        name: 'test',
        async handle() {
          now -= HOUR
          return textResponse(200, 'ok')
        },
      }),
    })
    const { headers } = await ask(`http://127.0.0.1:${listener.port}/`)
    await listener.stop()
    expect(headers.date).toBe(new Date(START - HOUR).toUTCString())
    expect(events).toMatchObject([{ type: 'request.answered', status: 200, ms: 0 }])
  })

  it('back does not lock anybody out for longer than the time of the limit', () => {
    let now = START
    const limit = createRateLimit({ attempts: 1, window: 60_000 }, { now: () => now })
    limit.count('alice')
    expect(limit.left('alice').attempts).toBe(0)
    now -= 24 * HOUR
    expect(limit.left('alice').attempts).toBe(1)
    limit.count('alice')
    expect(limit.left('alice')).toEqual({ attempts: 0, resetSeconds: 60 })
  })

  it('lets no one-time message come again while it is good', () => {
    let now = START
    const guard = createReplayGuard({ now: () => now })
    expect(guard.use('proof', START + 60_000, 'app')).toBe('first')
    for (const jump of [-YEAR, -1000, 0, 59_999]) {
      now = START + jump
      expect(guard.use('proof', START + 60_000, 'app')).toBe('again')
    }
    now = START + YEAR
    expect(guard.use('another', now + 60_000, 'app')).toBe('first')
    now = START
    expect(guard.use('proof', START + 60_000, 'app')).toBe('again')
  })
})
