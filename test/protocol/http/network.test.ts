import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sourceOf } from '../../../src/protocol/http/network.js'
import { forAll } from '../../support/for-all.js'

it.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.0.40', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.9', 'loopback'],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::2', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['no address', 'no address'],
  ['', ''],
  [undefined, ''],
])('the source of %s is %s', (address, source) => expect(sourceOf(address)).toBe(source))

const group = fc.integer({ min: 0, max: 0xffff }).map(each => each.toString(16))

it('all addresses of an IPv6 /64 are one source', async () => {
  const half = fc.array(group, { minLength: 4, maxLength: 4 }).map(groups => groups.join(':'))
  // The network of the loopback and of IPv4 addresses in IPv6 notation has other rules.
  const network = half.filter(each => !/^0:0:0:0$/.test(each))
  await forAll(network, half, half, (head, a, b) => {
    expect(sourceOf(`${head}:${a}`)).toBe(sourceOf(`${head}:${b}`))
  })
})

it('every IPv4 address outside of 127.0.0.0/8 is a source of its own, in both notations', () =>
  forAll(
    fc.ipV4().filter(each => !each.startsWith('127.')),
    address => {
      expect([sourceOf(address), sourceOf(`::ffff:${address}`)]).toEqual([address, address])
    },
  ))
