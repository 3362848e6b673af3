import { UsageError } from '../errors.js'
import type { Exchange, Send } from '../http/exchange.js'
import { encodeForm, type FormPairs, parseForm } from '../http/form.js'
import {
  bytes,
  type Header,
  type HttpRequest,
  header,
  headerValues,
  splitUrl,
  text,
} from '../http/message.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { type ClientKey, makeClientAssertion } from '../tokens/client-assertion.js'
import { type DpopKey, makeDpopProof } from '../tokens/dpop.js'
import { nonceAsked, withBinding } from './dpop-steps.js'
import type { FlowPorts } from './ports.js'
import type { FlowRecord, Step } from './step.js'

/** What a client adds to the requests of any flow. */
export interface ClientExtras {
  readonly clientId: string
  /** Authenticates by what it signs with this key (`private_key_jwt`); the flow itself sends no secret then. */
  readonly key?: ClientKey
  /** Proves to hold this key, so that nobody else can use its tokens (RFC 9449). */
  readonly dpop?: DpopKey
  /** More parameters of token requests. */
  readonly tokenParameters?: FormPairs
}

/** The way of a client's requests to the servers. */
export interface ClientWires {
  readonly send: Send
  /** The records of a flow that was walked over these wires, with what the wires did. */
  told(records: AsyncIterable<FlowRecord>): AsyncGenerator<FlowRecord, void, void>
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const ownNameEndpoints = [
  'token_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
] as const

/** Members of a JSON answer; none where it is something else, which the flow itself refuses. */
function membersOf({ response }: Exchange): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(response?.body ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Whether a server wants the same request again, its proof with the nonce that it sends (RFC 9449 §8, §9). */
function asksForNonce(exchange: Exchange): boolean {
  const { response } = exchange
  if (!response || header(response, 'dpop-nonce') === undefined) return false
  if (response.status === 400) return membersOf(exchange).error === 'use_dpop_nonce'
  return (
    response.status === 401 &&
    headerValues(response, 'www-authenticate').some(each => /\buse_dpop_nonce\b/.test(each))
  )
}

/**
 * Puts what a client adds between any flow and its servers. The flow stays as it is, and knows nothing.
 * @param ports what the flow would send through by itself
 */
export function clientWires(
  ports: Pick<FlowPorts, 'send' | 'now' | 'random'>,
  metadata: AuthorizationServerMetadata,
  { clientId, key, dpop, tokenParameters = [] }: ClientExtras,
): ClientWires {
  const inOwnName = new Set(ownNameEndpoints.map(name => metadata[name]))
  const proved = new Set([metadata.token_endpoint, metadata.pushed_authorization_request_endpoint])
  const nonces = new Map<string, string>()
  const issued = { bound: new Set<string>(), unbound: new Set<string>() }
  const refusedFirst = new WeakMap<Exchange, Exchange>()

  /** A token that nobody issued is shown like those that were: only then it is the token that is refused. */
  const isBound = (token: string): boolean => issued.bound.size > 0 && !issued.unbound.has(token)

  const added = async (request: HttpRequest): Promise<FormPairs> => {
    if (request.method !== 'POST' || !inOwnName.has(request.url)) return []
    const more = request.url === metadata.token_endpoint ? tokenParameters : []
    if (key === undefined) return more
    const assertion = await makeClientAssertion(key, { clientId, audience: metadata.issuer }, ports)
    return [...more, ['client_assertion_type', ASSERTION_TYPE], ['client_assertion', assertion]]
  }

  const proof = async ({ method, url }: HttpRequest, accessToken?: string): Promise<Header[]> => {
    if (dpop === undefined) return []
    const nonce = nonces.get(splitUrl(url).origin)
    const what = { method, url, ...(accessToken && { accessToken }), ...(nonce && { nonce }) }
    return [['dpop', await makeDpopProof(dpop, what, ports)]]
  }

  const dressed = async (request: HttpRequest): Promise<HttpRequest> => {
    const pairs = await added(request)
    const body = pairs.length === 0 ? request.body : bytes(withPairs(text(request.body), pairs))
    const token = /^Bearer (.+)$/.exec(header(request, 'authorization') ?? '')?.[1]
    if (token !== undefined && isBound(token)) {
      const headers = request.headers.map(
        ([name, value]): Header =>
          name.toLowerCase() === 'authorization' ? [name, `DPoP ${token}`] : [name, value],
      )
      return { ...request, headers: [...headers, ...(await proof(request, token))], body }
    }
    if (request.method !== 'POST' || !proved.has(request.url)) return { ...request, body }
    return { ...request, headers: [...request.headers, ...(await proof(request))], body }
  }

  const once: Send = async (request, options) => {
    const exchange = await ports.send(await dressed(request), options)
    const nonce = exchange.response && header(exchange.response, 'dpop-nonce')
    if (nonce !== undefined) nonces.set(splitUrl(request.url).origin, nonce)
    if (dpop !== undefined && request.url === metadata.token_endpoint && exchange.response?.status === 200) {
      const { access_token: token, token_type: type } = membersOf(exchange)
      const bound = typeof type === 'string' && type.toLowerCase() === 'dpop'
      if (typeof token === 'string') issued[bound ? 'bound' : 'unbound'].add(token)
    }
    return exchange
  }

  const send: Send = async (request, options) => {
    const exchange = await once(request, options)
    if (dpop === undefined || !asksForNonce(exchange)) return exchange
    const again = await once(request, options)
    refusedFirst.set(again, exchange)
    return again
  }

  /** What the wires have to say of a step. */
  const steps = (step: Step): Step[] => {
    const first = step.exchange && refusedFirst.get(step.exchange)
    const bound = withBinding(step, dpop)
    return first === undefined ? [bound] : [nonceAsked(step, first), bound]
  }

  return {
    send,
    async *told(records) {
      for await (const record of records) {
        if (record.type === 'step') yield* steps(record)
        else yield record
      }
    },
  }
}

/** A body with parameters that it does not have yet. @throws UsageError */
function withPairs(body: string, pairs: FormPairs): string {
  const own = new Set(parseForm(body).map(([name]) => name))
  const taken = pairs.find(([name]) => own.has(name))
  if (taken) {
    throw new UsageError(`--param token:${taken[0]} is a parameter that this flow sends itself`, [
      'Leave it out: parameters are added, and never replaced',
    ])
  }
  return [body, encodeForm(pairs)].filter(part => part !== '').join('&')
}
