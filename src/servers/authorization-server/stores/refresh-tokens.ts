import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createExpiringMap, ownerOf } from '../../../protocol/bounded-maps.js'
import { cut } from '../../../protocol/events.js'
import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import type { Publish } from '../events.js'
import { type Authentication, authenticationOf } from '../logins/authentication.js'
import type { Binding, BrowserSession, Entitlement, Family } from '../model.js'
import type { RequestedClaims } from '../parameters/claims-request.js'

/** A user's authorization of a client. Its refresh tokens give access to it until it ends. */
export interface Authorization extends Authentication {
  readonly client_id: string
  readonly username: string
  /** The whole granted scope. An access token may get less. */
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  /** Claims that the authorization request asked for one by one. */
  readonly claims?: RequestedClaims | undefined
  /** All granted authorization details. An access token may get less (RFC 9396 §6). */
  readonly details?: AuthorizationDetails | undefined
  /** The session of the browser. Absent: the user logged in without one. */
  readonly session?: BrowserSession | undefined
  /** True where a logout of the session ends the authorization. */
  readonly endsWithSession: boolean
  readonly family: Family
  /** The key that every use must prove to hold. Only refresh tokens of public clients are bound (RFC 9449 §5). */
  readonly binding: Binding
}

/** The state of a refresh token. `rotated`: the token was used before. */
export interface FoundRefreshToken {
  readonly state: 'valid' | 'rotated' | 'expired' | 'revoked'
  readonly authorization: Authorization
  /** Time of issue of the line's latest token, in milliseconds since the epoch. */
  readonly issuedAt: number
  /** End of the line's latest token, in milliseconds since the epoch. */
  readonly expiresAt: number
  /** The use that spent this token, while its successor is the latest token of the line. */
  readonly spentBy?: LatestUse | undefined
}

/** Refresh tokens in memory. */
export interface RefreshTokens {
  /**
   * Issues the first token of an authorization. Returns undefined for a client that is not registered for
   * refresh_token.
   * @param authentication the login of the user
   */
  issueFor(entitlement: Entitlement, authentication: Authentication): string | undefined
  find(token: string): FoundRefreshToken | undefined
  /**
   * Replaces a valid token.
   * @param entitlement binds the new token, if the client is public and the old token is unbound
   */
  rotate(token: string, entitlement: Pick<Entitlement, 'client' | 'binding'>): string
  /** Keeps a valid token, whose lifetime begins again. */
  renew(token: string): void
  /** Returns the latest token of the line of a token. */
  latest(token: string): string
  readonly size: number
}

/** Default for the most authorizations of a user at a client. */
const MAX_AUTHORIZATIONS = 100_000

/** Most bytes of them. */
const MAX_BYTES = 128 * 1024 * 1024

/**
 * True after the logout of a session, for an authorization without offline_access: the client ends its session, and a
 * refresh token would go on without the person (Back-Channel Logout §2.7).
 */
function endedByLogout({ session, endsWithSession }: Authorization): boolean {
  return endsWithSession && session?.ended === true
}

/** The refresh tokens of one authorization. Each rotation replaces the last token. */
interface Line {
  readonly authorization: Authorization
  readonly turn: number
  readonly issuedAt: number
  /** The key of the request that the latest token was issued for. Absent: the first token. */
  readonly by?: Binding | undefined
}

