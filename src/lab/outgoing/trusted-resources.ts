import { createTransport, type Transport } from '../../client/transport.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { jsonObject } from '../../protocol/oauth/answers.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { parseScope, sameResource } from '../../protocol/oauth/scope.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { Publish } from '../../servers/authorization-server/events.js'
import { createSemaphore } from '../../servers/authorization-server/logins/semaphore.js'
import type { FindTrustedResources, TrustedResource } from '../../servers/authorization-server/settings.js'
import { METADATA_PATH } from '../../servers/resource-server/publication.js'
import { isLoopback } from '../lab-file/names.js'

/** Bytes. */
const MAX_BODY = 5 * 1024

/** Milliseconds of one request, for all of its resources. */
const TIME_LIMIT = 2000

/** Resources that are asked at the same time, and that may wait. */
const AT_ONCE = 2
const MAX_WAITING = 40

/** Milliseconds. A resource server that is not there yet may be started in a moment. */
const KEPT = 60_000
const PROBLEM_KEPT = 2000

/** Answers. */
const MAX_KEPT = 100

export interface TrustedResourcesOptions {
  readonly issuer: string
  /** Trusted beside the authorities of Node. */
  readonly caPem: string
  /** Milliseconds of a clock that never stands still. */
  readonly elapsed?: () => number
}

interface Kept {
  readonly answer: Promise<TrustedResource | undefined>
  until: number
}

/** RFC 9728 §3.1; undefined unless it is on this computer, over TLS: a request must not make the lab call other computers. */
export function metadataAddress(resource: string): string | undefined {
  if (!isUrl(resource)) return undefined
  const { protocol, username, password, hostname, host, pathname, search } = new URL(resource)
  // A name below localhost may be another computer's: resolvers differ (RFC 6761 §6.3).
  const isHere = isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')) && !hostname.endsWith('.localhost')
  if (protocol !== 'https:' || !isHere || username !== '' || password !== '') return undefined
  return `https://${host}${METADATA_PATH}${pathname === '/' ? '' : pathname}${search}`
}

/** Other values are left out. */
function scopesIn(listed: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(listed) ? listed : []
  return values.flatMap(each => (typeof each === 'string' ? (parseScope(each) ?? []) : []))
}

/** @throws OAuthError for metadata of another resource, or without this issuer */
function readTrust(exchange: Exchange, resource: string, issuer: string): TrustedResource {
  const status = exchange.response?.status
  if (status !== 200) throw refused(`its metadata address answered ${status}`, 'RFC 9728 §3.2')
  const members = jsonObject(exchange, 'its metadata address', 'RFC 9728 §3.2')
  const { resource: named, authorization_servers: servers, scopes_supported: scopes } = members
  if (typeof named !== 'string' || !sameResource(named, resource)) {
    throw refused('its metadata is about another resource', 'RFC 9728 §3.3')
  }
  if (Array.isArray(servers) && servers.includes(issuer)) return { resource: named, scopes: scopesIn(scopes) }
  throw refused(`its metadata does not name the authorization server ${issuer}`, 'RFC 9728 §2')
}

const refused = (description: string, rule: Citation) =>
  new OAuthError('invalid_metadata', { description, rule })

/** Finds resources on this computer that trust an issuer by their metadata (RFC 9728). Answers are kept for a minute. */
export function createTrustedResources(options: TrustedResourcesOptions): FindTrustedResources {
  const { issuer, caPem, elapsed = () => performance.now() } = options
  const inTurn = createSemaphore({ atOnce: AT_ONCE, waiting: MAX_WAITING })
  const kept = new Map<string, Kept>()
  let transport: Transport | undefined

  async function fetched(resource: string, url: string, signal: AbortSignal): Promise<TrustedResource> {
    transport ??= createTransport({ caPem, maxBody: MAX_BODY, timeoutMs: TIME_LIMIT })
    signal.throwIfAborted()
    const headers = [
      ['accept', 'application/json'],
      ['connection', 'close'],
    ] as const
    const exchange = await transport.send({ method: 'GET', url, headers, body: new Uint8Array() }, { signal })
    return readTrust(exchange, resource, issuer)
  }

  /** Publishes the result. Returns undefined for a resource that does not trust the issuer. */
  async function ask(
    resource: string,
    url: string,
    signal: AbortSignal,
    publish: Publish,
  ): Promise<TrustedResource | undefined> {
    try {
      const found = await inTurn(() => fetched(resource, url, signal))
      if (found === 'full') throw refused('too many resources are asked for their metadata', 'RFC 9728 §7.7')
      publish({ type: 'resource_metadata.fetched', resource, url })
      return found
    } catch (error) {
      const rule = error instanceof OAuthError ? error.rule : 'RFC 9728 §3'
      publish({ type: 'resource_metadata.failed', resource, url, description: problemOf(error), rule })
      return undefined
    }
  }

  function answerFor(
    resource: string,
    url: string,
    signal: AbortSignal,
    publish: Publish,
  ): Promise<TrustedResource | undefined> {
    const earlier = kept.get(resource)
    if (earlier !== undefined && elapsed() < earlier.until) return earlier.answer
    kept.delete(resource)
    const answer = ask(resource, url, signal, publish)
    const entry: Kept = { answer, until: Number.POSITIVE_INFINITY }
    kept.set(resource, entry)
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    return answer.then(found => {
      entry.until = elapsed() + (found === undefined ? PROBLEM_KEPT : KEPT)
      return found
    })
  }

  return async (resources, publish) => {
    const signal = AbortSignal.timeout(TIME_LIMIT)
    const answers = resources.flatMap(resource => {
      const url = metadataAddress(resource)
      return url === undefined ? [] : [answerFor(resource, url, signal, publish)]
    })
    return (await Promise.all(answers)).filter(each => each !== undefined)
  }
}

function problemOf(error: unknown): string {
  if (error instanceof OAuthError) return error.description
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no answer within ${TIME_LIMIT / 1000} s`
  return error instanceof Error ? error.message : 'unknown'
}
