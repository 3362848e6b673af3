import { isUrl } from '../../../protocol/http/address.js'
import { cimd } from '../../../protocol/rules/rule.js'
import type { ClientProblem } from '../stores/registry.js'

/** Longest client_id that is a URL, in characters. People are shown it. */
const MAX_LENGTH = 512

/** True for a client_id in the form of a web address. Plain http is one, so that its error can name the rule. */
export function isClientUrl(id: string): boolean {
  return /^https?:\/\//i.test(id)
}

/** Returns the problem of a client_id in the form of a web address; undefined for a valid one. */
export function clientUrlProblem(id: string): ClientProblem | undefined {
  const rule = cimd('3')
  if (id.length > MAX_LENGTH) return { problem: `it is longer than ${MAX_LENGTH} characters`, rule }
  if (!/^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/.test(id)) {
    return { problem: 'it has a character that no URI may hold', rule: 'RFC 3986 §2' }
  }
  if (!id.startsWith('https://')) return { problem: 'it does not begin with https://', rule }
  if (id.includes('#')) return { problem: 'it has a fragment', rule }
  const [, authority = '', path = ''] = /^https:\/\/([^/?]*)([^?]*)/.exec(id) ?? []
  if (authority.includes('@')) return { problem: 'it has user information', rule }
  if (authority === '' || !isUrl(id)) return { problem: 'it is not an absolute URL', rule }
  if (path === '') return { problem: 'it has no path; write one, such as /client.json', rule }
  const segments = path.split('/').map(each => each.replaceAll(/%2e/gi, '.'))
  if (segments.some(each => each === '.' || each === '..'))
    return { problem: 'its path has a dot segment', rule }
  const host = authority.replace(/:\d*$/, '').toLowerCase()
  if (new URL(id).hostname !== host) {
    // 0x7f.1 and 2130706433 are 127.0.0.1 to a resolver, and something else to a person.
    return { problem: 'its host is written in an unusual way', rule: cimd('8.6') }
  }
  return undefined
}