const ID_BYTES = 18
const TURN_BYTES = 4
const MAC_BYTES = 32
/** The length is a multiple of four base64url characters, so no two texts decode to the same token. */
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${((ID_BYTES + TURN_BYTES + MAC_BYTES) * 4) / 3}}$`)

/**
 * Makes the store of refresh tokens. A token consists of the random id of its line, its turn and a MAC over both. So
 * the server recognises every old token, however often its line was rotated, and stores one record for each line.
 * @param options.lifetime of one token in milliseconds; each rotation restarts it
 * @param options.limit most authorizations of a user at a client; default 100,000
 */
export function createRefreshTokens(options: {
  readonly lifetime: number
  readonly limit?: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): RefreshTokens {
  const { lifetime, limit = MAX_AUTHORIZATIONS, now, random } = options
  const lines = createExpiringMap<Line>({ lifetime, limit, maxBytes: MAX_BYTES, now })
  const key = createSecretKey(random(32))

  const hmac = (data: Uint8Array) => createHmac('sha256', key).update(data).digest()

  /** XORs the turn with a MAC of the id, so that a token does not reveal how often its line was rotated. */
  const hide = (id: Buffer, turn: number) => (turn ^ hmac(id).readUInt32BE()) >>> 0

  function write(id: string, turn: number): string {
    const head = Buffer.alloc(ID_BYTES + TURN_BYTES)
    head.write(id, 'base64url')
    head.writeUInt32BE(hide(head.subarray(0, ID_BYTES), turn), ID_BYTES)
    return Buffer.concat([head, hmac(head)]).toString('base64url')
  }

  function read(token: string): { id: string; turn: number } | undefined {
    if (!TOKEN.test(token)) return undefined
    const raw = Buffer.from(token, 'base64url')
    const head = raw.subarray(0, ID_BYTES + TURN_BYTES)
    if (!timingSafeEqual(hmac(head), raw.subarray(head.length))) return undefined
    const id = head.subarray(0, ID_BYTES)
    return { id: id.toString('base64url'), turn: hide(id, head.readUInt32BE(ID_BYTES)) }
  }

  function keep(id: string, line: Omit<Line, 'issuedAt'>): string {
    const { client_id, username } = line.authorization
    lines.set(id, { ...line, issuedAt: now() }, ownerOf(client_id, username))
    return write(id, line.turn)
  }

  function locate(token: string) {
    const found = read(token)
    const line = found && lines.get(found.id)
    return found && line && { ...found, line }
  }

  function located(token: string) {
    const found = locate(token)
    if (found === undefined) throw new Error('only a token that was found has a line')
    return found
  }

  /** A refresh token of a confidential client is bound to the client's credentials, and needs no key (RFC 9449 §5). */
  const bindingFor = ({ client, binding }: Pick<Entitlement, 'client' | 'binding'>): Binding =>
    isConfidential(client) ? { kind: 'bearer' } : binding

  return {
    issueFor(entitlement, authentication) {
      const { client, subject, scope, resources, claims, details, family, login } = entitlement
      if (!client.grant_types.includes('refresh_token')) return undefined
      const id = Buffer.from(random(ID_BYTES)).toString('base64url')
      const authorization: Authorization = {
        client_id: client.client_id,
        username: subject,
        scope,
        resources,
        claims,
        details,
        ...authenticationOf(authentication),
        session: login?.session,
        endsWithSession: client.backchannel_logout_uri !== undefined && !scope.includes('offline_access'),
        family,
        binding: bindingFor(entitlement),
      }
      return keep(id, { authorization, turn: 0 })
    },
    find(token) {
      const found = locate(token)
      if (found === undefined) return undefined
      const { authorization, turn, issuedAt, by } = found.line
      const expiresAt = issuedAt + lifetime
      const state =
        authorization.family.revoked || endedByLogout(authorization)
          ? 'revoked'
          : found.turn !== turn
            ? 'rotated'
            : now() >= expiresAt
              ? 'expired'
              : 'valid'
      const spentBy = by !== undefined && found.turn === turn - 1 ? { at: issuedAt, binding: by } : undefined
      return { state, authorization, issuedAt, expiresAt, spentBy }
    },
    rotate(token, entitlement) {
      const { id, line } = located(token)
      const { authorization, turn } = line
      const next =
        authorization.binding.kind === 'bearer'
          ? { ...authorization, binding: bindingFor(entitlement) }
          : authorization
      return keep(id, { authorization: next, turn: turn + 1, by: entitlement.binding })
    },
    renew(token) {
      const { id, line } = located(token)
      keep(id, line)
    },
    latest(token) {
      const { id, line } = located(token)
      return write(id, line.turn)
    },
    get size() {
      return lines.size
    },
  }
}

/** The use that replaced the refresh token of a line last. */
export interface LatestUse {
  readonly at: number
  /** The key or certificate of that request. */
  readonly binding: Binding
}

/** A refresh token that passed all checks, and the tokens that it is used for. */
export interface RefreshTokenUse {
  readonly token: string
  readonly entitlement: Entitlement
  readonly publish: Publish
}

/**
 * True when a refresh token is replaced at its use (RFC 9700 §4.14.2). Without rotation, nobody notices the theft of a token
 * that anyone may use, so such a token is replaced whatever the registration says.
 * @param binding of the refresh token
 */
function rotates(client: Client, binding: Binding): boolean {
  if (client.refresh_token_rotation !== 'off') return true
  return !isConfidential(client) && binding.kind === 'bearer'
}

/** Replaces a used refresh token, and returns the new one (RFC 9700 §4.14.2). Without rotation it returns the used one. */
export function rotateRefreshToken(
  refreshTokens: RefreshTokens,
  { token, entitlement, publish }: RefreshTokenUse,
): string {
  const { client, subject, scope } = entitlement
  const found = refreshTokens.find(token)
  if (found !== undefined && !rotates(client, found.authorization.binding)) {
    refreshTokens.renew(token)
    return token
  }
  const replaced = refreshTokens.rotate(token, entitlement)
  publish({
    type: 'refresh_token.rotated',
    client_id: client.client_id,
    username: subject,
    refresh_token: cut(token),
    replaced_by: cut(replaced),
    scope: formatScope(scope),
  })
  return replaced
}
