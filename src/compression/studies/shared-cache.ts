import { type HeaderList, headerValues } from '../../http/message.js'
import type { Ask } from '../client/ask.js'
import { brokenRule } from './verdict.js'

/** An answer of a shared cache, and whether the cache had it already. */
export interface Cached<Answer> {
  readonly answer: Answer
  readonly from: 'hit' | 'miss'
}

/** A shared cache in front of one resource. */
export type SharedCache<Answer> = (headers: HeaderList) => Promise<Cached<Answer>>

/**
 * Keeps answers as nginx's proxy_cache does. A kept answer serves a request whose fields have, byte for byte, the
 * values of the fields that its Vary names (RFC 9111 §4.1). Nothing expires here.
 * @param origin asked on a miss
 * @param heeds false for a cache that ignores Vary: it gives the first answer to everybody
 */
export function createSharedCache<Answer extends { readonly headers: HeaderList }>(
  origin: (headers: HeaderList) => Promise<Answer>,
  heeds: boolean,
): SharedCache<Answer> {
  const kept: { readonly asked: HeaderList; readonly answer: Answer }[] = []

  const matches = (asked: HeaderList, answer: Answer, headers: HeaderList): boolean =>
    !heeds ||
    headerValues(answer, 'vary')
      .flatMap(value => value.split(','))
      .map(name => name.trim())
      .every(name => {
        const [before, now] = [asked, headers].map(list => headerValues({ headers: list }, name).join(', '))
        return name !== '*' && before === now
      })

  return async headers => {
    const hit = kept.find(({ asked, answer }) => matches(asked, answer, headers))
    if (hit) return { answer: hit.answer, from: 'hit' }
    const answer = await origin(headers)
    kept.push({ asked: headers, answer })
    return { answer, from: 'miss' }
  }
}

/** One client at a cache. */
export interface CacheVisit {
  readonly offer: string | null
  readonly from: 'hit' | 'miss'
  readonly contentEncoding: string | null
  /** Of the body as it travelled. */
  readonly bytes: number
  /** The rule that the answer breaks. */
  readonly broken?: string
}

/** The same clients at a cache that honours Vary and at one that does not. */
export interface CacheStudy {
  readonly url: string
  readonly heeded: readonly CacheVisit[]
  readonly ignored: readonly CacheVisit[]
}

/** The offers of the clients, which come one after the other. */
const VISITORS: readonly (string | null)[] = ['gzip', null, 'br', 'gzip', 'GZIP', 'gzip, br']

/**
 * Puts a shared cache in front of a resource, once honouring Vary and once ignoring it.
 * @throws TransportError, TimeoutError
 */
export async function studyCache(url: string, ask: Ask): Promise<CacheStudy> {
  async function visits(heeds: boolean): Promise<CacheVisit[]> {
    const cache = createSharedCache(headers => ask(url, { offer: null, headers, once: true }), heeds)
    const all: CacheVisit[] = []
    for (const offer of VISITORS) {
      const { answer, from } = await cache(offer === null ? [] : [['Accept-Encoding', offer]])
      const broken = brokenRule(offer, answer)
      const { contentEncoding, bytes } = answer
      all.push({ offer, from, contentEncoding, bytes: bytes.coded, ...(broken && { broken }) })
    }
    return all
  }
  return { url, heeded: await visits(true), ignored: await visits(false) }
}
