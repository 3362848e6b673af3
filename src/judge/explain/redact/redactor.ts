import { codeChallenge } from '../../../protocol/oauth/pkce.js'
import { isSecretName, isTypedName } from '../../../protocol/safe-output/secret-names.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import { isJsonObject, type JsonObject, withoutEnds } from '../../../protocol/values.js'
import { readJwt } from '../jwt.js'
import { createAddressRedactor } from './addresses.js'
import type { KnownValues } from './known-values.js'
import { isCommonWord, looksSecret } from './looks.js'
import { ADDRESSES, DERIVED, isPerson, isProtocolWord, KEPT, PROSE, SAML_PARAMETERS } from './members.js'
import type { Pseudonyms } from './pseudonyms.js'
import { unescaped } from './readings.js'
import { redactSaml } from './saml.js'

/** Replaces the secrets and personal values of a recording. */
export interface Redactor {
  /** A value without a name: a token keeps its claims' names, everything else becomes a pseudonym. */
  readonly value: (value: string) => string
  /** The value of a parameter, member or claim. */
  readonly member: (name: string, value: string) => string
  /** Any JSON value, by the names of its members. */
  readonly json: (value: unknown, name?: string) => unknown
  readonly address: (url: string) => string
  readonly host: (host: string) => string
  /** A text for people, or with marks between its words: its addresses, and the secrets in it, some of which are several words. */
  readonly prose: (text: string) => string
  /** A text whose known values become pseudonyms wherever they are. */
  readonly without: (text: string) => string
  /** The name of a parameter, member, header or client: it stays unless it is or holds a secret. */
  readonly name: (name: string) => string
  /** A value that names protocol, software or servers: its parts stay unless they are or hold a secret. */
  readonly kept: (text: string) => string
  /** A form or query as it was written, names and order kept. */
  readonly form: (form: string) => string
}

/** Longest name of an algorithm, scope or claim in metadata. */
const LONGEST_WORD = 100

/** Deepest nesting that is kept of JSON. */
const MAX_DEPTH = 32

/** True for the name of a member that is a number, or that a program made up. The names of some claims are addresses. */
const isIdentifier = (name: string): boolean =>
  /^\d{6,}$/.test(name) || (/^[\w-]+$/.test(name) && looksSecret(name))

/** Longest text for people that is kept, in characters. The explanation quotes shorter ones. */
const LONGEST_PROSE = 4096

/** Words of a sentence that a name of a person stands behind. */
const PERSON = /^(?:user(?:name)?|account|login|e-?mail|subject|customer|employee|member|principal)$/i

