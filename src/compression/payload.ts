import { type HttpResponse, splitUrl, textResponse } from '../http/message.js'
import { createRouter } from '../http/routes.js'
import type { Handle, Site } from '../http/site.js'

/** The largest payload, in units of 1,024 bytes. */
export const MAX_KB = 10_240

/** Bytes of payloads that are kept, the latest ones. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Answers by size. The latest are kept as objects, so that whoever codes them can keep the coded form with them. */
function createPayloads(): (kb: number) => HttpResponse {
  const kept = new Map<number, HttpResponse>()
  let bytes = 0
  let last: number | undefined
  return kb => {
    const found = kept.get(kb)
    if (found && kb === last) return found
    const answer = found ?? { ...textResponse(200, ''), body: Buffer.alloc(kb * 1024, 'a') }
    if (kept.delete(kb)) bytes -= answer.body.length
    kept.set(kb, answer)
    last = kb
    bytes += answer.body.length
    for (const [oldest, { body }] of kept) {
      if (bytes <= KEPT_BYTES) break
      kept.delete(oldest)
      bytes -= body.length
    }
    return answer
  }
}

/** Reads `kb`, or undefined where it is no integer that is served. */
function readKb(value: string): number | undefined {
  if (!/^\d{1,20}$/.test(value)) return undefined
  const kb = Number(value)
  return kb <= MAX_KB ? kb : undefined
}

/** `GET /kb/<kb>`: kb times 1,024 letters a, as text (interface specification, text response compression). */
function createPayloadHandle(payload: (kb: number) => HttpResponse): Handle {
  return createRouter([
    {
      path: '/kb/:kb',
      methods: {
        GET(_request, _context, { kb: value = '' }) {
          const kb = readKb(value)
          return kb === undefined
            ? textResponse(400, `kb is an integer from 0 to ${MAX_KB}, as in /kb/200\n`)
            : payload(kb)
        },
      },
    },
  ])
}

/** A site with payloads to compress beside its own paths. */
export function withPayloads({ name, handle }: Site): Site {
  const payload = createPayloads()
  const payloads = createPayloadHandle(payload)
  return {
    name,
    async handle(request, context) {
      const { path } = splitUrl(request.url)
      if (!path.startsWith('/kb/')) return handle(request, context)
      // What benches ask for goes the short way; the rest has a router to say what is wrong with it.
      const kb = request.method === 'GET' ? readKb(path.slice(4)) : undefined
      return kb === undefined ? payloads(request, context) : payload(kb)
    },
  }
}
