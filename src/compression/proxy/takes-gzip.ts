import { type HttpRequest, headerValues } from '../../http/message.js'

/** The decision of nginx to send gzip to a client, with the reason if not. */
export type GzipVerdict = { readonly takes: true } | { readonly takes: false; readonly why: string }

const no = (why: string): GzipVerdict => ({ takes: false, why })

/**
 * nginx reads one weight: 0 or 1, then at most three digits, their sum at most one. It does not read them as a number: only whether
 * they are all zero matters.
 */
function refusesByWeight(weight: string): boolean {
  const value = weight.split(/[, ]/, 1)[0]!
  if (!/^[01](?:\.\d{0,3})?$/.test(value)) return true
  const sum = Number(value[0]) * 100 + [...value.slice(2)].reduce((total, digit) => total + Number(digit), 0)
  return sum === 0 || sum > 100
}

/**
 * Reads Accept-Encoding as nginx does: the first `gzip` at the start of a word decides, and nothing else is read.
 */
function offersGzip(value: string): GzipVerdict {
  if (/^gzip,/.test(value)) return { takes: true }
  const word = /(?:^|[, ])gzip/i.exec(value)
  if (!word) return no('its Accept-Encoding has no word gzip; nginx reads no * and no x-gzip')
  const rest = value.slice(word.index + word[0].length)
  const end = /^ *(?:$|,)/.test(rest)
  if (end) return { takes: true }
  const parameter = /^ *; *(.*)$/s.exec(rest)?.[1]
  if (parameter === undefined) return no('the word in its Accept-Encoding is not gzip')
  if (parameter === '') return { takes: true }
  if (!/^q=./i.test(parameter)) return no('nginx cannot read the weight of gzip')
  if (refusesByWeight(parameter.slice(2)))
    return no('gzip is refused, or has a weight that nginx cannot read')
  return { takes: true }
}

/**
 * Decides as nginx does if a client accepts gzip: the test that its gzip and its gunzip module share. It is cruder than
 * RFC 9110 §12.5.3: one field line, no preference, no wildcard, and never for HTTP/1.0 or behind another proxy (Via).
 * @param proxied `gzip_proxied any`: Via makes no difference
 */
export function takesGzip(request: HttpRequest, proxied: boolean): GzipVerdict {
  const first = headerValues(request, 'accept-encoding')[0]
  if (first === undefined) return no('it offers nothing')
  const offered = offersGzip(first)
  if (!offered.takes) return offered
  if (request.httpVersion === '1.0') return no('it speaks HTTP/1.0 (gzip_http_version 1.1)')
  if (!proxied && headerValues(request, 'via').length > 0) {
    return no('its request came through another proxy (Via; gzip_proxied off)')
  }
  return { takes: true }
}
