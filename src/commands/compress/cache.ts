import type { Weighed } from '../../compression/client/weigh.js'
import { createSharedCache, type SharedCache } from '../../compression/shared-cache.js'
import { brokenRule } from '../../compression/verdict.js'
import { EXIT } from '../../errors.js'
import type { HeaderList } from '../../http/message.js'
import { type CacheVisit, cacheLines } from '../../render/compression/cache-lines.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { asker } from './ask.js'
import { NOT_COMPRESSING, upstreamInUse } from './upstream.js'

/** Clients that come one after the other. */
const VISITORS: readonly (string | null)[] = ['gzip', null, 'br', 'gzip', 'GZIP', 'gzip, br']

async function visits(cache: SharedCache<Weighed>): Promise<CacheVisit[]> {
  const all: CacheVisit[] = []
  for (const offer of VISITORS) {
    const { answer, from } = await cache(offer === null ? [] : [['Accept-Encoding', offer]])
    const { status, contentEncoding, vary, bytes } = answer
    const broken = brokenRule(offer, { status, contentEncoding, vary })
    all.push({ offer, from, contentEncoding, bytes: bytes.coded, ...(broken && { broken }) })
  }
  return all
}

/**
 * Puts a shared cache in front of a resource, once as Vary says and once without it.
 * @returns the exit code: refused where a client gets what it cannot read although Vary is heeded
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runCache(target: string, globals: Globals): Promise<number> {
  const lab = await upstreamInUse(target, globals)
  try {
    const ask = asker(lab, globals)
    const origin = (headers: HeaderList) => ask(lab.url, { offer: null, headers, once: true })
    const heeded = await visits(createSharedCache(origin, true))
    const ignored = await visits(createSharedCache(origin, false))
    if (globals.json) printJson({ url: lab.url, heeded, ignored })
    else print(...cacheLines(lab.url, heeded, ignored, globals))
    if (heeded.every(each => each.contentEncoding === null)) narrate(NOT_COMPRESSING)
    return heeded.some(each => each.broken !== undefined) ? EXIT.refused : EXIT.done
  } finally {
    await lab.stop()
  }
}
