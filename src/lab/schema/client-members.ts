import { z } from 'zod'
import {
  ASYMMETRIC_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  RESPONSE_ALGORITHMS,
  SIGNING_ALGORITHMS,
} from '../../protocol/oauth/algorithms.js'
import { DELIVERY_MODES, SECURITY_PROFILES } from '../../protocol/oauth/client.js'
import { flag, oneOf, optionalText } from './members.js'

/** They switch single rules on or off. */
export const clientSwitches = {
  profile: oneOf(
    SECURITY_PROFILES,
    'Sets the switches that OAuth 2.1 or the FAPI 2.0 Security Profile demand; default: as the lab',
  ),
  dpop_bound_access_tokens: flag(
    'Refuses token requests without a DPoP proof (RFC 9449 §5.2); default false',
  ),
  require_pushed_authorization_requests: flag(
    'Refuses authorization requests of the client that were not pushed (RFC 9126 §6); default false',
  ),
  refresh_token_rotation: oneOf(
    ['on', 'off'],
    'off: a refresh token stays the same; for confidential clients and bound tokens; default on',
  ),
  strict_assertion_audience: flag(
    'Accepts client assertions for the issuer alone, as a string; default false',
  ),
} as const

/** The switch of the whole server. */
export const serverSwitches = {
  require_pushed_authorization_requests: flag(
    'Refuses authorization requests that were not pushed (RFC 9126 §5); default false',
  ),
} as const

const AGE = 9_999_999_999

/** The members of a route about the login behind a token (RFC 9470 §3). */
export const loginDemands = {
  acr_values: z
    .string()
    .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, { error: 'write acr values with one space between them' })
    .optional()
    .describe('Authentication context classes, of which the token must have one'),
  max_age: z.number().int().min(1).max(AGE).optional().describe('Highest age of the login in seconds'),
}

/** OpenID Connect Registration §2. */
export const authenticationMembers = {
  default_max_age: z
    .number()
    .int()
    .min(0)
    .max(AGE)
    .optional()
    .describe('Highest age of a login in seconds, for requests without max_age'),
  require_auth_time: flag('auth_time in id_tokens; they have it anyway'),
  default_acr_values: z
    .array(z.string().regex(/^[^\s]+$/, { error: 'an acr value has no spaces' }))
    .optional()
    .describe('Authentication context classes for requests without acr_values'),
}

/** CIBA. */
export const clientBackchannel = {
  backchannel_token_delivery_mode: oneOf(
    DELIVERY_MODES,
    'How a client with the grant ciba learns of a decision; it needs one',
  ),
  backchannel_client_notification_endpoint: optionalText(
    'Receives a message by POST after the decision, in the mode ping',
  ),
  backchannel_authentication_request_signing_alg: oneOf(
    ASYMMETRIC_ALGORITHMS,
    'The only algorithm of its requests, which are always signed then',
  ),
  backchannel_user_code_parameter: z.literal(false).optional().describe('The server has no user codes'),
}

export const clientLogout = {
  backchannel_logout_uri: optionalText('Receives a signed logout token when a session of the client ends'),
  backchannel_logout_session_required: flag('The client needs sid in logout tokens, which always have it'),
  frontchannel_logout_uri: optionalText(
    'Opened in a frame of the logout page; on the host of a redirect_uri',
  ),
  frontchannel_logout_session_required: flag('The client needs iss and sid there, which are always sent'),
}

const page = z.url({ protocol: /^https?$/ }).optional()

/** For the pages that ask people (RFC 7591 §2). */
export const clientPresentation = {
  client_uri: page.describe('A page about the client, linked where people are asked'),
  logo_uri: page.describe('Its picture, shown there'),
  policy_uri: page.describe('A page on what it does with data'),
  tos_uri: page.describe('Its terms of service'),
}

const signed = (what: string) => z.enum(RESPONSE_ALGORITHMS).optional().describe(`Signature of ${what}`)
const encrypted = oneOf(KEY_ENCRYPTIONS, 'Encrypts it to a key of the client')
const content = oneOf(CONTENT_ENCRYPTIONS, 'Default A128CBC-HS256')

/** Algorithms of tokens and responses. */
export const responseAlgorithms = {
  id_token_signed_response_alg: signed('id_tokens; default RS256'),
  id_token_encrypted_response_alg: encrypted,
  id_token_encrypted_response_enc: content,
  userinfo_signed_response_alg: signed('userinfo, which is then a JWT; default: plain JSON'),
  userinfo_encrypted_response_alg: encrypted,
  userinfo_encrypted_response_enc: content,
  introspection_signed_response_alg: signed('introspection in a JWT (RFC 9701); default RS256'),
  introspection_encrypted_response_alg: encrypted,
  introspection_encrypted_response_enc: content,
  authorization_signed_response_alg: signed('authorization responses in a JWT (JARM); default RS256'),
  authorization_encrypted_response_alg: encrypted,
  authorization_encrypted_response_enc: content,
  access_token_signing_alg: oneOf(SIGNING_ALGORITHMS, 'Signature of JWT access tokens; default RS256'),
} as const

/** The `sub` of a person (OpenID Connect Registration §2). */
export const subjectMembers = {
  subject_type: oneOf(
    ['public', 'pairwise'],
    'pairwise: a sub of its own for each sector in place of the username; default public',
  ),
  sector_identifier_uri: optionalText(
    'Address of a JSON list of redirect_uris that form one sector; https, fetched at first use',
  ),
}
