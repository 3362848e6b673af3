import { parsedUrl } from '../../protocol/http/address.js'
import { RequestRefusal } from './refusal.js'

/** Longest address to return to, in characters. */
const MAX_LENGTH = 500

/** The origin stands for this site, whatever its real address is. */
const HERE = 'https://here.invalid'

/**
 * Returns an address on this site: a path with an optional query. Browsers read `//evil.example` and `/\evil.example` as
 * addresses of other sites, and drop tabs and line ends.
 * @throws RequestRefusal for any other address (RFC 9700 §4.11.1)
 */
export function localAddress(text: string): string {
  const plain = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= MAX_LENGTH
  const url = plain ? parsedUrl(text, HERE) : undefined
  if (url?.origin === HERE && !url.pathname.startsWith('//')) return url.pathname + url.search
  throw new RequestRefusal(400, 'return_to is not a path of this site', 'RFC 9700 §4.11.1')
}
