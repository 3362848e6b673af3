import { networkInterfaces } from 'node:os'

/** True when a server can listen on 127.0.0.1. False on a computer that has only `::1`. */
export function hasIpv4Loopback(): boolean {
  try {
    const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address))
    return addresses.includes('127.0.0.1') || !addresses.includes('::1')
  } catch {
    return true // Some systems do not list their interfaces.
  }
}
