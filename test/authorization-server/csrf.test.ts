import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsrf } from '../../src/authorization-server/csrf.js'
import { countedRandom } from './support.js'

/** Names and values of which one could be taken for the end of another. */
const text = fc.string({ unit: fc.constantFrom('a', '1', ':', '2') })
const request = fc.array(fc.tuple(text, text), { maxLength: 4 })

describe('the csrf value', () => {
  const csrf = createCsrf(countedRandom())
  const { secret } = csrf.browser(undefined)

  it('fits the request and browser it was made for, and is another on every page', () => {
    fc.assert(
      fc.property(request, pairs => {
        const value = csrf.value(secret, pairs)
        expect(csrf.matches(value, secret, pairs)).toBe(true)
        expect(csrf.matches(value, csrf.browser(undefined).secret, pairs)).toBe(false)
        expect(csrf.value(secret, pairs)).not.toBe(value)
      }),
    )
  })

  it('fits no other request', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(csrf.matches(csrf.value(secret, one), secret, other)).toBe(same)
      }),
      { numRuns: 1000 },
    )
  })
})
