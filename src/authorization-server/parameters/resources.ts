import type { FormPairs } from '../../http/form.js'
import { OAuthError } from '../../oauth/oauth-error.js'

const MAX_RESOURCES = 20
const MAX_LENGTH = 2048

/**
 * Reads the resources that a request names, without duplicates, in order. The parameter may repeat (RFC 8707 §2).
 * @throws OAuthError `invalid_target` for a resource that is not an absolute URI, or has a fragment
 */
export function readResources(pairs: FormPairs): readonly string[] {
  const named = pairs.filter(([name, value]) => name === 'resource' && value !== '').map(([, value]) => value)
  const resources = [...new Set(named)]
  if (resources.length > MAX_RESOURCES) throw invalidTarget(`more than ${MAX_RESOURCES} resources are named`)
  for (const resource of resources) {
    const problem = resourceProblem(resource)
    if (problem !== undefined) throw invalidTarget(`resource is refused: ${problem}`, resource)
  }
  return resources
}

/**
 * Returns the resources of one access token: those of the token request, or else all that were authorized. An
 * authorization without resources sets no limit, so its token requests may name any (RFC 8707 §2.2).
 * @throws OAuthError `invalid_target` for a resource that was not authorized
 */
export function narrowedResources(
  named: readonly string[],
  authorized: readonly string[],
): readonly string[] {
  if (named.length === 0) return authorized
  const other = authorized.length === 0 ? undefined : named.find(each => !authorized.includes(each))
  if (other === undefined) return named
  throw invalidTarget('resource is not one that was authorized', other)
}

function resourceProblem(resource: string): string | undefined {
  if (resource.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  if (resource.includes('#')) return 'it has a fragment'
  // The characters of a URI (RFC 3986 §2) and its absolute form (§4.3).
  const absolute =
    /^[a-z][a-z0-9+.-]*:(?:[\x21\x24\x26-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]|%[0-9a-f]{2})+$/i
  return absolute.test(resource) && URL.canParse(resource) ? undefined : 'it is not an absolute URI'
}

function invalidTarget(description: string, evidence?: string): OAuthError<'invalid_target'> {
  return new OAuthError('invalid_target', { description, rule: 'RFC 8707 §2', evidence })
}
