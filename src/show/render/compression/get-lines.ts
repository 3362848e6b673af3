import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { MeasuredAnswer } from '../../../servers/compression/studies/answer.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { bar, pad } from '../text/text.js'

interface Drawing {
  readonly ascii: boolean
}

const BAR = 30

const row = (name: string, bytes: number, note = ''): string =>
  `  ${pad(name, 16)}${pad(bytesText(bytes), 14, 'right')}  ${note}`.trimEnd()

function ratio(name: string, part: number, whole: number, drawing: Drawing): string {
  const times = part === 0 ? '' : `${(whole / part).toFixed(1)} x`
  return `  ${pad(name, 16)}${pad(times, 14, 'right')}  ${bar(whole === 0 ? 0 : part / whole, BAR, drawing)}`
}

const isDictionaryCoding = (coding: string | null): boolean => /^dc[bz]$/i.test(coding ?? '')

/** The dictionary that the request named, and its use in the answer (RFC 9842). */
function dictionaryLines(
  { useAsDictionary, dictionary, contentEncoding }: MeasuredAnswer,
  drawing: Drawing,
): string[] {
  const lines: string[] = []
  if (dictionary !== undefined) {
    const { sha256, bytes, named, headerBytes } = dictionary
    lines.push(
      `  dictionary        ${bytesText(bytes)}, SHA-256 ${sha256.slice(0, 16)}${signsFor(drawing).ellipsis}`,
    )
    if (named !== undefined) {
      const which = named ? 'this dictionary' : 'another dictionary: nothing can be decoded'
      lines.push(`                    the first ${headerBytes} B of the coded body name ${which}`)
    } else if (!isDictionaryCoding(contentEncoding))
      lines.push('                    the answer does not use it')
  }
  if (useAsDictionary !== undefined) lines.push(`  Use-As-Dictionary ${makeSafe(useAsDictionary)}`)
  return lines
}

/** Says why a body is not decoded. */
function undecoded({ contentEncoding, dictionary }: MeasuredAnswer): string {
  return isDictionaryCoding(contentEncoding) && dictionary === undefined
    ? 'not decoded: it needs a dictionary, as in --dictionary /kb/2'
    : 'not decoded: this program has no such coding'
}

/** The answer, its bytes, and the ratios of coded to raw for the body and for the whole answer. */
export function getLines(answer: MeasuredAnswer, drawing: Drawing): string[] {
  const { method, url, offer, status, contentEncoding, vary, bytes, ms, redirects = [] } = answer
  const { decoded, coded, framing, head, tls, handshake } = bytes
  const { totalBytes: total, rawTotalBytes: rawTotal = total } = answer
  return [
    `${method} ${makeSafe(url)}`,
    ...redirects.map(each => `  redirect          ${each.status} to ${makeSafe(each.location)}`),
    `  Accept-Encoding   ${offer === null ? '(none)' : makeSafe(offer)}`,
    `  status            ${status}   ${ms} ms`,
    `  Content-Encoding  ${makeSafe(contentEncoding ?? '(none)')}`,
    `  Vary              ${makeSafe(vary ?? '(none)')}`,
    ...dictionaryLines(answer, drawing),
    '',
    ...(decoded === undefined ? [`  body              ${undecoded(answer)}`] : [row('body', decoded)]),
    row('coded body', coded),
    row('chunk framing', framing),
    row('headers', head),
    ...(tls === undefined ? [] : [row('TLS', tls, 'records of this answer')]),
    row('all bytes', total),
    ...(handshake === undefined
      ? []
      : [row('TLS handshake', handshake.received, `${bytesText(handshake.sent)} sent; once a connection`)]),
    '',
    ...(decoded === undefined ? [] : [ratio('body, raw/coded', coded, decoded, drawing)]),
    ratio('all, raw/coded', total, rawTotal, drawing),
  ]
}
