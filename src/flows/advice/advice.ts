import { meaningOf } from '../../protocol/oauth/answers.js'
import { isBreach } from '../../protocol/oauth/check.js'
import type { FlowRecord, Outcome, Step } from '../step.js'
import { type Advice, type AdviceFacts, logoutAdvice, type Refusal, requestAdvice } from './request-advice.js'

interface FailedCheck {
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
function tokenAdvice({ name, detail = '' }: FailedCheck): readonly string[] | undefined {
  if (name === 'unit') return undefined
  return Object.hasOwn(moves, name) ? moves[name]!(detail) : [REPORT]
}

export type { AdviceFacts } from './request-advice.js'

const authenticated = new Set([
  'token_request',
  'refresh_request',
  'exchange_request',
  'poll_request',
  'pushed_authorization_request',
  'device_authorization_request',
])

const announced = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : `; the server announces ${values.join(', ')}`

/** Keycloak and others say `unauthorized_client` for `invalid_client` (RFC 6749 §5.2). */
function isUnknownClient({ code, status, step }: Refusal): boolean {
  if (step !== undefined && !authenticated.has(step.name)) return false
  return meaningOf(code) === 'invalid_client' || (code === 'unauthorized_client' && status === 401)
}

function proofAdvice({ code, auth, signs, clientId, metadata }: Refusal): string[] {
  const methods = metadata.token_endpoint_auth_methods_supported
  if (signs) {
    return [`check that the server knows the public key of client ${clientId}: --client-id, --client-key`]
  }
  if (auth === 'none') {
    const secret = `if client ${clientId} has a secret, give it: --client-secret-file FILE, or --client-secret-stdin`
    if (meaningOf(code) === 'invalid_client') return [secret]
    return [secret, 'if it has none, it may not use this grant: choose another client: --client-id']
  }
  const other = auth === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic'
  return [
    `check the client and its secret: --client-id ${clientId} --client-secret-file FILE`,
    `if both are right, show the secret another way: --auth ${other}${announced(methods)}`,
  ]
}

const verifying = new Set(['keys_request', 'id_token_verification', 'response_verification'])

function failedCheckOf({ step, description }: Refusal): FailedCheck | undefined {
  if (step?.name === 'userinfo_request') {
    const [, name, detail] =
      /^the (\w+) of the signed userinfo is not accepted: (.*)$/s.exec(description) ?? []
    return name === undefined ? undefined : { name, detail }
  }
  if (step === undefined || !verifying.has(step.name)) return undefined
  const tokens = [step.token, ...(step.tokens ?? [])]
  return [...tokens.flatMap(token => token?.checks ?? []), ...(step.checks ?? [])].find(isBreach)
}

const anywhere: readonly Advice[] = [
  ...logoutAdvice,
  ...requestAdvice,
  [
    ({ code, description }) => code === 'login_failed' && description.startsWith('the one-time code'),
    () => ['wait for the next code, 30 seconds at most: each one is good once'],
  ],
  [
    ({ code }) => code !== 'invalid_grant' && meaningOf(code) === 'invalid_grant',
    () => [
      'start again: a code is good once, for a short time, and for the redirect_uri that it was sent to',
    ],
  ],
  [
    ({ description, push }) => !push && /pushed authorization request|\bPAR\b/i.test(description),
    () => ['push the request beforehand: --par'],
  ],
  [
    ({ description, pkce }) => !pkce && /code.?challenge|\bpkce\b/i.test(description),
    () => ['send a code_challenge: leave --no-pkce out'],
  ],
  [
    ({ code, step, exchangeFor }) =>
      step?.name === 'exchange_request' &&
      exchangeFor === undefined &&
      /^invalid_(request|target)$/.test(code),
    () => ['name who the new token is for: --audience AUDIENCE'],
  ],
  [
    ({ code, description, scope }) =>
      code === 'invalid_request' && scope === undefined && /\bscope\b/i.test(description),
    () => ['name a scope: --scope openid'],
  ],
  [
    ({ description, step }) => step?.name === 'login_form' && namesRedirectUri(description),
    ({ clientId, foreign }) => [
      `register this address for client ${clientId} ${foreign ? 'at the server' : 'in the lab file'}, or name one that is registered: --redirect-uri URI`,
    ],
  ],
]

/** Advice for another server than the lab. */
const elsewhere: readonly Advice[] = [
  [isUnknownClient, proofAdvice],
  [
    ({ code }) => code === 'unauthorized_client',
    ({ clientId }) => [
      `allow client ${clientId} this grant where it is registered, or choose another client: --client-id`,
    ],
  ],
  [
    ({ step, description, status = 0 }) =>
      step?.name === 'login_form' && status >= 400 && /\bclient\b/i.test(description),
    ({ clientId }) => [`check the name of the client: --client-id ${clientId}`],
  ],
  [
    ({ code }) => code === 'invalid_scope',
    ({ metadata }) => [
      `ask for a scope that the server knows and the client may have: --scope SCOPE${announced(metadata.scopes_supported)}`,
    ],
  ],
  [
    ({ code, scope, step }) =>
      code === 'access_denied' && scope === undefined && step?.name === 'authorization_response',
    () => ['name a scope: some servers deny a request that asks for nothing: --scope openid'],
  ],
  [({ code }) => code === 'no_refresh_token', () => ['ask for one: --scope "openid offline_access"']],
]

function namesRedirectUri(text: string): boolean {
  return /redirect.?ur[il]|callback.?ur[il]|reply (url|address)/i.test(text)
}

function hintsFor(refusal: Refusal): readonly string[] | undefined {
  const entries = refusal.foreign ? [...anywhere, ...elsewhere] : anywhere
  const found = entries.find(([applies]) => applies(refusal))
  if (found) return found[1](refusal)
  const failed = failedCheckOf(refusal)
  return failed === undefined ? undefined : tokenAdvice(failed)
}

function describedFor({ description, step, redirectUri }: Refusal): string {
  if (step?.name !== 'login_form' || !namesRedirectUri(description)) return description
  const port = redirectUri.replace(/^\w+:\/\//, '')
  return description.includes(port) ? description : `${description}; the request named ${redirectUri}`
}

function withAdvice(outcome: Outcome, step: Step | undefined, facts: AdviceFacts): Outcome {
  const { error } = outcome
  if (outcome.outcome !== 'refused' || error === undefined || outcome.tamper !== undefined) return outcome
  const refusal: Refusal = {
    ...facts,
    code: error.error,
    description: error.error_description,
    step,
    status: step?.exchange?.response?.status,
  }
  const hints = hintsFor(refusal)
  const described = { ...error, error_description: describedFor(refusal) }
  return { ...outcome, error: hints === undefined ? described : { ...described, hints } }
}

/** The records of a flow, with the next moves after a refusal that depend on the run, such as on its server and its client. */
export async function* advised(
  records: AsyncIterable<FlowRecord>,
  facts: AdviceFacts,
): AsyncGenerator<FlowRecord, void, void> {
  let last: Step | undefined
  for await (const record of records) {
    if (record.type === 'outcome') {
      yield withAdvice(record, last, facts)
      continue
    }
    if (record.exchange) last = record
    yield record
  }
}
