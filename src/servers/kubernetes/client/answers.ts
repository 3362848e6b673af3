import { jsonObjectOf, unreadable } from '../../../client/json-answer.js'
import { UserError } from '../../../protocol/errors.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { headerValues } from '../../../protocol/http/message.js'
import type { JsonObject } from '../../../protocol/values.js'
import type { Status } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import { SHAPES, shapeProblem, statusShape } from './answer-shape.js'
import { refusalHints } from './cluster-refusal-hints.js'
import { type ApiRequest, httpRequest } from './requests.js'

/** The answer of an API server. */
export interface Answer<T> {
  readonly object: T
  /** The texts of the `Warning` headers. */
  readonly warnings: readonly string[]
  readonly exchange: Exchange
}

/** A refusal of an API server. */
export class ClusterRefusal extends UserError {
  override name = 'ClusterRefusal'
  constructor(
    readonly status: Status,
    /** The HTTP status. */
    readonly code: number,
    readonly exchange: Exchange,
    hints: readonly string[],
  ) {
    const reason = status.reason === undefined || status.reason === '' ? '' : `${status.reason}, `
    super(`the cluster refused: ${status.message || 'no message'} (${reason}HTTP ${code})`, 'refused', hints)
  }
}

/** Returns the texts of `Warning: 299 - "text"` headers (RFC 7234 §5.5), which Kubernetes sends. */
export function warningsOf(message: Parameters<typeof headerValues>[0]): string[] {
  return headerValues(message, 'warning').flatMap(value => {
    const warning = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)
    return warning?.[1] === undefined ? [] : [warning[1].replace(/\\(.)/g, '$1')]
  })
}

const isStatus = (value: JsonObject): boolean =>
  value.kind === 'Status' && value.apiVersion === 'v1' && shapeProblem(value, statusShape) === undefined

/**
 * Reads the object in an answer.
 * @throws ClusterRefusal for a refusal; TransportError for an answer that no API server gives
 */
export function readAnswer<T>(exchange: Exchange, request: ApiRequest, access: ClusterAccess): Answer<T> {
  const asked = `${request.method} ${request.path.split('?', 1)[0]}`
  const { server: address, via } = access
  const value = jsonObjectOf(exchange, asked, { title: 'a Kubernetes API server', address, via })
  const response = exchange.response!
  const { status } = response
  if (status >= 400) {
    if (!isStatus(value)) {
      throw unreadable(`${access.server} answered ${asked} with HTTP ${status} and no Kubernetes Status`)
    }
    const refused = value as unknown as Status
    throw new ClusterRefusal(
      refused,
      status,
      exchange,
      refusalHints(refused, status, access, Date.parse(exchange.at)),
    )
  }
  if (request.kind !== undefined && value.kind !== request.kind) {
    const kind = typeof value.kind === 'string' ? value.kind.slice(0, 60) : 'no kind'
    throw unreadable(
      `${access.server} answered ${asked} with ${kind} instead of ${request.kind} (HTTP ${status})`,
    )
  }
  const shape = request.kind === undefined ? request.shape : SHAPES[request.kind]
  const problem = shape && shapeProblem(value, shape)
  if (problem !== undefined) {
    const what = request.kind === undefined ? 'JSON' : `a ${request.kind}`
    throw unreadable(`${access.server} answered ${asked} with ${what} that cannot be read: ${problem}`)
  }
  return { object: value as T, warnings: warningsOf(response), exchange }
}

/** Sends a request to an API server. */
export type AskCluster = <T>(request: ApiRequest) => Promise<Answer<T>>

/**
 * Returns the function that sends requests to a cluster. It calls `seen` with each exchange, including refused ones. It throws the errors of
 * `readAnswer` and `send`.
 */
export function askCluster(
  access: ClusterAccess,
  send: Send,
  {
    seen = () => {},
    signal,
  }: {
    readonly seen?: ((exchange: Exchange, request: ApiRequest) => void) | undefined
    readonly signal?: AbortSignal | undefined
  } = {},
): AskCluster {
  return async <T>(request: ApiRequest) => {
    const exchange = await send(httpRequest(access, request), signal ? { signal } : {})
    seen(exchange, request)
    return readAnswer<T>(exchange, request, access)
  }
}
