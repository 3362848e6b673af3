import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { FlowOptions } from '../options.js'
import type { Step } from '../step.js'

const leaving = new Set(['logout_request', 'logout_confirmation'])

const isLeaving = ({ step }: Refusal) => step !== undefined && leaving.has(step.name)

const namesReturn = ({ description }: Refusal) =>
  /post.?logout|redirect.?ur[il]|return (address|ur[il])/i.test(description)

/** Advice after a logout that is refused (OpenID Connect RP-Initiated Logout §2, §4). */
export const logoutAdvice: readonly Advice[] = [
  [
    ({ code, description }) => code === 'invalid_metadata' && description.startsWith('end_session_endpoint'),
    () => [
      'end the session on a page of the server itself, and revoke the tokens: no client can ask this server for a logout',
      'if the server knows RP-initiated logout, it has to publish end_session_endpoint: oauth-lab doctor ISSUER',
    ],
  ],
  [
    refusal => isLeaving(refusal) && namesReturn(refusal),
    ({ clientId, foreign, postLogoutRedirectUri }) => [
      `register ${postLogoutRedirectUri ?? 'the address'} for client ${clientId}: post_logout_redirect_uris${foreign ? ' at the server' : ' in the lab file'}`,
      'or name a registered one, compared character by character: --post-logout-redirect-uri URI',
    ],
  ],
  [
    refusal => isLeaving(refusal) && /hint|id.?token/i.test(refusal.description),
    ({ clientId }) => [
      `suspect an ID token of another client, issuer or session: its aud has to name ${clientId}`,
      'send none, and answer the question of the server: --no-hint',
    ],
  ],
  [
    refusal => isLeaving(refusal) && refusal.code === 'unknown_page',
    () => ['answer the page in your own browser: --browser'],
  ],
  [
    ({ code }) => code === 'still_logged_in',
    () => [
      'suspect a session of another browser, or a question of the server that nobody answered: try --browser',
      'if this happens in each run, report it to the people who run the server: a confirmed logout has to end the session',
    ],
  ],
]

/** The facts of a run that the next move after a refusal depends on. */
export interface AdviceFacts
  extends Pick<
    FlowOptions,
    | ('metadata' | 'clientId' | 'auth' | 'redirectUri' | 'scope' | 'pkce' | 'push' | 'exchangeFor')
    | 'requestObject'
    | 'postLogoutRedirectUri'
  > {
  /** True for a server that is no lab: its clients are in no lab file. */
  readonly foreign: boolean
  readonly signs: boolean
  /** True when the client proves to hold a key (RFC 9449). */
  readonly bound?: boolean
}

/** A refusal, and the last step before it that has an exchange. */
export interface Refusal extends AdviceFacts {
  readonly code: string
  readonly description: string
  readonly step: Step | undefined
  readonly status: number | undefined
}

/** A kind of refusal, and the next moves after it. */
export type Advice = readonly [applies: (refusal: Refusal) => boolean, moves: (refusal: Refusal) => string[]]

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
