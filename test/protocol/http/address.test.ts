import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUrl, readAddress } from '../../../src/protocol/http/address.js'
import { forAll } from '../../support/for-all.js'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('readAddress', () => {
  it.each([
    ['https://EXAMPLE.com:443/a%2Fb/../c?d=%20#e', 'https://example.com/a%2Fb/../c?d=%20'],
    ['http://localhost', 'http://localhost/'],
    ['http://localhost?a', 'http://localhost/?a'],
    ['http://localhost#a', 'http://localhost/'],
    ['https://b\u00fccher.example/', 'https://xn--bcher-kva.example/'],
    ['http://[::1]:80/kb/2', 'http://[::1]/kb/2'],
  ])('keeps path and query of %s', (text, url) => expect(readAddress(text)).toEqual({ url }))

  it.each([
    ['https://alice:wonder%40land@example.com/a', basic('alice:wonder@land')],
    ['https://alice@example.com/a', basic('alice:')],
    ['https://a%zz:%E2%82%AC@example.com/a', basic('a%zz:\u20ac')],
    ['https://a:b@c:d@example.com/a', basic('a:b@c:d')],
  ])('makes a field of the user and the password of %s', (text, authorization) => {
    expect(readAddress(text)).toEqual({ url: 'https://example.com/a', authorization })
  })

  it.each(['', 'example.com', '/kb/2', 'ftp://example.com/', 'https://', 'http://a b/'])('refuses %j', text =>
    expect(readAddress(text)).toBeUndefined(),
  )

  it('keeps no password in the address, whatever the text', () =>
    forAll(fc.webUrl({ withQueryParameters: true }), fc.stringMatching(/^[a-z0-9]{5,9}$/), (url, word) => {
      const address = readAddress(url.replace('://', `://user:${word}secret@`))
      expect(address?.url).not.toContain(`${word}secret`)
    }))
})

it('isUrl reads the letters of Latin-1 as well after a hundred thousand calls', () => {
  for (let i = 0; i < 100_000; i++) isUrl('https://client.example/')
  expect(isUrl('https://bücher.example/')).toBe(true)
  expect(isUrl('/b', 'https://bücher.example/')).toBe(true)
  expect(isUrl('https://bücher example/')).toBe(false)
})
