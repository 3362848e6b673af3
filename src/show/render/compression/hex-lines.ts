import { readDictionaryHeader } from '../../../protocol/http/codings.js'

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
function dictionaryLines(coding: 'dcb' | 'dcz', body: Uint8Array): string[] {
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
    ...(coding === 'dcb' || coding === 'dcz' ? ['', ...dictionaryLines(coding, body)] : []),
  ]
}
