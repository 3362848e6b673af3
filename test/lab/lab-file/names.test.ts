import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LOCAL_ADDRESSES,
  notPermitted,
  permitNames,
  permittedNames,
} from '../../../src/lab/certificates/name-constraints.js'
import {
  addressBytes,
  canonicalAddress,
  certificateName,
  isLoopback,
} from '../../../src/lab/lab-file/names.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { forAll } from '../../support/for-all.js'

describe('certificateName', () => {
  it.each([
    ['LOCALHOST', 'localhost'],
    ['Lab.Example', 'lab.example'],
    ['*.lab.example', '*.lab.example'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::0A', '2001:db8::a'],
    ['192.0.2.7', '192.0.2.7'],
  ])('%s is %s', (text, name) => expect(certificateName(text)).toBe(name))

  it.each([
    '',
    'a b',
    'a..b',
    '-a',
    'a-',
    '1.2.3',
    '1.2.3.4.5',
    'http://a',
    'a/b',
    'é.example',
    '*',
    'a.*.b',
    `${'a'.repeat(64)}.example`,
  ])('%j is refused', text => expect(() => certificateName(text)).toThrow(UsageError))
})

it.each([
  ['localhost', true],
  ['a.localhost', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['lab.example', false],
  ['localhost.example', false],
])('isLoopback(%s) is %s', (host, loopback) => expect(isLoopback(host)).toBe(loopback))

it.each([
  ['127.0.0.1', [127, 0, 0, 1]],
  ['::1', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['2001:db8::a:b', [32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 11]],
  ['::', Array(16).fill(0)],
  ['::ffff:1.2.3.4', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4]],
])('the bytes of the address %s', (address, bytes) => expect([...addressBytes(address)]).toEqual(bytes))

describe('name constraints', () => {
  it('are the bytes of RFC 5280 §4.2.1.10', async () => {
    const nowhere = Buffer.from('oauth-lab.invalid').toString('hex')
    expect(Buffer.from(await permitNames(['a.b', '1.2.3.4', '10.0.0.0/8'])).toString('hex')).toBe(
      '304b' +
        'a049' +
        `${'3005' + '8203'}612e62` +
        `${'300a' + '8708'}01020304ffffffff` +
        `${'300a' + '8708'}0a000000ff000000` +
        `${'3013' + '8111'}${nowhere}` +
        `${'3013' + '8611'}${nowhere}`,
    )
  })

  it('permit no mailbox and no URI', async () => {
    const { mailboxes, uris } = await permittedNames(new Uint8Array(await permitNames(['localhost'])))
    expect([mailboxes, uris]).toEqual([true, true])
  })

  it('of an earlier release say nothing of mailboxes and URIs', async () => {
    const der = Buffer.from('3015a01330058203612e62300a870801020304ffffffff', 'hex')
    expect(await permittedNames(der)).toEqual({ names: ['a.b', '1.2.3.4'], mailboxes: false, uris: false })
  })

  it('give back the names that were put in', async () => {
    const name = fc.oneof(
      fc.domain().filter(each => each.length < 200),
      fc.ipV4(),
      fc.ipV6().map(canonicalAddress),
      fc.constantFrom(...LOCAL_ADDRESSES),
    )
    await forAll(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), async names => {
      const read = await permittedNames(new Uint8Array(await permitNames(names)))
      expect(read.names).toEqual(names)
    })
  })

  it('permit names below a name, and nothing below an address', () => {
    const value = ['localhost', '127.0.0.1', 'lab.example']
    const asked = ['localhost', 'a.localhost', 'lab.example', '*.lab.example', '127.0.0.1']
    expect(notPermitted(value, asked)).toEqual([])
    expect(notPermitted(value, ['xlocalhost', '127.0.0.2', '::1', 'example'])).toEqual([
      'xlocalhost',
      '127.0.0.2',
      '::1',
      'example',
    ])
  })
  it.each([
    ['127.0.0.2', []],
    ['192.168.178.20', []],
    ['172.31.255.255', []],
    ['100.64.0.1', []],
    ['fd12:3456:789a::1', []],
    ['fe80::1', []],
    ['::1', []],
    ['172.32.0.0', ['172.32.0.0']],
    ['8.8.8.8', ['8.8.8.8']],
    ['2606:4700::1111', ['2606:4700::1111']],
    ['10.example', ['10.example']],
  ])('of every lab leave out, of %s, %j', (name, missing) => {
    expect(notPermitted(LOCAL_ADDRESSES, [name])).toEqual(missing)
  })
})
