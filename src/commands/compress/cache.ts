import { studyCache } from '../../servers/compression/studies/shared-cache.js'
import { cacheLines } from '../../show/render/compression/cache-lines.js'
import type { Globals } from '../program/globals.js'
import type { RequestFlags } from './options.js'
import { studyUrl } from './study.js'

/** `compress cache`: a shared cache with Vary and without. Refused when an answer is unreadable although Vary is honoured. */
export function runCache(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    studyCache,
    {
      lines: cacheLines,
      allRaw: ({ heeded }) => heeded.every(each => each.contentEncoding === null),
      fails: ({ heeded }) => heeded.some(each => each.broken !== undefined),
    },
    flags,
  )
}
