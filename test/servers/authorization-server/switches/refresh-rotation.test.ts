import { describe, expect, it } from 'vitest'
import type { Header, HttpResponse } from '../../../../src/protocol/http/message.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { basic, CALLBACK, client, expectError, json, lab, landed, SECRET } from '../support.js'
import { bankLab, key, otherKey } from './signing-client.js'

const DEMO = basic('demo', SECRET)

describe('refresh_token_rotation: off', () => {
  it('keeps the refresh token of a confidential client, whose life begins again at each use', async () => {
    const made = bankLab({ refresh_token_rotation: 'off' })
    const { refresh_token: token } = await made.authorized()
    for (let use = 0; use < 3; use++) {
      made.clock.now += 20 * 86_400_000
      const answer = json(await made.refresh(token, [await made.proof()]))
      expect([answer.token_type, answer.refresh_token]).toEqual(['DPoP', token])
    }
    made.clock.now += 31 * 86_400_000
    expectError(await made.refresh(token, [await made.proof()]), 400, 'invalid_grant')
    expect(made.types()).not.toContain('refresh_token.rotated')
    expect(made.types()).not.toContain('refresh_token.reused')
  })

  it('ends with its authorization', async () => {
    const made = bankLab({ refresh_token_rotation: 'off' })
    const { refresh_token: token } = await made.authorized()
    await made.post('/revocation', { token: String(token), ...made.assertion() })
    expectError(await made.refresh(token, [await made.proof()]), 400, 'invalid_grant')
  })

  it('keeps a bound token of a public client, and never an unbound one', async () => {
    const made = phoneLab({ refresh_token_rotation: 'off' })
    const bound = await made.first([await made.proof()])
    expect(json(await made.renew(bound, [await made.proof()])).refresh_token).toBe(bound)
    expectError(await made.renew(bound, [await made.proof('/token', otherKey)]), 400, 'invalid_grant')
    const unbound = await made.first([])
    const next = json(await made.renew(unbound, [])).refresh_token
    expect(next).not.toBe(unbound)
    expectError(await made.renew(unbound, []), 400, 'invalid_grant')
    expectError(await made.renew(next, []), 400, 'invalid_grant')
  })
})

/** A public client, with its own requests. */
function phoneLab(more: Partial<Client> = {}) {
  const made = bankLab({}, { clients: [client('phone', more)] })
  const first = async (headers: readonly Header[]) => {
    const code = landed(
      await made.login({ response_type: 'code', client_id: 'phone', redirect_uri: CALLBACK }),
    ).code
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id: 'phone' }
    return String(json(await made.token(form, headers)).refresh_token)
  }
  const renew = (token: unknown, headers: readonly Header[]) =>
    made.token({ grant_type: 'refresh_token', refresh_token: String(token), client_id: 'phone' }, headers)
  return { ...made, first, renew }
}

describe('a lost answer to a refresh request', () => {
  it('comes again for the same client and key, with the same successor', async () => {
    const made = bankLab()
    const { refresh_token: first } = await made.authorized()
    const lost = json(await made.refresh(first, [await made.proof()]))
    made.clock.now += 44_999
    const again = json(await made.refresh(first, [await made.proof()]))
    expect(again.refresh_token).toBe(lost.refresh_token)
    expect(again.access_token).not.toBe(lost.access_token)
    expect(made.events.slice(-3, -1)).toMatchObject([
      { type: 'refresh_token.repeated', client_id: 'bank', username: 'alice', rule: 'RFC 9700 §4.14.2' },
      { type: 'token.issued', grant_type: 'refresh_token' },
    ])
    expect(json(await made.refresh(lost.refresh_token, [await made.proof()])).refresh_token).toMatch(/./)
  })

  it('comes to each of 20 requests at once', async () => {
    const made = bankLab()
    const { refresh_token: first } = await made.authorized()
    const proofs = await Promise.all(Array.from({ length: 20 }, () => made.proof()))
    const answers = await Promise.all(proofs.map(each => made.refresh(first, [each])))
    expect(new Set(answers.map(each => json(each).refresh_token)).size).toBe(1)
    expect(made.types().filter(type => type === 'refresh_token.rotated')).toHaveLength(1)
  })

  /** Second uses of a refresh token, with the events before them and their sender. */
  const thefts: readonly [
    name: string,
    again: (made: ReturnType<typeof bankLab>, first: string, second: string) => Promise<HttpResponse>,
  ][] = [
    ['with another key', async (made, first) => made.refresh(first, [await made.proof('/token', otherKey)])],
    ['without a key', (made, first) => made.refresh(first)],
    [
      'after 45 seconds',
      async (made, first) => {
        made.clock.now += 45_000
        return made.refresh(first, [await made.proof()])
      },
    ],
    [
      'after the successor was used',
      async (made, first, second) => {
        await made.refresh(second, [await made.proof()])
        return made.refresh(first, [await made.proof()])
      },
    ],
    [
      'by another client',
      async (made, first) =>
        made.token({ grant_type: 'refresh_token', refresh_token: first }, [await made.proof(), DEMO]),
    ],
  ]

  it.each(thefts)('%s is a theft: the family is revoked', async (_name, again) => {
    const made = bankLab()
    const first = String((await made.authorized()).refresh_token)
    const second = String(json(await made.refresh(first, [await made.proof()])).refresh_token)
    expectError(await again(made, first, second), 400, 'invalid_grant')
    expect(made.types()).toContain('refresh_token.reused')
    expectError(await made.refresh(second, [await made.proof()]), 400, 'invalid_grant')
  })

  it('is a theft without keys, for public and for confidential clients: the thief looks like the client', async () => {
    const phone = phoneLab()
    const first = await phone.first([])
    await phone.renew(first, [])
    expectError(await phone.renew(first, []), 400, 'invalid_grant')
    expect(phone.types()).toContain('refresh_token.reused')
    const made = lab()
    const token = json(await made.redeem(await made.newCode())).refresh_token
    const renew = () => made.token({ grant_type: 'refresh_token', refresh_token: String(token) })
    await renew()
    expectError(await renew(), 400, 'invalid_grant')
    expect(made.types()).toContain('refresh_token.reused')
  })

  it('is a theft for a public client with another key', async () => {
    const made = phoneLab()
    const first = await made.first([await made.proof()])
    const second = json(await made.renew(first, [await made.proof()])).refresh_token
    expect(json(await made.renew(first, [await made.proof('/token', key)])).refresh_token).toBe(second)
    expectError(await made.renew(first, [await made.proof('/token', otherKey)]), 400, 'invalid_grant')
    expectError(await made.renew(second, [await made.proof()]), 400, 'invalid_grant')
  })
})
