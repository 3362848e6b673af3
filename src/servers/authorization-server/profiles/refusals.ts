import { RESPONSE_KINDS } from '../../../protocol/oauth/algorithms.js'
import {
  type Client,
  certificateMethod,
  isConfidential,
  isNative,
  type SecurityProfile,
  type ServerProfile,
  stricterProfile,
  type TokenEndpointAuthMethod,
} from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { parseLoopback } from '../../../protocol/oauth/redirect-uri.js'
import type { Rule } from '../../../protocol/rules/rule.js'
import type { AcceptedAlgorithms } from '../../../protocol/tokens/keys.js'
import { findResponseType, type ResponseType } from '../parameters/response-type.js'
import type { ClientProblem } from '../stores/registry.js'
import { type Profile, profileOf, serverProfile } from './profiles.js'

/** Returns the refusal of a method of client authentication; undefined for an accepted one. */
export function methodRefusal(client: Client, method: TokenEndpointAuthMethod): ClientProblem | undefined {
  const profile = profileOf(client)
  const { confidential, auth_method: methods } = profile?.demands ?? {}
  if (confidential && !isConfidential(client)) {
    return { problem: `${profile!.title}: public clients are refused`, rule: confidential.rule }
  }
  if (!methods || profile?.authMethods?.includes(method)) return undefined
  return { problem: `${profile!.title}: clients authenticate by ${methods.here}`, rule: methods.rule }
}

/** @throws OAuthError for a grant that the profile leaves out */
function refuseGrant(
  code: 'unsupported_grant_type' | 'unauthorized_client',
  profile: Profile | undefined,
  grantType: string,
): void {
  const demand = profile?.demands.grant
  if (demand === undefined || !profile?.refusedGrants.includes(grantType)) return
  throw new OAuthError(code, {
    description: `${profile.title} has no grant ${grantType}: ${demand.why}`,
    rule: demand.rule,
  })
}

/** @throws OAuthError `unsupported_grant_type` for a grant that the profile of the server leaves out (RFC 6749 §5.2) */
export function refuseGrantOfServer(server: ServerProfile, grantType: string): void {
  refuseGrant('unsupported_grant_type', serverProfile(server), grantType)
}

/** @throws OAuthError `unauthorized_client` for a grant that others may use, and this client's profile leaves out */
export function refuseGrantOfClient(client: Client, grantType: string): void {
  refuseGrant('unauthorized_client', profileOf(client), grantType)
}

/** True for a response type that a profile leaves out. */
function leavesOut(profile: Profile | undefined, responseType: ResponseType): boolean {
  return profile?.demands.response_type !== undefined && !profile.responseTypes.includes(responseType)
}

/**
 * Refuses a response type that a profile leaves out.
 * @throws OAuthError `unsupported_response_type` where no client of the server may use it, and `unauthorized_client` where
 * this one may not (RFC 6749 §4.1.2.1)
 */
export function refuseResponseType(client: Client, server: ServerProfile, responseType: ResponseType): void {
  const profile = profileOf(client)
  if (!leavesOut(profile, responseType)) return
  const isForAll = leavesOut(serverProfile(server), responseType)
  throw new OAuthError(isForAll ? 'unsupported_response_type' : 'unauthorized_client', {
    description: `${profile!.title} has no response_type ${responseType}; this client may use: ${profile!.responseTypes.join(', ')}`,
    rule: profile!.demands.response_type!.rule,
  })
}

/** Returns the refusal of an address, which must not get a redirect; undefined for an accepted one. */
export function redirectRefusal(client: Client, redirectUri: string): ClientProblem | undefined {
  const demand = client.profile === 'fapi2' ? profileOf(client)?.demands.redirect_uri : undefined
  if (demand === undefined || !/^http:/i.test(redirectUri)) return undefined
  const isInstalled = client.application_type === 'native' && isNative(client, redirectUri)
  if (isInstalled && parseLoopback(redirectUri) !== undefined) return undefined
  return {
    problem: 'redirect_uri is plain http; only a native application may use it, with 127.0.0.1 or [::1]',
    rule: demand.rule,
  }
}

/** Returns the error for an address that must not get a redirect. */
export function forbiddenAddress({ problem, rule }: ClientProblem): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', { description: problem, rule })
}

/** True for a client that is redirected to by 303, so that no browser repeats a form at the client. */
export function redirectsBySeeOther(client: Client): boolean {
  return profileOf(client)?.demands.redirect_status !== undefined
}

/** @throws OAuthError `invalid_request` for a request without redirect_uri where the profile wants one */
export function requireRedirectUri(client: Client, sent: string | undefined): void {
  const demand = profileOf(client)?.demands.redirect_uri_sent
  if (demand === undefined || sent !== undefined) return
  throw new OAuthError('invalid_request', { description: 'redirect_uri is missing', rule: demand.rule })
}

