import type { HeaderList } from '../../../protocol/http/message.js'
import { defined, isJsonObject, type JsonObject } from '../../../protocol/values.js'
import type { Captured, CapturedBody } from '../captured.js'
import { MAX_BODY } from '../wire.js'
import type { DevTools, DevToolsEvent } from './devtools.js'

/** Most requests that are under way at once. */
const MAX_OPEN = 5000

/** Media types of answers whose bodies are read: tokens, keys and metadata. Pages are not. */
const READ = /json|jwt|x-www-form-urlencoded/i

/** One request of a chain of redirects. */
interface Hop {
  readonly request: JsonObject
  readonly type: string
  readonly at: number
  /** The clock of the browser in seconds, which other times of it are measured by. */
  readonly began: number
  posted: string | undefined
  response?: JsonObject
  ended?: number
}

/** A request with its redirects. Headers of the network come in events of their own, one of each hop. */
interface Chain {
  readonly hops: Hop[]
  readonly sentHeaders: JsonObject[]
  readonly gotHeaders: JsonObject[]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})

/** Headers of the protocol: a header with several values has them on lines of one text. */
function headersOf(value: unknown): HeaderList {
  return Object.entries(objectOf(value)).flatMap(([name, text]) =>
    name.startsWith(':')
      ? []
      : textOf(text)
          .split('\n')
          .map(each => [name, each] as const),
  )
}

function bodyOf(text: string | undefined): CapturedBody {
  const size = Buffer.byteLength(text ?? '')
  return text === undefined || size > MAX_BODY ? { size } : { size, text }
}

/** The exchange of a hop. */
function capturedOf(chain: Chain, i: number, body: CapturedBody, failure: string | undefined): Captured {
  const hop = chain.hops[i]!
  const { request, response, type, at } = hop
  const headers = headersOf(chain.sentHeaders[i] ?? request.headers)
  const got = headersOf(chain.gotHeaders[i] ?? response?.headers)
  return defined({
    side: 'browser',
    at,
    ms: Math.max(0, (hop.ended ?? hop.began) - hop.began) * 1000,
    method: textOf(request.method),
    url: textOf(request.url) + textOf(request.urlFragment),
    headers,
    body: request.hasPostData ? bodyOf(hop.posted) : { size: 0 },
    answer: response && { status: numberOf(response.status), headers: got, body },
    failure,
    resourceType: type === '' ? undefined : type.toLowerCase(),
  })
}

/** Collects the exchanges of a browser from its events. */
export interface NetworkLog {
  readonly take: (event: DevToolsEvent) => void
  /** Hands over what has no end yet. */
  readonly end: () => Promise<void>
}

/**
 * Creates a log.
 * @param tools reads the bodies, which events do not carry
 * @param take gets each exchange, once the last redirect of its chain is answered
 */
export function createNetworkLog(tools: () => DevTools, take: (captured: Captured) => void): NetworkLog {
  const chains = new Map<string, Chain>()
  const reading = new Set<Promise<void>>()

  function chainOf(id: string): Chain {
    const known = chains.get(id)
    if (known) return known
    // A stream that never ends must not keep later requests out.
    const [oldest] = chains.keys()
    if (chains.size >= MAX_OPEN && oldest !== undefined) finish(oldest, { size: 0 })
    const chain: Chain = { hops: [], sentHeaders: [], gotHeaders: [] }
    chains.set(id, chain)
    return chain
  }

  function finish(id: string, body: CapturedBody, failure?: string): void {
    const chain = chains.get(id)
    chains.delete(id)
    const last = (chain?.hops.length ?? 0) - 1
    for (let i = 0; chain && i <= last; i++) {
      take(capturedOf(chain, i, i === last ? body : { size: 0 }, i === last ? failure : undefined))
    }
  }

  /** Waits for a reader at the end, and forgets it. What cannot be read is missing in the recording. */
  function read(work: Promise<void>): void {
    const quiet = work.catch(() => {}).finally(() => reading.delete(quiet))
    reading.add(quiet)
  }

  function requested(id: string, params: JsonObject, session: string | undefined): void {
    const chain = chainOf(id)
    const request = objectOf(params.request)
    const before = chain.hops.at(-1)
    if (before && isJsonObject(params.redirectResponse)) {
      before.response = params.redirectResponse
      before.ended = numberOf(params.timestamp)
    }
    const hop: Hop = {
      request,
      type: textOf(params.type),
      at: numberOf(params.wallTime) * 1000,
      began: numberOf(params.timestamp),
      posted: typeof request.postData === 'string' ? request.postData : undefined,
    }
    chain.hops.push(hop)
    if (!request.hasPostData || hop.posted !== undefined) return
    read(
      tools()
        .send('Network.getRequestPostData', { requestId: id }, session)
        .then(({ postData }) => {
          hop.posted = textOf(postData)
        }),
    )
  }

  async function loaded(id: string, session: string | undefined): Promise<void> {
    const hop = chains.get(id)?.hops.at(-1)
    if (!READ.test(textOf(hop?.response?.mimeType))) return finish(id, { size: 0 })
    const result = await tools()
      .send('Network.getResponseBody', { requestId: id }, session)
      .catch((): JsonObject => ({}))
    const text = textOf(result.body)
    finish(id, bodyOf(result.base64Encoded ? Buffer.from(text, 'base64').toString('utf8') : text))
  }

  function ended(id: string, { timestamp, errorText }: JsonObject, session: string | undefined): void {
    const hop = chains.get(id)?.hops.at(-1)
    if (hop === undefined) return
    hop.ended = numberOf(timestamp)
    if (errorText === undefined) read(loaded(id, session))
    // A page that was left while it loaded has an answer all the same.
    else finish(id, { size: 0 }, hop.response ? undefined : textOf(errorText))
  }

  function heard({ method, params, session }: DevToolsEvent): void {
    const id = textOf(params.requestId)
    const hop = chains.get(id)?.hops.at(-1)
    if (method === 'Network.requestWillBeSent') requested(id, params, session)
    else if (method === 'Network.requestWillBeSentExtraInfo') {
      chainOf(id).sentHeaders.push(objectOf(params.headers))
    } else if (method === 'Network.responseReceivedExtraInfo') {
      chainOf(id).gotHeaders.push(objectOf(params.headers))
    } else if (method === 'Network.responseReceived' && hop) hop.response = objectOf(params.response)
    else if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') {
      ended(id, params, session)
    }
  }

  return {
    take: heard,
    async end() {
      await Promise.all(reading)
      for (const id of [...chains.keys()]) finish(id, { size: 0 })
    },
  }
}
