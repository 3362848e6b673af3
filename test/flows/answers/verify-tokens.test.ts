import { describe, expect, it } from 'vitest'
import {
  CLOCK_LEEWAY,
  type TokenExpectations,
  verifyTokens,
} from '../../../src/flows/answers/verify-tokens.js'
import type { TokenResponse } from '../../../src/protocol/oauth/token.js'
import type { JwkSet } from '../../../src/protocol/tokens/keys.js'
import { tokenHash } from '../../../src/protocol/tokens/verify.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'

const key = ecKey('k1')
const keys: JwkSet = { keys: [{ ...key.publicJwk, alg: key.alg }] }
const now = Date.UTC(2026, 0, 2, 12)
const seconds = now / 1000
const issuer = 'https://lab.test'
const accessClaims = { iss: issuer, sub: 'alice', aud: 'demo', iat: seconds, exp: seconds + 3600 }
const idClaims = { ...accessClaims, nonce: 'n-1' }
const expected: TokenExpectations = { issuer, clientId: 'demo', nonce: 'n-1', openId: true, now }

const signed = (claims: object) => makeJwt(key, { kid: 'k1' }, claims)
const accessToken = signed(accessClaims)
const atHash = tokenHash(accessToken, key.alg)

/** A token response with an id_token of these claims beside the access token. */
const answer = (claims: object, access = accessToken): TokenResponse => ({
  access_token: access,
  token_type: 'Bearer',
  id_token: signed(claims),
})

const judged = async (tokens: TokenResponse, more: Partial<TokenExpectations> = {}) => {
  const { refusal, subject, shown } = await verifyTokens(tokens, keys, { ...expected, ...more })
  const checks = shown.tokens?.[0]?.checks ?? shown.checks ?? []
  return {
    refused: refusal?.description,
    subject,
    failed: checks.filter(({ ok }) => !ok).map(({ name }) => name),
  }
}

const GOOD = { refused: undefined, subject: 'alice', failed: [] }
const other = signed({ ...accessClaims, jti: 'another' })
const hashed = { ...idClaims, at_hash: atHash }
const wrong = (name: string, why: string) => `the ${name} of the id_token is not accepted: ${why}`
const announced = (list: string) => wrong('alg', `${key.alg} is not announced; announced: ${list}`)
const registered = `${key.alg} is not the algorithm that this client is registered for; registered: PS256`
const idTokenAlgorithms = ['RS256', 'PS256', key.alg]

describe('the algorithm and at_hash of an id_token (OpenID Connect Core §3.1.3.7, §3.1.3.8, §3.2.2.9)', () => {
  it.each<[what: string, tokens: TokenResponse, more: Partial<TokenExpectations>, verdict: object]>([
    ['no announced algorithm', answer(idClaims), {}, GOOD],
    ['an empty announcement', answer(idClaims), { idTokenAlgorithms: [] }, GOOD],
    ['its algorithm announced', answer(idClaims), { idTokenAlgorithms: ['RS256', key.alg] }, GOOD],
    [
      'other algorithms announced',
      answer(idClaims),
      { idTokenAlgorithms: ['RS256', 'PS256'] },
      { refused: announced('RS256, PS256'), failed: ['alg'] },
    ],
    [
      'another algorithm registered',
      answer(idClaims),
      { idTokenAlgorithms, registeredAlgorithm: 'PS256' },
      { refused: wrong('alg', registered), failed: ['alg'] },
    ],
    ['its algorithm registered', answer(idClaims), { idTokenAlgorithms, registeredAlgorithm: key.alg }, GOOD],
    [
      'no at_hash, through the browser',
      answer(idClaims),
      { fromBrowser: true },
      { refused: wrong('at_hash', 'missing'), failed: ['at_hash'] },
    ],
    ['at_hash', answer(hashed), {}, GOOD],
    ['at_hash, through the browser', answer(hashed), { fromBrowser: true }, GOOD],
    [
      'at_hash of another token',
      answer(hashed, other),
      {},
      { refused: expect.stringMatching(/at_hash/), failed: ['at_hash'] },
    ],
    [
      'at_hash of another token, through the browser',
      answer(hashed, other),
      { fromBrowser: true },
      { refused: expect.stringMatching(/at_hash/), failed: ['at_hash'] },
    ],
  ])('%s', async (_what, tokens, more, verdict) => {
    expect(await judged(tokens, more)).toMatchObject(verdict)
  })
})

