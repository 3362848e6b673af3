import { sameResource } from '../../../protocol/oauth/scope.js'
import type { Publish } from '../events.js'
import { unknownResources } from '../parameters/resources.js'
import type { AuthorizationServerSettings, FindTrustedResources } from '../settings.js'

/** The resources that tokens are issued for in answer to one request, and the scopes that they need. */
export type KnownResources = Pick<AuthorizationServerSettings, 'resources' | 'resourceScopes'>

/**
 * Returns the resources of one request: the registered ones, and those that the request names and whose own metadata trusts
 * this server.
 * @param named the values of `resource`, and of `audience` in a token exchange
 */
export type FindKnownResources = (named: readonly string[], publish: Publish) => Promise<KnownResources>

/** @param findTrusted absent: the registered resources alone are known */
export function createFindKnownResources(
  settings: AuthorizationServerSettings,
  findTrusted: FindTrustedResources | undefined,
): FindKnownResources {
  return async (named, publish) => {
    const { resources, resourceScopes = () => [] } = settings
    if (resources === 'any' || findTrusted === undefined) return { resources, resourceScopes }
    const unknown = unknownResources(named, settings)
    if (unknown.length === 0) return { resources, resourceScopes }
    const trusted = await findTrusted(unknown, publish)
    return {
      resources: [...resources, ...trusted.map(({ resource }) => resource)],
      resourceScopes(resource) {
        const found = trusted.find(each => sameResource(each.resource, resource))
        return found?.scopes ?? resourceScopes(resource)
      },
    }
  }
}
