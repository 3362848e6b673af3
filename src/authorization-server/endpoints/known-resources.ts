import type { Publish } from '../events.js'
import { unknownResources } from '../parameters/resources.js'
import type { AuthorizationServerSettings, FindTrustedResources } from '../settings.js'

/**
 * Returns the resources that tokens are issued for in answer to one request: the registered ones, and those that the
 * request names and whose own metadata trusts this server.
 * @param named the values of `resource`, and of `audience` in a token exchange
 */
export type FindKnownResources = (
  named: readonly string[],
  publish: Publish,
) => Promise<AuthorizationServerSettings['resources']>

/** @param findTrusted absent: the registered resources alone are known */
export function createFindKnownResources(
  settings: AuthorizationServerSettings,
  findTrusted: FindTrustedResources | undefined,
): FindKnownResources {
  return async (named, publish) => {
    const { resources } = settings
    if (resources === 'any' || findTrusted === undefined) return resources
    const unknown = unknownResources(named, settings)
    return unknown.length === 0 ? resources : [...resources, ...(await findTrusted(unknown, publish))]
  }
}
