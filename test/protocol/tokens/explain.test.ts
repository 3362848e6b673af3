import { describe, expect, it } from 'vitest'
import type { DecodedJwt } from '../../../src/protocol/tokens/decode.js'
import { explainToken } from '../../../src/protocol/tokens/explain.js'

const token = (
  claims: Record<string, unknown>,
  header: Record<string, unknown> = { alg: 'RS256' },
): DecodedJwt => ({ header, claims, parts: ['', '', ''] })

const good = {
  iss: 'https://localhost:8443',
  aud: 'demo',
  sub: 'alice',
  iat: 1_767_355_200,
  exp: 1_767_358_800,
}

describe('explainToken', () => {
  it('gives every member a meaning and every date a time', () => {
    const { header, claims, lint, unit } = explainToken(token(good, { typ: 'JWT', alg: 'RS256', kid: 'k1' }))
    expect(header.map(each => each.name)).toEqual(['typ', 'alg', 'kid'])
    expect(claims.every(each => each.meaning !== '')).toBe(true)
    expect(claims.filter(each => each.time).map(each => [each.name, each.time])).toEqual([
      ['iat', '2026-01-02T12:00:00.000Z'],
      ['exp', '2026-01-02T13:00:00.000Z'],
    ])
    expect(lint).toEqual([])
    expect(unit).toBe(1)
  })

  it('reads dates in milliseconds as the reference writes them, and says what a verifier reads', () => {
    const iat = good.iat * 1000
    const { claims, lint, unit } = explainToken(token({ ...good, nbf: iat - 30, iat, exp: iat + 3600 }))
    expect(unit).toBe(1000)
    expect(claims.find(each => each.name === 'exp')?.time).toBe('2026-01-02T12:00:03.600Z')
    expect(lint.map(each => each.name)).toEqual(['milliseconds'])
    expect(lint[0]?.text).toMatch(/the year 5\d{4}$/)
  })

  it.each([
    [{ ...good, auth_time: good.iat, updated_at: good.iat }, 1],
    [{ ...good, exp: 1e11 }, 1],
    [{ ...good, exp: 1e11 + 1 }, 1000],
    [{ ...good, exp: -1e11 - 1 }, 1000],
    [{ ...good, updated_at: good.iat * 1000 }, 1000],
    [{ ...good, exp: '1767358800000' }, 1000],
    [{ ...good, exp: '1767358800000x' }, 1],
    [{ ...good, size: 1e12 }, 1],
  ])('counts the dates of %j in units of 1/%d s', (claims, unit) => {
    const explained = explainToken(token(claims))
    expect(explained.unit).toBe(unit)
    expect(explained.lint.some(each => each.name === 'milliseconds')).toBe(unit === 1000)
    expect(explained.claims.find(each => each.name === 'size')?.time).toBeUndefined()
  })

  it('reads a date that is a text, and remarks on it', () => {
    const { claims, lint } = explainToken(token({ ...good, exp: '1795732683' }))
    expect(claims.find(({ name }) => name === 'exp')?.time).toBe('2026-11-26T22:38:03.000Z')
    expect(lint).toMatchObject([{ name: 'date_text', rule: 'RFC 7519 §2' }])
  })

  it('gives the years of dates in milliseconds only for an exp that is a number', () => {
    const late = (claims: object) => explainToken(token({ ...good, ...claims })).lint[0]?.text
    expect(late({ exp: 1767358800000 })).toContain('as the year 57975')
    expect(late({ exp: 'soon', iat: 1767358800000 })).not.toContain('year')
  })

  it('gives dates to claims alone, and no meaning to unknown members', () => {
    const { header, claims } = explainToken(
      token({ ...good, constructor: 1 }, { exp: good.exp, toString: 1 }),
    )
    expect(header).toEqual([
      { name: 'exp', value: good.exp, meaning: '' },
      { name: 'toString', value: 1, meaning: '' },
    ])
    expect(claims.at(-1)).toEqual({ name: 'constructor', value: 1, meaning: '' })
  })

  it.each([
    [{ ...good, exp: undefined }, undefined, 'no_exp'],
    [{ ...good, iss: undefined }, undefined, 'no_iss'],
    [{ ...good, aud: undefined }, undefined, 'no_aud'],
    [good, { alg: 'none' }, 'alg_none'],
    [good, { alg: 'NoNe' }, 'alg_none'],
    [good, { alg: 'RS256', jku: 'https://evil/keys' }, 'key_in_header'],
    [good, { alg: 'RS256', jwk: {} }, 'key_in_header'],
    [good, { alg: 'RS256', x5u: 'https://evil/cert' }, 'key_in_header'],
  ])('remarks on %j %j', (claims, header, name) => {
    expect(explainToken(token(claims, header)).lint.map(each => each.name)).toEqual([name])
  })

  it('takes apart what a cluster says of a service account', () => {
    const { claims } = explainToken(
      token({
        ...good,
        'kubernetes.io': {
          namespace: 'lab',
          node: { name: 'node-1', uid: 'n' },
          pod: { name: 'web-0', uid: 'p' },
          serviceaccount: { name: 'demo', uid: 's' },
          warnafter: good.iat + 3607,
          strange: [1],
        },
      }),
    )
    const inner = claims.filter(each => each.inner)
    expect(inner.map(({ name, value, time }) => [name, value, time])).toEqual([
      ['namespace', 'lab', undefined],
      ['node', 'node-1', undefined],
      ['uid', 'n', undefined],
      ['pod', 'web-0', undefined],
      ['uid', 'p', undefined],
      ['serviceaccount', 'demo', undefined],
      ['uid', 's', undefined],
      ['warnafter', good.iat + 3607, '2026-01-02T13:00:07.000Z'],
      ['strange', [1], undefined],
    ])
    expect(inner.map(({ meaning }) => meaning)).toEqual(
      expect.arrayContaining(['pod: the token dies with it', 'of this pod', 'of this service account']),
    )
    expect(explainToken(token({ ...good, 'kubernetes.io': 5 })).claims.at(-1)?.value).toBe(5)
  })

  it('explains the issuer and the subject of a cluster', () => {
    const meanings = (more: object) =>
      new Map(explainToken(token({ ...good, ...more })).claims.map(each => [each.name, each.meaning]))
    expect(meanings({ 'kubernetes.io': {} }).get('iss')).toBe('issuer: the cluster')
    expect(meanings({}).get('iss')).toBe('issuer: the authorization server')
  })

  it.each([
    [{ namespace: { name: 'lab' } }, [{ name: 'namespace', value: { name: 'lab' } }]],
    [{ pod: { uid: 'p' } }, [{ name: 'pod', value: { uid: 'p' } }]],
    [{ pod: { name: 1, uid: 'p' } }, [{ name: 'pod', value: { name: 1, uid: 'p' } }]],
    [{ pod: { name: 'web', uid: 1 } }, [{ name: 'pod', value: { name: 'web', uid: 1 } }]],
    [{ warnafter: 'soon' }, [{ name: 'warnafter', value: 'soon' }]],
    [{ warnafter: 1e300 }, [{ name: 'warnafter', value: 1e300 }]],
    [{ node: 5 }, [{ name: 'node', value: 5 }]],
    [{ toString: 1 }, [{ name: 'toString', value: 1, meaning: '' }]],
    [
      { host: { name: 'h', uid: 'u' } },
      [
        { name: 'host', value: 'h', meaning: '' },
        { name: 'uid', value: 'u', meaning: 'of this host' },
      ],
    ],
  ])('leaves members of a cluster together that it does not know: %j', (members, wanted) => {
    const { claims } = explainToken(token({ 'kubernetes.io': members }))
    expect(claims[0]).toEqual({ name: 'kubernetes.io', value: '', meaning: expect.any(String) })
    expect(claims.slice(1)).toEqual(
      wanted.map(each => ({ meaning: expect.any(String), ...each, inner: true })),
    )
  })

  it('leaves members alone that only resemble those of a cluster', () => {
    const { claims } = explainToken(token({ 'kubernetes.io': {}, other: { pod: { name: 'p', uid: 'u' } } }))
    expect(claims.at(-1)).toEqual({ name: 'other', value: { pod: { name: 'p', uid: 'u' } }, meaning: '' })
  })

  it.each([
    [{ exp: 'soon' }],
    [{ exp: 1e308 }],
    [{ exp: Number.POSITIVE_INFINITY }],
    [{ iat: Number.NaN }],
    [{ exp: { toString: 1 } }],
    [{ constructor: 1, toString: 1 }],
  ])('survives %j', claims => {
    const { claims: explained } = explainToken(token(claims))
    expect(explained.map(each => each.name)).toEqual(Object.keys(claims))
    expect(explained.every(each => each.time === undefined)).toBe(true)
  })

  it('survives a header whose members are objects', () => {
    expect(explainToken(token(good, { alg: { toString: 1 } })).lint).toEqual([])
    expect(explainToken(token(good, { alg: 7 })).lint).toEqual([])
  })
})
