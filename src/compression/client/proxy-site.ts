import { UserError } from '../../errors.js'
import { type HttpRequest, type HttpResponse, header, splitUrl, textResponse } from '../../http/message.js'
import type { Site } from '../../http/site.js'
import type { Hop, ProxiedExchange, ProxyEvent } from '../events.js'
import { MAX_DECODED, UpstreamError } from '../proxy/coded-body.js'
import type { ProxySettings } from '../proxy/modes.js'
import { type Proxied, proxyAnswer, upstreamRequest } from '../proxy/proxy.js'
import { measure } from './measure.js'

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

const hop = (asked: HttpRequest, answer: HttpResponse): Hop => ({
  acceptEncoding: header(asked, 'accept-encoding') ?? null,
  coding: header(answer, 'content-encoding') ?? 'identity',
  wireBytes: answer.body.length,
  vary: header(answer, 'vary') ?? null,
})

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

  async function through(request: HttpRequest, settings: ProxySettings): Promise<[Proxied, Hop]> {
    const { path, query } = splitUrl(request.url)
    const target = query === '' ? path : `${path}?${query}`
    const asked = upstreamRequest(settings, request, upstream, target)
    const answer = await measure(asked, { ...reach, limit: MAX_DECODED })
    return [await proxyAnswer(settings, request, answer), hop(asked, answer)]
  }

  return {
    name: 'proxy',
    async handle(request, { publish }) {
      const { method } = request
      const { path } = splitUrl(request.url)
      const asked = { method, path }
      // The listener reads one byte more than its limit. A part of a body must not be passed on as the whole.
      if (request.body.length > bodyLimit) return textResponse(413, `More than ${bodyLimit} bytes\n`)
      try {
        const [{ answer, did, why }, leg] = await through(request, current())
        const exchange: ProxiedExchange = {
          ...asked,
          status: answer.status,
          upstream: leg,
          client: hop(request, answer),
          did,
          why,
        }
        publish({ type: 'proxy.passed', ...exchange })
        return answer
      } catch (error) {
        const answer = failure(error)
        const why = error instanceof Error ? error.message : ''
        const exchange: ProxiedExchange = {
          ...asked,
          status: answer.status,
          client: hop(request, answer),
          did: 'failed',
          why,
        }
        publish({ type: 'proxy.passed', ...exchange })
        return answer
      }
    },
  }
}
