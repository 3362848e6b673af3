import { isDeepStrictEqual } from 'node:util'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { isJsonObject, type JsonObject, parsedJson } from '../../../protocol/values.js'

/** The demands of a request on one claim (OpenID Connect Core §5.5.1). */
export interface ClaimDemand {
  /** True when the client needs the claim for what the person wants to do. */
  readonly essential: boolean
  /** The values that the client accepts. Undefined: any value. */
  readonly values: readonly unknown[] | undefined
}

/** The claims that a request names, by the place that they are returned in (OpenID Connect Core §5.5). */
export interface ClaimsRequest {
  readonly userinfo: ReadonlyMap<string, ClaimDemand>
  readonly idToken: ReadonlyMap<string, ClaimDemand>
}

/** Names of the claims that a user's authorization gives out beside those of its scopes (OpenID Connect Core §5.5). */
export interface RequestedClaims {
  readonly userinfo: readonly string[]
  readonly idToken: readonly string[]
}

/** The claims of a request without the parameter `claims`. */
export const NO_CLAIMS: ClaimsRequest = { userinfo: new Map(), idToken: new Map() }

/** Longest value of the parameter, in characters. */
export const MAX_CLAIMS_LENGTH = 4096

/** Most claims for one place. */
export const MAX_CLAIMS = 50

/** Longest name of a claim, in characters. */
const MAX_NAME = 256

/**
 * Reads the parameter `claims` (OpenID Connect Core §5.5). Unknown members are ignored.
 * @throws OAuthError `invalid_request` for a value that is too long, is not JSON, or does not have the form of §5.5
 */
export function readClaimsRequest(sent: string | undefined): ClaimsRequest {
  if (sent === undefined) return NO_CLAIMS
  if (sent.length > MAX_CLAIMS_LENGTH) throw malformed(`it is longer than ${MAX_CLAIMS_LENGTH} characters`)
  const json = parsedJson(sent)
  if (json === undefined) throw malformed('it is not JSON')
  const { userinfo, id_token: idToken } = asObject(json, 'it')
  return { userinfo: demandsOf(userinfo, 'userinfo'), idToken: demandsOf(idToken, 'id_token') }
}

/** True when a claim has a value that the request accepts. */
export function isWanted(value: unknown, { values }: ClaimDemand): boolean {
  return values === undefined || values.some(each => isDeepStrictEqual(each, value))
}

/**
 * True when the request accepts this user: its claims `sub` name no user, or this one. Otherwise the server must not
 * answer (OpenID Connect Core §3.1.2.2, §5.5.1).
 */
export function acceptsSubject(sub: string, { userinfo, idToken }: ClaimsRequest): boolean {
  return [userinfo, idToken].every(each => isWanted(sub, each.get('sub') ?? ANY))
}

const ANY: ClaimDemand = { essential: false, values: undefined }

function asObject(value: unknown, what: string): JsonObject {
  if (isJsonObject(value)) return value
  throw malformed(`${what} is not a JSON object`)
}

function demandsOf(member: unknown, place: string): ReadonlyMap<string, ClaimDemand> {
  if (member === undefined) return new Map()
  const entries = Object.entries(asObject(member, place))
  if (entries.length > MAX_CLAIMS) throw malformed(`${place} names more than ${MAX_CLAIMS} claims`)
  return new Map(entries.map(([name, demand]) => [name, demandOf(name, demand, place)]))
}

function demandOf(name: string, sent: unknown, place: string): ClaimDemand {
  if (name.length > MAX_NAME) throw malformed(`a name in ${place} is longer than ${MAX_NAME} characters`)
  if (sent === null) return ANY
  const what = `a claim of ${place}`
  const { essential = false, value, values } = asObject(sent, what)
  if (typeof essential !== 'boolean') throw malformed(`essential of ${what} is not true or false`)
  if (value !== undefined && values !== undefined) throw malformed(`${what} has both value and values`)
  if (values !== undefined && !Array.isArray(values)) throw malformed(`values of ${what} is not a list`)
  return { essential, values: value === undefined ? values : [value] }
}

function malformed(problem: string): OAuthError<'invalid_request'> {
  const rule = 'OpenID Connect Core §5.5'
  return new OAuthError('invalid_request', { description: `claims is refused: ${problem}`, rule })
}
