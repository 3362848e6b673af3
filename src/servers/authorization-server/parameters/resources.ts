import { isUrl } from '../../../protocol/http/address.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { sameResource } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { Publish } from '../events.js'
import type { AuthorizationServerSettings, FindTrustedResources } from '../settings.js'

const MAX_RESOURCES = 20
const MAX_LENGTH = 2048

/** The settings that known resources are made from, as those of the server have them. */
interface ResourceSettings {
  readonly issuer: string
  readonly resources: 'any' | readonly string[]
  readonly protectedResources: () => readonly string[]
  readonly namedResources?: (() => readonly string[]) | undefined
}

/** Returns the settings for one request: few members, because a copy of all settings costs as much as the rest of a decision. */
export function resourceSettings(
  { issuer, protectedResources, namedResources }: ResourceSettings,
  { resources }: Pick<ResourceSettings, 'resources'>,
): ResourceSettings {
  return { issuer, resources, protectedResources, namedResources }
}

/**
 * Returns the registered identifier that names the same resource as `resource`; undefined for an unknown one. Known are
 * the resources of this server, and the registered ones.
 */
export function knownResource(resource: string, settings: ResourceSettings): string | undefined {
  const { issuer, resources, protectedResources, namedResources } = settings
  if (resources === 'any') return resource
  const own = [issuer, `${issuer}/userinfo`, ...protectedResources(), ...(namedResources?.() ?? [])]
  const known = [...own, ...resources]
  return known.find(each => sameResource(each, resource))
}

/** Returns the named resources that are absolute URIs and unknown, without duplicates: at most as many as a request may name. */
function unknownResources(named: readonly string[], settings: ResourceSettings): readonly string[] {
  const unknown = [...new Set(named)].filter(
    each => resourceProblem(each) === undefined && knownResource(each, settings) === undefined,
  )
  return unknown.slice(0, MAX_RESOURCES)
}

/** Returns the values of `resource` in a request. The parameter may repeat (RFC 8707 §2). */
export function namedResources(pairs: FormPairs): readonly string[] {
  return pairs.filter(([name, value]) => name === 'resource' && value !== '').map(([, value]) => value)
}

/**
 * Reads the resources that a request names, without duplicates, in order, each as it is registered (RFC 8707 §2).
 * @throws OAuthError `invalid_target` for a resource that is unknown, is not an absolute URI, or has a fragment
 */
export function readResources(pairs: FormPairs, settings: ResourceSettings): readonly string[] {
  const resources = [...new Set(namedResources(pairs))]
  if (resources.length > MAX_RESOURCES) throw invalidTarget(`more than ${MAX_RESOURCES} resources are named`)
  const registered = resources.map(resource => {
    const problem = resourceProblem(resource)
    if (problem !== undefined) throw invalidTarget(`resource is refused: ${problem}`, resource)
    const found = knownResource(resource, settings)
    if (found !== undefined) return found
    throw invalidTarget('resource is not known to this server', resource)
  })
  return [...new Set(registered)]
}

/**
 * Returns the resources of one access token: those of the token request, or else all that were authorized.
 * @param authorized the resources of an earlier authorization, which the request may narrow; absent: no earlier
 * authorization sets a limit
 * @throws OAuthError `invalid_target` for a resource that was not authorized (RFC 8707 §2.2)
 */
export function narrowedResources(
  named: readonly string[],
  authorized?: readonly string[],
): readonly string[] {
  if (authorized === undefined) return named
  if (named.length === 0) return authorized
  const narrowed = named.map(resource => {
    const found = authorized.find(each => sameResource(each, resource))
    if (found !== undefined) return found
    const none = authorized.length === 0 ? '; the authorization request named none' : ''
    throw invalidTarget(`resource is not one that was authorized${none}`, resource, 'RFC 8707 §2.2')
  })
  return narrowed
}

function resourceProblem(resource: string): string | undefined {
  if (resource.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  if (resource.includes('#')) return 'it has a fragment'
  // The characters of a URI (RFC 3986 §2) and its absolute form (§4.3).
  const absolute =
    /^[a-z][a-z0-9+.-]*:(?:[\x21\x24\x26-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]|%[0-9a-f]{2})+$/i
  return absolute.test(resource) && isUrl(resource) ? undefined : 'it is not an absolute URI'
}

function invalidTarget(
  description: string,
  evidence?: string,
  rule: Citation = 'RFC 8707 §2',
): OAuthError<'invalid_target'> {
  return new OAuthError('invalid_target', { description, rule, evidence })
}

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
