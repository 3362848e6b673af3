import type { Send } from '../../protocol/http/exchange.js'
import { splitUrl } from '../../protocol/http/message.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { discoverIssuer } from '../metadata/discovery.js'
import { failedCheck } from '../outcome.js'
import type { FlowPorts } from '../ports.js'
import { get, type Steps, type Walk } from '../walk.js'
import { metadataPlaces } from './metadata-places.js'
import type { McpOptions } from './options.js'
import { type ResourceDocument, readResourceDocument } from './resource-document.js'
import { type MetadataWay, type Revision, RULES } from './revisions.js'

/** Returns the addresses of the metadata of an issuer, in the order of a revision, each once. */
export function issuerMetadataUrls(issuer: string, order: readonly MetadataWay[]): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const urls: Readonly<Record<MetadataWay, string>> = {
    'oauth-inserted': `${origin}/.well-known/oauth-authorization-server${path}`,
    'openid-inserted': `${origin}/.well-known/openid-configuration${path}`,
    'openid-appended': `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  }
  return [...new Set(order.map(way => urls[way]))]
}

/** The addresses of a server without metadata, at the origin of the MCP server (MCP 2025-03-26 Authorization §2.4). */
function defaultMetadata(origin: string): PublishedMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  }
}

export async function* findResource(
  walk: Walk,
  { url }: Pick<McpOptions, 'url'>,
  named: string | undefined,
): Steps<ResourceDocument> {
  const places = metadataPlaces(url, named)
  const name = 'resource_metadata_request'
  let refusal: unknown
  for (const [i, place] of places.entries()) {
    const exchange = await walk.send(get(place.url))
    const last = i + 1 === places.length
    try {
      const document = readResourceDocument(exchange, url, place)
      yield walk.step(name, {
        exchange,
        checks: document.checks,
        note: `trusts ${document.issuers.join(', ')}`,
      })
      return document
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      // A document about another server ends the search; a missing document does not.
      if (last || error.code === 'resource_mismatch') {
        yield walk.step(name, {
          exchange,
          checks: [failedCheck(error, 'resource_metadata')],
          note: error.description,
        })
        throw refusal ?? error
      }
      refusal ??= error
      yield walk.step(name, {
        exchange,
        note: `${error.description}; the next place is asked`,
        repeats: true,
      })
    }
  }
  throw refusal
}

/** The issuer of the given client, else the first that the MCP server names. @throws OAuthError for another issuer */
export function chooseIssuer(
  { issuers }: Pick<ResourceDocument, 'issuers'>,
  { given }: Pick<McpOptions, 'given'>,
): string {
  const wanted = given?.issuer
  if (wanted === undefined) return issuers[0]!
  if (issuers.includes(wanted)) return wanted
  throw new OAuthError('issuer_mismatch', {
    description: `the client is registered at ${wanted}, and the MCP server trusts ${issuers.join(', ')}`,
    rule: 'MCP 2026-07-28 Registration §4',
    hints: ['name a client of that server, or leave --client-id and --issuer out'],
  })
}

interface Stop {
  readonly check: Check
  readonly error: OAuthError
}

/** MCP 2026-07-28 Security §4. */
function withoutPkce({ code_challenge_methods_supported: methods }: PublishedMetadata): Stop | undefined {
  if (methods?.includes('S256')) return undefined
  const rule = 'MCP 2026-07-28 Security §4'
  const found = methods === undefined ? 'code_challenge_methods_supported is missing' : methods.join(', ')
  const description = 'the authorization server does not announce PKCE with S256, so the client stops'
  return {
    check: check('pkce', false, rule, `${found}: the client stops`),
    error: new OAuthError('no_pkce', { description, rule }),
  }
}

/** Nothing is registered at a server without an endpoint of the grant. */
function withoutEndpoint(
  metadata: PublishedMetadata,
  unusable: readonly string[],
  isCode: boolean,
): Stop | undefined {
  const missing = (['authorization_endpoint', 'token_endpoint'] as const).find(
    name => metadata[name] === undefined && (isCode || name === 'token_endpoint'),
  )
  if (missing === undefined) return undefined
  const rule = 'RFC 8414 §2'
  const description = unusable.find(each => each.startsWith(`${missing} `)) ?? `${missing} is missing`
  return {
    check: check(missing, false, rule, description),
    error: new OAuthError('invalid_metadata', { description, rule }),
  }
}

/** The first revision wants its name in requests for metadata (MCP 2025-03-26 Authorization §2.4). */
function withRevision(send: Send, revision: Revision): Send {
  if (RULES[revision].versionHeader) return send
  return (request, options) =>
    send({ ...request, headers: [...request.headers, ['mcp-protocol-version', revision]] }, options)
}

/** Fetches the metadata of the issuer, in the order of the revision. */
export async function* findIssuer(
  walk: Walk,
  ports: Pick<FlowPorts, 'send' | 'signal'>,
  { url, grant }: Pick<McpOptions, 'url' | 'grant'>,
  { issuer, revision }: { readonly issuer: string; readonly revision: Revision },
): Steps<PublishedMetadata> {
  const rules = RULES[revision]
  const urls = issuerMetadataUrls(issuer, rules.discovery)
  const {
    steps,
    metadata,
    unusable = [],
    error,
  } = await discoverIssuer(issuer, withRevision(ports.send, revision), ports.signal, urls)
  const fallback = rules.defaultEndpoints && error instanceof OAuthError && error.code !== 'issuer_mismatch'
  const found = metadata ?? (fallback ? defaultMetadata(splitUrl(url).origin) : undefined)
  const isCode = grant === 'authorization_code'
  const stop =
    metadata &&
    ((isCode && rules.pkceAnnounced ? withoutPkce(metadata) : undefined) ??
      withoutEndpoint(metadata, unusable, isCode))
  for (const [i, { exchange, checks = [], note, repeats }] of steps.entries()) {
    const last = i + 1 === steps.length
    // Discovery remarks on PKCE too, as advice.
    const others = checks.filter(({ name }) => name !== stop?.check.name)
    const shown =
      last && fallback
        ? { exchange, checks: [], note: 'no metadata: the default addresses of this revision are used' }
        : { exchange, checks: last && stop ? [...others, stop.check] : checks, note, repeats }
    yield walk.step('discovery_request', defined(shown))
  }
  if (found === undefined) throw error
  if (stop === undefined) return found
  throw stop.error
}
