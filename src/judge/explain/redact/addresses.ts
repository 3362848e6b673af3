import { percentEncode, readPairs } from '../../../protocol/http/form.js'
import { isSecretName } from '../../../protocol/safe-output/secret-names.js'
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

/** Names of parameters. */
const NAME = /^[\w.~[\]:$#*!-]*$/

/** Decodes a part of an address; a part that cannot be decoded stays as it was written. */
function decodedPart(text: string): string {
  return readPairs(`x=${text.replaceAll('&', '%26')}`)[0]?.[1] ?? text
}

/** Creates functions that redact addresses and forms. Scheme, host, path and the names of parameters stay. */
export function createAddressRedactor({ pseudonym, value: replaced, known, member }: Parts) {
  function pair(text: string): string {
    const mark = text.indexOf('=')
    if (mark < 0) {
      // A query without names is a value, or a word such as wsdl.
      const plain = decodedPart(text)
      return known.hides(plain) || !/^[a-z_-]{0,24}$/i.test(plain) ? percentEncode(replaced(plain)) : text
    }
    const name = decodedPart(text.slice(0, mark))
    const sent = text.slice(mark + 1)
    const value = decodedPart(sent)
    const kept = member(name, value)
    // A body that is no form, such as JSON, has its values in what looks like a name.
    const isName = NAME.test(name) && !known.hides(name)
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
    const kept = known.hides(plain) ? percentEncode(replaced(plain)) : first
    return [kept, ...matrix.map(pair)].join(';')
  }

  /** A number behind a word such as `otp` is a secret, short as it is. */
  const isCode = (text: string, before = ''): boolean =>
    /^(?!v?\d$)[\w-]*\d[\w-]*$/.test(text) && isSecretName(before)

  function path(text: string): string {
    const kept = text
      .split('/')
      .map((each, i, all) => (isCode(each, all[i - 1]) ? pseudonym(each) : segment(each)))
      .join('/')
    // A value with a slash in it.
    return known.knows(kept, false) ? `/${percentEncode(replaced(kept))}` : kept
  }

  /** A host with its port. Its labels stay, but for those that are known values. */
  function host(text: string): string {
    if (!known.hidesName(text)) return text
    const labels = text.split('.').map(each => (known.hidesName(each) ? pseudonym(each) : each))
    return labels.join('.') === text ? pseudonym(text) : labels.join('.')
  }

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
    const place = /^(?:[^/?#]*:)?\/\//.test(text) ? `//${login}${host(authority.slice(at + 1))}` : ''
    return [
      `${start}${place}${path(way)}`,
      ...(query === undefined ? [] : [`?${form(query)}`]),
      ...(hash === undefined ? [] : [`#${fragment(hash)}`]),
    ].join('')
  }

  return { url, form, host }
}
