import { RESPONSE_KINDS } from '../../../protocol/oauth/algorithms.js'
import type { Client, TokenEndpointAuthMethod } from '../../../protocol/oauth/client.js'
import { certificateMethod } from '../../../protocol/oauth/client.js'
import { findResponseType } from '../parameters/response-type.js'
import { profileOf } from './profiles.js'
import { acceptedAlgorithms, methodRefusal, type ProfileRefusal, redirectRefusal } from './refusals.js'

/** The method by which a client can authenticate at best. */
function likelyMethod(client: Client): TokenEndpointAuthMethod {
  const { token_endpoint_auth_method: registered, jwks, jwks_uri: address } = client
  return registered ?? ((jwks ?? address) === undefined ? 'client_secret_basic' : 'private_key_jwt')
}

/** Returns the refusal of a client whose responses are registered for other algorithms than the profile has. */
export function algorithmRefusal(client: Client): ProfileRefusal | undefined {
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
function keyRefusal(client: Client): ProfileRefusal | undefined {
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

/** Returns the refusal of a client none of whose addresses may get a redirect. */
function addressRefusal(client: Client): ProfileRefusal | undefined {
  const refused = client.redirect_uris.map(each => redirectRefusal(client, each))
  if (!client.grant_types.includes('authorization_code') || refused.length === 0) return undefined
  return refused.every(each => each !== undefined) ? refused[0] : undefined
}

/**
 * Returns the reasons why no request of a client can succeed under its profile, each with its clause. Empty for a client that
 * can work.
 * @param client with the switches of its profile
 */
export function unfitness(client: Client): readonly ProfileRefusal[] {
  return [
    methodRefusal(client, likelyMethod(client)),
    algorithmRefusal(client),
    keyRefusal(client),
    grantRefusal(client),
    addressRefusal(client),
  ].filter(each => each !== undefined)
}
