import { describable } from './oauth-error.js'

/** The content of a request's Authorization header. */
export type PresentedToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly problem: string }
  | { readonly kind: 'bearer'; readonly token: string }

/**
 * Reads `Authorization: Bearer b64token` (RFC 6750 §2.1), or the same with the scheme DPoP (RFC 9449 §7.1). The scheme
 * is case-insensitive (RFC 9110 §11.1).
 */
export function parseBearer(values: readonly string[], wanted: 'Bearer' | 'DPoP' = 'Bearer'): PresentedToken {
  if (values.length === 0) return { kind: 'none' }
  if (values.length > 1) return { kind: 'malformed', problem: 'the Authorization header is repeated' }
  const [scheme = '', ...rest] = values[0]!.trim().split(/ +/)
  if (scheme.toLowerCase() !== wanted.toLowerCase()) return { kind: 'none' }
  const token = rest[0]
  if (rest.length !== 1 || token === undefined || !/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) {
    return { kind: 'malformed', problem: `${wanted} must be followed by one token` }
  }
  return { kind: 'bearer', token }
}

/** Writes a WWW-Authenticate value (RFC 6750 §3), without parameters whose value is undefined. */
export function challenge(
  scheme: string,
  parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): string {
  const written = parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${describable(value ?? '')}"`)
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}
