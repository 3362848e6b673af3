import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { isPairwise } from '../../../protocol/oauth/client-metadata.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { parsedJson } from '../../../protocol/values.js'
import {
  type DocumentPorts,
  documentKind,
  documentReader,
  markDependent,
  UNREADABLE,
} from '../client-documents/fetch-failure.js'
import type { Publish } from '../events.js'

/**
 * Checks that the document at a client's sector_identifier_uri lists all of its redirect_uris. Otherwise any client could
 * name the sector of another one, and learn who its users are (OpenID Connect Core §8.1).
 * @param fresh true for a registration: the document is fetched, whatever is known of it
 * @throws OAuthError `unauthorized_client`
 */
export type CheckSector = (client: Client, publish: Publish, fresh?: boolean) => Promise<void>

/** Pause after a failed fetch, in milliseconds. */
const PAUSE = 10_000

/** How long a document counts, in milliseconds. A sector may lose an address. */
const MAX_AGE = 60 * 60 * 1000

/** Most documents of one host that are kept, and most bytes of their addresses. */
const LIMITS = { limit: 200, maxBytes: 1024 * 1024, lifetime: MAX_AGE }

const RULE = 'OpenID Connect Core §8.1'

/** The addresses of a sector, or the problem of its document. */
type Sector = { readonly addresses: ReadonlySet<unknown> } | { readonly problem: typeof UNREADABLE }

const missingIn = (sector: Sector, uris: readonly string[]): string | undefined =>
  'problem' in sector ? undefined : uris.find(each => !sector.addresses.has(each))

/** @throws Error for a text that is no list (OpenID Connect Registration §5) */
function readSector(body: string): Sector {
  const document = parsedJson(body)
  if (document === undefined) throw new Error('it answered no JSON')
  if (!Array.isArray(document)) throw new Error('it answered no JSON array of addresses')
  return { addresses: new Set(document) }
}

/**
 * Makes the check of sectors. A document is fetched when a client registers or is first used, and again after an hour, or
 * where it lacks an address of a client.
 * @param ports.fetchDocument absent: no address is asked
 */
export function createSectorCheck(ports: DocumentPorts & { readonly now: () => number }): CheckSector {
  const { now } = ports
  const readDocument = documentReader(ports)
  const kept = createExpiringMap<{ readonly sector: Promise<Sector>; readonly triedAt: number }>({
    ...LIMITS,
    now,
  })

  async function fetched(client: Client, url: string, publish: Publish): Promise<Sector> {
    const about = { client_id: client.client_id, sector_identifier_uri: url }
    try {
      const address = { url, accept: 'application/json', kind: documentKind(client) }
      const sector = await readDocument(address, ({ body }) => readSector(body))
      publish({ type: 'sector_document.fetched', ...about })
      return sector
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'unknown'
      publish({ type: 'sector_document.failed', ...about, description: problem, rule: RULE })
      return { problem: UNREADABLE }
    }
  }

  async function sectorAt(client: Client, url: string, publish: Publish, fresh: boolean): Promise<Sector> {
    // A document that only a client of the lab file may name does not serve a stranger.
    const key = `${documentKind(client)} ${url}`
    const before = fresh ? undefined : kept.get(key)
    if (before !== undefined) {
      const age = Math.abs(now() - before.triedAt)
      if (age < PAUSE) return before.sector
      const known = await before.sector
      const serves = 'addresses' in known && missingIn(known, client.redirect_uris) === undefined
      if (age < MAX_AGE && serves) return known
    }
    const sector = fetched(client, url, publish)
    kept.set(key, { sector, triedAt: now() }, new URL(url).host)
    return sector
  }

  return async (client, publish, fresh = false) => {
    const { sector_identifier_uri: url, redirect_uris: uris } = client
    if (url === undefined || !isPairwise(client)) return
    markDependent(publish)
    const sector = await sectorAt(client, url, publish, fresh)
    if ('problem' in sector) {
      throw refused(`the document at the client's sector_identifier_uri: ${sector.problem}`, url)
    }
    const missing = missingIn(sector, uris)
    if (missing === undefined) return
    throw refused('a redirect_uri of the client is not in the document at its sector_identifier_uri', missing)
  }
}

function refused(description: string, evidence: string): OAuthError<'unauthorized_client'> {
  return new OAuthError('unauthorized_client', { description, rule: RULE, evidence })
}
