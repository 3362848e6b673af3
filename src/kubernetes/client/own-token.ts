import { decodeJwt, TokenFormatError } from '../../tokens/decode.js'
import type { ClusterAccess } from './access.js'
import { readServiceAccountToken, type ServiceAccountToken } from './service-account-token.js'
import { LEEWAY } from './timeline.js'

/** The caller's own token, where it is one of a service account. */
function ownToken({ credential }: ClusterAccess): ServiceAccountToken | undefined {
  if (credential.kind !== 'bearer') return undefined
  try {
    return readServiceAccountToken(decodeJwt(credential.token))
  } catch (error) {
    if (error instanceof TokenFormatError) return undefined
    throw error
  }
}

/** Words that need no quotes in a shell. */
const PLAIN = /^[\w:/.@-]+$/

/** The command for a token with these audiences; nothing where one of its words would have to be quoted. */
function mint({ account, namespace }: ServiceAccountToken, audiences: readonly string[]): string[] {
  const words = [account.name, '-n', namespace, ...audiences.flatMap(each => ['--audience', each])]
  return words.every(each => PLAIN.test(each)) ? [`oauth-lab k8s token ${words.join(' ')}`] : []
}

/**
 * Reasons in the caller's own token for a 401 of an API server. The server itself gives the reason only in its log.
 * @param now milliseconds since the epoch
 * @returns nothing when the token shows no reason
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
