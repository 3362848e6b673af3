import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsrf } from '../../../src/protocol/http/csrf.js'
import type { FormPairs } from '../../../src/protocol/http/form.js'
import { countedRandom } from '../../servers/authorization-server/support.js'
import { forAll } from '../../support/for-all.js'

/** One text, cut into the names and values of one or two parameters. */
function parameters(text: string, cuts: readonly number[]): FormPairs {
  const [a = 0, b = 0, c = 0] = cuts.map(cut => cut % (text.length + 1)).sort((x, y) => x - y)
  if (cuts.length === 1) return [[text.slice(0, a), text.slice(a)]]
  return [
    [text.slice(0, a), text.slice(a, b)],
    [text.slice(b, c), text.slice(c)],
  ]
}

const cuts = fc.oneof(fc.tuple(fc.nat(12)), fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12)))
const letters = fc.string({ unit: fc.constantFrom('a', '1', '2', '0', ':'), maxLength: 12 })

describe('the csrf value', () => {
  const csrf = createCsrf('__Host-login', countedRandom())
  const { secret } = csrf.browser(undefined)

  it('matches its request and browser, and differs on every page', () =>
    forAll(letters, cuts, (text, at) => {
      const pairs = parameters(text, at)
      const value = csrf.value(secret, pairs)
      expect(csrf.matches(value, secret, pairs)).toBe(true)
      expect(csrf.matches(value, csrf.browser(undefined).secret, pairs)).toBe(false)
      expect(csrf.value(secret, pairs)).not.toBe(value)
    }))

  it('matches no other request, however similar', () => {
    fc.assert(
      fc.property(letters, cuts, cuts, (text, at, elsewhere) => {
        const one = parameters(text, at)
        const other = parameters(text, elsewhere)
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(csrf.matches(csrf.value(secret, one), secret, other)).toBe(same)
      }),
      { numRuns: 1000 },
    )
  })
})
