import { type HeaderList, headerValues } from '../../../protocol/http/message.js'
import type { Ask } from '../client/ask.js'
import { brokenRule } from './verdict.js'

/** An answer of a shared cache. `hit` means that the cache had kept it. */
export interface Cached<Answer> {
  readonly answer: Answer
  readonly from: 'hit' | 'miss'
}

/** A shared cache in front of one resource. */
export type SharedCache<Answer> = (headers: HeaderList) => Promise<Cached<Answer>>

/** The most characters of Vary with which nginx keeps an answer. */
const MAX_VARY = 128

/** Directives of Cache-Control with which nginx keeps no answer. */
const UNKEPT = /(?:^|[\s,])(?:no-cache|no-store|private|(?:s-maxage|max-age)=0+)(?=$|[\s,])/i

/** True when nginx keeps the answer, if `proxy_cache_valid` allows its status. */
function isKept(answer: { readonly headers: HeaderList }, vary: string): boolean {
  return (
    vary.length <= MAX_VARY &&
    !vary.split(',').some(name => name.trim() === '*') &&
    headerValues(answer, 'set-cookie').length === 0 &&
    !headerValues(answer, 'cache-control').some(value => UNKEPT.test(value))
  )
}

/**
 * Returns the part of the key of nginx that the named fields of a request make. Blanks and empty members of a value do not
 * count, the order of its members and their case do.
 */
function variantOf(vary: string, headers: HeaderList): string {
  return vary
    .split(/[\s,]+/)
    .filter(name => name !== '')
    .map(name => {
      const members = headerValues({ headers }, name).flatMap(value => value.split(/[ ,]+/))
      return members.filter(member => member !== '').join(',')
    })
    .join('\n')
}

/**
 * Makes a cache that keeps answers as nginx's proxy_cache does with `proxy_cache_valid any 1h`. The URL alone is the key of
 * the latest answer. Its Vary names request fields, and a request with other values of these fields gets an entry of its
 * own (RFC 9111 §4.1). Nothing expires here.
 * @param origin requests the resource after a miss
 * @param honoursVary false for a cache that ignores Vary and returns its first answer to every client
 */
export function createSharedCache<Answer extends { readonly headers: HeaderList }>(
  origin: (headers: HeaderList) => Promise<Answer>,
  honoursVary: boolean,
): SharedCache<Answer> {
  interface Entry {
    readonly answer: Answer
    readonly vary: string
    readonly variant: string
  }
  let main: Entry | undefined
  const variants = new Map<string, Entry>()

  const serves = ({ vary, variant }: Entry, headers: HeaderList): boolean =>
    vary === '' || variantOf(vary, headers) === variant

  return async headers => {
    const second = main && !serves(main, headers) ? variantOf(main.vary, headers) : undefined
    const found = second === undefined ? main : variants.get(second)
    if (found && serves(found, headers)) return { answer: found.answer, from: 'hit' }
    const answer = await origin(headers)
    const vary = honoursVary ? headerValues(answer, 'vary').join(', ') : ''
    if (!isKept(answer, vary)) return { answer, from: 'miss' }
    const entry: Entry = { answer, vary, variant: variantOf(vary, headers) }
    // nginx returns to the main key when the new answer varies in another way than the key says.
    if (second !== undefined && vary !== '' && entry.variant === second) variants.set(second, entry)
    else main = entry
    return { answer, from: 'miss' }
  }
}

/** The answer of a cache to one client. */
export interface CacheVisit {
  readonly offer: string | null
  readonly from: 'hit' | 'miss'
  readonly contentEncoding: string | null
  /** Body bytes as they travelled. */
  readonly bytes: number
  /** The rule that the answer breaks. Absent for a correct answer. */
  readonly broken?: string
}

/** The answers to the same clients, of a cache that honours Vary (`heeded`) and of one that ignores it. */
export interface CacheStudy {
  readonly url: string
  readonly heeded: readonly CacheVisit[]
  readonly ignored: readonly CacheVisit[]
}

/** The offers of the clients, one client after another. */
const VISITORS: readonly (string | null)[] = [
  'gzip',
  null,
  'br',
  'gzip',
  'GZIP',
  'gzip, br',
  'gzip,br',
  'br, gzip',
]

/**
 * Puts a shared cache in front of a resource, once honouring Vary and once ignoring it.
 * @throws TransportError, TimeoutError
 */
export async function studyCache(url: string, ask: Ask): Promise<CacheStudy> {
  async function visits(honoursVary: boolean): Promise<CacheVisit[]> {
    const cache = createSharedCache(headers => ask(url, { offer: null, headers }), honoursVary)
    const all: CacheVisit[] = []
    for (const offer of VISITORS) {
      const { answer, from } = await cache(offer === null ? [] : [['Accept-Encoding', offer]])
      const broken = brokenRule(offer, answer)
      const { contentEncoding, bytes } = answer
      const visit = { offer, from, contentEncoding, bytes: bytes.coded }
      all.push(broken === undefined ? visit : { ...visit, broken })
    }
    return all
  }
  return { url, heeded: await visits(true), ignored: await visits(false) }
}
