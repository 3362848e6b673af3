import { describe, expect, it } from 'vitest'
import { readLoginDemands } from '../../../../src/servers/authorization-server/parameters/login-demands.js'
import { thrown } from '../../../support/refusal.js'

describe('prompt', () => {
  it.each<[string | undefined, readonly string[]]>([
    [undefined, []],
    ['', []],
    ['none', ['none']],
    [' login  consent ', ['login', 'consent']],
    ['select_account', ['select_account']],
  ])('%j asks for %j', (prompt, prompts) => {
    expect(readLoginDemands(prompt, undefined)).toEqual({ prompts, maxAge: undefined })
  })

  it.each([
    ['create', 'create', 'not supported'],
    ['login Login', 'Login', 'not supported'],
    ['none login', undefined, 'cannot be combined'],
    ['login none', undefined, 'cannot be combined'],
    ['none none', undefined, 'cannot be combined'],
  ])('%j is refused, with the evidence %j', (prompt, evidence, why) => {
    const error = thrown(() => readLoginDemands(prompt, undefined))
    expect(error).toMatchObject({ code: 'invalid_request', evidence })
    expect(error.description).toContain(why)
  })
})

describe('max_age', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    ['9999999999', 9_999_999_999_000],
  ])('of %s s is %i ms', (maxAge, milliseconds) => {
    expect(readLoginDemands(undefined, maxAge)).toEqual({ prompts: [], maxAge: milliseconds })
  })

  it.each(['', '-1', '1.5', ' 1', '1 ', '1e3', 'x', '10000000000'])('%j is refused', maxAge => {
    const error = thrown(() => readLoginDemands(undefined, maxAge))
    expect(error).toMatchObject({ code: 'invalid_request', evidence: maxAge })
  })
})
