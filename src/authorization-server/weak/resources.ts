import type { readResources } from '../parameters/resources.js'

/** Ignores `resource`: every token is for all resources of the server, as a server makes them that has never heard of RFC 8707. */
export const everyResource: typeof readResources = (
  _pairs,
  { issuer, resources, protectedResources, namedResources },
) => {
  const registered = resources === 'any' ? [] : resources
  return [...new Set([issuer, ...protectedResources(), ...(namedResources?.() ?? []), ...registered])]
}
