import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { isConfidential } from '../../oauth/client.js'
import type { Binding, Entitlement } from '../model.js'
import { createExpiringMap } from './expiring-map.js'
import type { Family } from './issued-tokens.js'

/** The authorization of a user, which a refresh token stands for until it ends. */
export interface Authorization {
  readonly client_id: string
  readonly username: string
  /** All that was granted; one access token may get less. */
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  /** Of the login behind it: milliseconds since the epoch. */
  readonly loginAt: number
  readonly family: Family
  /** The key that every use must prove to hold; only refresh tokens of public clients have one (RFC 9449 §5). */
  readonly binding: Binding
}

/** The state of a refresh token. `rotated`: it was used before. */
export interface FoundRefreshToken {
  readonly state: 'valid' | 'rotated' | 'expired' | 'revoked'
  readonly authorization: Authorization
  /** Milliseconds since the epoch; of the latest token of its line. */
  readonly issuedAt: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Refresh tokens in memory. */
export interface RefreshTokens {
  /**
   * Issues the first token of an authorization. Returns undefined for a client that is not registered for
   * refresh_token.
   * @param loginAt when the user logged in, in milliseconds since the epoch
   */
  issueFor(entitlement: Entitlement, loginAt: number): string | undefined
  find(token: string): FoundRefreshToken | undefined
  /**
   * Replaces a valid token.
   * @param entitlement binds the new token, where the client is public and the old token was bound to nothing
   */
  rotate(token: string, entitlement: Pick<Entitlement, 'client' | 'binding'>): string
  readonly size: number
}

/** Largest number of remembered authorizations. */
export const MAX_AUTHORIZATIONS = 100_000

interface Line {
  readonly authorization: Authorization
  /** How often it was rotated. */
  readonly turn: number
  readonly issuedAt: number
}

const ID_BYTES = 18
const TURN_BYTES = 4
const MAC_BYTES = 32
/** Without rest in base64url, so that no two texts are the same token. */
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${((ID_BYTES + TURN_BYTES + MAC_BYTES) * 4) / 3}}$`)

/**
 * A token is the random id of its line, its turn in the line, and a MAC over both. So every old token is recognised,
 * however often its line was rotated, while only one record for each line is kept.
 * @param options.lifetime of one token in milliseconds; each rotation restarts it
 */
export function createRefreshTokens(options: {
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): RefreshTokens {
  const { lifetime, now, random } = options
  const lines = createExpiringMap<Line>({ lifetime, limit: MAX_AUTHORIZATIONS, now })
  const key = createSecretKey(random(32))

  const hmac = (data: Uint8Array) => createHmac('sha256', key).update(data).digest()

  /** The turn, hidden by what only this server can make of the id: nobody need see how often a line was used. */
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

  function keep(id: string, authorization: Authorization, turn: number): string {
    lines.set(id, { authorization, turn, issuedAt: now() })
    return write(id, turn)
  }

  function locate(token: string) {
    const found = read(token)
    const line = found && lines.get(found.id)
    return found && line && { ...found, line }
  }

  /** A refresh token of a confidential client is bound to its credentials, and needs no key (RFC 9449 §5). */
  const bindingFor = ({ client, binding }: Pick<Entitlement, 'client' | 'binding'>): Binding =>
    isConfidential(client) ? { kind: 'bearer' } : binding

  return {
    issueFor(entitlement, loginAt) {
      const { client, subject, scope, resources, family } = entitlement
      if (!client.grant_types.includes('refresh_token')) return undefined
      const id = Buffer.from(random(ID_BYTES)).toString('base64url')
      const authorization: Authorization = {
        client_id: client.client_id,
        username: subject,
        scope,
        resources,
        loginAt,
        family,
        binding: bindingFor(entitlement),
      }
      return keep(id, authorization, 0)
    },
    find(token) {
      const found = locate(token)
      if (found === undefined) return undefined
      const { authorization, turn, issuedAt } = found.line
      const expiresAt = issuedAt + lifetime
      const state = authorization.family.revoked
        ? 'revoked'
        : found.turn !== turn
          ? 'rotated'
          : now() >= expiresAt
            ? 'expired'
            : 'valid'
      return { state, authorization, issuedAt, expiresAt }
    },
    rotate(token, entitlement) {
      const found = locate(token)
      if (found === undefined) throw new Error('only a token that was found can be rotated')
      const { authorization, turn } = found.line
      const next =
        authorization.binding.kind === 'bearer'
          ? { ...authorization, binding: bindingFor(entitlement) }
          : authorization
      return keep(found.id, next, turn + 1)
    },
    get size() {
      return lines.size
    },
  }
}
