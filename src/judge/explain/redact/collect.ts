import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import {
  isLoginName,
  isPersonName,
  isSecretName,
  isTypedName,
} from '../../../protocol/safe-output/secret-names.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { readJwt } from '../jwt.js'
import type { KnownValues } from './known-values.js'
import { HASHED, HEADERS, isPerson, isProtocolWord, KEPT, PUBLIC, SAML_PARAMETERS } from './members.js'
import { decodedWhole, unescaped, withoutPercents } from './readings.js'
import { valuesInSaml } from './saml.js'

/** Deepest nesting of JSON, and of texts in texts, that is searched. */
const MAX_DEPTH = 32
const MAX_TEXTS = 4

/** A name and a value, as forms, JSON, scripts, cookies, headers and attributes write them. A name begins where no longer one does, because each start is tried. */
const PAIR =
  /(?<![\w.$%[\]:-])([\w.$%[\]:-]{1,100})\\?["']?\s{0,4}[=:]\s{0,4}\[?\s{0,4}(?:\\?"((?:[^"\\]|\\.){1,4096})"|'((?:[^'\\]|\\.){1,4096})'|([^\s"'<>&;,{}()[\]?#]{1,4096}))/gs

const INPUT = /<(?:input|meta|param|field|attribute|data)\b[^<>]{1,4096}>/gi
const ATTRIBUTE =
  /\b(name|id|property|key|value|content)\s{0,4}=\s{0,4}(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'>]{1,4096}))/gi

/** The text of an element of XML or HTML, and the name of the element. */
const ELEMENT = /<([\w:.-]{1,100})(?:\s[^<>]{0,1000})?>([^<>]{1,4096})<\//g

/** A part of a form with parts (RFC 7578). */
const PART =
  /\bname="([^"\r\n]{1,100})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n([^\r\n]{1,4096})/g

