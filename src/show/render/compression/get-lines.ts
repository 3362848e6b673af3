import { readDictionaryHeader } from '../../../protocol/http/codings.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { MeasuredAnswer } from '../../../servers/compression/studies/answer.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { bar, pad } from '../text/text.js'

/** The signs of a drawing. */
export interface Drawing {
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

const WIDTH = 16
const SHOWN = 64

const hex = (bytes: Uint8Array): string =>
  [...bytes].map(each => each.toString(16).padStart(2, '0')).join(' ')
const ascii = (bytes: Uint8Array): string =>
  [...bytes].map(each => (each >= 0x20 && each < 0x7f ? String.fromCharCode(each) : '.')).join('')

function rows(body: Uint8Array, from: number, to: number): string[] {
  const lines: string[] = []
  for (let at = from; at < to; at += WIDTH) {
    const bytes = body.subarray(at, Math.min(at + WIDTH, to))
    lines.push(`  ${at.toString(16).padStart(6, '0')}  ${hex(bytes).padEnd(WIDTH * 3)} ${ascii(bytes)}`)
  }
  return lines
}

const systems: Readonly<Record<number, string>> = { 0: 'FAT', 3: 'Unix', 11: 'NTFS', 255: 'unknown' }
const efforts: Readonly<Record<number, string>> = {
  0: 'neither extreme',
  2: 'slowest, smallest',
  4: 'fastest',
}

/** The ten bytes of the header and the eight of the trailer (RFC 1952 §2.3). */
function gzipLines(body: Uint8Array): string[] {
  if (body.length < 18 || body[0] !== 0x1f || body[1] !== 0x8b) return ['  this is no gzip (RFC 1952 §2.3.1)']
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const end = body.length - 8
  const time = view.getUint32(4, true)
  const flush = Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf(
    Buffer.of(0, 0, 0xff, 0xff),
    10,
  )
  return [
    '  1f 8b        magic: gzip (RFC 1952 §2.3.1)',
    `  ${hex(body.subarray(2, 3))}           method ${body[2] === 8 ? '8: deflate' : body[2]}`,
    `  ${hex(body.subarray(3, 4))}           flags ${body[3]}${body[3] === 0 ? ': no name, no comment, nothing more in the header' : ''}`,
    `  ${hex(body.subarray(4, 8))}  time ${time === 0 ? '0: none, so that the bytes are the same each time' : time}`,
    `  ${hex(body.subarray(8, 9))}           effort ${body[8]}: ${efforts[body[8]!] ?? 'not named'}`,
    `  ${hex(body.subarray(9, 10))}           system ${body[9]}: ${systems[body[9]!] ?? 'not named'}`,
    ...(flush < 0 || flush >= end
      ? []
      : [`  00 00 ff ff  at ${flush}: a flush, an empty stored block, before the end was known`]),
    `  ${hex(body.subarray(end, end + 4))}  CRC-32 of the raw body`,
    `  ${hex(body.subarray(end + 4))}  its length, ${view.getUint32(end + 4, true)} bytes`,
  ]
}

/** The header that names the dictionary (RFC 9842 §4, §5). */
function dictionaryHeader(coding: 'dcb' | 'dcz', body: Uint8Array): string[] {
  const header = readDictionaryHeader(coding, body)
  if (header === undefined) return [`  this is no ${coding} (RFC 9842)`]
  const magic = header.length - header.hash.length
  const rest = coding === 'dcb' ? 'brotli' : 'zstd'
  return [
    `  ${hex(body.subarray(0, magic))}  magic: ${coding} (RFC 9842 §${coding === 'dcb' ? 4 : 5})`,
    `  ${header.hash.toString('hex')}  SHA-256 of the dictionary`,
    `  ${body.length - header.length} bytes of ${rest} follow`,
  ]
}

/** The bytes of a body as it travelled, without the middle, and the meaning of the bytes around a gzip body or before one with a dictionary. */
export function hexLines(body: Uint8Array, coding: string | null): string[] {
  const whole = body.length <= 2 * SHOWN
  const tail = body.length - (body.length % WIDTH) - SHOWN
  return [
    ...(whole
      ? rows(body, 0, body.length)
      : [...rows(body, 0, SHOWN), `  …       ${tail - SHOWN} bytes`, ...rows(body, tail, body.length)]),
    ...(coding === 'gzip' ? ['', ...gzipLines(body)] : []),
    ...(coding === 'dcb' || coding === 'dcz' ? ['', ...dictionaryHeader(coding, body)] : []),
  ]
}