/** Returns the algorithms by which a client may sign; undefined for every one that the server knows. */
export function acceptedAlgorithms(client: Pick<Client, 'profile'>): AcceptedAlgorithms | undefined {
  const { algorithms: names, demands } = profileOf(client) ?? {}
  return names && demands?.algorithm && { names, rule: demands.algorithm.rule }
}

/** Returns the algorithms of a client's assertions: the one that it registered, or those of its profile. */
export function assertionAlgorithms(
  client: Pick<Client, 'profile' | 'token_endpoint_auth_signing_alg'>,
): AcceptedAlgorithms | undefined {
  const { token_endpoint_auth_signing_alg: own } = client
  const accepted = acceptedAlgorithms(client)
  if (own === undefined || accepted?.names.includes(own) === false) return accepted
  return { names: [own], rule: 'RFC 7591 §2' }
}

/** The clauses on access tokens in queries. */
const IN_QUERIES: Readonly<Record<SecurityProfile, Rule>> = {
  oauth21: 'draft-ietf-oauth-v2-1 §5.1',
  fapi2: 'FAPI 2.0 Security Profile §5.3.4-2',
}

/** Returns the clause by which the profile of a server refuses access tokens in queries; undefined without a profile. */
export function tokenInQueryClause(server: ServerProfile): Rule | undefined {
  const name = stricterProfile(undefined, server)
  return name && IN_QUERIES[name]
}

/** Returns the lifetime of a client's codes, in milliseconds. */
export function codeLifetime(client: Pick<Client, 'profile'>, usual: number): number {
  return Math.min(usual, profileOf(client)?.maxCodeLifetime ?? usual)
}

/** The method by which a client can authenticate at best. */
function likelyMethod(client: Client): TokenEndpointAuthMethod {
  const { token_endpoint_auth_method: registered, jwks, jwks_uri: address } = client
  return registered ?? ((jwks ?? address) === undefined ? 'client_secret_basic' : 'private_key_jwt')
}

/** Returns the refusal of a client whose responses are registered for other algorithms than the profile has. */
export function algorithmRefusal(client: Client): ClientProblem | undefined {
  const accepted = acceptedAlgorithms(client)
  if (accepted === undefined) return undefined
  const members = [
    ...RESPONSE_KINDS.map(kind => `${kind}_signed_response_alg` as const),
    'access_token_signing_alg',
    'token_endpoint_auth_signing_alg',
  ] as const
  const { names, rule } = accepted
  const wrong = members.find(member => client[member] !== undefined && !names.includes(client[member]))
  if (wrong === undefined) return undefined
  return { problem: `${wrong} is ${client[wrong]}; it must be ${names.join(', ')}`, rule }
}

/** Returns the refusal of a client whose registered keys are all for other algorithms. */
function keyRefusal(client: Client): ClientProblem | undefined {
  const accepted = acceptedAlgorithms(client)
  const keys = client.jwks?.keys ?? []
  if (accepted === undefined || keys.length === 0 || certificateMethod(client) !== undefined) return undefined
  if (keys.some(({ alg }) => alg === undefined || accepted.names.includes(String(alg)))) return undefined
  return {
    problem: `its keys are for ${String(keys[0]?.alg)}; use ${accepted.names.join(', ')}`,
    rule: accepted.rule,
  }
}

/** Returns the refusal of a client without a grant or a response type that the profile has. */
function grantRefusal({ grant_types: grants, response_types: types, ...client }: Client) {
  const profile = profileOf(client)
  const { grant, response_type: response } = profile?.demands ?? {}
  if (!profile || !grant || !response) return undefined
  const usable = grants.filter(each => !profile.refusedGrants.includes(each) && each !== 'refresh_token')
  if (usable.length === 0) return { problem: `its grants are ${grants.join(', ')}`, rule: grant.rule }
  const known = types.map(findResponseType)
  const answers = known.some(each => each !== undefined && profile.responseTypes.includes(each))
  if (answers || !usable.every(each => each === 'authorization_code')) return undefined
  return { problem: `its response types are ${types.join(', ')}`, rule: response.rule }
}

function addressRefusal(client: Client): ClientProblem | undefined {
  const refused = client.redirect_uris.map(each => redirectRefusal(client, each))
  if (!client.grant_types.includes('authorization_code') || refused.length === 0) return undefined
  return refused.every(each => each !== undefined) ? refused[0] : undefined
}

/**
 * Returns the reasons why no request of a client can succeed under its profile, each with its clause. Empty for a client that
 * can work.
 * @param client with the switches of its profile
 */
export function unfitness(client: Client): readonly ClientProblem[] {
  return [
    methodRefusal(client, likelyMethod(client)),
    algorithmRefusal(client),
    keyRefusal(client),
    grantRefusal(client),
    addressRefusal(client),
  ].filter(each => each !== undefined)
}
