import { decodeJwt, TokenFormatError } from '../../../protocol/tokens/decode.js'
import type { ClusterAccess } from './access.js'
import { mintCommand } from './mint-command.js'
import { readServiceAccountToken, type ServiceAccountToken } from './service-account-token.js'
import { LEEWAY } from './timeline.js'

/** Returns the caller's own token when it belongs to a service account. */
function ownToken({ credential }: ClusterAccess): ServiceAccountToken | undefined {
  if (credential.kind !== 'bearer') return undefined
  try {
    return readServiceAccountToken(decodeJwt(credential.token))
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}

/** An argument that needs no quotes in a shell. */
const PLAIN = /^[\w:/.@-]+$/

/** Returns the command for a token with these audiences. Returns no line when an argument would need quotes. */
function mint(token: ServiceAccountToken, audiences: readonly string[]): string[] {
  const words = mintCommand(token, audiences, { bound: false })
  return words.every(each => PLAIN.test(each)) ? [words.join(' ')] : []
}

/**
 * Finds the reason of a 401 in the caller's own token. The API server writes the reason only to its log.
 * @param now milliseconds since the epoch
 * @returns no lines when the token shows no reason
 */
export function ownTokenHints(access: ClusterAccess, now: number): string[] {
  const token = ownToken(access)
  if (token === undefined) return []
  const { audiences, issuer, expires } = token
  if (expires !== undefined && now > (expires + LEEWAY) * 1000) {
    const at = new Date(expires * 1000)
    const when = Number.isNaN(at.getTime()) ? '' : ` at ${at.toISOString()}`
    return [`It expired${when}: a file that the kubelet keeps has to be read again before each use.`]
  }
  if (issuer === undefined || audiences.length === 0 || audiences.includes(issuer)) return []
  return [
    `Its audience is ${audiences.join(', ')}; an API server accepts its own ones, usually ${issuer}. For both:`,
    ...mint(token, [...audiences, issuer]).map(each => `  ${each}`),
  ]
}
