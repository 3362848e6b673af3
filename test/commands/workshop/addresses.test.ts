import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { chooseAddress, ownAddresses } from '../../../src/commands/workshop/addresses.js'

const info = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo
const one = [{ address: '192.0.2.7', name: 'wlan0' }]
const two = [...one, { address: '2001:db8::7', name: 'eth0' }]

it('knows the addresses that others may reach, IPv4 first', () => {
  const all = ownAddresses({
    lo: [info('127.0.0.1', true), info('::1', true)],
    eth0: [info('fe80::1'), info('2001:db8::7'), info('169.254.3.4')],
    wlan0: [info('192.0.2.7')],
    none: undefined,
  })
  expect(all).toEqual(two)
})

describe('the address of a room', () => {
  it.each<[string | undefined, typeof one, string]>([
    [undefined, one, '192.0.2.7'],
    ['192.0.2.9', two, '192.0.2.9'],
    ['127.0.0.1', [], '127.0.0.1'],
    ['2001:db8::7', two, '2001:db8::7'],
    ['[2001:db8::7]', two, '2001:db8::7'],
  ])('--address %s', async (wanted, all, address) => {
    expect(await chooseAddress(wanted, false, all)).toBe(address)
  })

  it.each<[string | undefined, typeof one, RegExp]>([
    [undefined, [], /in no network/],
    [undefined, two, /several addresses/],
    ['laptop.example', one, /is not an address/],
    ['0.0.0.0', one, /is not an address/],
    ['::', one, /is not an address/],
  ])('--address %s of %j is refused', async (wanted, all, message) => {
    await expect(chooseAddress(wanted, false, all)).rejects.toThrow(message)
  })

  it('is in the hints when there are several', async () => {
    const error = await chooseAddress(undefined, false, two).catch(each => each)
    expect(error.hints.join('\n')).toMatch(
      /192\.0\.2\.7 .*wlan0.*2001:db8::7 .*eth0.*--address 192\.0\.2\.7/s,
    )
  })
})
