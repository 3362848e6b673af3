import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { Advice, Refusal } from './refusal-facts.js'

const CLOCK = 'compare the clock of the server with the one of this computer'

const PROFILE = /^(FAPI 2\.0 Security Profile|OAuth 2\.1)\b/

function announcedAlgorithms({
  request_object_signing_alg_values_supported: list,
}: AuthorizationServerMetadata) {
  return Array.isArray(list) ? `; the server announces ${list.join(', ')}` : ''
}

function complaint({ description }: Refusal): string | undefined {
  return /\b(exp|nbf|iat|lifetime|aud|iss|client_id|alg|typ|jti|used before|replay\w*)\b/i
    .exec(description)?.[1]
    ?.toLowerCase()
}

function objectMoves(refusal: Refusal): string[] {
  const { metadata, clientId, requestObject } = refusal
  switch (complaint(refusal)) {
    case 'exp':
    case 'nbf':
    case 'iat':
    case 'lifetime':
      return [CLOCK, 'if both are right, suspect an old request object that somebody sent again']
    case 'aud':
      return [
        `suspect a request object for another server: compare aud ${metadata.issuer} with the issuer in the metadata`,
      ]
    case 'iss':
    case 'client_id':
      return [`suspect a request that another client made: iss and client_id have to be ${clientId} in it`]
    case 'alg':
    case 'typ':
      return [
        `sign as client ${clientId} is registered (request_object_signing_alg)${announcedAlgorithms(metadata)}`,
        ...(requestObject?.kind === 'unsigned' ? ['sign it: --request-object signed --client-key FILE'] : []),
      ]
    case 'jti':
    case 'used before':
      return [
        'suspect a request that somebody found and sent again: start a new flow, whose request object is new',
      ]
    default:
      return [
        'suspect a request object that was changed on its way, or signed by another key',
        requestObject?.key === undefined
          ? 'if this happens in each run, compare the secret with the registration: it signs by HS256'
          : `if this happens in each run, compare the public key of client ${clientId} at the server (jwks, jwks_uri) with --client-key`,
      ]
  }
}

/** Advice after a request object that is refused, or that is missing (RFC 9101, OpenID Connect Core §6). */
const objectAdvice: readonly Advice[] = [
  [
    ({ code, requestObject }) => code === 'invalid_request_object' && requestObject !== undefined,
    objectMoves,
  ],
  [
    ({ code, requestObject }) => code === 'request_not_supported' && requestObject !== undefined,
    () => [
      'leave --request-object out: the server takes no request objects; --par keeps a request from the browser too',
    ],
  ],
  [
    ({ description, requestObject }) =>
      requestObject === undefined && /signed request object|request object (is )?required/i.test(description),
    () => ['send the request as a signed object: --request-object signed, with --client-key FILE'],
  ],
]

/** Advice after a request_uri that is refused (RFC 9126 §4). */
const pushAdvice: readonly Advice[] = [
  [
    ({ code, push }) => code === 'invalid_request_uri' && push === true,
    () => [
      'suspect a link that was opened before, too late, or in another browser: a request_uri is good once',
      'start again: each run pushes a request of its own',
    ],
  ],
]

const proved = new Set([
  ...['token_request', 'refresh_request', 'exchange_request', 'poll_request'],
  'pushed_authorization_request',
])

const atEndpoint = ({ step }: Refusal) => step !== undefined && proved.has(step.name)

/** Advice after a proof that is refused, or that is missing (RFC 9449). */
const proofAdvice: readonly Advice[] = [
  [
    refusal =>
      atEndpoint(refusal) &&
      !refusal.bound &&
      (refusal.code === 'invalid_dpop_proof' || /\bdpop\b.*\bproof\b/i.test(refusal.description)),
    () => ['prove to hold a key, to which tokens are bound: --dpop'],
  ],
  [
    refusal => refusal.code === 'invalid_dpop_proof' && refusal.bound === true,
    ({ description }) =>
      /used before|replay|\bjti\b/i.test(description)
        ? ['suspect somebody who read a request and sends it again: a proof is good once; start again']
        : [
            `${CLOCK}: a proof is good for a short time only (iat)`,
            'compare the address that the server believes to have with the one in its metadata (htu): a proxy may change it',
          ],
  ],
  [
    ({ code }) => code === 'use_dpop_nonce',
    () => [
      'the server refuses the nonce that it gave: several servers behind one address have to share their nonces',
    ],
  ],
  [
    refusal =>
      atEndpoint(refusal) &&
      refusal.code === 'invalid_grant' &&
      refusal.bound === true &&
      /\b(key|dpop|jkt)\b/i.test(refusal.description),
    () => [
      'suspect a stolen code or refresh token: it is bound to another key than the one of this run',
      'start again: each run has a key of its own',
    ],
  ],
]

/** Advice after a refusal that names a profile. */
const profileAdvice: readonly Advice[] = [
  [
    ({ description }) =>
      PROFILE.test(description) && /public clients|clients authenticate by/.test(description),
    () => [
      'let the client sign: --auth private_key_jwt --client-key FILE; or show a certificate: --cert FILE --cert-key FILE',
    ],
  ],
  [
    ({ description }) => PROFILE.test(description) && /has no (grant|response_type)/.test(description),
    () => ['choose another flow, such as flow code: the profile leaves this one out on purpose'],
  ],
]

/** Advice after refusals of request objects, pushed requests, proofs and profiles. */
export const requestAdvice: readonly Advice[] = [
  ...objectAdvice,
  ...pushAdvice,
  ...proofAdvice,
  ...profileAdvice,
]
