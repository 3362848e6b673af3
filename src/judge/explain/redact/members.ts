import { looksSecret } from './looks.js'

/** Parameters, members and claims whose values are no secrets: they name protocol, software, servers and times. */
export const KEPT: ReadonlySet<string> = new Set(
  `acr acr_values alg amr aud audience auth_time azp claims_locales client_id code_challenge_method cty
  email_verified enc error error_code errorCode exp expires_at expires_in expires_on ext_expires_in grant_type iat interval iss
  issued_token_type issuer kid kty locale max_age nbf phone_number_verified prompt requested_token_type response_mode response_type
  scope scopes scp resource subject_token_type actor_token_type token_type token_type_hint typ ui_locales updated_at use ver
  active client_assertion_type zoneinfo SigAlg htm crv tid appid cid serverIPAddress`.split(/\s+/),
)

/** Members that name clients and servers. */
export const PUBLIC: ReadonlySet<string> = new Set([
  'client_id',
  'azp',
  'aud',
  'appid',
  'cid',
  'iss',
  'issuer',
  'tid',
])

/** Members whose values are addresses: what could be secret in them is replaced, the rest stays. */
export const ADDRESSES: ReadonlySet<string> = new Set(
  `redirect_uri redirect_uris post_logout_redirect_uri post_logout_redirect_uris resource iss issuer aud audience htu error_uri
  verification_uri verification_uri_complete jwks_uri registration_client_uri jku x5u`.split(/\s+/),
)

/** Members that are hashes of other values, and are derived again from the new ones. */
export const DERIVED: ReadonlySet<string> = new Set(['code_challenge', 'at_hash', 'c_hash', 's_hash', 'ath'])

/** Values that hashes are made of. */
export const HASHED: ReadonlySet<string> = new Set(['access_token', 'code', 'state', 'code_verifier'])

/** Parameters that are SAML messages. */
export const SAML_PARAMETERS: ReadonlySet<string> = new Set(['SAMLRequest', 'SAMLResponse'])

/** Texts for people, in which single words are replaced. */
export const PROSE: ReadonlySet<string> = new Set(
  `error_description error_message errorMessage errorSummary message detail title description msg reason error_reason faultstring`.split(
    ' ',
  ),
)

/**
 * True for a word of the protocol under a name that others have for a person or a secret. APIs write `{"code": "invalid_grant"}`
 * under the name of an authorization code; `display` of OpenID Connect is a name of a person in SCIM.
 */
export const isProtocolWord = (name: string, value: string): boolean =>
  name === 'display'
    ? /^(?:page|popup|touch|wap)$/.test(value)
    : name === 'code' && /^(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+)$/.test(value) && !looksSecret(value)

/** True for the members of a person. What they say in sentences, such as a title, is about that person. */
export const isPerson = (members: object): boolean =>
  !('error' in members) &&
  Object.keys(members).some(name =>
    /^(?:e-?mail|given_?name|family_?name|sub|user_?name|first_?name|preferred_username)$/i.test(name),
  )

/** Headers whose values are no secrets. */
export const HEADERS: ReadonlySet<string> = new Set(
  `accept accept-encoding accept-language accept-ranges age allow cache-control connection content-encoding content-language
  content-length content-type cross-origin-opener-policy cross-origin-resource-policy date expires host keep-alive last-modified pragma
  referrer-policy retry-after sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user strict-transport-security te
  transfer-encoding upgrade upgrade-insecure-requests user-agent vary x-content-type-options x-frame-options
  access-control-allow-credentials access-control-allow-headers access-control-allow-methods access-control-expose-headers
  access-control-max-age access-control-request-headers access-control-request-method server`.split(/\s+/),
)

/** Headers whose values are numbers. */
export const NUMBERS: ReadonlySet<string> = new Set([
  'content-length',
  'age',
  'retry-after',
  'access-control-max-age',
])

/** Headers whose values are addresses. */
export const ADDRESS_HEADERS: ReadonlySet<string> = new Set([
  'location',
  'referer',
  'origin',
  'content-location',
  'access-control-allow-origin',
])
