import { type HeaderList, headerValues } from '../../http/message.js'
import type { Ask } from '../client/ask.js'
import { brokenRule } from './verdict.js'

/** An answer of a shared cache. `hit` means that the cache had kept it. */
export interface Cached<Answer> {
  readonly answer: Answer
  readonly from: 'hit' | 'miss'
}

/** A shared cache in front of one resource. */
export type SharedCache<Answer> = (headers: HeaderList) => Promise<Cached<Answer>>

/**
 * Makes a cache that keeps answers as nginx's proxy_cache does. Vary of a kept answer names request fields. The answer
 * serves another request only when these fields have the same values, byte for byte (RFC 9111 §4.1). Nothing expires here.
 * @param origin requests the resource after a miss
 * @param honoursVary false for a cache that ignores Vary and returns its first answer to every client
 */
export function createSharedCache<Answer extends { readonly headers: HeaderList }>(
  origin: (headers: HeaderList) => Promise<Answer>,
  honoursVary: boolean,
): SharedCache<Answer> {
  const kept: { readonly asked: HeaderList; readonly answer: Answer }[] = []

  const matches = (asked: HeaderList, answer: Answer, headers: HeaderList): boolean =>
    !honoursVary ||
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
const VISITORS: readonly (string | null)[] = ['gzip', null, 'br', 'gzip', 'GZIP', 'gzip, br']

/**
 * Puts a shared cache in front of a resource, once honouring Vary and once ignoring it.
 * @throws TransportError, TimeoutError
 */
export async function studyCache(url: string, ask: Ask): Promise<CacheStudy> {
  async function visits(honoursVary: boolean): Promise<CacheVisit[]> {
    const cache = createSharedCache(headers => ask(url, { offer: null, headers, once: true }), honoursVary)
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
