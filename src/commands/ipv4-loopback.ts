import { networkInterfaces } from 'node:os'

/** Whether 127.0.0.1 can be listened at: not where this computer has `::1` alone. */
export function hasIpv4Loopback(): boolean {
  try {
    const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address))
    return addresses.includes('127.0.0.1') || !addresses.includes('::1')
  } catch {
    return true // some systems do not tell
  }
}
