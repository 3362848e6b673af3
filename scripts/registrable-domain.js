// Takes the place of tldts, which tough-cookie asks for the registrable domain of a host. That package is the public-suffix
// list: three quarters of what a login would load. A jar lives for one login, so a simpler rule will do: the last two labels.
// It refuses Domain=com, as the list does, and accepts Domain=co.uk, which the list refuses.
import { isIP } from 'node:net'

/**
 * @param {string} host
 * @returns {string | null} null for an address and a name of one label
 */
export function getDomain(host) {
  const labels = host.split('.')
  return isIP(host) !== 0 || labels.length < 2 ? null : labels.slice(-2).join('.')
}
