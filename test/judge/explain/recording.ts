import { randomBytes } from 'node:crypto'
import { redactedHar } from '../../../src/judge/explain/redact/redact-source.js'
import { codeChallenge } from '../../../src/protocol/oauth/pkce.js'
import { tokenHash } from '../../../src/protocol/tokens/verify.js'

/** An entry of a HAR, as tests change it. */
export interface HarEntry {
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    headers: { name: string; value: string }[]
    cookies?: { name: string; value: string }[]
    postData?: { mimeType: string; text?: string; params?: { name: string; value: string }[] }
    [member: string]: unknown
  }
  response: {
    status: number
    headers: { name: string; value: string }[]
    content: { mimeType: string; size: number; text?: string; encoding?: string }
    redirectURL?: string
    [member: string]: unknown
  }
  [member: string]: unknown
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT with a signature that no test checks. */
export const jwt = (claims: object, header: object = { alg: 'RS256', kid: 'key-1', typ: 'JWT' }): string =>
  `${part(header)}.${part(claims)}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg`

export const form = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(values).toString()

const START = Date.parse('2026-03-01T10:00:00.000Z')

/** Makes an entry, `at` seconds after the start of the recording. */
export function entry(
  at: number,
  method: string,
  url: string,
  answer: {
    status?: number
    json?: unknown
    html?: string
    location?: string
    headers?: Record<string, string>
  } = {},
  sent: { form?: Readonly<Record<string, string>> | string; headers?: Record<string, string> } = {},
): HarEntry {
  const { json, html, location, headers = {} } = answer
  const text = json === undefined ? html : JSON.stringify(json)
  const mimeType = json === undefined ? 'text/html' : 'application/json'
  const posted = typeof sent.form === 'object' ? form(sent.form) : sent.form
  const named = (all: Record<string, string>) => Object.entries(all).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime: new Date(START + at * 1000).toISOString(),
    time: 20,
    request: {
      method,
      url,
      headers: named(sent.headers ?? {}),
      ...(posted === undefined
        ? {}
        : { postData: { mimeType: 'application/x-www-form-urlencoded', text: posted } }),
    },
    response: {
      status: answer.status ?? (location === undefined ? 200 : 302),
      headers: named({
        ...(json === undefined ? {} : { 'content-type': 'application/json', 'cache-control': 'no-store' }),
        ...(location === undefined ? {} : { location }),
        ...headers,
      }),
      content: { mimeType, size: text?.length ?? 0, ...(text === undefined ? {} : { text }) },
    },
  }
}

/** What a login is made of. Tests change single values. */
export function loginParts() {
  const seconds = START / 1000
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  return {
    issuer: 'https://id.example',
    clientId: 'web',
    secret: 'correct-horse-battery-staple',
    redirectUri: 'https://app.example/cb',
    state: 'xyzABC123state',
    nonce: 'n-0S6_WzA2Mj',
    code: 'SplxlOBeZQQYbYS6WxSbIA',
    verifier,
    challenge: codeChallenge(verifier),
    accessToken: 'mF_9.B5f-4.1JqM-opaque-access-token',
    refreshToken: 'tGzv3JOkF0XG5Qx2TlKWIA',
    claims: {
      iss: 'https://id.example',
      sub: 'alice',
      aud: 'web',
      exp: seconds + 3600,
      iat: seconds + 4,
      nonce: 'n-0S6_WzA2Mj',
    } as Record<string, unknown>,
    metadata: {
      issuer: 'https://id.example',
      authorization_endpoint: 'https://id.example/authorize',
      token_endpoint: 'https://id.example/token',
      userinfo_endpoint: 'https://id.example/me',
      jwks_uri: 'https://id.example/jwks',
      authorization_response_iss_parameter_supported: true,
    } as Record<string, unknown>,
  }
}

export type LoginParts = ReturnType<typeof loginParts>

/** The parameters and answers of a login, before they become entries. */
export function loginMessages(parts: LoginParts = loginParts()) {
  const { issuer, clientId, redirectUri, state, nonce, code, verifier, challenge, accessToken } = parts
  const atHash = tokenHash(accessToken, 'RS256')
  return {
    request: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    } as Record<string, string>,
    answer: { code, state, iss: issuer } as Record<string, string>,
    token: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: parts.secret,
      code_verifier: verifier,
    } as Record<string, string>,
    tokens: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: parts.refreshToken,
      id_token: jwt({ ...parts.claims, at_hash: atHash }),
    } as Record<string, unknown>,
    userinfo: { sub: 'alice', name: 'Alice Liddell', email: 'alice@example.com' } as Record<string, unknown>,
  }
}

export type LoginMessages = ReturnType<typeof loginMessages>

const noise = (at: number) =>
  entry(at, 'GET', `https://app.example/assets/${at}.js`, { html: 'let x = "code=1&state=2"' })

/** The entries of a login by a server's client, with the requests of its pages around it. */
export function loginEntries(parts: LoginParts = loginParts(), messages = loginMessages(parts)): HarEntry[] {
  const { issuer, redirectUri, accessToken, metadata } = parts
  const landed = `${redirectUri}?${form(messages.answer)}`
  return [
    entry(0, 'GET', `${issuer}/.well-known/openid-configuration`, { json: metadata }),
    noise(0.5),
    entry(1, 'GET', `${issuer}/authorize?${form(messages.request)}`, {
      html: '<form><input name="password"></form>',
    }),
    noise(1.5),
    entry(
      2,
      'POST',
      `${issuer}/login`,
      { location: landed },
      { form: { username: 'alice', password: 'wonderland' } },
    ),
    entry(3, 'GET', landed, { location: '/' }, { headers: { cookie: 'session=abc' } }),
    entry(4, 'POST', `${issuer}/token`, { json: messages.tokens }, { form: messages.token }),
    entry(5, 'GET', `${issuer}/jwks`, { json: { keys: [{ kty: 'RSA', kid: 'key-1', n: 'x', e: 'AQAB' }] } }),
    entry(
      6,
      'GET',
      `${issuer}/me`,
      { json: messages.userinfo },
      { headers: { authorization: `Bearer ${accessToken}` } },
    ),
    noise(7),
  ]
}

/** A HAR of entries. */
export const har = (entries: readonly unknown[], log: object = {}): string =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries, ...log },
  })

/** A text as a stream, in pieces of a size. */
export async function* stream(text: string | Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The redacted copy of an archive. @param key random bytes: the same key gives the same pseudonyms */
export async function redacted(text: string, key: Uint8Array = randomBytes(32)): Promise<string> {
  let made = ''
  for await (const piece of redactedHar(() => stream(text), key, '1.0.0')) made += piece
  return made
}
