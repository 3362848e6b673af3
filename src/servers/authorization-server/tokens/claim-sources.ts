import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { cut } from '../../../protocol/events.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { challenge, parseBearer } from '../../../protocol/oauth/bearer.js'
import { errorParameters, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import { type Context, refusal } from '../events.js'
import type { BaseParts } from '../parts.js'
import { claimsNamed } from './user-claims.js'

type Claims = Readonly<Record<string, unknown>>

/**
 * Claims that come from a claims provider (OpenID Connect Core §5.6.2). The lab is the provider of its own users: it signs
 * aggregated claims, and gives out distributed claims at an endpoint.
 */
export interface ClaimSources {
  /** Moves the claims of a user that have a claim type into `_claim_names` and `_claim_sources`. Others stay. */
  move(username: string, claims: Claims): Promise<Claims>
  readonly route: Route
}

/** Lifetime of the tokens for distributed claims, in milliseconds. */
const LIFETIME = 5 * 60_000
const LIMITS = { limit: 10_000, maxBytes: 8 * 1024 * 1024, lifetime: LIFETIME }
const TOKEN_BYTES = 32

const PATH = '/claims'

/** Makes the claims provider of a lab. */
export function createClaimSources({ issuer, now, random, keyring, registry }: BaseParts): ClaimSources {
  /** The tokens say nothing about the user: a client with pairwise subjects reads them too. */
  const tokens = createExpiringMap<{
    readonly username: string
    readonly names: readonly string[]
    readonly until: number
  }>({
    ...LIMITS,
    now,
  })

  /** Signs claims as their provider. There is no `sub`: the user has no other identifier here. */
  async function statement(claims: Claims): Promise<string> {
    const iat = Math.floor(now() / 1000)
    return signJwt({ ...claims, iss: issuer, iat, exp: iat + LIFETIME / 1000 }, keyring.current())
  }

  async function move(username: string, claims: Claims): Promise<Claims> {
    const user = registry.user(username)
    const types = user?.claim_types ?? {}
    const named = (type: string) =>
      Object.keys(claims).filter(name => Object.hasOwn(types, name) && types[name] === type)
    const [aggregated, distributed] = [named('aggregated'), named('distributed')]
    const moved = new Set([...aggregated, ...distributed])
    // Nobody else can verify what a shared secret signs.
    if (moved.size === 0 || keyring.current().alg === 'HS256') return claims
    const names: Record<string, string> = {}
    const sources: Record<string, object> = {}
    if (aggregated.length > 0) {
      for (const name of aggregated) names[name] = 'aggregated'
      sources.aggregated = { JWT: await statement(claimsNamed(user, aggregated)) }
    }
    if (distributed.length > 0) {
      for (const name of distributed) names[name] = 'distributed'
      const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url')
      tokens.set(token, { username, names: distributed, until: now() + LIFETIME }, username)
      sources.distributed = { endpoint: `${issuer}${PATH}`, access_token: token }
    }
    const normal = Object.entries(claims).filter(([name]) => !moved.has(name))
    return { ...Object.fromEntries(normal), _claim_names: names, _claim_sources: sources }
  }

  async function answer(http: HttpRequest, { publish }: Context): Promise<HttpResponse> {
    const presented = parseBearer(headerValues(http, 'authorization'))
    const kept = presented.kind === 'bearer' ? tokens.get(presented.token) : undefined
    const found = kept !== undefined && now() < kept.until ? kept : undefined
    const user = found && registry.user(found.username)
    if (presented.kind !== 'bearer' || found === undefined || user === undefined) {
      const known = presented.kind === 'none' ? 'no token was sent' : 'the token is unknown or expired'
      const error = new OAuthError('invalid_token', { description: known, rule: 'RFC 6750 §3.1' })
      publish({ type: 'claims.refused', status: 401, ...refusal(error) })
      const about = presented.kind === 'none' ? [] : errorParameters(error)
      return jsonResponse(401, Object.fromEntries(about), [
        ['www-authenticate', challenge('Bearer', [['realm', 'oauth-lab'], ...about])],
        ['cache-control', 'no-store'],
      ])
    }
    publish({
      type: 'claims.answered',
      username: found.username,
      claims: found.names,
      access_token: cut(presented.token),
    })
    const body = bytes(await statement(claimsNamed(user, found.names)))
    return {
      status: 200,
      headers: [
        ['content-type', 'application/jwt'],
        ['cache-control', 'no-store'],
      ],
      body,
    }
  }

  return { move, route: { path: PATH, methods: { GET: answer } } }
}
