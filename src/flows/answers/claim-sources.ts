import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { mediaType, splitUrl } from '../../protocol/http/message.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import { discoverIssuer } from '../metadata/discovery.js'
import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { PlannedStep } from '../step.js'
import { resourceRequest } from '../steps/resource-step.js'
import { get, type Steps, type Walk } from '../walk.js'
import { CLOCK_LEEWAY, readKeys } from './verify-tokens.js'

const RULE = 'OpenID Connect Core §5.6.2'

const MOST_SOURCES = 5
/** Most claims of one source that are shown, and the most characters of a value. */
const MOST_CLAIMS = 10
const MOST_CHARACTERS = 60

/** A source of claims of another party: its claims in a JWT, or the address to fetch the JWT from. */
export interface ClaimSource {
  /** The names of the claims that the provider says come from here. */
  readonly names: readonly string[]
  readonly jwt?: string
  readonly endpoint?: string
  readonly accessToken?: string
}

/** Reads `_claim_names` and `_claim_sources`. A source without claims, and claims without a source, are left out. */
export function claimSources({
  _claim_names: names,
  _claim_sources: sources,
}: JsonObject): readonly ClaimSource[] {
  if (!isJsonObject(names) || !isJsonObject(sources)) return []
  const entries = Object.entries(names)
  return Object.entries(sources)
    .slice(0, MOST_SOURCES)
    .flatMap(([id, source]) => {
      const own = entries.filter(([, from]) => from === id).map(([name]) => name)
      if (!isJsonObject(source) || own.length === 0) return []
      const { JWT: jwt, endpoint, access_token: token } = source
      const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
      return [defined({ names: own, jwt: text(jwt), endpoint: text(endpoint), accessToken: text(token) })]
    })
}

function isAskable(url: string): boolean {
  if (!isUrl(url)) return false
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && username === '' && password === ''
}

function planned(source: ClaimSource): Omit<PlannedStep, 'name'> {
  const path =
    source.endpoint !== undefined && isAskable(source.endpoint) ? splitUrl(source.endpoint).path : ''
  return {
    from: 'client',
    to: source.jwt === undefined ? 'resource_server' : 'client',
    title: source.jwt === undefined ? `GET ${path || 'claims'}` : 'verify aggregated claims',
    rfc: RULE,
    why: 'Another party makes these claims: the client verifies them with the keys of that party, and not with those of the login.',
  }
}

interface SourceResult {
  readonly exchange?: Exchange
  readonly checks: readonly Check[]
  readonly note: string
}

interface Known {
  readonly options: Pick<FlowOptions, 'metadata' | 'clientId'>
  readonly published: JwkSet | undefined
}

/** Fetches, verifies and shows the claims of other parties. The login is good without them, so this refuses nothing. */
export async function* readClaimSources(
  walk: Walk,
  ports: Pick<FlowPorts, 'now' | 'send' | 'signal'>,
  said: JsonObject,
  known: Known,
): Steps<void> {
  for (const source of claimSources(said)) {
    const result = await readSource(walk, ports, source, known)
    yield { ...walk.step('userinfo_request', result), ...planned(source), name: 'claims_request' }
  }
}

async function readSource(
  walk: Walk,
  ports: Pick<FlowPorts, 'now' | 'send' | 'signal'>,
  source: ClaimSource,
  known: Known,
): Promise<SourceResult> {
  const unusable = (why: string, exchange?: Exchange): SourceResult =>
    defined({
      exchange,
      checks: [advice('claims_source', false, RULE, why)],
      note: `${source.names.slice(0, MOST_CLAIMS).join(', ')} not used`,
    })
  if (source.jwt !== undefined) return verified(source.jwt)
  if (source.endpoint === undefined) return unusable('it has neither JWT nor endpoint')
  if (!isAskable(source.endpoint)) return unusable('its endpoint is no https address')
  const exchange = await answered(
    ports.signal,
    walk.send(resourceRequest(source.endpoint, source.accessToken)),
  )
  if (exchange === undefined) return unusable('its endpoint does not answer')
  const { response } = exchange
  if (response?.status !== 200) return unusable(`the endpoint answered ${response?.status}`, exchange)
  if (mediaType(response) !== 'application/jwt') {
    return unusable('the endpoint answered another type than application/jwt', exchange)
  }
  return verified(response.body.trim(), exchange)

  async function verified(jwt: string, answer?: Exchange): Promise<SourceResult> {
    const decoded = decodeIfJwt(jwt)
    const { iss, aud } = decoded?.claims ?? {}
    if (decoded === undefined) return unusable('the claims are no signed JWT', answer)
    if (typeof iss !== 'string') return unusable('the claims name no issuer', answer)
    let keys: JwkSet | undefined
    try {
      keys = await keysOf(walk, ports, iss, known)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return unusable(`the keys of ${iss.slice(0, 100)} cannot be read: ${error.description}`, answer)
    }
    if (keys === undefined) return unusable(`${iss.slice(0, 100)} publishes no keys`, answer)
    const expected = { issuer: iss, now: ports.now(), mayLackExp: true, tolerance: CLOCK_LEEWAY }
    const audience = aud === undefined ? undefined : known.options.clientId
    const { checks } = await verifyJwt(jwt, { kind: 'jwks', jwks: keys }, defined({ ...expected, audience }))
    const shown = checks.map(each => (each.ok ? each : { ...each, advice: true as const }))
    const failed = checks.find(each => !each.ok)
    if (failed !== undefined) {
      const { checks: more, note } = unusable(`the ${failed.name} of its claims is not good`)
      return defined({ exchange: answer, checks: [...shown, ...more], note })
    }
    const { claims } = decoded
    const said = source.names
      .filter(name => Object.hasOwn(claims, name))
      .slice(0, MOST_CLAIMS)
      .map(name => `${name}=${String(JSON.stringify(claims[name])).slice(0, MOST_CHARACTERS)}`)
    if (said.length === 0) return unusable('it makes none of the claims that it was named for', answer)
    return defined({ exchange: answer, checks: shown, note: `${said.join(', ')}, verified, by ${iss}` })
  }
}

/** @throws OAuthError when the metadata or the keys of a claims provider cannot be read */
async function keysOf(
  walk: Walk,
  { send, signal }: Pick<FlowPorts, 'send' | 'signal'>,
  issuer: string,
  { options: { metadata }, published }: Known,
): Promise<JwkSet | undefined> {
  if (issuer === metadata.issuer) return published
  if (!isAskable(issuer)) {
    throw new OAuthError('invalid_metadata', { description: 'it is no https address', rule: RULE })
  }
  const found = await discoverIssuer(issuer, send, signal)
  if (found.error instanceof OAuthError) throw found.error
  if (found.error !== undefined) {
    throw new OAuthError('no_response', { description: 'it does not answer', rule: RULE })
  }
  const address = found.metadata?.jwks_uri
  if (address === undefined) return undefined
  const exchange = await answered(signal, walk.send(get(address)))
  if (exchange !== undefined) return readKeys(exchange)
  throw new OAuthError('no_response', { description: 'the address of its keys does not answer', rule: RULE })
}

async function answered(signal: AbortSignal, sending: Promise<Exchange>): Promise<Exchange | undefined> {
  try {
    return await sending
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}
