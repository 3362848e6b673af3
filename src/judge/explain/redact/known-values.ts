import { createHash } from 'node:crypto'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import { isCommonWord, isPlainSecret, looksSecret } from './looks.js'
import { readingsOf } from './readings.js'

/** Shortest value that is looked for, in characters. */
const SHORTEST = 3

/** Longest value that is looked for. A longer one is replaced where it stands, by its length. */
const LONGEST = 4096

/** Most values that are kept. */
const MAX_KEPT = 300_000

/** Addresses of every computer, which say nothing about a person. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$/

/** Characters of a value by which it is found in a text. Shorter values are found as whole words. */
const ANCHOR = 6

/** The secrets of a recording, collected before the first one is replaced. */
export interface KnownValues {
  /** Remembers what one login has, such as a state. */
  readonly add: (value: string) => void
  /** Remembers a secret. It goes where it is the name of a client, too. */
  readonly addSecret: (value: string) => void
  /** Remembers what a person typed, or who or where a person is: plain words too. A full name and the number of a telephone go where they name a client, too. */
  readonly addPersonal: (value: string) => void
  /** Remembers a value whose name says nothing. It is known where it stands alone. */
  readonly addUnnamed: (value: string) => void
  /** Remembers a secret that hashes in the recording may be made of. */
  readonly addHashed: (value: string) => void
  /** Remembers the name of a client or server, which stays where nothing else says that it is a secret. */
  readonly addPublic: (value: string) => void
  /** True for a word of a path or sentence that has to go: it is a known value, holds one in any form, or has the shape of a secret. */
  readonly hides: (word: string) => boolean
  /**
   * True for a text that is a known value, or holds one in any form.
   * @param wholly true where single words count too
   */
  readonly knows: (text: string, wholly: boolean) => boolean
  /**
   * True for the name of a host, client or parameter that has to go. The words of a person's name may be in it by chance, and many are made up, so
   * that it goes for a longer value, and for a secret of a known kind.
   */
  readonly hidesName: (name: string) => boolean
  /** The first known value in a sentence, of several words maybe. */
  readonly find: (text: string, from: number) => { readonly start: number; readonly end: number } | undefined
  /** The value that a hash was made of. */
  readonly sourceOf: (hash: string) => string | undefined
}

const folded = (value: string): string => value.normalize('NFC').toLowerCase()

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** A value that is found by some of its characters. */
interface Anchored {
  readonly value: string
  readonly offset: number
}

/** Creates an empty collection. */
export function createKnownValues(): KnownValues {
  const words = new Set<string>()
  const alone = new Set<string>()
  const publics = new Set<string>()
  const secrets = new Set<string>()
  const anchors = new Map<string, Anchored[]>()
  const sources = new Map<string, string>()
  const taken = new Set<string>()

  /** Keeps a value under the rarest of three of its parts, so that values with equal beginnings are found as fast. */
  function anchor(value: string): void {
    if (value.length < ANCHOR || taken.has(value) || taken.size >= MAX_KEPT) return
    taken.add(value)
    const last = value.length - ANCHOR
    const [best] = [0, last >> 1, last]
      .map(offset => ({ offset, key: value.slice(offset, offset + ANCHOR) }))
      .sort((a, b) => (anchors.get(a.key)?.length ?? 0) - (anchors.get(b.key)?.length ?? 0))
    const { offset, key } = best!
    const list = anchors.get(key)
    if (list) list.push({ value, offset })
    else anchors.set(key, [{ value, offset }])
  }

  function word(value: string): void {
    if (value.length >= SHORTEST && words.size < MAX_KEPT && !isCommonWord(value)) words.add(value)
  }

  function add(value: string): void {
    const plain = folded(value.trim())
    if (plain.length < 4 || plain.length > LONGEST) return
    // A plain word, such as the value of a cookie for colours, would be replaced everywhere.
    if (/^\p{L}+$/u.test(plain) && plain.length < 12 && !/.\p{Lu}/u.test(value)) return
    if (/^\d+$/.test(plain) || plain.length < ANCHOR) word(plain)
    else anchor(plain)
  }

  function addPersonal(value: string): void {
    const plain = folded(value.trim())
    if (plain.length > LONGEST || LOOPBACK.test(plain)) return
    if (/^\p{L}+$/u.test(plain)) word(plain)
    else if (plain.length < ANCHOR || /^\d+$/.test(plain)) word(plain)
    else anchor(plain)
    const local = /^([^@\s]{4,})@/.exec(plain)?.[1]
    if (local !== undefined) addPersonal(local)
    const digits = plain.replace(/[\s()./+-]/g, '')
    const isNumber = /^\d{7,}$/.test(digits)
    if (isNumber) word(digits)
    // Clients and servers are not called by several words, or by the number of a telephone.
    if (isNumber || /\s/.test(plain)) keepSecret(plain)
  }

  function keepSecret(plain: string): void {
    if (secrets.size < MAX_KEPT && plain.length <= LONGEST) secrets.add(plain)
  }

  function addSecret(value: string): void {
    keepSecret(folded(value.trim()))
    add(value)
  }

  function addHashed(value: string): void {
    addSecret(value)
    if (sources.size >= MAX_KEPT) return
    for (const alg of ['RS256', 'RS384', 'RS512']) sources.set(tokenHash(value, alg), value)
    sources.set(createHash('sha256').update(value).digest('base64url'), value)
  }

  function addUnnamed(value: string): void {
    // A common word, such as `login`, would be replaced in every path.
    if (value.length >= 8 && value.length <= LONGEST && /\d/.test(value) && alone.size < MAX_KEPT)
      alone.add(folded(value))
  }

  function findAnchored(text: string, from = 0): { start: number; end: number } | undefined {
    for (let at = from; at + ANCHOR <= text.length; at++) {
      for (const { value, offset } of anchors.get(text.slice(at, at + ANCHOR)) ?? []) {
        const start = at - offset
        if (start >= from && text.startsWith(value, start) && !(publics.has(value) && !secrets.has(value)))
          return { start, end: start + value.length }
      }
    }
    return undefined
  }

  /** @param wholly true where words and values that stand alone count too */
  function isKnown(text: string, wholly: boolean): boolean {
    for (const reading of readingsOf(text)) {
      const plain = folded(reading)
      if (findAnchored(plain)) return true
      if (wholly && alone.has(plain)) return true
      if (wholly && wordsOf(plain).some(each => words.has(each))) return true
      if (plain.match(/\d{6,}/g)?.some(each => words.has(each))) return true
    }
    return false
  }

  /** Answers that were given: the same hosts, segments and headers stand in every entry. */
  const answered = [new Map<string, boolean>(), new Map<string, boolean>()] as const
  function remembered(text: string, wholly: boolean): boolean {
    const answers = answered[wholly ? 1 : 0]
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = isKnown(text, wholly)
    if (text.length < 200 && answers.size < MAX_ANSWERS) answers.set(text, answer)
    return answer
  }

  return {
    add,
    addSecret,
    addPersonal,
    addUnnamed,
    addHashed,
    addPublic: value => {
      if (publics.size < MAX_KEPT) publics.add(folded(value))
    },
    hides: word => word.length > LONGEST || looksSecret(word) || remembered(word, true),
    knows: remembered,
    hidesName: name => name.length > LONGEST || isPlainSecret(name) || remembered(name, false),
    find: (text, from) => {
      const plain = text.toLowerCase()
      return plain.length === text.length ? findAnchored(plain, from) : undefined
    },
    sourceOf: hash => sources.get(hash),
  }
}

/** Most answers that are kept. */
const MAX_ANSWERS = 50_000
