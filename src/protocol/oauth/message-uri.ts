import { isUrl } from '../http/address.js'
/** Hosts of this computer, where plain http leaves nothing unprotected. */
export const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns the problem of an address that a client registers for messages of the server; undefined when it is valid. */
export function messageUriProblem(uri: string): string | undefined {
  if (!isUrl(uri)) return 'it is not an absolute URI'
  const { protocol, username, password, hostname } = new URL(uri)
  if (uri.includes('#')) return 'it has a fragment'
  if (username !== '' || password !== '') return 'it has user information'
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) return undefined
  return 'it is not https; plain http is for 127.0.0.1, [::1] and localhost'
}
