import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import { explainToken, lintNow } from '../../../protocol/tokens/explain.js'
import { readServiceAccountToken } from './service-account-token.js'
import { timeline } from './timeline.js'

function isoTime(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

/**
 * Returns the object that `k8s inspect --json` prints for a token.
 * @param now milliseconds since the epoch
 */
export function cardJson(jwt: DecodedJwt, now: number): object {
  const { header, claims, parts } = jwt
  const token = readServiceAccountToken(jwt)
  const { lint, unit } = explainToken(jwt)
  const account = token && {
    service_account: { namespace: token.namespace, ...token.account },
    ...(token.boundTo && { bound_to: token.boundTo }),
    ...(token.node && { node: token.node }),
    audiences: token.audiences,
    timeline: timeline(token).map(({ name, at, meaning }) => ({ name, at: isoTime(at), meaning })),
  }
  return {
    header,
    claims,
    ...account,
    lint: [...lint, ...lintNow(claims, { now, unit })],
    bytes: Buffer.byteLength(parts.join('.')),
  }
}
