import { type HttpRequest, type HttpResponse, splitUrl, textResponse } from '../http/message.js'
import { createRouter } from '../http/routes.js'
import type { Site } from '../http/site.js'

/** The largest payload, in units of 1,024 bytes. */
export const MAX_KB = 10_240

/** Bytes of payloads that are kept, the latest ones. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Payloads by size. The latest are kept as objects, so that whoever codes them can keep the coded form with them. */
function createPayloads(): (kb: number) => Uint8Array {
  const kept = new Map<number, Uint8Array>()
  let bytes = 0
  return kb => {
    const body = kept.get(kb) ?? Buffer.alloc(kb * 1024, 'a')
    if (kept.delete(kb)) bytes -= body.length
    kept.set(kb, body)
    bytes += body.length
    for (const [oldest, old] of kept) {
      if (bytes <= KEPT_BYTES) break
      kept.delete(oldest)
      bytes -= old.length
    }
    return body
  }
}

/** Reads `kb`, or undefined where it is no integer that is served. */
function readKb(value: string): number | undefined {
  if (!/^\d{1,20}$/.test(value)) return undefined
  const kb = Number(value)
  return kb <= MAX_KB ? kb : undefined
}

/** `GET /kb/<kb>`: kb times 1,024 letters a, as text (interface specification, text response compression). */
function createPayloadHandle(): (request: HttpRequest) => Promise<HttpResponse> {
  const payload = createPayloads()
  return createRouter([
    {
      path: '/kb/:kb',
      methods: {
        GET(_request, { kb: value = '' }) {
          const kb = readKb(value)
          return kb === undefined
            ? textResponse(400, `kb is an integer from 0 to ${MAX_KB}, as in /kb/200\n`)
            : { ...textResponse(200, ''), body: payload(kb) }
        },
      },
    },
  ])
}

/** A site with payloads to compress beside its own paths. */
export function withPayloads({ name, handle }: Site): Site {
  const payloads = createPayloadHandle()
  return {
    name,
    handle: request => (splitUrl(request.url).path.startsWith('/kb/') ? payloads(request) : handle(request)),
  }
}
