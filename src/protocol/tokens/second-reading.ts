import { isJsonObject } from '../values.js'

// One module for every command: a text that was refused as a token, a key or a secret is read again in the ways in which
// people get it wrong.

/** A text in another reading. */
export interface SecondReading<Content = string> {
  readonly content: Content
  /** The form of the text, as a clause: `it is base64 of a token`. */
  readonly remark: string
}

/** Longest text that is read again, in characters. */
const MAX_LENGTH = 1024 * 1024

const TOKEN = /^eyJ[\w-]*(?:\.[\w-]*){2}(?:(?:\.[\w-]*){2})?$/

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Decodes base64 or base64url, also of several lines; undefined for any other text. */
function fromBase64(text: string): Buffer | undefined {
  const joined = text.replace(/\s+/g, '')
  return joined.length > 7 && BASE64.test(joined) ? Buffer.from(joined, 'base64') : undefined
}

function percentDecoded(text: string): string | undefined {
  try {
    return text.includes('%') ? decodeURIComponent(text) : undefined
  } catch {
    return undefined
  }
}

function json(text: string): unknown {
  try {
    return /^\s*[{["]/.test(text) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Finds the token in a text that is not one. */
export function readTokenAgain(text: string): SecondReading | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const value = json(text)
  if (isJsonObject(value)) {
    const name = ['id_token', 'access_token', 'token'].find(each => TOKEN.test(String(value[each] ?? '')))
    if (name !== undefined)
      return { content: String(value[name]), remark: `it is a token answer; this is its ${name}` }
  }
  if (typeof value === 'string' && TOKEN.test(value))
    return { content: value, remark: 'it is a token in quotes' }
  const decoded = fromBase64(text)?.toString('latin1').trim()
  if (decoded !== undefined && TOKEN.test(decoded)) {
    return { content: decoded, remark: 'it is base64 of a token, as Kubernetes secrets hold it' }
  }
  const plain = percentDecoded(text)
  if (plain !== undefined && TOKEN.test(plain)) return { content: plain, remark: 'it is percent-encoded' }
  const inAddress = /[?#&](id_token|access_token)=(eyJ[\w.-]+)/.exec(text)
  if (inAddress?.[2] !== undefined && TOKEN.test(inAddress[2])) {
    return { content: inAddress[2], remark: `it is an address; this is its ${inAddress[1]}` }
  }
  return undefined
}

const BEGIN = '-----BEGIN '

/** Returns what a text may hold in which no key can be read as it is: PEM, or JSON of a JWK. The first that holds a key is meant. */
export function readKeyAgain(text: string): readonly SecondReading[] {
  if (text.length > MAX_LENGTH) return []
  const value = json(text)
  if (isJsonObject(value) && typeof value.private_key === 'string' && value.private_key.includes(BEGIN)) {
    return [
      { content: value.private_key, remark: 'it is the file of a service account; this is its private_key' },
    ]
  }
  if (text.includes(BEGIN) && text.includes('\\n')) {
    const content = text
      .replace(/^\s*"|"\s*$/g, '')
      .replaceAll('\\r', '')
      .replaceAll('\\n', '\n')
    return [{ content, remark: 'its line ends are the two characters \\n, as environment variables hold it' }]
  }
  const decoded = fromBase64(text)
  const written = decoded?.toString('utf8') ?? ''
  if (written.includes(BEGIN)) return [{ content: written, remark: 'it is base64 of a PEM' }]
  if (/^\s*\{.*"k(?:ty|eys)"/s.test(written)) return [{ content: written, remark: 'it is base64 of a JWK' }]
  // DER begins with a SEQUENCE.
  if (decoded?.[0] !== 0x30) return []
  const lines = text.replace(/\s+/g, '').replace(/.{64}/g, '$&\n').trimEnd()
  const remark = 'it is the inside of a PEM, without its first and last line'
  return ['PRIVATE KEY', 'PUBLIC KEY', 'CERTIFICATE', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'].map(label => ({
    content: `${BEGIN}${label}-----\n${lines}\n-----END ${label}-----\n`,
    remark,
  }))
}

/** Returns the certificates of a map from key ids to PEM, as Google publishes them; undefined for any other value. */
export function certificateMap(value: unknown): readonly (readonly [kid: string, pem: string])[] | undefined {
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value)
  const isMap =
    entries.length > 0 &&
    entries.every(([, pem]) => typeof pem === 'string' && pem.includes(`${BEGIN}CERTIFICATE`))
  return isMap ? entries.map(([kid, pem]) => [kid, String(pem)] as const) : undefined
}

/** Returns the other bytes that a secret may stand for, each with what it takes to give them. */
export function otherSecrets(secret: Uint8Array): readonly SecondReading<Buffer>[] {
  const text = Buffer.from(secret).toString('utf8')
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const readings: SecondReading<Buffer>[] = []
  const decoded = fromBase64(trimmed)
  if (decoded) {
    const name = /[-_]/.test(trimmed) ? 'base64url' : 'base64'
    const how =
      name === 'base64'
        ? 'give those:  base64 -d FILE | oauth-lab jwt verify TOKEN --secret-stdin'
        : 'give those bytes on stdin'
    readings.push({
      content: decoded,
      remark: `signed with the ${name}-decoded bytes of this secret; ${how}`,
    })
  }
  if (/^(?:[\da-f]{2}){8,}$/i.test(trimmed)) {
    const how = 'give those:  xxd -r -p FILE | oauth-lab jwt verify TOKEN --secret-stdin'
    readings.push({
      content: Buffer.from(trimmed, 'hex'),
      remark: `signed with the bytes that this secret writes in hexadecimal; ${how}`,
    })
  }
  if (trimmed !== text)
    readings.push({
      content: Buffer.from(trimmed),
      remark: 'signed with this secret without the blanks or quotes around it',
    })
  const plain = percentDecoded(trimmed)
  if (plain !== undefined)
    readings.push({ content: Buffer.from(plain), remark: 'signed with this secret, percent-decoded' })
  readings.push({
    content: Buffer.from(`${text}\n`),
    remark: 'signed with this secret and a line end after it, as echo writes one',
  })
  readings.push({
    content: Buffer.from(Buffer.from(secret).toString('base64')),
    remark: 'signed with base64 of this secret',
  })
  return readings
}

/** Returns the two numbers of an ECDSA signature in DER side by side, as a JWS has them (RFC 7518 §3.4); undefined for any other signature. */
export function rawOfDer(signature: Uint8Array, size: number): Buffer | undefined {
  const bytes = Buffer.from(signature)
  if (bytes[0] !== 0x30) return undefined
  const numbers: Buffer[] = []
  // The length of the sequence takes two bytes where it is above 127.
  let at = bytes[1] === 0x81 ? 3 : 2
  while (numbers.length < 2 && bytes[at] === 0x02) {
    const length = bytes[at + 1] ?? 0
    numbers.push(bytes.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  if (numbers.length !== 2 || at !== bytes.length) return undefined
  const padded = numbers.map(each => {
    const stripped = each[0] === 0 ? each.subarray(1) : each
    return stripped.length > size
      ? undefined
      : Buffer.concat([Buffer.alloc(size - stripped.length), stripped])
  })
  const [r, s] = padded
  return r && s && Buffer.concat([r, s])
}
