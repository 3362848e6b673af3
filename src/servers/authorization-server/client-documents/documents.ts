import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { FormError, type FormPairs } from '../../../protocol/http/form.js'
import {
  type HeaderList,
  type HttpRequest,
  header,
  headerValues,
  splitUrl,
} from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { createRateLimit, type Rate } from '../../../protocol/rate-limit.js'
import { type Citation, cimd } from '../../../protocol/rules/rule.js'
import { defined, type JsonObject, unless } from '../../../protocol/values.js'
import { assertedClientId } from '../assertions/jwt.js'
import { AUTHENTICATION_PATH } from '../backchannel/paths.js'
import type { Publish } from '../events.js'
import { readFormBody, readQuery } from '../parameters/form-body.js'
import { RESPONSE_TYPES } from '../parameters/response-type.js'
import type { BaseParts } from '../parts.js'
import { readClientMetadata } from '../registration/client-metadata.js'
import type { Abilities } from '../registration/members.js'
import type { FetchDocument } from '../settings.js'
import {
  type ClientProblem,
  type ClientSource,
  createDocumentClients,
  type DocumentClients,
} from '../stores/registry.js'
import { clientUrlProblem, isClientUrl, type JudgeDocument, portableMetadata } from './document-rules.js'
import {
  type DocumentPorts,
  documentReader,
  FetchFailure,
  failureRule,
  markDependent,
  UNREADABLE,
} from './fetch-failure.js'

/** Reads metadata as those of every registration are read. Returns the client, or the first fault. */
type ReadMetadata = (
  metadata: JsonObject,
  clientId: string,
) =>
  | { readonly client: Client }
  | { readonly member: string; readonly problem: string; readonly rule: Citation }

/** A document that is not that of a client. */
class NoClientDocument extends Error {
  constructor(readonly found: ClientProblem) {
    super(found.problem)
  }
}

interface ClientDocumentParts extends DocumentPorts {
  readonly clients: DocumentClients
  /** True for the id of a client that somebody registered: it has no document here, whatever its id looks like. */
  readonly isRegistered: (id: string) => boolean
  readonly judgeDocument: JudgeDocument
  readonly readMetadata: ReadMetadata
  readonly now: () => number
}

/** Clients that are known by the document at the address that is their id. */
interface ClientDocuments extends ClientSource {
  /** Makes the clients known that a request names, so that the endpoints find them. */
  prepare(http: HttpRequest, publish: Publish): Promise<unknown> | undefined
  /** Returns the reason why a client that a request names cannot be used now. */
  problem(id: string): ClientProblem | undefined
}

/** Failed fetches of one host. Errors are not cached (§5.2 of the draft), so this alone stops endless attempts. */
const FAILURES: Rate = { attempts: 20, window: 10_000 }

/** Most ids of one host whose latest problem is known, and most bytes of them. */
const PROBLEMS = { limit: 500, maxBytes: 1024 * 1024, lifetime: Number.POSITIVE_INFINITY }

/** Members whose change a person who allowed the client may care about (§8.4 of the draft). */
const WATCHED = [
  'client_name',
  'logo_uri',
  'redirect_uris',
  'grant_types',
  'token_endpoint_auth_method',
  'jwks',
  'jwks_uri',
] as const

/** Returns the watched members by the names that the document has. */
function watched({ allowed_scopes: scope, localized, ...client }: Client): ReadonlyMap<string, unknown> {
  const named = WATCHED.map(name => [name, client[name]] as const)
  return new Map([...named, ['scope', scope], ...Object.entries(localized ?? {})])
}

function changes(before: Client | undefined, after: Client): readonly string[] | undefined {
  if (before === undefined) return undefined
  const [earlier, later] = [watched(before), watched(after)]
  const names = [...new Set([...later.keys(), ...earlier.keys()])]
  const changed = names.filter(name => JSON.stringify(earlier.get(name)) !== JSON.stringify(later.get(name)))
  return changed.length === 0 ? undefined : changed
}

