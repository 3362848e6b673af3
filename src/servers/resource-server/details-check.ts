import { readAuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import { sameResource } from '../../protocol/oauth/scope.js'
import { refused } from './refusal.js'
import type { ResourceRoute } from './settings.js'

/** The claims of an accepted token. */
interface Claimed {
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Checks that a token has authorization details of the type that a route needs, for this place: details with locations
 * are for those alone (RFC 9396 §2.2, §9).
 * @throws OAuthError `insufficient_scope` (RFC 6750 §3.1)
 */
export function requireDetails(
  { claims }: Claimed,
  { path, authorization_details: needed }: ResourceRoute,
  baseUrl: string,
): void {
  if (needed === undefined) return
  const read = readAuthorizationDetails(claims.authorization_details ?? [])
  const details = 'details' in read ? read.details.filter(({ type }) => type === needed) : []
  const here = [baseUrl, `${baseUrl}${path}`]
  const found = details.some(
    ({ locations }) =>
      locations === undefined ||
      (Array.isArray(locations) &&
        locations.some(each => typeof each === 'string' && here.some(place => sameResource(each, place)))),
  )
  if (found) return
  const had = details.length === 0 ? 'the token has none' : 'those of the token are for other locations'
  const description = `authorization details of the type ${needed} are needed here; ${had}`
  throw refused('insufficient_scope', description, 'RFC 9396 §9')
}
