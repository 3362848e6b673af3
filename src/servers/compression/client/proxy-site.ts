import { pipeline } from 'node:stream'
import { TransportError, UserError } from '../../../protocol/errors.js'
import {
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
  textResponse,
} from '../../../protocol/http/message.js'
import type { Site } from '../../../protocol/http/site.js'
import type { Hop, ProxiedExchange, ProxyEvent } from '../events.js'
import type { ProxySettings } from '../proxy/modes.js'
import { type Head, type Plan, planAnswer, recoder, UpstreamError, upstreamRequest } from '../proxy/proxy.js'
import { openAnswer } from './measure.js'

/** The settings of a proxy. */
export interface ProxySiteOptions {
  /** Base URL, no trailing slash. */
  readonly upstream: string
  /** Returns the current settings. Called at every request, so that the mode can change while the proxy runs. */
  readonly settings: () => ProxySettings
  /** Certificates to trust for the upstream besides those that Node.js trusts, PEM. */
  readonly caPem?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Most body bytes of a request: the limit of the listener. Absent when the listener has no limit. */
  readonly bodyLimit?: number
}

const hop = (asked: HttpRequest, answer: Head, wireBytes: number): Hop => ({
  acceptEncoding: header(asked, 'accept-encoding') ?? null,
  coding: header(answer, 'content-encoding') ?? 'identity',
  wireBytes,
  vary: header(answer, 'vary') ?? null,
})

/** Rewrites a Location of the upstream to the proxy's own address, as `proxy_redirect default` does. */
function redirected(headers: HeaderList, upstream: string, own: string): HeaderList {
  return headers.map(([name, value]): Header => {
    const its = name.toLowerCase() === 'location' && (value === upstream || value.startsWith(`${upstream}/`))
    return [name, its ? own + value.slice(upstream.length) : value]
  })
}

/** The errors of zlib for bytes that are not gzip, or are cut. */
const ZLIB = /^(?:Z_|ERR_BUFFER_TOO_LARGE)/

/** Returns the error of an upstream. Its gzip that cannot be decoded is one. */
function failureOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ZLIB.test(code)
    ? new TransportError('the upstream says gzip, but its body is not valid gzip', 'EBADMSG')
    : error
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** Returns the answer to the client when the upstream gives no usable one (RFC 9110 §15.6.3, §15.6.5). */
function failure(error: unknown): HttpResponse {
  if (error instanceof UserError) {
    const late = error.name === 'TimeoutError'
    return textResponse(late ? 504 : 502, `${late ? 'Gateway timeout' : 'Bad gateway'}: ${error.message}\n`)
  }
  if (error instanceof UpstreamError) return textResponse(502, `Bad gateway: ${error.message}\n`)
  throw error
}

/** Makes a reverse proxy in front of any server: a site that publishes every exchange as the event `proxy.passed`. */
export function createProxySite(options: ProxySiteOptions): Site<ProxyEvent> {
  const { upstream, settings: current, bodyLimit = Number.POSITIVE_INFINITY, ...reach } = options

  async function through(
    request: HttpRequest,
    publish: (exchange: Omit<ProxiedExchange, 'method' | 'path'>) => void,
  ): Promise<HttpResponse> {
    const settings = current()
    const { path, query } = splitUrl(request.url)
    const target = query === '' ? path : `${path}?${query}`
    const asked = upstreamRequest(settings, request, upstream, target)
    const came = await openAnswer(asked, reach)
    let plan: Plan
    try {
      plan = planAnswer(settings, request, came)
    } catch (error) {
      came.body.destroy()
      throw error
    }
    const { did, why } = plan
    const { status } = came
    const answer = { status, headers: redirected(plan.headers, upstream, new URL(request.url).origin) }
    const recoding = recoder(plan, request, came)
    const pieces = recoding === undefined ? came.body : pipeline(came.body, recoding, () => {})
    let sent = 0
    let left = false
    let begun = did !== 'decompressed'

    async function* relayed(): AsyncGenerator<Uint8Array> {
      let failed: unknown
      try {
        for await (const piece of pieces) {
          sent += piece.length
          yield piece
        }
      } catch (error) {
        if (left) return
        failed = failureOf(error)
        throw failed
      } finally {
        came.body.destroy()
        const client = hop(request, answer, sent)
        if (left) publish({ status, client, did: 'failed', why: 'the client left before the end' })
        else if (failed === undefined)
          publish({ status, upstream: hop(asked, came, came.received()), client, did, why })
        else if (begun) publish({ status, client, did: 'failed', why: messageOf(failed) })
      }
    }

    const cancel = () => {
      left = true
      came.body.destroy()
      recoding?.destroy()
    }
    const iterator = relayed()
    // Nothing is sent yet, so a body that cannot be decoded can still become 502.
    const first = begun ? undefined : await iterator.next()
    begun = true
    let waiting = first
    const stream = {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const result = waiting ?? (await iterator.next())
          waiting = undefined
          return result
        },
        // A generator would end only when its next piece has come.
        async return() {
          cancel()
          return { done: true, value: undefined } as const
        },
      }),
    }
    return { ...answer, body: new Uint8Array(), stream }
  }

  return {
    name: 'proxy',
    async handle(request, { publish }) {
      const asked = { method: request.method, path: splitUrl(request.url).path }
      const report = (exchange: Omit<ProxiedExchange, 'method' | 'path'>) =>
        publish({ type: 'proxy.passed', ...asked, ...exchange })
      // The listener reads one byte more than its limit. A part of a body must not be passed on as the whole.
      if (request.body.length > bodyLimit) return textResponse(413, `More than ${bodyLimit} bytes\n`)
      try {
        return await through(request, report)
      } catch (error) {
        const failed = failureOf(error)
        const answer = failure(failed)
        const client = hop(request, answer, answer.body.length)
        report({ status: answer.status, client, did: 'failed', why: messageOf(failed) })
        return answer
      }
    },
  }
}
