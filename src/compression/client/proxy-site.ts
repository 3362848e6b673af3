import { UserError } from '../../errors.js'
import { type HttpRequest, type HttpResponse, header, splitUrl, textResponse } from '../../http/message.js'
import type { Site } from '../../http/site.js'
import type { Hop, ProxiedExchange, ProxyEvent } from '../events.js'
import { MAX_DECODED, UpstreamError } from '../proxy/coded-body.js'
import type { ProxySettings } from '../proxy/modes.js'
import { type Proxied, proxyAnswer, upstreamRequest } from '../proxy/proxy.js'
import { measure } from './measure.js'

/** How a proxy is run. */
export interface ProxySiteOptions {
  /** Base URL, no trailing slash. */
  readonly upstream: string
  /** Asked at every request, so that the mode can be switched while it runs. */
  readonly settings: () => ProxySettings
  /** CAs to trust for the upstream besides the well-known roots, PEM. */
  readonly caPem?: string | undefined
  readonly timeoutMs?: number | undefined
  /** Most bytes of a request's body; the listener's own limit. Left out: the listener has none. */
  readonly bodyLimit?: number
}

const hop = (asked: HttpRequest, answer: HttpResponse): Hop => ({
  acceptEncoding: header(asked, 'accept-encoding') ?? null,
  coding: header(answer, 'content-encoding') ?? 'identity',
  wireBytes: answer.body.length,
  vary: header(answer, 'vary') ?? null,
})

/** The answer where the upstream gives none that could be passed on (RFC 9110 §15.6.3, §15.6.5). */
function failure(error: unknown): HttpResponse {
  if (error instanceof UserError) {
    const late = error.name === 'TimeoutError'
    return textResponse(late ? 504 : 502, `${late ? 'Gateway timeout' : 'Bad gateway'}: ${error.message}\n`)
  }
  if (error instanceof UpstreamError) return textResponse(502, `Bad gateway: ${error.message}\n`)
  throw error
}

/**
 * A reverse proxy in front of any server: a site that publishes every exchange as the event `proxy.passed`.
 */
export function createProxySite(options: ProxySiteOptions): Site<ProxyEvent> {
  const { upstream, settings: current, bodyLimit = Number.POSITIVE_INFINITY, ...reach } = options

  async function through(request: HttpRequest, settings: ProxySettings): Promise<[Proxied, Hop]> {
    const { path, query } = splitUrl(request.url)
    const target = query === '' ? path : `${path}?${query}`
    const asked = upstreamRequest(settings, request, upstream, target)
    const answer = await measure(asked, { ...reach, once: true, limit: MAX_DECODED })
    return [await proxyAnswer(settings, request, answer), hop(asked, answer)]
  }

  return {
    name: 'proxy',
    async handle(request, { publish }) {
      const { method } = request
      const { path } = splitUrl(request.url)
      const told = { method, path }
      // The listener gives one byte more than its limit, and no more: the rest must not be passed on as the whole.
      if (request.body.length > bodyLimit) return textResponse(413, `More than ${bodyLimit} bytes\n`)
      try {
        const [{ answer, did, why }, leg] = await through(request, current())
        const exchange: ProxiedExchange = {
          ...{ ...told, status: answer.status, upstream: leg, client: hop(request, answer), did, why },
        }
        publish({ type: 'proxy.passed', ...exchange })
        return answer
      } catch (error) {
        const answer = failure(error)
        const why = error instanceof Error ? error.message : ''
        const exchange: ProxiedExchange = {
          ...{ ...told, status: answer.status, client: hop(request, answer), did: 'failed', why },
        }
        publish({ type: 'proxy.passed', ...exchange })
        return answer
      }
    },
  }
}
