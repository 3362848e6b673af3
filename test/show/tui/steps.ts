import type { FlowRecord, Outcome, PlannedStep, Step } from '../../../src/flows/step.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import type { HeaderList } from '../../../src/protocol/http/message.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { explainToken } from '../../../src/protocol/tokens/explain.js'

// A recorded run of the code flow as plain data: what a generator of flows/code.ts yields.

export const ISSUER = 'https://127.0.0.1:8443'
/** 14:03:15Z, four seconds after the token was issued. */
export const NOW = Date.UTC(2026, 10, 21, 14, 3, 15)
const ISSUED = NOW / 1000 - 4
const CODE = 'k3V9wTzR4bLqYc0eXnA7uHsJfQm1'
const STATE = 'af0ifjsldkj3Qk81'

export const PLAN: readonly PlannedStep[] = [
  {
    name: 'authorization_request',
    from: 'client',
    to: 'user_agent',
    title: 'open the authorization URL',
    rfc: '6749 §4.1.1',
    why: 'The client sends the browser to the authorization server with a description of what it wants.',
  },
  {
    name: 'login_form',
    from: 'user_agent',
    to: 'authorization_server',
    title: 'GET /authorization',
    rfc: '6749 §3.1',
    why: 'The authorization server checks the request before it asks anybody to log in.',
  },
  {
    name: 'login',
    from: 'user_agent',
    to: 'authorization_server',
    title: 'POST /authorization',
    rfc: '6749 §3.1',
    why: 'The resource owner logs in at the authorization server; the client never sees the password.',
  },
  {
    name: 'authorization_response',
    from: 'user_agent',
    to: 'client',
    title: 'GET /callback',
    rfc: '6749 §4.1.2',
    why: 'The browser brings the authorization code to the registered redirect_uri of the client.',
  },
  {
    name: 'token_request',
    from: 'client',
    to: 'authorization_server',
    title: 'POST /token',
    rfc: '6749 §4.1.3',
    why: 'The client redeems the code, and proves who it is; the browser sees nothing of it.',
  },
  {
    name: 'keys_request',
    from: 'client',
    to: 'authorization_server',
    title: 'GET /jwks',
    rfc: '7517 §5',
    why: 'The published keys show that the authorization server signed the token.',
  },
]

/** Three base64url parts; the signature is only a picture of one. */
export function jwt(
  claims: Readonly<Record<string, unknown>>,
  header: Readonly<Record<string, unknown>>,
): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part(header)}.${part(claims)}.${'c2lnbmF0dXJl'.repeat(8)}`
}

const HEADER = { alg: 'RS256', typ: 'JWT', kid: '2hKqR8vTn5Wx9Qw' }

const ACCESS_TOKEN = jwt(
  { iss: ISSUER, sub: 'alice', aud: 'demo', nbf: ISSUED - 30, iat: ISSUED, exp: ISSUED + 3600 },
  HEADER,
)

export function exchange(
  method: string,
  url: string,
  answer: { status: number; headers?: HeaderList; body?: string },
  sent: { headers?: HeaderList; body?: string; ms?: number } = {},
): Exchange {
  const body = answer.body ?? ''
  return {
    request: {
      method,
      url,
      headers: [['host', '127.0.0.1:8443'], ...(sent.headers ?? [])],
      body: sent.body ?? '',
    },
    response: { status: answer.status, headers: answer.headers ?? [], body },
    wireBytes: { request: Buffer.byteLength(sent.body ?? ''), response: Buffer.byteLength(body) },
    bodyBytes: Buffer.byteLength(body),
    ms: sent.ms ?? 4,
    at: '2026-11-21T14:03:11.000Z',
    tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
  }
}

function step(n: number, more: Partial<Step>): Step {
  return { ...PLAN[n - 1]!, type: 'step', n, of: PLAN.length, ...more }
}

const REQUEST_URL = `${ISSUER}/authorization?response_type=code&client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%3A7000%2Fcallback&scope=records%3Aread&state=${STATE}&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`
const CALLBACK = `http://127.0.0.1:7000/callback?code=${CODE}&state=${STATE}&iss=${encodeURIComponent(ISSUER)}`

const FORM =
  '<!doctype html>\n<title>Log in</title>\n<form method="post"><input name="csrf" value="s3cretvalue"></form>\n'

const JSON_TYPE: HeaderList = [
  ['content-type', 'application/json;charset=UTF-8'],
  ['cache-control', 'no-store'],
  ['pragma', 'no-cache'],
]

