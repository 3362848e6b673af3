import { describe, expect, it } from 'vitest'
import {
  foreignClaims,
  readUserinfoAnswer,
  type UserinfoExpectations,
} from '../../../src/flows/answers/userinfo-answer.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'

const key = ecKey('k1')
const stranger = ecKey('k1')
const now = Date.UTC(2026, 0, 2, 12)
const expected: UserinfoExpectations = {
  issuer: 'https://lab.test',
  clientId: 'demo',
  subject: 'alice',
  published: { keys: [{ ...key.publicJwk, alg: key.alg }] },
  now,
}
const claims = { iss: 'https://lab.test', aud: 'demo', sub: 'alice', name: 'Alice' }
const answer = (body: string, type = 'application/jwt') =>
  ({
    request: { method: 'GET', url: 'https://lab.test/userinfo', headers: [], body: '' },
    response: { status: 200, headers: [['content-type', type]], body },
  }) as unknown as Exchange
const signed = (change: object = {}, by = key) => makeJwt(by, { kid: 'k1' }, { ...claims, ...change })
const read = (body: string, more: Partial<UserinfoExpectations> = {}) =>
  readUserinfoAnswer(answer(body), { ...expected, ...more })

describe('a signed userinfo response (OpenID Connect Core §5.3.2)', () => {
  it('is verified by the published keys', async () => {
    const { checks, note } = await read(signed())
    expect(note).toBe(`sub=alice, signed by ${key.alg}`)
    expect(checks.every(each => each.ok)).toBe(true)
    expect(checks.map(each => each.name)).toEqual(expect.arrayContaining(['signature', 'iss', 'aud', 'sub']))
  })

  it.each<[string, () => string, Partial<UserinfoExpectations>, string]>([
    ['by another key', () => signed({}, stranger), {}, 'the signature of the signed userinfo'],
    ['of another issuer', () => signed({ iss: 'https://evil.test' }), {}, 'the iss of the signed userinfo'],
    ['for another client', () => signed({ aud: 'other' }), {}, 'the aud of the signed userinfo'],
    ['without iss', () => signed({ iss: undefined }), {}, 'the iss of'],
    [
      'about another user',
      () => signed({ sub: 'mallory' }),
      {},
      'userinfo is about mallory, the id_token about alice',
    ],
    ['without keys', () => signed(), { published: undefined }, 'no keys are published'],
    ['by an algorithm that is not announced', () => signed(), { algorithms: ['RS256'] }, 'the alg of'],
    ['that is none', () => 'a.b', {}, 'no signed JWT'],
    [
      'by alg none',
      () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${signed().split('.')[1]}.`,
      {},
      'the signature of',
    ],
  ])('%s is refused', (_, jwt, more, problem) => expect(read(jwt(), more)).rejects.toThrow(problem))
})

describe('claims of other parties', () => {
  it('are named with their source, and never read', async () => {
    const jwt = makeJwt(stranger, {}, { iss: 'https://bank.test', credit_score: 650 })
    const body = JSON.stringify({
      sub: 'alice',
      _claim_names: { credit_score: 'a', shoe_size: 'b', age: 'c' },
      _claim_sources: {
        a: { JWT: jwt },
        b: { endpoint: 'https://shoes.test/claims', access_token: 'secret' },
      },
    })
    const { note } = await readUserinfoAnswer(answer(body, 'application/json'), expected)
    expect(note).toBe(
      'sub=alice; claims of others, not verified: credit_score from https://bank.test, shoe_size from https://shoes.test/claims, age from nowhere',
    )
    expect(note).not.toContain('650')
  })

  it.each([undefined, [], 'x', {}, { a: 1 }])('survive %j', names => {
    expect(() => foreignClaims({ _claim_names: names, _claim_sources: null })).not.toThrow()
  })
})
