import { bounded } from '../../../protocol/events.js'
import {
  type AuthorizationDetails,
  type DetailTypes,
  detailProblem,
  firstUncovered,
  parseAuthorizationDetails,
} from '../../../protocol/oauth/authorization-details.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { sameResource } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { partsOf, type ResponseType } from './response-type.js'

/**
 * Reads `authorization_details` (RFC 9396 §2). Undefined when the request has none.
 * @throws OAuthError `invalid_authorization_details` for a type that the server or the client does not have, and for
 * details that break the rules of their type (RFC 9396 §5)
 */
export function readDetails(
  sent: string | undefined,
  client: Pick<Client, 'authorization_details_types'>,
  types: DetailTypes = {},
): AuthorizationDetails | undefined {
  if (sent === undefined) return undefined
  const read = parseAuthorizationDetails(sent)
  if ('problem' in read) throw invalidDetails(read.problem, 'RFC 9396 §2')
  for (const [i, detail] of read.details.entries()) {
    const name = bounded(detail.type, 60)
    if (!Object.hasOwn(types, detail.type)) {
      const known = Object.keys(types).join(', ') || 'none'
      throw invalidDetails(`[${i}] has the type ${name}; this server knows: ${known}`)
    }
    if (client.authorization_details_types?.includes(detail.type) === false) {
      throw invalidDetails(`[${i}] has the type ${name}, which this client is not registered for`)
    }
    const problem = detailProblem(detail, types[detail.type]!)
    if (problem !== undefined) throw invalidDetails(`[${i}] of the type ${name}: ${problem}`)
  }
  return read.details
}

/**
 * Refuses details where no token answer can return them: an answer of the authorization endpoint has no place for them
 * (RFC 9396 §4, §7).
 */
export function refuseUnansweredDetails(
  details: AuthorizationDetails | undefined,
  responseType: ResponseType,
): void {
  const { code, token } = partsOf(responseType)
  if (details === undefined || (code && !token)) return
  throw new OAuthError('invalid_request', {
    description: `authorization_details needs a response_type with code and without token, not ${responseType}`,
    rule: 'RFC 9396 §7',
  })
}

/**
 * Returns the details of one access token: those of the token request, or else all that were authorized.
 * @param authorized the details of an earlier authorization, which the request may narrow; absent: no earlier
 * authorization sets a limit
 * @throws OAuthError `invalid_authorization_details` for details that were not authorized (RFC 9396 §6)
 */
export function narrowedDetails(
  asked: AuthorizationDetails | undefined,
  authorized: AuthorizationDetails | undefined,
): AuthorizationDetails {
  if (asked === undefined || authorized === undefined) return asked ?? authorized ?? []
  const wider = firstUncovered(asked, authorized)
  if (wider === undefined) return asked
  const none = authorized.length === 0 ? 'none were authorized' : 'they are more than was authorized'
  const evidence = bounded(JSON.stringify(wider), 200)
  throw invalidDetails(`${none}; a token request may only narrow them`, 'RFC 9396 §6', evidence)
}

/**
 * Returns the details for the audience of a token (RFC 9396 §9.1). Details for other resources that the server knows are
 * left out.
 */
export function detailsForAudience(
  details: AuthorizationDetails,
  audience: readonly string[],
  isKnown: (location: string) => boolean,
): AuthorizationDetails {
  if (audience.length === 0) return details
  return details.filter(({ locations }) => {
    const places = textsOf(locations)
    const here = places.some(each => audience.some(resource => sameResource(each, resource)))
    return here || places.length === 0 || !places.every(isKnown)
  })
}

/** Returns the locations of details, without duplicates. */
export function locationsOf(details: AuthorizationDetails): readonly string[] {
  return [...new Set(details.flatMap(({ locations }) => textsOf(locations)))]
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : []

function invalidDetails(
  problem: string,
  rule: Citation = 'RFC 9396 §5',
  evidence?: string,
): OAuthError<'invalid_authorization_details'> {
  const description = `authorization_details is refused: ${problem}`
  return new OAuthError('invalid_authorization_details', { description, rule, evidence })
}
