import { codeChallenge } from '../../../protocol/oauth/pkce.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import { isJsonObject, type JsonObject, withoutEnd } from '../../../protocol/values.js'
import { readJwt } from '../jwt.js'
import { createAddressRedactor, looksRandom } from './addresses.js'
import type { KnownValues } from './known-values.js'
import { ADDRESSES, DERIVED, KEPT, PROSE, SAML_PARAMETERS } from './members.js'
import type { Pseudonyms } from './pseudonyms.js'
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
  /** A form or query as it was written, names and order kept. */
  readonly form: (form: string) => string
}

/** Longest name of an algorithm, scope or claim in metadata. */
const LONGEST_WORD = 100

/** Deepest nesting that is kept of JSON. */
const MAX_DEPTH = 32

/** True for the name of a member that is a number, or that a program made up. The names of some claims are addresses. */
const isIdentifier = (name: string): boolean =>
  /^\d{6,}$/.test(name) || (/^[\w-]+$/.test(name) && looksRandom(name))

/** Creates a redactor. */
export function createRedactor(pseudonym: Pseudonyms, known: KnownValues): Redactor {
  const token = createTokenRedactor(pseudonym, json)
  const address = createAddressRedactor({ pseudonym, value, known, member })

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

  function plainProse(text: string): string {
    return text.replace(/[^\s"'“”‘’`,;:()<>]+/g, word => {
      const bare = withoutEnd(word, '.!?')
      const secret = known.has(bare) || bare.includes('@') || (bare.length > 20 && /\d/.test(bare))
      return secret ? `${value(bare)}${word.slice(bare.length)}` : word
    })
  }

  /** A text for people: its addresses, and the secrets in it, some of which are several words. */
  function prose(text: string): string {
    const phrase = known.phraseIn(text)
    if (phrase !== undefined) return text.split(phrase).map(prose).join(value(phrase))
    return text
      .split(/([a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+)/i)
      .map((part, i) => (i % 2 === 1 ? address.url(part) : plainProse(part)))
      .join('')
  }

  /** A reference to a pushed request: the URN stays, and its last part becomes a pseudonym. */
  function reference(text: string): string {
    const start = text.lastIndexOf(':') + 1
    return `${text.slice(0, start)}${pseudonym(text.slice(start))}`
  }

  function member(name: string, text: string, alg = 'RS256'): string {
    if (text === '') return text
    if (SAML_PARAMETERS.has(name)) return redactSaml(text, { value, address: address.url }) ?? value(text)
    if (DERIVED.has(name)) return derived(name, text, alg)
    // Some servers write a sentence where the code of an error stands.
    if (PROSE.has(name) || (name === 'error' && /\s/.test(text))) return prose(text)
    if (name === 'type' && /^[A-Za-z_.:/-]{1,60}$/.test(text)) return text
    const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    if ((ADDRESSES.has(name) || /_endpoint$/.test(name)) && isAddress) return address.url(text)
    if (KEPT.has(name) || (/_supported$/.test(name) && text.length <= LONGEST_WORD)) return text
    if (name === 'request_uri') return isAddress ? address.url(text) : reference(text)
    return value(text)
  }

  function json(part: unknown, name = '', alg?: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) return null
    if (typeof part === 'string') return member(name, part, alg)
    if (typeof part === 'number') return KEPT.has(name) ? part : Number(pseudonym(String(part))) || 0
    if (Array.isArray(part)) return part.map(each => json(each, name, alg, depth + 1))
    if (!isJsonObject(part)) return part
    const members = Object.entries(part).map(([each, inner]) => [
      nameOf(each),
      json(inner, each, alg, depth + 1),
    ])
    return Object.fromEntries(members)
  }

  /** Names stay, but for names that are values, such as an e-mail address that leads to a record. */
  const nameOf = (name: string): string =>
    known.has(name) || name.includes('@') || isIdentifier(name) ? pseudonym(name) : name

  return { value, member, json, address: address.url, form: address.form }
}

/** Replaces a JSON value by its members' names. @param alg the algorithm by which the hashes in it are made */
type RedactJson = (value: unknown, name?: string, alg?: string) => unknown

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Creates a function that replaces the personal claims and the signature of a JWT. Names of claims, issuer, audience, times and scopes
 * stay. It returns undefined for a text that is no token with a readable header.
 */
function createTokenRedactor(pseudonym: Pseudonyms, json: RedactJson): (text: string) => string | undefined {
  /** Tokens inside of tokens end here, so that a crafted one cannot exhaust the stack. */
  let depth = 0

  function redactHeader(header: JsonObject): JsonObject {
    const { alg } = header
    return { ...(json(header) as JsonObject), ...(alg === undefined ? {} : { alg }) }
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