/** Makes the clients that are known by their documents. */
export function createClientDocuments(parts: ClientDocumentParts): ClientDocuments {
  const { clients, isRegistered, judgeDocument, readMetadata, now } = parts
  const readDocument = documentReader(parts)
  const problems = createExpiringMap<ClientProblem>({ ...PROBLEMS, now })
  const underWay = new Map<string, Promise<void>>()
  const failures = createRateLimit(FAILURES, { now })

  /** @param cause for the event; absent: the client may know it */
  function refuse(
    id: string,
    { problem, rule }: ClientProblem,
    publish: Publish,
    cause?: ClientProblem,
  ): void {
    problems.set(id, { problem, rule }, new URL(id).host)
    const { problem: description, rule: broken } = cause ?? { problem, rule }
    publish({ type: 'client_document.refused', client_id: id, description, rule: broken })
  }

  /** Returns the problem of an id that is an address, and that nobody registered. */
  function addressProblem(id: string): ClientProblem | undefined {
    const wrong = isClientUrl(id) && !isRegistered(id) ? clientUrlProblem(id) : undefined
    return wrong && { ...wrong, problem: `client_id is refused: ${wrong.problem}` }
  }

  /** Keeps a known client in use when this server itself is too busy to ask for its document again. */
  function refuseBusy(id: string, problem: string, publish: Publish): void {
    if (clients.find(id) === undefined) refuse(id, { problem, rule: cimd('5.1') }, publish)
    else problems.delete(id)
  }

  async function fetchNow(id: string, publish: Publish): Promise<void> {
    const { host } = new URL(id)
    const { attempts, resetSeconds } = failures.left(host)
    if (attempts === 0) {
      const problem = `its document was not fetched: those of ${host} failed too often; try again in ${resetSeconds} s`
      return refuseBusy(id, problem, publish)
    }
    const failed = (problem: ClientProblem, cause?: ClientProblem) => {
      failures.count(host)
      refuse(id, problem, publish, cause)
    }
    let answer: Awaited<ReturnType<FetchDocument>>
    let judged: ReturnType<JudgeDocument>
    try {
      const address = { url: id, accept: 'application/json', kind: 'metadata' } as const
      ;[answer, judged] = await readDocument(address, given => {
        const found = judgeDocument(id, given)
        if ('problem' in found && found.hidden) throw new NoClientDocument(found)
        return [given, found] as const
      })
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown'
      const problem = `its document cannot be fetched: ${message}`
      if (error instanceof FetchFailure && error.kind === 'busy') return refuseBusy(id, problem, publish)
      const cause =
        error instanceof NoClientDocument
          ? { problem: `its document is refused: ${message}`, rule: error.found.rule }
          : { problem, rule: failureRule(error) }
      return failed({ problem: `its document: ${UNREADABLE}`, rule: cimd('5.1') }, cause)
    }
    if ('problem' in judged) {
      return failed({ problem: `its document is refused: ${judged.problem}`, rule: judged.rule })
    }
    const read = readMetadata(judged.metadata, id)
    if ('problem' in read) {
      const problem = `its document is refused: ${read.member}: ${read.problem}`
      return failed({ problem, rule: read.rule })
    }
    const client: Client = { ...read.client, introduced: 'document' }
    const fresh = freshFor(answer.headers ?? [], now())
    const changed = changes(clients.find(id)?.client, client)
    problems.delete(id)
    clients.keep({ client, freshUntil: now() + fresh })
    publish(
      defined({
        type: 'client_document.fetched',
        client_id: id,
        client_name: client.client_name,
        redirect_uris: client.redirect_uris,
        token_endpoint_auth_method: client.token_endpoint_auth_method ?? 'none',
        fresh_for: Math.floor(fresh / 1000),
        changed,
      }),
    )
  }

  async function know(id: string, publish: Publish): Promise<void> {
    if (isRegistered(id) || addressProblem(id) !== undefined) return
    const known = clients.find(id)
    if (known !== undefined && now() < known.freshUntil) {
      problems.delete(id)
      return
    }
    let fetching = underWay.get(id)
    if (fetching === undefined) {
      fetching = fetchNow(id, publish).finally(() => underWay.delete(id))
      underWay.set(id, fetching)
    }
    await fetching
    if (problems.get(id) !== undefined) markDependent(publish)
  }

  return {
    client: clients.client,
    clients: clients.clients,
    prepare(http, publish) {
      const named = namedClients(http)
      return named.length === 0 ? undefined : Promise.all(named.map(id => know(id, publish)))
    },
    problem: id => addressProblem(id) ?? problems.get(id),
  }
}

/** Endpoints that people's browsers call with a client_id in the query. */
const BY_QUERY: readonly string[] = ['/authorization', '/end-session']

/** Endpoints that clients call with a form. */
const BY_FORM: readonly string[] = [
  ...BY_QUERY,
  '/par',
  '/token',
  '/revocation',
  '/introspection',
  '/device_authorization',
  AUTHENTICATION_PATH,
]

/** Most documents that one request makes this server fetch. An honest request names one client. */
const MOST_DOCUMENTS = 2

/** The pairs of the query; none where the endpoint itself refuses it. */
function queryPairs(http: HttpRequest): FormPairs {
  const form = unless(FormError, () => readQuery(http))
  return form === undefined || form.problem !== undefined ? [] : form.pairs
}

