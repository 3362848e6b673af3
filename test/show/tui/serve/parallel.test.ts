import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Lab, startLab } from '../../../../src/index.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { fold } from '../../../../src/show/tui/serve/view/fold.js'
import { entries } from '../../../../src/show/tui/serve/view/history.js'
import { emptyView } from '../../../../src/show/tui/serve/view/lab-view.js'

const ROUNDS = 50
const AT_ONCE = 8

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** Asks for a token; every other request is refused. Returns the events that the request should have. */
async function askToken(n: number): Promise<object[]> {
  const answer = await lab.fetch(`${lab.issuer}/token?n=${n}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-service',
      client_secret: 'demo-service-secret-0123456789abcdef01',
      ...(n % 2 === 1 && { scope: `unknown-${n}` }),
    }).toString(),
  })
  const body = (await answer.json()) as { access_token?: string; error?: string }
  if (n % 2 === 1) {
    expect([answer.status, body.error]).toEqual([400, 'invalid_scope'])
    return [{ type: 'token.refused', description: expect.stringContaining(`unknown-${n}`) }]
  }
  expect(answer.status).toBe(200)
  return [{ type: 'token.issued', jti: decodeJwt(body.access_token ?? '').claims.jti }]
}

it('shows at every request its own decision, with 8 token requests of one client at once', async () => {
  let view = emptyView
  lab.events.on('*', event => {
    view = fold(view, { ...event })
  })
  const expected = new Map<string, object[]>()
  for (let round = 0; round < ROUNDS; round++) {
    const numbers = Array.from({ length: AT_ONCE }, (_, i) => round * AT_ONCE + i)
    const decisions = await Promise.all(numbers.map(askToken))
    for (const [i, n] of numbers.entries()) expected.set(`/token?n=${n}`, decisions[i]!)
  }
  await expect.poll(() => view.requests.end).toBe(ROUNDS * AT_ONCE)
  const rows = entries(view.requests)
  expect(rows).toHaveLength(ROUNDS * AT_ONCE)
  for (const { path, decisions } of rows) expect(decisions).toMatchObject(expected.get(path) ?? [])
  expect(new Set(rows.map(({ event }) => event.request)).size).toBe(rows.length)
}, 60_000)
