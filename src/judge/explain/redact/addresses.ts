import { FormError, parseForm, percentEncode } from '../../../protocol/http/form.js'
import type { KnownValues } from './known-values.js'
import type { Pseudonyms } from './pseudonyms.js'

/** The functions that addresses are redacted with. */
interface Parts {
  readonly pseudonym: Pseudonyms
  /** The pseudonym of a value, and of a token one whose claims can be read. */
  readonly value: (value: string) => string
  readonly known: KnownValues
  readonly member: (name: string, value: string) => string
}

/** Segments that are identifiers of a page or a tenant, such as a GUID in an issuer, stay: they are no credentials. */
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Names of parameters. */
const NAME = /^[\w.~[\]:$#*!-]*$/

/** A segment that a program made up, such as a token in a link, and not a word of the address. */
export function looksRandom(segment: string): boolean {
  if (GUID.test(segment)) return false
  if (segment.includes('@') || segment.length > 64) return true
  return (
    segment.length >= 16 &&
    /\d/.test(segment) &&
    /[a-z]/i.test(segment) &&
    !/[.](js|css|png|svg|woff2?|html?)$/.test(segment)
  )
}

/** Decodes a part of an address; a part that cannot be decoded stays as it was written. */
function decodedPart(text: string): string {
  try {
    return parseForm(`x=${text.replaceAll('&', '%26')}`)[0]?.[1] ?? ''
  } catch (error) {
    if (error instanceof FormError) return text
    throw error
  }
}

/** Creates functions that redact addresses and forms. Scheme, host, path and the names of parameters stay. */
export function createAddressRedactor({ pseudonym, value: replaced, known, member }: Parts) {
  function pair(text: string): string {
    const mark = text.indexOf('=')
    if (mark < 0) {
      // A query without names is a value, or a word such as wsdl.
      const plain = decodedPart(text)
      return known.has(plain) || !/^[a-z_-]{0,24}$/i.test(plain) ? percentEncode(replaced(plain)) : text
    }
    const name = decodedPart(text.slice(0, mark))
    const sent = text.slice(mark + 1)
    const value = decodedPart(sent)
    const kept = member(name, value)
    // A body that is no form, such as JSON, has its values in what looks like a name.
    const isName = NAME.test(name) && !known.has(name) && !looksRandom(name)
    const safeName = isName ? text.slice(0, mark) : percentEncode(pseudonym(name))
    return `${safeName}=${kept === value ? sent : percentEncode(kept)}`
  }

  const form = (text: string): string =>
    text
      .split('&')
      .map(each => (each === '' ? '' : pair(each)))
      .join('&')

  function segment(text: string): string {
    const [first = '', ...matrix] = text.split(';')
    const plain = decodedPart(first.replaceAll('+', '%2B'))
    const secret = known.has(plain) || known.has(first) || looksRandom(plain)
    const kept = secret ? percentEncode(replaced(plain)) : first
    return [kept, ...matrix.map(pair)].join(';')
  }

  const path = (text: string): string => text.split('/').map(segment).join('/')

  function fragment(text: string): string {
    const mark = text.indexOf('?')
    if (mark >= 0) return `${path(text.slice(0, mark))}?${form(text.slice(mark + 1))}`
    return text.includes('=') ? form(text) : path(text)
  }

  function url(text: string): string {
    const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
    // An address that is a document has no host, and all of it may be secret.
    if (/^(data|javascript|blob|about)$/i.test(scheme)) return `${scheme}:`
    const [, start = '', authority = '', way = '', query, hash] =
      /^([^/?#]*:)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? []
    const at = authority.lastIndexOf('@')
    const login = at < 0 ? '' : `${authority.slice(0, at).split(':').map(pseudonym).join(':')}@`
    const host = /^(?:[^/?#]*:)?\/\//.test(text) ? `//${login}${authority.slice(at + 1)}` : ''
    return [
      `${start}${host}${path(way)}`,
      ...(query === undefined ? [] : [`?${form(query)}`]),
      ...(hash === undefined ? [] : [`#${fragment(hash)}`]),
    ].join('')
  }

  return { url, form }
}