/** The pairs of the body; none where the endpoint itself refuses it. */
const bodyPairs = (http: HttpRequest): FormPairs => unless(OAuthError, () => readFormBody(http)) ?? []

/** Returns the client ids in the form of an address that a request names, by whatever way a client says who it is. */
export function namedClients(http: HttpRequest): readonly string[] {
  const { path } = splitUrl(http.url)
  if (!BY_FORM.includes(path)) return []
  const named: string[] = []
  if (BY_QUERY.includes(path)) {
    for (const [name, value] of queryPairs(http)) {
      if (name === 'client_id') named.push(value)
    }
  }
  for (const [name, value] of http.method === 'POST' ? bodyPairs(http) : []) {
    if (name === 'client_id') named.push(value)
    if (name === 'client_assertion') named.push(assertedClientId(value) ?? '')
  }
  for (const value of headerValues(http, 'authorization')) {
    for (const { clientId } of parseBasic(value) ?? []) named.push(clientId)
  }
  return [...new Set(named.filter(isClientUrl))].slice(0, MOST_DOCUMENTS)
}

/** Makes the documents of a server; undefined for one that fetches none. */
export function serverDocuments(
  parts: Pick<BaseParts, 'settings' | 'defences' | 'ports' | 'registered'> & {
    /** Called when a document is read, because the abilities depend on the clients. */
    readonly abilities: () => Abilities
  },
): ClientDocuments | undefined {
  const { settings, defences, ports, registered, abilities } = parts
  const { now, fetchDocument, clientCalls, documentClients: clients = createDocumentClients() } = ports
  if (!settings.clientIdDocuments || fetchDocument === undefined) return undefined
  const scopes = Object.keys(settings.scopes)
  const { profile } = settings
  return createClientDocuments({
    clients,
    isRegistered: id =>
      settings.clients.some(each => each.client_id === id) || registered.client(id) !== undefined,
    fetchDocument,
    clientCalls,
    judgeDocument: defences.judgeDocument,
    readMetadata(metadata, clientId) {
      const own = abilities()
      const values = { grantTypes: own.grantTypes, responseTypes: RESPONSE_TYPES, scopes }
      const context = { ...own, clientId, scopes, profile, secret: withoutSecret }
      const read = readClientMetadata(portableMetadata(metadata, values), context)
      return 'faults' in read ? read.faults[0] : { client: read.client }
    },
    now,
  })
}

/** A client with a secret never comes from a document, because its rules refuse every use of one. */
function withoutSecret(): never {
  throw new Error('the document of a client asks for a secret')
}

/** Time that a document without cache headers is fresh, in milliseconds. */
const USUAL = 60_000

/** Shortest time that a document is fresh when its headers let it be kept at all. */
const LEAST = 10_000

/** Longest time that a document is fresh. */
const MOST = 3_600_000

/** The directives of Cache-Control, in lower case (RFC 9111 §5.2). */
function directives(message: { readonly headers: HeaderList }): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const each of headerValues(message, 'cache-control').join(',').split(',')) {
    const [name = '', value = ''] = each.trim().toLowerCase().split('=', 2)
    // The first of several equal directives counts (RFC 9111 §4.2.1).
    if (!found.has(name)) found.set(name, value.replace(/^"(.*)"$/, '$1'))
  }
  return found
}

/** Returns a number of seconds in milliseconds. A malformed one is 0: the answer is stale (RFC 9111 §4.2.1). */
const milliseconds = (seconds: string | undefined) =>
  seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0

/** Returns the time that an answer is fresh by its own headers; undefined when they say nothing. */
function announced(message: { readonly headers: HeaderList }, now: number): number | undefined {
  const cacheControl = directives(message)
  const age = milliseconds(header(message, 'age'))
  if (cacheControl.has('max-age')) return milliseconds(cacheControl.get('max-age')) - age
  const expires = header(message, 'expires')
  if (expires === undefined) return undefined
  const sent = Date.parse(header(message, 'date') ?? '')
  // A malformed date, such as 0, is a time in the past (RFC 9111 §5.3).
  const until = Date.parse(expires)
  return Number.isNaN(until) ? 0 : until - (Number.isNaN(sent) ? now : sent) - age
}

/**
 * Returns the milliseconds that an answer is fresh (RFC 9111 §4.2.1), within bounds. 0: every request fetches it again.
 */
export function freshFor(headers: HeaderList, now: number): number {
  const message = { headers }
  const cacheControl = directives(message)
  if (cacheControl.has('no-store') || cacheControl.has('no-cache')) return 0
  const time = announced(message, now) ?? USUAL
  return time <= 0 ? 0 : Math.min(Math.max(time, LEAST), MOST)
}
