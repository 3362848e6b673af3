import type { HttpRequest } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { type Citation, cimd } from '../../../protocol/rules/rule.js'
import type { JsonObject } from '../../../protocol/values.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import { createRateLimit, type Rate } from '../logins/rate-limit.js'
import type { FetchDocument } from '../settings.js'
import type { ClientProblem, ClientSource } from '../stores/registry.js'
import { clientUrlProblem, isClientUrl } from './client-url.js'
import type { DocumentClients } from './document-clients.js'
import type { JudgeDocument } from './document-rules.js'
import { FetchFailure, failureRule } from './fetch-failure.js'
import { freshFor } from './freshness.js'
import { namedClients } from './named-clients.js'

/** Reads metadata as those of every registration are read. Returns the client, or the first fault. */
export type ReadMetadata = (
  metadata: JsonObject,
  clientId: string,
) =>
  | { readonly client: Client }
  | { readonly member: string; readonly problem: string; readonly rule: Citation }

/** The parts that make clients known by their documents. */
export interface ClientDocumentParts {
  readonly clients: DocumentClients
  /** True for the id of a client that somebody registered: it has no document here, whatever its id looks like. */
  readonly isRegistered: (id: string) => boolean
  readonly fetchDocument: FetchDocument
  readonly judgeDocument: JudgeDocument
  readonly readMetadata: ReadMetadata
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Clients that are known by the document at the address that is their id. */
export interface ClientDocuments extends ClientSource {
  /** Makes the clients known that a request names, so that the endpoints find them. */
  prepare(http: HttpRequest, publish: Publish): Promise<void>
  /** Returns the reason why a client that a request names cannot be used now. */
  problem(id: string): ClientProblem | undefined
}

/** Failed fetches of one host. Errors are not cached (§5.2 of the draft), so this alone stops endless attempts. */
const FAILURES: Rate = { attempts: 20, window: 10_000 }

/** Most ids whose latest problem is known. */
const MAX_PROBLEMS = 500

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
  const { clients, isRegistered, fetchDocument, judgeDocument, readMetadata, now } = parts
  const problems = new Map<string, ClientProblem>()
  const underWay = new Map<string, Promise<void>>()
  const failures = createRateLimit(FAILURES, { now })

  function refuse(id: string, { problem, rule }: ClientProblem, publish: Publish): void {
    problems.delete(id)
    problems.set(id, { problem, rule })
    if (problems.size > MAX_PROBLEMS) problems.delete(problems.keys().next().value!)
    publish({ type: 'client_document.refused', client_id: id, description: problem, rule })
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
    const failed = (problem: ClientProblem) => {
      failures.count(host)
      refuse(id, problem, publish)
    }
    let answer: Awaited<ReturnType<FetchDocument>>
    try {
      answer = await fetchDocument(id, 'application/json', 'metadata')
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown'
      const problem = `its document cannot be fetched: ${message}`
      if (error instanceof FetchFailure && error.kind === 'busy') return refuseBusy(id, problem, publish)
      return failed({ problem, rule: failureRule(error) })
    }
    const judged = judgeDocument(id, answer)
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
    const joined = underWay.get(id)
    if (joined !== undefined) return joined
    const fetching = fetchNow(id, publish).finally(() => underWay.delete(id))
    underWay.set(id, fetching)
    return fetching
  }

  return {
    client: clients.client,
    clients: clients.clients,
    async prepare(http, publish) {
      await Promise.all(namedClients(http).map(id => know(id, publish)))
    },
    problem: id => addressProblem(id) ?? problems.get(id),
  }
}