/** A number of a telephone or card in groups, and no date. */
const NUMBER = /(?<![\w.:/-])(?!\d{4}-\d\d-)(?=\+?\d*[ (-])[+(\d][\d ()-]{8,24}\d(?![\w:-])/g

/** An account of Windows: `DOMAIN\name`. */
const ACCOUNT = /\b[A-Z][A-Z\d-]{1,14}\\{1,2}[\w.$-]{2,64}(?![\\\w])/g

/** Text beside a value that is no part of it. */
const MARKS = `.!?:'"“”‘’\`[]{}`

/**
 * Creates a redactor.
 * @param own redacts a parameter of an address in its own way; undefined where it has none
 */
export function createRedactor(
  pseudonym: Pseudonyms,
  known: KnownValues,
  own: (name: string, value: string) => string | undefined = () => undefined,
): Redactor {
  const token = createTokenRedactor(pseudonym, json, nameOf)
  const address = createAddressRedactor({
    pseudonym,
    value,
    known,
    member: (name, text) => own(name, text) ?? member(name, text),
  })

  function value(text: string): string {
    return token(text) ?? pseudonym(text)
  }

  /** A hash of the new value where the recording has the old one. A wrong hash stays wrong. */
  function derived(name: string, hash: string, alg: string): string {
    const source = known.sourceOf(hash)
    if (source === undefined) return pseudonym(hash)
    return name === 'code_challenge' || name === 'ath'
      ? codeChallenge(value(source))
      : tokenHash(value(source), alg)
  }

  function word(text: string): string {
    const bare = withoutEnds(text, MARKS)
    const isPerson = /^\+?\d{7,}$|^(?!127\.|0\.)\d{1,3}(?:\.\d{1,3}){3}$/.test(bare)
    return bare !== '' && (isPerson || known.hides(bare)) ? text.replace(bare, () => value(bare)) : text
  }

  /** Words, and what stands behind the name of a secret or a person. */
  const words = (text: string): string =>
    text
      .replace(
        /\b([\w-]{3,40})(\s{1,2}["'“‘`])([^"'“”‘’`\n]{2,80})(?=["'”’`])/g,
        (all, name: string, mark: string, given: string) =>
          isTypedName(name) || (PERSON.test(name) && !isCommonWord(given))
            ? `${name}${mark}${value(given)}`
            : all,
      )
      .replace(
        /\b([\w-]{3,40}(?:\scode)?)(\s(?:is\s|was\s)?)(?=\S*\d)([^\s"'&,;()<>]{3,}[^\s"'&,;()<>.:!?])/g,
        (all, name: string, mark: string, given: string) =>
          isTypedName(name) ? `${name}${mark}${value(given)}` : all,
      )
      .replace(NUMBER, given => (given.replace(/\D/g, '').length < 9 ? given : value(given)))
      .replace(ACCOUNT, value)
      .replace(
        /([\w-]{3,40})(=|: ?)([^\s"'&,;()<>]{3,})/g,
        (all, name: string, mark: string, given: string) => {
          const isWord = /^[a-z_]+[.!?]?$/i.test(given)
          return isTypedName(name) || (isSecretName(name) && !isWord) ? `${name}${mark}${value(given)}` : all
        },
      )
      .replace(/[^\s"“”‘’`,;()<>=/|&]+/g, word)

  /** Known values become pseudonyms wherever they are, and the texts between them what `other` makes of them. */
  function phrases(text: string, other: (text: string) => string): string {
    let [made, from] = ['', 0]
    for (let found = known.find(text, 0); found; found = known.find(text, from)) {
      made += `${other(text.slice(from, found.start))}${value(text.slice(found.start, found.end))}`
      from = found.end
    }
    return made + other(text.slice(from))
  }

  function prose(text: string): string {
    const bounded = text.length > LONGEST_PROSE ? `${text.slice(0, LONGEST_PROSE)}…` : text
    const kept = bounded
      .split(/(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>“”‘’()]+)/i)
      .map((part, i) => (i % 2 === 1 ? address.url(part) : phrases(part, words)))
      .join('')
    // A value that was written in a form whose marks are those of sentences.
    const plain = unescaped(kept)
    return known.knows(kept, false) || (plain !== kept && known.knows(plain, true)) ? value(kept) : kept
  }

  const without = (text: string): string => phrases(text, each => each)

  function kept(text: string): string {
    if (text.length > LONGEST_PROSE) return value(text)
    const words = text.replace(/\S+/g, each => (known.hidesName(each) ? value(each) : each))
    return known.knows(words, false) ? value(words) : words
  }

  /** A reference to a pushed request: the URN stays, and its last part becomes a pseudonym. */
  function reference(text: string): string {
    const start = text.lastIndexOf(':') + 1
    return `${text.slice(0, start)}${pseudonym(text.slice(start))}`
  }

  function member(name: string, text: string, alg = 'RS256'): string {
    if (text === '') return text
    if (SAML_PARAMETERS.has(name))
      return redactSaml(text, { value, address: address.url, kept, prose }) ?? value(text)
    if (DERIVED.has(name)) return derived(name, text, alg)
    // Some servers write a sentence where the code of an error stands.
    if (PROSE.has(name) || (name === 'error' && /\s/.test(text))) return prose(text)
    if (name === 'type' && /^[A-Za-z_.:/-]{1,60}$/.test(text)) return kept(text)
    const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    if ((ADDRESSES.has(name) || /_endpoint$/.test(name)) && isAddress) return address.url(text)
    const isWord = /_supported$/.test(name) && text.length <= LONGEST_WORD
    if (isWord || KEPT.has(name) || isProtocolWord(name, text)) return kept(text)
    if (name === 'request_uri') return isAddress ? address.url(text) : reference(text)
    return value(text)
  }

  function json(part: unknown, name = '', alg?: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) return null
    if (typeof part === 'string') return member(name, part, alg)
    if (typeof part === 'number') return KEPT.has(name) ? part : Number(pseudonym(String(part))) || 0
    if (Array.isArray(part)) return part.map(each => json(each, name, alg, depth + 1))
    if (!isJsonObject(part)) return part
    const ofPerson = isPerson(part)
    const members = Object.entries(part).map(([each, inner]) => [
      nameOf(each),
      ofPerson && typeof inner === 'string' && (PROSE.has(each) || each === 'type')
        ? value(inner)
        : json(inner, each, alg, depth + 1),
    ])
    return Object.fromEntries(members)
  }

  /** Names stay, but for names that are values, such as an e-mail address that leads to a record. */
  function nameOf(name: string): string {
    return known.hidesName(name) || name.includes('@') || isIdentifier(name) ? pseudonym(name) : name
  }

  const { url, host, form } = address
  return { value, member, json, address: url, host, prose, without, name: nameOf, kept, form }
}

/** Replaces a JSON value by its members' names. @param alg the algorithm by which the hashes in it are made */
type RedactJson = (value: unknown, name?: string, alg?: string) => unknown

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Creates a function that replaces the personal claims and the signature of a JWT. Names of claims, issuer, audience, times and scopes
 * stay. It returns undefined for a text that is no token with a readable header.
 */
function createTokenRedactor(
  pseudonym: Pseudonyms,
  json: RedactJson,
  name: (name: string) => string,
): (text: string) => string | undefined {
  /** Tokens inside of tokens end here, so that a crafted one cannot exhaust the stack. */
  let depth = 0

  function redactHeader(header: JsonObject): JsonObject {
    const { alg } = header
    return { ...(json(header) as JsonObject), ...(typeof alg === 'string' && { alg: name(alg) }) }
  }

  return function token(text) {
    if (depth > 4 || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return undefined
    const jwt = readJwt(text)
    if (jwt === undefined) return undefined
    depth += 1
    try {
      const { header, claims, parts } = jwt
      const alg = typeof header.alg === 'string' ? header.alg : 'RS256'
      return `${encoded(redactHeader(header))}.${encoded(json(claims, '', alg))}.${pseudonym(parts[2])}`
    } finally {
      depth -= 1
    }
  }
}
