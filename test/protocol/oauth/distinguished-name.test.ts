import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatDistinguishedName,
  parseDistinguishedName,
  sameName,
} from '../../../src/protocol/oauth/distinguished-name.js'
import { forAll } from '../../support/for-all.js'

function name(text: string) {
  const read = parseDistinguishedName(text)
  if ('problem' in read) throw new Error(`${text}: ${read.problem}`)
  return read.name
}

describe('a distinguished name', () => {
  // RFC 4514 §4, the examples.
  it.each([
    ['UID=jsmith,DC=example,DC=net', [['jsmith'], ['example'], ['net']]],
    ['OU=Sales+CN=J.  Smith,DC=example,DC=net', [['Sales', 'J.  Smith'], ['example'], ['net']]],
    ['CN=James \\"Jim\\" Smith\\, III,DC=example,DC=net', [['James "Jim" Smith, III'], ['example'], ['net']]],
    ['CN=Before\\0dAfter,DC=example,DC=net', [['Before\rAfter'], ['example'], ['net']]],
    ['CN=Lu\\C4\\8Di\\C4\\87', [['Lučić']]],
  ])('%s', (text, values) => {
    expect(name(text).map(relative => relative.map(each => each.text))).toEqual(values)
  })

  it('holds a value of an unknown type as its encoding', () => {
    expect(name('1.3.6.1.4.1.1466.0=#04024869')).toEqual([[{ oid: '1.3.6.1.4.1.1466.0', hex: '04024869' }]])
  })

  it.each([
    ['CN=shop,O=Example', 'cn = Shop , 2.5.4.10=example', true],
    ['CN=shop,O=Example', 'commonName=shop,organizationName=Example', true],
    ['CN=the  shop', 'CN=The Shop', true],
    ['CN=a\\,b', 'CN=a\\2Cb', true],
    ['OU=a+CN=b', 'CN=b+OU=a', true],
    ['CN=shop,O=Example', 'O=Example,CN=shop', false],
    ['CN=shop,O=Example', 'CN=shop', false],
    ['CN=shop', 'CN=shop,O=Example', false],
    ['OU=a+CN=b', 'OU=a,CN=b', false],
    ['CN=a,CN=a', 'CN=a+CN=a', false],
    ['CN=shop', 'OU=shop', false],
    ['emailAddress=a@b.example', '1.2.840.113549.1.9.1=a@b.example', true],
  ])('%s and %s: equal is %s', (a, b, equal) => expect(sameName(name(a), name(b))).toBe(equal))

  it.each([
    '',
    '  ',
    'shop',
    'CN=',
    'FOO=bar',
    'CN=a,,O=b',
    'CN=a,',
    'CN="a,b"',
    'CN=a\\',
    'CN=a\\x',
    'CN=#0',
    'CN=a;O=b',
    `CN=${'a'.repeat(5000)}`,
  ])('%j is none', text => {
    expect(parseDistinguishedName(text)).toEqual({ problem: expect.stringMatching(/\S/) })
  })

  it('is read back as it was written', async () => {
    const attribute = fc.record({
      oid: fc.constantFrom('2.5.4.3', '2.5.4.10', '0.9.2342.19200300.100.1.25', '1.2.3.4'),
      text: fc.string({ minLength: 1, unit: 'grapheme' }).filter(each => each.trim() === each),
    })
    const names = fc.array(fc.array(attribute, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    })
    await forAll(names, each => {
      expect(name(formatDistinguishedName(each))).toEqual(each)
    })
  })

  it('never throws', () => forAll(fc.string({ unit: 'binary' }), text => void parseDistinguishedName(text)))
})
