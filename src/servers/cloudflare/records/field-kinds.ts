import { hostName } from './names.js'
import { quoted } from './presentation.js'

/** One part of a record's content: how it is read from JSON or from text, and how it is written. */
export interface FieldKind {
  /** The value; undefined for a value of another kind. */
  readonly read: (value: unknown) => string | number | undefined
  readonly write: (value: string | number) => string
  /** The separator that joins the remaining words into one value, for the last field. */
  readonly joint?: string
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const plain = (value: string | number): string => String(value)

function wholeNumber(max: number): FieldKind {
  return {
    read(value) {
      const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
      return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max
        ? number
        : undefined
    },
    write: plain,
  }
}

function matching(pattern: RegExp, convert: (text: string) => string = text => text): FieldKind {
  return {
    read(value) {
      const text = asText(value)?.replace(/\s+/g, '')
      return text !== undefined && pattern.test(text) ? convert(text) : undefined
    },
    write: plain,
    joint: '',
  }
}

/** Longest value, in characters. The limit of the service is about the same. */
const MAX_VALUE = 4096

export const u8 = wholeNumber(255)
export const u16 = wholeNumber(65_535)
export const hex = matching(/^([0-9A-Fa-f]{2}){1,2048}$/, text => text.toLowerCase())
export const base64 = matching(
  /^(?=.{4,4096}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
)
export const tag = matching(/^[A-Za-z0-9]{1,15}$/, text => text.toLowerCase())

/** A host name, or `.` for none. */
export const target: FieldKind = {
  read(value) {
    const text = asText(value)?.trim()
    return text === '.' ? '.' : text === undefined ? undefined : hostName(text)
  },
  write: plain,
}

/** A character string. */
export const string: FieldKind = {
  read(value) {
    const text = asText(value)
    return text !== undefined && text.length <= MAX_VALUE && !/[\0-\x1f\x7f]/.test(text) ? text : undefined
  },
  write: value => quoted(String(value)),
}

/** Parameters of a service binding, `alpn="h3,h2" port=8443` (RFC 9460 §2.1). */
export const parameters: FieldKind = {
  read(value) {
    const text = asText(value)?.trim()
    if (text === undefined || text.length > MAX_VALUE) return undefined
    return /^(?:[a-z0-9-]{1,63}(?:=(?:"(?:[^"\\\0-\x1f]|\\[^\0-\x1f])*"|[^\s"]*))?(?:\s+|$))*$/.test(text)
      ? text
      : undefined
  },
  write: plain,
  joint: ' ',
}
