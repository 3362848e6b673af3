import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sameResource } from '../../../src/protocol/oauth/scope.js'
import { forAll } from '../../support/for-all.js'

it.each([
  ['https://localhost:8444', 'https://localhost:8444/', true],
  ['http://[::1]:80/', 'http://[::1]:80', true],
  ['urn:example:a', 'urn:example:a', true],
  ['https://localhost:8444/records', 'https://localhost:8444/records/', false],
  ['https://localhost:8444', 'https://localhost:8444//', false],
  ['https://localhost:8444/', 'https://localhost:8444/?', false],
  ['https://localhost:8444', 'https://localhost:8445/', false],
  ['urn:example:a', 'urn:example:a/', false],
  ['', '/', false],
])('%s and %s name the same resource: %s', (a, b, same) => {
  expect([sameResource(a, b), sameResource(b, a)]).toEqual([same, same])
})

it('an origin names the same resource as its normalised URL', () =>
  forAll(fc.webAuthority(), authority => {
    fc.pre(URL.canParse(`https://${authority}`))
    const { origin, href } = new URL(`https://${authority}`)
    fc.pre(!href.includes('@'))
    expect(sameResource(origin, href)).toBe(true)
  }))
