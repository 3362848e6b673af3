export interface FailedCheck {
  readonly name: string
  readonly detail?: string | undefined
}

const REPORT = 'report it to the people who run the server: a client has to refuse such a token'

const CLOCK = [
  'compare the clock of the server with the one of this computer',
  'if both are right, suspect an old token that somebody sent again',
]

const OTHER_CLIENT = [
  'suspect a token that was issued to another client (token substitution): drop it, and log nobody in by it',
  'if this happens in each run, compare aud and azp with the client_id: --client-id',
]

/** The next moves after a failed check: a person has to know why this token is wrong before getting another. */
const moves: Readonly<Record<string, (detail: string) => readonly string[]>> = {
  nonce: () => [
    'suspect an answer of another login, injected or mixed up: drop it, and start again in this browser',
    `if this happens in each run, the server does not repeat the nonce: ${REPORT}`,
  ],
  signature: detail => signatureMoves(detail),
  alg: detail =>
    / is not allowed; /.test(detail)
      ? [
          'register the client for an allowed algorithm: id_token_signed_response_alg, userinfo_signed_response_alg',
        ]
      : [
          'suspect a forged token: the provider does not announce this algorithm',
          'if the provider changed it, compare id_token_signing_alg_values_supported with the registration of the client',
        ],
  iss: () => [
    'suspect a mix-up: another server issued this token than the one that was asked; send nothing to it',
    'if this happens in each run, compare iss with the issuer in the metadata: oauth-lab doctor ISSUER',
  ],
  aud: () => OTHER_CLIENT,
  azp: () => OTHER_CLIENT,
  exp: () => CLOCK,
  nbf: () => CLOCK,
  iat: () => CLOCK,
  at_hash: () => [
    'suspect another access token beside this id_token (token substitution): use neither of them',
    `if this happens in each run, the server hashes it wrongly: ${REPORT}`,
  ],
  c_hash: () => [
    'suspect another code beside this id_token (code injection): do not redeem it',
    `if this happens in each run, the server hashes it wrongly: ${REPORT}`,
  ],
  sub: () => ['suspect a token about another user: drop it, and log nobody in by it'],
  acr: () => [
    'refuse the login for what needs a stronger one: the server did not meet an essential acr',
    `ask what the server knows: acr_values_supported in its metadata; if it knows the class, ${REPORT}`,
  ],
  auth_time: () => [
    'ask for a new login: --param prompt=login; the server answered with an older one than max_age allows',
    `if this happens in each run, the server ignores max_age: ${REPORT}`,
  ],
  id_token: () => [
    'ask why no id_token can be verified: the server has to send one for the scope openid, and to publish its keys',
  ],
}

function signatureMoves(detail: string): readonly string[] {
  if (/^no published key fits|several published keys/.test(detail)) {
    return [
      'suspect other keys: the server rotated them, or the token is from another issuer; compare kid with the keys at jwks_uri',
      'run again after a rotation: the client then fetches the new keys',
    ]
  }
  if (/^alg /.test(detail)) {
    return [
      'suspect a forged token: none and HMAC need no private key of the server, so a client takes neither for a signature',
    ]
  }
  return [
    'suspect a token that was changed on its way, or signed by another server: drop it',
    'if this happens in each run, compare jwks_uri with the metadata of the issuer: oauth-lab doctor ISSUER',
  ]
}

/** Returns the next moves after a client refused a token for a failed check; undefined where the broken rule has its own. */
export function tokenAdvice({ name, detail = '' }: FailedCheck): readonly string[] | undefined {
  if (name === 'unit') return undefined
  return Object.hasOwn(moves, name) ? moves[name]!(detail) : [REPORT]
}