export const LOGIN_FORM = step(2, {
  exchange: exchange('GET', REQUEST_URL, {
    status: 200,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', '__Host-csrf=abcdefghijklmnop; Path=/; Secure; HttpOnly; SameSite=Lax'],
    ],
    body: FORM,
  }),
})

const LOGIN_BODY = 'username=alice&password=wonderland&csrf=s3cretvalue'
const FORM_TYPE = ['content-type', 'application/x-www-form-urlencoded'] as const

export const REFUSED_LOGIN = step(3, {
  exchange: exchange(
    'POST',
    REQUEST_URL,
    { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: FORM },
    { headers: [FORM_TYPE], body: LOGIN_BODY.replace('wonderland', 'wrong') },
  ),
  note: 'the username or the password is wrong',
  repeats: true,
})

export const LOGIN = step(3, {
  exchange: exchange(
    'POST',
    REQUEST_URL,
    { status: 302, headers: [['location', CALLBACK]] },
    { headers: [FORM_TYPE], body: LOGIN_BODY, ms: 9 },
  ),
})

export const TOKEN_STEP = step(5, {
  exchange: exchange(
    'POST',
    `${ISSUER}/token`,
    {
      status: 200,
      headers: JSON_TYPE,
      body: JSON.stringify({ access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600 }),
    },
    {
      headers: [
        FORM_TYPE,
        ['authorization', `Basic ${Buffer.from('demo:demo-secret-0123456789').toString('base64')}`],
      ],
      body: `grant_type=authorization_code&code=${CODE}&redirect_uri=http%3A%2F%2F127.0.0.1%3A7000%2Fcallback&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk`,
      ms: 14,
    },
  ),
  checks: [
    { name: 'status', ok: true, rule: 'RFC 6749 §5.1', detail: '200' },
    { name: 'no_store', ok: true, rule: 'RFC 6749 §5.1', detail: 'the answer may not be cached' },
  ],
  token: {
    kind: 'access_token',
    value: ACCESS_TOKEN,
    explained: explainToken(decodeJwt(ACCESS_TOKEN)),
    checks: [],
  },
})

export const KEYS_STEP = step(6, {
  exchange: exchange('GET', `${ISSUER}/jwks`, {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify({
      keys: [{ kty: 'RSA', kid: HEADER.kid, alg: 'RS256', use: 'sig', n: 'u1W9', e: 'AQAB' }],
    }),
  }),
  token: {
    kind: 'access_token',
    value: ACCESS_TOKEN,
    explained: explainToken(decodeJwt(ACCESS_TOKEN)),
    checks: [
      {
        name: 'signature',
        ok: true,
        rule: 'RFC 7515 §5.2',
        detail: `RS256, verified with key ${HEADER.kid}`,
      },
      { name: 'iss', ok: true, rule: 'RFC 7519 §4.1.1', detail: ISSUER },
      { name: 'aud', ok: true, rule: 'RFC 7519 §4.1.3', detail: 'demo' },
      { name: 'exp', ok: true, rule: 'RFC 7519 §4.1.4', detail: '3600 s left' },
    ],
  },
})

/** The steps of a run that is granted. */
export const STEPS: readonly Step[] = [
  step(1, { url: REQUEST_URL }),
  LOGIN_FORM,
  LOGIN,
  step(4, {
    url: CALLBACK,
    checks: [
      { name: 'state', ok: true, rule: 'RFC 6749 §10.12', detail: 'the value that was sent' },
      { name: 'iss', ok: true, rule: 'RFC 9207 §2.4', detail: ISSUER },
    ],
  }),
  TOKEN_STEP,
  KEYS_STEP,
]

export const GRANTED: Outcome = {
  type: 'outcome',
  outcome: 'granted',
  tokens: { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600, scope: 'records:read' },
}

export const REPLAYED = step(5, {
  exchange: exchange(
    'POST',
    `${ISSUER}/token`,
    {
      status: 400,
      headers: JSON_TYPE,
      body: '{"error":"invalid_grant","error_description":"code already redeemed"}',
    },
    { headers: [FORM_TYPE], body: `grant_type=authorization_code&code=${CODE}`, ms: 3 },
  ),
})

export const REFUSED: Outcome = {
  type: 'outcome',
  outcome: 'refused',
  error: {
    error: 'invalid_grant',
    error_description: 'The authorization code was already redeemed at 14:03:11.',
    rule: 'RFC 6749 §4.1.2',
  },
}

export const FAILED: Outcome = {
  type: 'outcome',
  outcome: 'failed',
  error: { error: 'ECONNREFUSED', error_description: 'cannot reach https://127.0.0.1:8443' },
}

/** A whole granted run. */
export const RUN: readonly FlowRecord[] = [...STEPS, GRANTED]
