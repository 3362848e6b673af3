import { meaningOf } from '../../protocol/oauth/answers.js'
import { isBreach } from '../../protocol/oauth/check.js'
import type { FlowRecord, Outcome, Step } from '../step.js'
import { logoutAdvice } from './logout-advice.js'
import type { Advice, AdviceFacts, Refusal } from './refusal-facts.js'
import { requestAdvice } from './request-advice.js'
import { type FailedCheck, tokenAdvice } from './token-advice.js'

export type { AdviceFacts } from './refusal-facts.js'

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
]

/** Advice for another server than the lab. */
const elsewhere: readonly Advice[] = [
  [isUnknownClient, proofAdvice],
  [
    ({ description, step }) => step?.name === 'login_form' && namesRedirectUri(description),
    ({ clientId }) => [
      `register this address for client ${clientId} at the server, or name one that is registered: --redirect-uri URI`,
    ],
  ],
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