it.each([
  ['exp', { exp: seconds - CLOCK_LEEWAY + 1 }, []],
  ['exp', { exp: seconds - CLOCK_LEEWAY }, ['exp']],
  ['iat', { iat: seconds + CLOCK_LEEWAY }, []],
  ['iat', { iat: seconds + CLOCK_LEEWAY + 1 }, ['iat']],
  ['nbf', { nbf: seconds + CLOCK_LEEWAY }, []],
  ['nbf', { nbf: seconds + CLOCK_LEEWAY + 1 }, ['nbf']],
])(
  'times allow clocks to differ by the leeway and no more: %s: %j fails %j',
  async (_name, claims, failed) => {
    expect((await judged(answer({ ...idClaims, ...claims }))).failed).toEqual(failed)
  },
)

describe('an id_token', () => {
  it('must be there when openid was granted', async () => {
    const bare: TokenResponse = { access_token: accessToken, token_type: 'Bearer' }
    expect((await judged(bare)).refused).toBe('openid was granted without an id_token')
    expect((await judged(bare, { openId: false })).refused).toBeUndefined()
  })

  it('is refused where no key can verify it', async () => {
    const { refusal } = await verifyTokens(answer(idClaims), undefined, expected)
    expect(refusal?.description).toBe('no keys are published to verify the id_token with')
  })

  it.each([
    ['another nonce', { nonce: 'n-2' }, 'nonce'],
    ['another audience', { aud: 'other' }, 'aud'],
    ['another issuer', { iss: 'https://evil.test' }, 'iss'],
  ])('with %s is refused', async (_what, claims, name) => {
    expect((await judged(answer({ ...idClaims, ...claims }))).failed).toEqual([name])
  })
})

describe('an access token', () => {
  it('is refused for another audience only where the client has to check it', async () => {
    const other = answer(idClaims, signed({ ...accessClaims, aud: 'other' }))
    expect((await judged(other)).refused).toBeUndefined()
    expect((await judged(other, { audience: 'demo' })).refused).toMatch(/^the aud of the access_token/)
  })

  it('of a foreign server is pointed out and not refused', async () => {
    const other = answer(idClaims, signed({ ...accessClaims, iss: 'https://other.test' }))
    expect((await judged(other)).refused).toMatch(/^the iss of the access_token/)
    const { refusal, shown } = await verifyTokens(other, keys, { ...expected, foreignAccessTokens: true })
    expect(refusal).toBeUndefined()
    expect(shown.token.checks.find(({ ok }) => !ok)).toMatchObject({ name: 'iss', advice: true })
  })

  it('with an exp in milliseconds is refused for its unit, and pointed out at a foreign server', async () => {
    const late = answer(idClaims, signed({ ...accessClaims, exp: (seconds + 3600) * 1000 }))
    const { refusal } = await verifyTokens(late, keys, expected)
    const description = expect.stringContaining('exp in milliseconds')
    expect(refusal).toMatchObject({ description, rule: 'RFC 7519 §2' })
    const foreign = { ...expected, foreignAccessTokens: true }
    const { refusal: none, shown } = await verifyTokens(late, keys, foreign)
    expect(none).toBeUndefined()
    expect(shown.token.checks.find(({ ok }) => !ok)).toMatchObject({ name: 'unit', advice: true })
  })

  it('with a wrong signature is refused for that before its unit', async () => {
    const late = signed({ ...accessClaims, exp: (seconds + 3600) * 1000 })
    const forged = `${late.slice(0, late.lastIndexOf('.'))}.${'A'.repeat(86)}`
    const { refusal } = await verifyTokens(answer(idClaims, forged), keys, expected)
    expect(refusal?.description).toMatch(/^the signature of the access_token/)
  })
})