/** A token in a text. It begins where no longer word does, because each start is tried. */
const TOKEN = /(?<![\w-])ey[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g

/** Name and value before an address: `https://user:password@host`. */
const USER_INFO = /:\/\/([^\s/?#@"'<>]{1,500})@/g

/** The place of a value. */
interface Place {
  /** Nesting of JSON, and of texts in texts. */
  readonly depth: number
  readonly texts: number
  /** True among the members of a person, whose `name` is no name of a thing. */
  readonly ofPerson: boolean
  /** True in an exchange of OAuth, where Basic names a client. */
  readonly isPicked: boolean
}

/** Collects the secrets of an entry, so that they are known wherever they stand. */
export type Collect = (raw: JsonObject, isPicked: boolean) => void

/** Creates a collector. It reads all that an entry holds, the members of programs and the bodies that no copy has too. */
export function createCollector(known: KnownValues): Collect {
  /** Characters of texts in texts that may still be read: as many as a multiple of those outside. */
  let budget = 0

  function named(name: string, value: string, { ofPerson }: Place): void {
    if (value === '') return
    if (PUBLIC.has(name)) known.addPublic(value)
    if (KEPT.has(name) || HEADERS.has(name.toLowerCase()) || isProtocolWord(name, value)) return
    if (HASHED.has(name)) known.addHashed(value)
    if (isSecretName(name)) known.addSecret(value)
    if (isTypedName(name)) known.addPersonal(value)
    else if (isLoginName(name)) known.add(value)
    else if (isSecretName(name)) return
    else if (!isPersonName(name)) known.addUnnamed(value)
    else if (ofPerson || !/^(?:display_?)?name$/i.test(name)) personal(value)
    // The name of a thing, such as an entry of a menu, is often one word.
    else if (/\S\s+\S/.test(value)) known.addPersonal(value)
  }

  /** Whole names, and each name in them: `Alice Liddell` is `alice-liddell` in an address. */
  function personal(value: string): void {
    known.addPersonal(value)
    if (value.length <= 100 && /^[\p{L}\p{M}'’. -]+$/u.test(value))
      for (const word of value.split(/[^\p{L}\p{M}]+/u)) known.addPersonal(word)
  }

  function credentials(header: string, isPicked: boolean): void {
    const [, scheme, sent] = /^(\S{1,40})\s+(\S.*)$/s.exec(header) ?? []
    const readings = parseBasic(header)
    for (const { clientId, secret } of readings ?? []) {
      if (isPicked) known.addPublic(clientId)
      else known.addPersonal(clientId)
      known.addSecret(secret)
      known.addPersonal(secret)
    }
    if (readings === undefined) known.addHashed(scheme === undefined ? header : (sent ?? ''))
  }

  function cookies(line: string): void {
    for (const pair of line.split(/[;\n]/)) {
      const mark = pair.indexOf('=')
      const value = pair.slice(mark + 1).trim()
      if (!/^\s*(?:expires|path|domain|samesite|max-age|priority)\s*$/i.test(pair.slice(0, mark))) {
        known.addSecret(value)
        known.addSecret(withoutPercents(value))
      }
    }
  }

  function input(tag: string, place: Place): void {
    let [name, value] = ['', '']
    for (const [, attribute = '', ...texts] of tag.matchAll(ATTRIBUTE)) {
      const text = texts.slice(0, 3).find(each => each !== undefined) ?? ''
      if (/^(?:value|content)$/i.test(attribute)) value = text
      else name ||= text
    }
    if (name !== '') pair(name, value, place)
  }

  /** A value as it stands, and as it was meant. */
  function pair(name: string, value: string, place: Place): void {
    const plain = withoutPercents(name)
    const once = unescaped(value)
    const spaced = unescaped(value.replaceAll('+', ' '))
    for (const each of new Set([value, once, spaced, unescaped(once), unescaped(spaced)]))
      named(plain, each, place)
  }

  /** Everything in a text that has a name. */
  function text(value: string, place: Place): void {
    if (value.length < 3) return
    if (place.texts === 0) budget += 4 * value.length
    else budget -= value.length
    if (place.texts > MAX_TEXTS || budget < 0) return
    const inside = { ...place, texts: place.texts + 1 }
    if (/^\s*[[{"]/.test(value)) {
      try {
        json(JSON.parse(value), '', inside)
        return
      } catch {
        // cut, or no JSON
      }
    }
    const jwt = /^ey[\w-]*\.[\w-]+\./.test(value) ? readJwt(value) : undefined
    if (jwt) {
      json(jwt.header, '', inside)
      json(jwt.claims, '', { ...inside, ofPerson: true })
      return
    }
    for (const [, name = '', ...values] of value.matchAll(PAIR)) {
      const given = values.slice(0, 3).find(each => each !== undefined) ?? ''
      pair(name, given, place)
      if (given.includes('=')) text(given, inside)
    }
    for (const [token] of value.matchAll(TOKEN)) if (token !== value) text(token, inside)
    if (value.includes('<')) {
      for (const [tag] of value.matchAll(INPUT)) input(tag, place)
      for (const [, name = '', inner = ''] of value.matchAll(ELEMENT))
        pair(name.replace(/^.*:/, ''), inner, place)
    }
    if (value.includes('name="'))
      for (const [, name = '', part = ''] of value.matchAll(PART)) pair(name, part, place)
    for (const [, login = ''] of value.matchAll(USER_INFO)) {
      for (const each of login.split(':')) known.addPersonal(withoutPercents(each))
    }
    const plain = unescaped(value)
    if (plain !== value) text(plain, inside)
    const decoded = decodedWhole(value)
    if (decoded !== undefined) text(decoded, inside)
  }

  function value(name: string, given: string, place: Place): void {
    if (SAML_PARAMETERS.has(name)) for (const each of valuesInSaml(given)) personal(each)
    if (/^(?:proxy-)?authorization$/i.test(name)) credentials(given, place.isPicked)
    else if (/^(?:set-)?cookie$/i.test(name)) cookies(given)
    named(name, given, place)
    text(given, place)
  }

  function json(part: unknown, name: string, place: Place): void {
    if (place.depth > MAX_DEPTH) return
    if (typeof part === 'string') value(name, part, place)
    if (typeof part === 'number') named(name, String(part), place)
    const inside = { ...place, depth: place.depth + 1 }
    if (Array.isArray(part)) for (const each of part) json(each, name, inside)
    if (!isJsonObject(part)) return
    // Headers, cookies and parameters are lists of names and values.
    if (typeof part.name === 'string' && typeof part.value === 'string') {
      value(part.name, part.value, place)
      pair(part.name, part.value, place)
      return
    }
    const ofPerson = place.ofPerson || isPerson(part)
    for (const [member, inner] of Object.entries(part)) json(inner, member, { ...inside, ofPerson })
  }

  return (raw, isPicked) => {
    budget = 64 * 1024
    json(raw, '', { depth: 0, texts: 0, ofPerson: false, isPicked })
  }
}
