import {
  ASYMMETRIC_ALGORITHMS,
  CLIENT_ASSERTION_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
  RESPONSE_ALGORITHMS,
  SIGNING_ALGORITHMS,
} from '../../../protocol/oauth/algorithms.js'
import type { Client, DeliveryMode, TokenEndpointAuthMethod } from '../../../protocol/oauth/client.js'
import { SECURITY_PROFILES } from '../../../protocol/oauth/client.js'
import { findResponseType, RESPONSE_TYPES } from '../parameters/response-type.js'
import {
  address,
  calledAddress,
  flag,
  list,
  oneOf,
  publicKeys,
  type Reader,
  seconds,
  secureAddress,
  text,
  webAddress,
} from './readers.js'

/** The abilities of a server that registrations depend on. */
export interface Abilities {
  readonly grantTypes: readonly string[]
  /** Returns the methods of client authentication. Those with certificates come with the listener that asks for them. */
  readonly authMethods: () => readonly TokenEndpointAuthMethod[]
  readonly detailTypes: readonly string[]
  readonly deliveryModes: readonly DeliveryMode[]
  /** Returns why the server never calls an address of a stranger; undefined where it may. Absent: every address may be. */
  readonly addressProblem?: ((url: string) => string | undefined) | undefined
}

/** Reads a response type. The order of its values has no meaning (RFC 6749 §3.1.1). */
const responseType: Reader<string> = value => {
  const found = typeof value === 'string' ? findResponseType(value) : undefined
  return found === undefined ? oneOf(RESPONSE_TYPES)(value) : { value: found }
}

/** Reads the wish for user codes, which this server does not have (OpenID Connect CIBA Core §4). */
const noUserCode: Reader<false> = value =>
  value === false ? { value } : { problem: 'this server has no user codes; only false is supported' }

/** Members that the lab file alone has: a stranger does not decide if people are asked, or which checks are left out. */
type OwnersMember =
  | 'client_id'
  | 'client_secret'
  | 'introduced'
  | 'localized'
  | 'enabled'
  | 'consent'
  | 'require_pkce'
  | 'code_challenge_methods'
  | 'allowed_scopes'

/** The members that a client may register, beside `scope`, each with its reader. */
type Members = {
  readonly [Name in Exclude<keyof Client, OwnersMember>]-?: Reader<NonNullable<Client[Name]>>
}

const keyEncryption = oneOf(KEY_ENCRYPTIONS)
const contentEncryption = oneOf(CONTENT_ENCRYPTIONS)
const responseAlgorithm = oneOf(RESPONSE_ALGORITHMS)

/** Returns the members that a client may register, in the order of answers. */
export function membersOf(abilities: Abilities): Members {
  const { grantTypes, authMethods, detailTypes, deliveryModes, addressProblem } = abilities
  const called = (read: Reader<string>) => calledAddress(read, addressProblem)
  return {
    redirect_uris: list(address),
    client_name: text,
    client_uri: webAddress,
    logo_uri: webAddress,
    tos_uri: webAddress,
    policy_uri: webAddress,
    contacts: list(text),
    software_id: text,
    software_version: text,
    application_type: oneOf(['web', 'native']),
    grant_types: list(oneOf(grantTypes)),
    response_types: list(responseType),
    token_endpoint_auth_method: oneOf(authMethods()),
    token_endpoint_auth_signing_alg: oneOf(CLIENT_ASSERTION_ALGORITHMS),
    jwks: publicKeys,
    jwks_uri: called(secureAddress),
    subject_type: oneOf(['public', 'pairwise']),
    sector_identifier_uri: called(secureAddress),
    id_token_signed_response_alg: responseAlgorithm,
    id_token_encrypted_response_alg: keyEncryption,
    id_token_encrypted_response_enc: contentEncryption,
    userinfo_signed_response_alg: responseAlgorithm,
    userinfo_encrypted_response_alg: keyEncryption,
    userinfo_encrypted_response_enc: contentEncryption,
    introspection_signed_response_alg: responseAlgorithm,
    introspection_encrypted_response_alg: keyEncryption,
    introspection_encrypted_response_enc: contentEncryption,
    authorization_signed_response_alg: responseAlgorithm,
    authorization_encrypted_response_alg: keyEncryption,
    authorization_encrypted_response_enc: contentEncryption,
    access_token_signing_alg: oneOf(SIGNING_ALGORITHMS),
    request_object_signing_alg: oneOf(REQUEST_OBJECT_ALGORITHMS),
    request_object_encryption_alg: keyEncryption,
    request_object_encryption_enc: contentEncryption,
    require_signed_request_object: flag,
    strict_request_objects: flag,
    request_uris: list(called(secureAddress)),
    default_max_age: seconds,
    require_auth_time: flag,
    default_acr_values: list(text),
    initiate_login_uri: secureAddress,
    post_logout_redirect_uris: list(address),
    backchannel_logout_uri: called(address),
    backchannel_logout_session_required: flag,
    frontchannel_logout_uri: address,
    frontchannel_logout_session_required: flag,
    backchannel_token_delivery_mode: oneOf(deliveryModes),
    backchannel_client_notification_endpoint: called(address),
    backchannel_authentication_request_signing_alg: oneOf(ASYMMETRIC_ALGORITHMS),
    backchannel_user_code_parameter: noUserCode,
    tls_client_auth_subject_dn: text,
    tls_client_auth_san_dns: text,
    tls_client_auth_san_uri: text,
    tls_client_auth_san_ip: text,
    tls_client_auth_san_email: text,
    tls_client_certificate_bound_access_tokens: flag,
    dpop_bound_access_tokens: flag,
    require_pushed_authorization_requests: flag,
    authorization_details_types: list(oneOf(detailTypes)),
    profile: oneOf(SECURITY_PROFILES),
    refresh_token_rotation: oneOf(['on', 'off']),
    strict_assertion_audience: flag,
    token_profile: oneOf(['jwt', 'rfc9068']),
    id_token_claims: flag,
  }
}
