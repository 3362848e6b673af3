import { describe, expect, it } from 'vitest'
import {
  type LoginWish,
  loginChecks,
  loginDemand,
  loginParameters,
} from '../../../src/flows/requests/login-demand.js'

const askedAt = Date.UTC(2026, 0, 2, 12)
const at = askedAt / 1000
const acr = (wish: unknown) => ({ claims: { id_token: { acr: wish } } })
const essential = acr({ essential: true, values: ['gold', 'silver'] })

const judged = (wish: LoginWish, claims: object, now = askedAt + 2000) =>
  loginChecks({ sub: 'alice', ...claims }, loginDemand(wish, askedAt), now).map(({ name, ok, advice }) =>
    [name, ok ? 'ok' : advice ? 'advice' : 'refused'].join(' '),
  )

describe('the checks of a login (OpenID Connect Core §3.1.3.7)', () => {
  it.each<[string, LoginWish, object, string[]]>([
    ['nothing asked', {}, { acr: 'any', auth_time: 1 }, []],
    ['acr_values met', { acrValues: 'gold silver' }, { acr: 'silver' }, ['acr ok']],
    ['acr_values are a wish', { acrValues: 'gold' }, { acr: 'bronze' }, ['acr advice']],
    ['acr_values without acr', { acrValues: 'gold' }, {}, ['acr advice']],
    ['essential acr met', essential, { acr: 'gold' }, ['acr ok']],
    ['essential acr not met', essential, { acr: 'bronze' }, ['acr refused']],
    ['essential acr missing', essential, {}, ['acr refused']],
    ['essential acr of any class', acr({ essential: true }), { acr: 'x' }, ['acr ok']],
    ['essential acr of any class, missing', acr({ essential: true }), {}, ['acr refused']],
    ['voluntary acr', acr({ value: 'gold' }), { acr: 'bronze' }, ['acr advice']],
    ['null', acr(null), { acr: 'x' }, ['acr ok']],
    ['claims before acr_values', { ...essential, acrValues: 'bronze' }, { acr: 'bronze' }, ['acr refused']],
    ['max_age met', { maxAge: 60 }, { auth_time: at - 60 }, ['auth_time ok']],
    ['max_age met by a login after the request', { maxAge: 0 }, { auth_time: at + 1 }, ['auth_time ok']],
    ['max_age of 0 and an older session', { maxAge: 0 }, { auth_time: at - 60 }, ['auth_time refused']],
    ['clocks that differ', { maxAge: 60 }, { auth_time: at - 70 }, ['auth_time ok']],
    ['an old login', { maxAge: 60 }, { auth_time: at - 71 }, ['auth_time refused']],
    ['no auth_time', { maxAge: 60 }, {}, ['auth_time refused']],
    ['auth_time as text', { maxAge: 60 }, { auth_time: String(at) }, ['auth_time refused']],
    ['auth_time in the future', { maxAge: 60 }, { auth_time: at + 600 }, ['auth_time refused']],
    [
      'essential auth_time missing',
      { claims: { id_token: { auth_time: { essential: true } } } },
      {},
      ['auth_time refused'],
    ],
    ['the named user', { claims: { id_token: { sub: { value: 'alice' } } } }, {}, ['sub ok']],
    ['another user', { claims: { id_token: { sub: { value: 'bob' } } } }, {}, ['sub refused']],
  ])('%s', (_name, wish, claims, results) => expect(judged(wish, claims)).toEqual(results))

  it('lets a person take time: the time of the request counts', () => {
    expect(judged({ maxAge: 5 }, { auth_time: at - 5 }, askedAt + 120_000)).toEqual(['auth_time ok'])
  })

  it('are asked for by the parameters of the request', () => {
    const claims = { id_token: { acr: null } }
    expect(loginParameters({ acrValues: 'a b', maxAge: 0, claims })).toEqual([
      ['acr_values', 'a b'],
      ['max_age', '0'],
      ['claims', '{"id_token":{"acr":null}}'],
    ])
    expect(loginParameters({})).toEqual([])
  })
})
