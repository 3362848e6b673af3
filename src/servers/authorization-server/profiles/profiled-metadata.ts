import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import type { Profile } from './profile.js'

/** The members of the metadata that list algorithms of signatures. */
const ALGORITHMS = /_signing_alg_values_supported$/
const AUTH_METHODS = /_auth_methods_supported$/

/** Returns the metadata as a profile narrows it, so that it lists only what its server accepts. */
export function profiledMetadata(
  metadata: AuthorizationServerMetadata,
  { algorithms, authMethods, refusedGrants, responseTypes, challengeMethods, demands }: Profile,
): AuthorizationServerMetadata {
  const narrowed = (name: string, value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const keep = (allowed: readonly string[] | undefined) =>
      allowed === undefined ? value : value.filter(each => allowed.includes(each))
    if (ALGORITHMS.test(name)) return keep(algorithms)
    if (AUTH_METHODS.test(name)) return keep(authMethods)
    if (name === 'response_types_supported') return keep(responseTypes)
    if (name === 'grant_types_supported') return value.filter(each => !refusedGrants.includes(each))
    if (name === 'code_challenge_methods_supported') return keep(challengeMethods)
    return value
  }
  const entries = Object.entries(metadata).map(([name, value]) => [name, narrowed(name, value)])
  return {
    ...(Object.fromEntries(entries) as AuthorizationServerMetadata),
    ...(demands.pushed && { require_pushed_authorization_requests: true }),
  }
}
