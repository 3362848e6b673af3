import { UsageError } from '../../../protocol/errors.js'
import { type HttpRequest, header, splitUrl } from '../../../protocol/http/message.js'

/** A request that is sent as it is, with Host and, for a body, Content-Length. */
export interface MeasuredRequest extends Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  readonly httpVersion?: string | undefined
  readonly body?: Uint8Array
}

// RFC 9112 §3.2 has no blanks and no control characters in a request target, and RFC 9110 §5.5 none but tabs in a value. A
// character beyond U+00FF would be cut to one byte, and U+010A to a line feed.
const TARGET = /^[\x21-\x7e\x80-\xff]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** True for a name and a value that a header field can hold (RFC 9110 §5.1, §5.5). */
export function isField(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value)
}

/**
 * Returns the bytes of a request. Host comes first, unless the request has one.
 * @throws UsageError for a URL or a header field that would end its line, or lose characters
 */
export function requestBytes({ method, url, headers, body, httpVersion = '1.1' }: MeasuredRequest): Buffer {
  const { path, query } = splitUrl(url)
  const target = query === '' ? path : `${path}?${query}`
  if (!TARGET.test(target)) {
    throw new UsageError('the URL has characters that a request line cannot hold (RFC 9112 §3.2)', [
      'Write them percent-encoded, a space as %20',
    ])
  }
  const bad = headers.find(([name, value]) => !isField(name, value))
  if (bad) throw new UsageError('a header field has characters that HTTP forbids (RFC 9110 §5.5)')
  const lines = [
    `${method} ${target} HTTP/${httpVersion}`,
    ...(header({ headers }, 'host') === undefined ? [`Host: ${new URL(url).host}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}
