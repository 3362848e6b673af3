import { EXIT, TransportError, UserError } from '../../errors.js'
import type { Exchange, Send } from '../../http/exchange.js'
import { header, headerValues, mediaType } from '../../http/message.js'
import { isJsonObject, type JsonObject } from '../../oauth/json-object.js'
import type { Status } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import { SHAPES, shapeProblem, statusShape } from './answer-shape.js'
import { refusalHints } from './refusal-hints.js'
import { type ApiRequest, httpRequest } from './requests.js'

/** An answer of an API server. */
export interface Answer<T> {
  readonly object: T
  /** Texts of `Warning` headers. */
  readonly warnings: readonly string[]
  readonly exchange: Exchange
}

/** An API server that said no. Exit code 1. */
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
    super(
      `the cluster refused: ${status.message || 'no message'} (${reason}HTTP ${code})`,
      EXIT.refused,
      hints,
    )
  }
}

/** An answer that no API server gives. Exit code 3: the server was reached, but not understood. */
function unreadable(message: string, hints: readonly string[] = []): TransportError {
  return new TransportError(message, 'EBADMSG', hints)
}

/** The texts of `Warning: 299 - "text"` headers (RFC 7234 §5.5; `Warning` of Kubernetes). */
export function warningsOf(message: Parameters<typeof headerValues>[0]): string[] {
  return headerValues(message, 'warning').flatMap(value => {
    const found = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)
    return found?.[1] === undefined ? [] : [found[1].replace(/\\(.)/g, '$1')]
  })
}

const isStatus = (value: JsonObject): boolean =>
  value.kind === 'Status' && value.apiVersion === 'v1' && shapeProblem(value, statusShape) === undefined

/** Describes in short a body that is not JSON. */
function described(body: string, type: string): string {
  if (body.trim() === '') return 'nothing'
  if (/^\s*</.test(body) || type === 'text/html') return 'HTML'
  if (/^\s*[{[]/.test(body)) return 'JSON that ends too early or is broken'
  return type === '' ? 'text that is no JSON' : `${type} that is no JSON`
}

/**
 * The object in an answer.
 * @throws ClusterRefusal where the server says no; TransportError where it is no answer of an API server
 */
export function readAnswer<T>(exchange: Exchange, request: ApiRequest, access: ClusterAccess): Answer<T> {
  const { response } = exchange
  if (response === undefined) throw unreadable(`${access.server} gave no answer`)
  const { status, body } = response
  const asked = `${request.method} ${request.path.split('?', 1)[0]}`
  if (status >= 300 && status < 400) {
    const to = header(response, 'location') ?? 'nowhere'
    throw unreadable(`${access.server} redirects ${asked} to ${to} (HTTP ${status})`, [
      'An API server does not redirect; nothing, and no credential, was sent on.',
      `Is this the right address? It is from ${access.via}.`,
    ])
  }
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw unreadable(
      `${access.server} answered ${asked} with ${described(body, mediaType(response))} (HTTP ${status})`,
      [`This is no Kubernetes API server, or something stands before it. The address is from ${access.via}.`],
    )
  }
  if (!isJsonObject(value))
    throw unreadable(`${access.server} answered ${asked} with JSON that is no object (HTTP ${status})`)
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

/** Asks an API server. */
export type AskCluster = <T>(request: ApiRequest) => Promise<Answer<T>>

/**
 * Sends a request to a cluster and hands each exchange to `seen`, also refused ones.
 * The function throws what `readAnswer` and `send` throw.
 */
export function askCluster(
  access: ClusterAccess,
  send: Send,
  {
    seen = () => {},
    signal,
  }: {
    readonly seen?: (exchange: Exchange, request: ApiRequest) => void
    readonly signal?: AbortSignal
  } = {},
): AskCluster {
  return async <T>(request: ApiRequest) => {
    const exchange = await send(httpRequest(access, request), signal ? { signal } : {})
    seen(exchange, request)
    return readAnswer<T>(exchange, request, access)
  }
}
