import type { Exchange } from '../../protocol/http/exchange.js'
import { type Header, type HttpRequest, header, headerValues, splitUrl } from '../../protocol/http/message.js'
import { advice, check, shown } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { type DpopKey, makeDpopProof } from '../../protocol/tokens/dpop.js'
import type { JsonObject } from '../../protocol/values.js'
import { answerMembers } from '../answers/answer-members.js'
import { claimSources } from '../answers/claim-sources.js'
import type { Middleware } from '../middleware/middleware.js'
import type { FlowPorts } from '../ports.js'
import type { FlowRecord, Step } from '../step.js'

/** DPoP for one run of a flow (RFC 9449). */
export interface DpopBinding {
  /** Sends a request again when the server requires its nonce. */
  readonly layer: Middleware
  /** Shows missing nonces, and whether tokens name the key. */
  annotate(records: AsyncIterable<FlowRecord>): AsyncGenerator<FlowRecord, void, void>
}

/** RFC 9449 §8, §9. */
export function asksForNonce(exchange: Exchange): boolean {
  const { response } = exchange
  if (!response || header(response, 'dpop-nonce') === undefined) return false
  if (response.status === 400) return answerMembers(exchange).error === 'use_dpop_nonce'
  return (
    response.status === 401 &&
    headerValues(response, 'www-authenticate').some(each => /\buse_dpop_nonce\b/.test(each))
  )
}

export function dpopBinding(
  key: DpopKey,
  metadata: AuthorizationServerMetadata,
  ports: Pick<FlowPorts, 'now' | 'random'>,
): DpopBinding {
  const provedEndpoints = new Set([metadata.token_endpoint, metadata.pushed_authorization_request_endpoint])
  const nonces = new Map<string, string>()
  const issued = { bound: new Set<string>(), unbound: new Set<string>() }
  const refusedFirst = new WeakMap<Exchange, Exchange>()

  /** An unknown token gets a proof too: the server then refuses the token, not its presentation. */
  const isBound = (token: string): boolean => issued.bound.size > 0 && !issued.unbound.has(token)

  async function withProof(request: HttpRequest, accessToken?: string): Promise<HttpRequest> {
    const { method, url } = request
    const nonce = nonces.get(splitUrl(url).origin)
    const what = { method, url, ...(accessToken && { accessToken }), ...(nonce && { nonce }) }
    return { ...request, headers: [...request.headers, ['dpop', await makeDpopProof(key, what, ports)]] }
  }

  async function proved(request: HttpRequest): Promise<HttpRequest> {
    const token = /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1]
    if (token !== undefined && isBound(token)) {
      const headers = request.headers.map(
        ([name, value]): Header =>
          name.toLowerCase() === 'authorization' ? [name, `DPoP ${token}`] : [name, value],
      )
      return withProof({ ...request, headers }, token)
    }
    return request.method === 'POST' && provedEndpoints.has(request.url) ? withProof(request) : request
  }

  function remember(url: string, exchange: Exchange): void {
    const nonce = exchange.response && header(exchange.response, 'dpop-nonce')
    if (nonce !== undefined) nonces.set(splitUrl(url).origin, nonce)
    // The tokens of claims sources are bearer tokens (OpenID Connect Core §5.6.2).
    if (url === metadata.userinfo_endpoint) for (const each of claimTokens(exchange)) issued.unbound.add(each)
    if (url !== metadata.token_endpoint || exchange.response?.status !== 200) return
    const { access_token: token, token_type: type } = answerMembers(exchange)
    const bound = typeof type === 'string' && type.toLowerCase() === 'dpop'
    if (typeof token === 'string') issued[bound ? 'bound' : 'unbound'].add(token)
  }

  const layer: Middleware = next => {
    const once: typeof next = async (request, options) => {
      const exchange = await next(await proved(request), options)
      remember(request.url, exchange)
      return exchange
    }
    return async (request, options) => {
      const exchange = await once(request, options)
      if (!asksForNonce(exchange)) return exchange
      const again = await once(request, options)
      refusedFirst.set(again, exchange)
      return again
    }
  }

  return {
    layer,
    async *annotate(records) {
      for await (const record of records) {
        if (record.type !== 'step') {
          yield record
          continue
        }
        const first = record.exchange && refusedFirst.get(record.exchange)
        if (first) yield nonceStep(record, first)
        yield withBindingCheck(record, key)
      }
    },
  }
}

function claimTokens(exchange: Exchange): string[] {
  const body = exchange.response?.body.trim() ?? ''
  const said = body.startsWith('{') ? answerMembers(exchange) : (decodeIfJwt(body)?.claims ?? {})
  return claimSources(said as JsonObject).flatMap(({ accessToken }) => accessToken ?? [])
}

function nonceStep(step: Step, exchange: Exchange): Step {
  const { token: _token, tokens: _tokens, ...rest } = step
  return {
    ...rest,
    exchange,
    checks: [check('dpop_nonce', true, 'RFC 9449 §8', 'the server names a nonce that the proof has to hold')],
    note: 'asks for a proof with its nonce',
    repeats: true,
  }
}

/** RFC 9449 §6.1, where the client can read the token. */
function withBindingCheck(step: Step, key: DpopKey): Step {
  const { token, exchange } = step
  if (token?.kind !== 'access_token' || !exchange) return step
  if (header(exchange.request, 'dpop') === undefined) return step
  const cnf = decodeIfJwt(token.value)?.claims.cnf
  if (typeof cnf !== 'object' || cnf === null || !('jkt' in cnf)) return step
  const ok = cnf.jkt === key.jkt
  const detail = ok ? 'the token names our key' : `the token names another key: ${shown(cnf.jkt)}`
  return { ...step, checks: [...(step.checks ?? []), advice('cnf', ok, 'RFC 9449 §6.1', detail)] }
}
