import {
  answerChange,
  bearer,
  changed,
  idToken,
  login,
  now,
  refused,
  tokenChange,
  tokenEntry,
  with_,
} from './changed-logins.js'
import { entry, form, type HarEntry, loginEntries, loginMessages, loginParts } from './recording.js'

/** Mistakes, each with the one finding that names it. */
export const mistakes: Readonly<Record<string, readonly [finding: string, entries: HarEntry[]]>> = {
  'the server drops state': ['fault state-missing', answerChange({ state: undefined })],
  'another state': ['fault state-differs', answerChange({ state: 'other' })],
  'state encoded twice': [
    'fault state-differs',
    login(messages => {
      messages.request.state = 'a b/c'
      messages.answer.state = 'a%20b%2Fc'
    }),
  ],
  'no iss, though announced': ['fault iss-missing', answerChange({ iss: undefined })],
  'a foreign iss': ['fault iss-differs', answerChange({ iss: 'https://evil.example' })],
  'no code_verifier': ['fault verifier-missing', refused(tokenChange({ code_verifier: undefined }))],
  'the verifier of another login': [
    'fault verifier-differs',
    refused(tokenChange({ code_verifier: 'A'.repeat(43) })),
  ],
  'a verifier without challenge': [
    'fault verifier-without-challenge',
    login(messages => {
      delete messages.request.code_challenge
      delete messages.request.code_challenge_method
    }),
  ],
  'plain PKCE': [
    'weakness pkce-plain',
    login((messages, { verifier }) => {
      messages.request.code_challenge = verifier
      messages.request.code_challenge_method = 'plain'
    }),
  ],
  'a public client without PKCE': [
    'fault pkce-missing',
    login(messages => {
      delete messages.request.code_challenge
      delete messages.request.code_challenge_method
      delete messages.token.code_verifier
      delete messages.token.client_secret
    }),
  ],
  'another nonce': ['fault nonce-differs', idToken({ nonce: 'other' })],
  'no nonce in the ID token': ['fault nonce-differs', idToken({ nonce: undefined })],
  'another redirect_uri in the token request': [
    'fault redirect-uri-differs',
    refused(tokenChange({ redirect_uri: 'https://app.example/cb/' })),
  ],
  'the callback arrives elsewhere': [
    'fault callback-elsewhere',
    login((messages, parts) => {
      messages.request.redirect_uri = 'https://app.example/callback'
      messages.token.redirect_uri = 'https://app.example/callback'
      parts.redirectUri = 'https://app.example/cb'
    }),
  ],
  'http redirect_uri': [
    'fault redirect-uri-unsafe',
    login(
      () => {},
      parts => {
        parts.redirectUri = 'http://app.example/cb'
      },
    ),
  ],
  'another client redeems': ['fault client-differs', tokenChange({ client_id: 'other' })],
  'the secret in a URL': [
    'fault secret-in-url',
    changed(tokenChange({ client_secret: undefined }), token => {
      token.request.url += '?client_secret=hunter2hunter2'
    }),
  ],
  'the secret in a page': [
    'fault secret-in-page',
    changed(loginEntries(), token => {
      token.request.headers.push(
        { name: 'Sec-Fetch-Mode', value: 'cors' },
        { name: 'Origin', value: 'https://app.example' },
      )
    }),
  ],
  'two credentials': [
    'fault two-credentials',
    changed(loginEntries(), token => {
      token.request.headers.push({
        name: 'Authorization',
        value: `Basic ${Buffer.from('web:correct').toString('base64')}`,
      })
    }),
  ],
  'the code twice': [
    'fault code-reused',
    (() => {
      const entries = loginEntries()
      const again = structuredClone(tokenEntry(entries))
      again.startedDateTime = '2026-03-01T10:00:08.000Z'
      again.response.status = 400
      again.response.content.text = JSON.stringify({ error: 'invalid_grant' })
      return [...entries, again]
    })(),
  ],
  'the code encoded twice': [
    'fault code-differs',
    login(
      messages => {
        messages.token.code = encodeURIComponent(messages.answer.code!)
      },
      parts => {
        parts.code = 'a/b+c=='
      },
    ),
  ],
  'tokens in a cache': [
    'weakness token-cacheable',
    changed(loginEntries(), token => {
      token.response.headers = token.response.headers.filter(({ name }) => name !== 'cache-control')
    }),
  ],
  'the token in a URL': [
    'fault token-in-url',
    with_(entry(9, 'GET', `https://api.example/r?access_token=${loginParts().accessToken}`, { json: {} })),
  ],
  'the code in a Referer': [
    'fault code-in-referer',
    with_(
      entry(
        9,
        'GET',
        'https://tracker.example/pixel.gif',
        {},
        {
          headers: { referer: `https://app.example/cb?${form(loginMessages().answer)}` },
        },
      ),
    ),
  ],
  'dates in milliseconds': ['fault milliseconds', idToken({ exp: (now + 3600) * 1000, iat: now * 1000 })],
  'an ID token of another client': ['fault audience-differs', idToken({ aud: 'other' })],
  'an azp of another client': ['fault azp-differs', idToken({ aud: ['web', 'api'], azp: 'api' })],
  'another issuer in the ID token': ['fault issuer-differs', idToken({ iss: 'https://id.example/' })],
  'a wrong at_hash': ['fault at-hash-differs', idToken({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })],
  'an unsigned ID token': ['fault alg-none', idToken({}, { alg: 'none' })],
  'an unpublished key': ['fault key-unknown', idToken({}, { alg: 'RS256', kid: 'key-2' })],
  'an ID token of yesterday': ['fault expired-on-arrival', idToken({ exp: now - 86_400, iat: now - 90_000 })],
  'an ID token of tomorrow': ['weakness issued-in-future', idToken({ exp: now + 90_000, iat: now + 86_400 })],
  'no ID token': [
    'fault id-token-missing',
    login(messages => {
      delete messages.tokens.id_token
    }),
  ],
  'another sub at userinfo': [
    'fault sub-differs',
    login(messages => {
      messages.userinfo.sub = 'bob'
    }),
  ],
  'an expired token': [
    'fault expired-token-sent',
    with_(entry(7200, 'GET', 'https://api.example/r', { status: 401 }, bearer(loginParts().accessToken))),
  ],
  'a refused token': [
    'fault token-refused',
    with_(
      entry(
        9,
        'GET',
        'https://api.example/r',
        { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
        bearer(loginParts().accessToken),
      ),
    ),
  ],
  'an error answer': [
    'fault authorization-error',
    login(messages => {
      messages.answer = { error: 'access_denied', state: messages.request.state!, iss: 'https://id.example' }
    }).slice(0, 6),
  ],
  'an unexplained invalid_grant': ['fault request-refused', refused(loginEntries())],
  'a token endpoint that failed': [
    'fault server-error',
    changed(loginEntries(), token => {
      token.response.status = 503
      token.response.content.text = ''
    }),
  ],
  CORS: [
    'fault no-answer',
    changed(tokenChange({ client_secret: undefined }), token => {
      token.response = {
        status: 0,
        headers: [],
        content: { mimeType: 'x-unknown', size: 0 },
        _error: 'net::ERR_FAILED',
      }
      token.request.headers.push(
        { name: 'Origin', value: 'https://app.example' },
        { name: 'Sec-Fetch-Mode', value: 'cors' },
      )
    }),
  ],
  'an answer that the browser withheld': [
    'fault cors-missing',
    changed(tokenChange({ client_secret: undefined }), token => {
      token.request.headers.push(
        { name: 'Origin', value: 'https://app.example' },
        { name: 'Sec-Fetch-Mode', value: 'cors' },
      )
    }),
  ],
  'a parameter twice': [
    'fault parameter-repeated',
    changed(loginEntries(), token => {
      token.request.postData!.text += '&redirect_uri=https%3A%2F%2Fapp.example%2Fcb'
    }),
  ],
  'a server without TLS': [
    'fault plain-http',
    login(
      () => {},
      parts => {
        parts.issuer = 'http://id.example'
        parts.claims.iss = 'http://id.example'
        parts.metadata = Object.fromEntries(
          Object.entries(parts.metadata).map(([name, value]) => [
            name,
            typeof value === 'string' ? value.replace('https:', 'http:') : value,
          ]),
        )
      },
    ),
  ],
  'an old refresh token': [
    'fault refresh-token-reused',
    with_(
      entry(
        100,
        'POST',
        'https://id.example/token',
        {
          json: {
            access_token: 'second-access-token',
            token_type: 'Bearer',
            refresh_token: 'second-refresh',
          },
        },
        { form: { grant_type: 'refresh_token', refresh_token: loginParts().refreshToken, client_id: 'web' } },
      ),
      entry(
        200,
        'POST',
        'https://id.example/token',
        { status: 400, json: { error: 'invalid_grant' } },
        { form: { grant_type: 'refresh_token', refresh_token: loginParts().refreshToken, client_id: 'web' } },
      ),
    ),
  ],
}
