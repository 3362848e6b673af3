import { type HttpRequest, headerValues } from '../../../protocol/http/message.js'

/** The decision of nginx if a client accepts gzip, with the reason when it does not. */
export type GzipVerdict = { readonly takes: true } | { readonly takes: false; readonly why: string }

const no = (why: string): GzipVerdict => ({ takes: false, why })

/** A weight that accepts gzip: 1, or 0 with a digit above zero among the three after the point. Ends at a comma or a space. */
const ACCEPTING_WEIGHT = /^q=(?:1(?:\.0{0,3})?|0\.(?=\d*[1-9])\d{1,3})(?=[, ]|$)/i

/**
 * Reads Accept-Encoding as nginx does: the first `gzip` at the start of a word decides, and the rest is ignored.
 */
function offersGzip(value: string): GzipVerdict {
  const word = /(?:^|[, ])gzip/i.exec(value)
  if (!word) return no('its Accept-Encoding has no word gzip; nginx reads no * and no x-gzip')
  const rest = value.slice(word.index + word[0].length)
  if (/^ *(?:$|,)/.test(rest)) return { takes: true }
  const parameter = /^ *; *(.*)$/s.exec(rest)?.[1]
  if (parameter === undefined) return no('the word in its Accept-Encoding is not gzip')
  return parameter === '' || ACCEPTING_WEIGHT.test(parameter)
    ? { takes: true }
    : no('gzip is refused, or has a weight that nginx cannot read')
}

/**
 * Decides as nginx does if a client accepts gzip. The gzip and the gunzip module of nginx share this test. Unlike RFC 9110
 * §12.5.3, it reads only the first field line, and ignores preferences and `*`. It refuses gzip for HTTP/1.0 and behind
 * another proxy (Via).
 * @param proxied `gzip_proxied any`: accepts requests with a Via header
 * @param oldest `gzip_http_version`
 */
export function takesGzip(
  request: HttpRequest,
  proxied: boolean,
  oldest: '1.0' | '1.1' = '1.1',
): GzipVerdict {
  const first = headerValues(request, 'accept-encoding')[0]
  if (first === undefined) return no('it offers nothing')
  const offered = offersGzip(first)
  if (!offered.takes) return offered
  if (oldest === '1.1' && request.httpVersion === '1.0')
    return no('it speaks HTTP/1.0 (gzip_http_version 1.1)')
  if (!proxied && headerValues(request, 'via').length > 0) {
    return no('its request came through another proxy (Via; gzip_proxied off)')
  }
  return { takes: true }
}
