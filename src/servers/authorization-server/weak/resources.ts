import { namedResources as namesOf, type readResources } from '../parameters/resources.js'

/**
 * Ignores the value of `resource`: a token for one resource is for all resources of the server, as a server makes them that has
 * never heard of RFC 8707. Requests without the parameter are answered as always.
 */
export const everyResource: typeof readResources = (
  pairs,
  { issuer, resources, protectedResources, namedResources },
) => {
  if (namesOf(pairs).length === 0) return []
  const registered = resources === 'any' ? [] : resources
  return [...new Set([issuer, ...protectedResources(), ...(namedResources?.() ?? []), ...registered])]
}
