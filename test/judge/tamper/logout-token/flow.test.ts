import { describe, expect, it } from 'vitest'
import type { PartyVisit, RelyingParty } from '../../../../src/judge/tamper/logout-token/flow.js'
import { logoutTokenFlow, logoutTokenPlan } from '../../../../src/judge/tamper/logout-token/flow.js'
import { logoutTokenMoves } from '../../../../src/judge/tamper/moves/logout.js'
import type { Exchange } from '../../../../src/protocol/http/exchange.js'
import { bytes, type HttpResponse, jsonResponse } from '../../../../src/protocol/http/message.js'
import { OAuthError } from '../../../../src/protocol/oauth/oauth-error.js'
import { collect, outcomeIn, stepsOf } from '../../../flows/support/world.js'
import { situationOf } from '../support.js'

const [move] = logoutTokenMoves

function exchange(status: number, { headers = [], body = new Uint8Array() }: Partial<HttpResponse> = {}) {
  const request = { method: 'GET', url: 'https://rp.example/', headers: [], body: '' }
  const response = { status, headers, body: new TextDecoder().decode(body) }
  const wireBytes = { request: 0, response: 0 }
  return { request, response, wireBytes, ms: 1 } as unknown as Exchange
}

/** A relying party that answers logout tokens, and says after each if the session goes on. */
function party(answers: readonly { readonly status: number; readonly alive: boolean }[]): RelyingParty {
  let alive = false
  const left = [...answers]
  return {
    clientId: 'rp',
    issuer: 'https://as.example',
    subject: 'alice',
    async *logIn() {
      alive = true
      const visit: PartyVisit = { name: 'relying_party_session', exchange: exchange(200) }
      yield visit
    },
    openPage: async () =>
      alive ? exchange(200) : exchange(200, { headers: [['set-cookie', 'session=; Max-Age=0']] }),
    async post() {
      const answer = left.shift()!
      alive = answer.alive
      const { headers, body } = jsonResponse(answer.status, { error: 'invalid_request' })
      return exchange(answer.status, { headers, body })
    },
    sign: async ({ claims }) => JSON.stringify(claims),
  }
}

async function run(receiver: RelyingParty, made = move!) {
  const ports = {
    send: async () => exchange(404),
    now: () => 0,
    random: (length: number) => bytes('x'.repeat(length)),
    signal: new AbortController().signal,
    party: receiver,
  }
  const situation = situationOf({ metadata: {} } as Parameters<typeof situationOf>[0], {})
  return collect(logoutTokenFlow(ports, made, situation))
}

const honest = { status: 200, alive: false }

describe('a wrong logout token', () => {
  it('is refused as expected where the session goes on', async () => {
    const records = await run(party([honest, { status: 400, alive: true }]))
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', expected: true })
    const names = stepsOf(records).map(({ name }) => name)
    expect(names.slice(-4)).toEqual([
      'ended_relying_party_session',
      'second_relying_party_login',
      'logout_token',
      'surviving_relying_party_session',
    ])
  })

  it.each([
    ['accepted', { status: 200, alive: false }, 'the answer 200'],
    ['accepted without an end of the session', { status: 204, alive: true }, 'the answer 204'],
    ['refused, and the session ends', { status: 400, alive: false }, 'ended all the same'],
  ])('is a fault where it is %s', async (_, answer, found) => {
    const outcome = outcomeIn(await run(party([honest, answer])))
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false, error: { error: 'not_refused' } })
    expect(outcome.error?.error_description).toContain(found)
  })

  it.each([
    ['is refused', { status: 400, alive: true }],
    ['ends nothing', { status: 200, alive: true }],
  ])('proves nothing where one without a fault %s', async (_, answer) => {
    expect(outcomeIn(await run(party([answer])))).toMatchObject({ error: { error: 'not_here' } })
  })

  it('is not made where nobody can log in', async () => {
    const closed: RelyingParty = {
      ...party([]),
      // biome-ignore lint/correctness/useYield: the login fails at once
      async *logIn() {
        throw new OAuthError('login_failed', { description: 'no', rule: 'RFC 6749 §4.1.2.1' })
      },
    }
    expect(outcomeIn(await run(closed))).toMatchObject({ expected: false, error: { error: 'login_failed' } })
  })

  it('needs the published keys where it misuses them', async () => {
    const hmac = logoutTokenMoves.find(({ name }) => name === 'hmac-logout-token')
    expect(outcomeIn(await run(party([honest]), hmac))).toMatchObject({ error: { error: 'not_here' } })
  })

  it('has a plan whose steps have different names', () => {
    const names = logoutTokenPlan(move!).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
