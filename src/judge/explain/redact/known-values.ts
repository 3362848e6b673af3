import { createHash } from 'node:crypto'
import { tokenHash } from '../../../protocol/tokens/verify.js'

/** Shortest value that is looked for in paths and sentences. */
const SHORTEST = 4

/** Most values that are kept. */
const MAX_KEPT = 300_000

/** Characters that end a word of a sentence. */
const SEPARATOR = /[\s"'“”‘’`,;:()<>]/

/** Most secrets of several words that are looked for in sentences, one by one. */
const MAX_PHRASES = 5000

/** Longest value that is looked for in paths and sentences. */
const LONGEST = 4096

/** The secrets of a recording, collected before the first one is replaced. */
export interface KnownValues {
  /** Remembers a secret. */
  readonly add: (value: string) => void
  /** Remembers a value whose name says nothing, where it could be one that a program made up. */
  readonly addUnnamed: (value: string) => void
  /** Remembers a secret that hashes in the recording may be made of. */
  readonly addHashed: (value: string) => void
  readonly has: (value: string) => boolean
  /** Returns a secret of several words that a text holds. */
  readonly phraseIn: (text: string) => string | undefined
  /** The value that a hash was made of. */
  readonly sourceOf: (hash: string) => string | undefined
}

/** Creates an empty collection. */
export function createKnownValues(): KnownValues {
  const values = new Set<string>()
  const phrases = new Set<string>()
  const sources = new Map<string, string>()

  function add(value: string): void {
    if (value.length < SHORTEST || value.length > LONGEST || values.size >= MAX_KEPT) return
    values.add(value)
    if (SEPARATOR.test(value) && phrases.size < MAX_PHRASES) phrases.add(value)
  }

  function addHashed(value: string): void {
    add(value)
    if (sources.size >= MAX_KEPT) return
    for (const alg of ['RS256', 'RS384', 'RS512']) sources.set(tokenHash(value, alg), value)
    sources.set(createHash('sha256').update(value).digest('base64url'), value)
  }

  function addUnnamed(value: string): void {
    // A common word, such as `login`, would be replaced in every path.
    if (value.length >= 8 && /\d/.test(value)) add(value)
  }

  function phraseIn(text: string): string | undefined {
    for (const phrase of phrases) if (text.includes(phrase)) return phrase
    return undefined
  }

  return {
    add,
    addUnnamed,
    addHashed,
    has: value => values.has(value),
    phraseIn,
    sourceOf: hash => sources.get(hash),
  }
}
