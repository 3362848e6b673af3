import { isUrl } from '../../../protocol/http/address.js'
import {
  ASYMMETRIC_ALGORITHMS,
  CLIENT_ASSERTION_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
  RESPONSE_ALGORITHMS,
  SIGNING_ALGORITHMS,
} from '../../../protocol/oauth/algorithms.js'
import { shown } from '../../../protocol/oauth/check.js'
import {
  type Client,
  type DeliveryMode,
  SECURITY_PROFILES,
  type TokenEndpointAuthMethod,
} from '../../../protocol/oauth/client.js'
import { isPublicJwk } from '../../../protocol/tokens/keys.js'
import { isJsonObject, quote } from '../../../protocol/values.js'
import { findResponseType, RESPONSE_TYPES } from '../parameters/response-type.js'
import { publicKeyOf } from '../stores/client-keys.js'

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
    default_resource: flag,
    id_token_claims: flag,
  }
}

/** The value of a member, or its problem. */
type Reading<Value> = { readonly value: Value } | { readonly problem: string }

/** Reads the value of a member, which may have any type. */
type Reader<Value> = (value: unknown) => Reading<Value>

/** Most characters of a text, and of an address. */
const MAX_TEXT = 500
const MAX_ADDRESS = 2000

/** Most entries of a list. */
const MAX_ENTRIES = 100

/** Most keys of a client. */
const MAX_KEYS = 30

const problem = (text: string) => ({ problem: text })

/** Control characters, and those that turn the direction of the text around them: a name could show as another one. */
const MISLEADING = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Reads a text for people or programs. */
const text: Reader<string> = value => {
  if (typeof value !== 'string') return problem('it must be a text')
  if (value.length > MAX_TEXT) return problem(`it is longer than ${MAX_TEXT} characters`)
  if (MISLEADING.test(value) || !value.isWellFormed())
    return problem('it has characters that people cannot see')
  return { value }
}

const address: Reader<string> = value => {
  if (typeof value !== 'string') return problem('it must be a text with an address')
  return value.length > MAX_ADDRESS ? problem(`it is longer than ${MAX_ADDRESS} characters`) : { value }
}

/** Reads the address of a page or picture that browsers of people open. */
const webAddress: Reader<string> = value => {
  const read = address(value)
  if ('problem' in read) return read
  if (!isUrl(read.value)) return problem(`${quote(value)} is no absolute URL`)
  const { protocol, username, password } = new URL(read.value)
  if (protocol !== 'https:' && protocol !== 'http:') return problem(`${quote(value)} is no web address`)
  return username === '' && password === '' ? read : problem('it has user information')
}

const secureAddress: Reader<string> = value => {
  const read = webAddress(value)
  if ('problem' in read || new URL(read.value).protocol === 'https:') return read
  return problem(`${quote(value)} is no https address`)
}

/** Reads an address that the server itself calls later. @param problemOf returns why it never does */
function calledAddress(
  read: Reader<string>,
  problemOf: (url: string) => string | undefined = () => undefined,
): Reader<string> {
  return value => {
    const reading = read(value)
    if ('problem' in reading || !isUrl(reading.value)) return reading
    const found = problemOf(reading.value)
    return found === undefined ? reading : problem(`${quote(value)}: ${found}`)
  }
}

const flag: Reader<boolean> = value =>
  typeof value === 'boolean' ? { value } : problem('it must be true or false')

const seconds: Reader<number> = value =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 9_999_999_999
    ? { value: value as number }
    : problem('it must be a whole number of seconds')

/** Reads one of the values that the server supports. */
function oneOf<const Value extends string>(supported: readonly Value[]): Reader<Value> {
  return value => {
    const found = supported.find(each => each === value)
    if (found !== undefined) return { value: found }
    // JSON.stringify is recursive, and the depth of the value is a stranger's choice.
    const named = typeof value === 'string' ? quote(value) : shown(value)
    return problem(`${named} is not supported; supported: ${supported.join(', ')}`)
  }
}

/** Reads a list. Entries that occur twice are one. */
function list<Value>(entry: Reader<Value>): Reader<readonly Value[]> {
  return value => {
    if (!Array.isArray(value)) return problem('it must be a list')
    if (value.length > MAX_ENTRIES) return problem(`it has more than ${MAX_ENTRIES} entries`)
    const values: Value[] = []
    for (const each of value as readonly unknown[]) {
      const read = entry(each)
      if ('problem' in read) return problem(`an entry: ${read.problem}`)
      values.push(read.value)
    }
    return { value: [...new Set(values)] }
  }
}

/** Reads the public keys of a client (RFC 7517 §5). Members that no public key has are dropped. */
const publicKeys: Reader<{ readonly keys: readonly Record<string, unknown>[] }> = value => {
  const listed = isJsonObject(value) ? value.keys : undefined
  if (!Array.isArray(listed)) return problem('it must be a JWK Set: an object with a list of keys')
  if (listed.length > MAX_KEYS) return problem(`it has more than ${MAX_KEYS} keys`)
  const keys: Record<string, unknown>[] = []
  for (const [i, each] of (listed as readonly unknown[]).entries()) {
    if (isJsonObject(each) && ('d' in each || each.kty === 'oct')) {
      return problem(`key ${i + 1} is a secret; register the public key alone`)
    }
    const key = publicKeyOf(each)
    if (key === undefined || !isPublicJwk(key)) return problem(`key ${i + 1} is no public key`)
    keys.push(key)
  }
  return { value: { keys } }
}

/** The server that describes a client to itself. */
export interface InformationContext extends Abilities {
  readonly issuer: string
  readonly scopes: readonly string[]
  /** Returns the algorithm of id_tokens of a client that registered none. */
  readonly idTokenAlgorithm: () => string
}
