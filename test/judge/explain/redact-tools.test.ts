import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import { programInHome } from '../../commands/support.js'
import { dialects } from './dialects.js'
import { leaks } from './leaks.js'
import {
  APP,
  asked,
  beside,
  got,
  ISSUER,
  type Made,
  next,
  page,
  posted,
  refused,
  saml,
  TYPES,
  token,
} from './planting.js'
import { entry, form, jwt, loginEntries, stream } from './recording.js'

/** Kinds, ends and findings of the conversations in an archive, by their names. */
async function findings(text: string): Promise<string[]> {
  const { flows } = await explainSource(stream(text), 'x')
  return flows.map(({ conversation: { kind, outcome }, findings: all }) =>
    [kind, outcome, ...all.map(({ name, entry: number }) => `${name} ${number}`)].join(', '),
  )
}

/** Secrets of people and programs, each in one place. */
const PLANTS: readonly (readonly [place: string, secret: string, make: (secret: string) => Made])[] = [
  [
    'X-Api-Key',
    'live-4f9c2e77',
    s => token({ grant_type: 'client_credentials' }, undefined, { 'x-api-key': s }),
  ],
  [
    'a header of a gateway',
    'Zephyrine',
    s => token({ grant_type: 'x' }, undefined, { 'x-authenticated-user': s }),
  ],
  [
    'X-Forwarded-For',
    '203.0.113.77',
    s => token({ grant_type: 'x' }, undefined, { 'x-forwarded-for': `${s}, 10.0.0.1` }),
  ],
  [
    'Forwarded',
    '198.51.100.23',
    s => token({ grant_type: 'x' }, undefined, { forwarded: `for=${s};proto=https` }),
  ],
  [
    'Cookie',
    'k7Wq-session',
    s => got(`${ISSUER}/authorize?client_id=web`, { cookie: `theme=dark; SSO=${s}` }),
  ],
  [
    'Set-Cookie',
    'hR2-remember',
    s => asked({}, { headers: { 'set-cookie': `rm=${s}; Path=/; HttpOnly\ntheme=dark` } }),
  ],
  [
    'the name of a cookie',
    'wk0dGhlbm9uY2Uxx',
    s => asked({}, { headers: { 'set-cookie': `nonce.${s}=N; Path=/` } }),
  ],
  ['a query', 'q5ession1d', s => got(`${APP}/home?sid=${s}`)],
  ['an old link', 'Jc8-magic-31', s => got(`${APP}/signin/magic/${s}/confirm`)],
  [
    'a matrix parameter',
    '0A1B2C3D4E5F',
    s => got(`${ISSUER}/authorize;jsessionid=${s}?client_id=web&response_type=code`),
  ],
  ['a fragment', 'fr4gm3nt-t0ken', s => got(`${APP}/cb#access_token=${s}&token_type=bearer`)],
  ['a route in a fragment', 'r0ut3-inv1te', s => got(`${APP}/#/join?invite=${s}`)],
  ['a password', 'Tr0ub4dor & 3', s => token({ grant_type: 'password', username: 'x', password: s })],
  ['a short password', 'hunter', s => token({ grant_type: 'password', username: 'x', password: s })],
  ['a one-time code', '493027', s => token({ grant_type: 'urn:x:mfa-otp', otp: s, mfa_token: 'x' })],
  [
    'a multipart field',
    'mult1-p@rt',
    s =>
      posted(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${s}\r\n--b--`,
      ),
  ],
  [
    'nested JSON',
    'n3sted-pass',
    s => posted(TYPES.json, JSON.stringify({ user: { credentials: [{ password: s }] } })),
  ],
  [
    'GraphQL variables',
    'gr4ph-pass',
    s =>
      posted(
        TYPES.json,
        JSON.stringify({ query: 'mutation($p:String!){login(password:$p){id}}', variables: { p: s } }),
        `${ISSUER}/login`,
      ),
  ],
  [
    'a GraphQL literal',
    'l1teral-pw',
    s =>
      posted(
        TYPES.json,
        JSON.stringify({ query: `mutation{login(password:"${s}"){id}}` }),
        `${ISSUER}/login`,
      ),
  ],
  [
    'base64 content',
    'b64-s3cret',
    s =>
      beside(
        {},
        {},
        {
          content: {
            mimeType: TYPES.json,
            size: 9,
            encoding: 'base64',
            text: Buffer.from(JSON.stringify({ client_secret: s })).toString('base64'),
          },
        },
      ),
  ],
  [
    'a frame',
    'fr4me-pass',
    s =>
      beside({
        _webSocketMessages: [
          {
            type: 'send',
            time: 1,
            opcode: 1,
            data: JSON.stringify({ type: 'connection_init', payload: { authToken: s } }),
          },
        ],
      }),
  ],
  [
    'a STOMP frame',
    'st0mp-pass',
    s =>
      beside({
        _webSocketMessages: [
          { type: 'send', time: 1, opcode: 1, data: `CONNECT\nlogin:bob\npasscode:${s}\n\n\0` },
        ],
      }),
  ],
  [
    'a subprotocol',
    'sub-pr0t0c0l-t0k3n',
    s => got(`${ISSUER}/authorize?client_id=web`, { 'sec-websocket-protocol': `bearer, ${s}` }),
  ],
  [
    '_initiator',
    'in1tiator-k',
    s =>
      beside({
        _initiator: {
          type: 'script',
          stack: { callFrames: [{ functionName: '', url: `${APP}/a.js?token=${s}`, lineNumber: 1 }] },
        },
      }),
  ],
  [
    '_securityDetails',
    'Zenobia Quill',
    s => beside({ _securityDetails: { protocol: 'TLS 1.3', subjectName: s, issuer: s } }),
  ],
  ['a page title', 'Ottoline Vex', s => beside({ pageref: `${APP}/u/${s}`, comment: `${APP}/?name=${s}` })],
  ['a comment', 'c0mment-key-1', s => beside({ comment: `api_key=${s}` }, { comment: s }, { comment: s })],
  ['serverIPAddress', '192.0.2.41', s => beside({ serverIPAddress: s, connection: `ClientIP:${s}` })],
  [
    'Referer',
    'ref3rer-code',
    s => asked({}, {}) && got(`${ISSUER}/authorize?client_id=web`, { referer: `${APP}/cb?code=${s}` }),
  ],
  ['Location', 'l0cation-t1', s => asked({}, { location: `${APP}/cb?${form({ code: s, state: 'x' })}` })],
  [
    'an address in state',
    'st4te-return',
    s => asked({ state: Buffer.from(JSON.stringify({ returnTo: `/x?token=${s}` })).toString('base64url') }),
  ],
  [
    'a Refresh header',
    'r3fresh-code',
    s => asked({}, { headers: { refresh: `0; url=${APP}/cb?code=${s}` } }),
  ],
  [
    'a Link header',
    'l1nk-sign4ture',
    s => asked({}, { headers: { link: `<${APP}/f?sig=${s}>; rel="next"` } }),
  ],
  [
    'a policy',
    'r3port-k3y-55',
    s =>
      asked(
        {},
        {
          headers: {
            'content-security-policy': `default-src 'self'; report-uri https://sentry.example/1?sentry_key=${s}`,
          },
        },
      ),
  ],
  [
    'a trace',
    'tr4ce-1d-0099',
    s => asked({}, { headers: { 'x-correlation-id': s, 'server-timing': `db;desc="${s}"` } }),
  ],
  [
    'a file name',
    'quillfeather',
    s => asked({}, { headers: { 'content-disposition': `attachment; filename="${s}-payslip.pdf"` } }),
  ],
  [
    'a hidden input',
    'h1dden-input',
    s => page(`<form><input type="hidden" name="execution" value="${s}"></form>`),
  ],
  ['inline state', '1nline-state', s => page(`<script>window.__STATE__={"user":{"apiKey":"${s}"}}</script>`)],
  [
    'an error page',
    'prudence.ash@corp.example',
    s =>
      page(
        `<title>Error</title><div id="kc-error-message"><p class="instruction">User ${s} is locked.</p></div>`,
        400,
      ),
  ],
  [
    'a JWT in a JWT',
    'in-n3r-claim',
    s => token({ grant_type: 'x', assertion: jwt({ act: jwt({ email_hash: s }) }) }),
  ],
  [
    'a SAML response',
    'Cosima Thrale',
    s => posted(TYPES.form, form({ SAMLResponse: saml(s).toString('base64') }), `${APP}/saml/acs`),
  ],
  [
    'a SAML request',
    'theodora.fenn',
    s => got(`https://idp.example/sso?${form({ SAMLRequest: deflateRawSync(saml(s)).toString('base64') })}`),
  ],
  [
    'Basic',
    'b4sic-secret',
    s =>
      token({ grant_type: 'client_credentials' }, undefined, {
        authorization: `Basic ${Buffer.from(`web:${s}`).toString('base64')}`,
      }),
  ],
  [
    'Digest',
    'd1gest-n0nce',
    s =>
      token({ grant_type: 'x' }, undefined, {
        authorization: `Digest username="marguerite", nonce="${s}", response="abc"`,
      }),
  ],
  [
    'a signature of AWS',
    'fe5f80f77d5fa3beca038a248ff027d0',
    s =>
      token({ grant_type: 'x' }, undefined, {
        authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/x/sts/aws4_request, SignedHeaders=host, Signature=${s}`,
      }),
  ],
  [
    'a proof',
    'dp0p-jti-77',
    s =>
      token({ grant_type: 'x' }, undefined, {
        dpop: jwt(
          { jti: s, htm: 'POST', htu: `${ISSUER}/token`, iat: 1 },
          { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } },
        ),
      }),
  ],
  [
    'a client assertion',
    'ass3rt-jti-1',
    s =>
      token({
        grant_type: 'x',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: jwt({ iss: 'web', sub: 'web', aud: ISSUER, jti: s }),
      }),
  ],
  [
    'a device code',
    'd3vice-c0de',
    s =>
      entry(
        next(),
        'POST',
        `${ISSUER}/device`,
        {
          json: { device_code: s, user_code: 'WDJB-MJHT', verification_uri: `${ISSUER}/go`, expires_in: 600 },
        },
        { form: { client_id: 'tv' } },
      ),
  ],
  [
    'a user code',
    'QKLM-RTVX',
    s =>
      entry(
        next(),
        'POST',
        `${ISSUER}/device`,
        {
          json: {
            device_code: 'x',
            user_code: s,
            verification_uri: `${ISSUER}/go`,
            verification_uri_complete: `${ISSUER}/go?user_code=${s}`,
            message: `Enter ${s} at ${ISSUER}/go`,
          },
        },
        { form: { client_id: 'tv' } },
      ),
  ],
  ['a login_hint', 'perpetua.lund@corp.example', s => asked({ login_hint: s })],
  ['an id_token_hint', 'subj-ect-5521', s => asked({ id_token_hint: jwt({ sub: s }) })],
  ['claims', 'cl4im-value-8', s => asked({ claims: JSON.stringify({ id_token: { sub: { value: s } } }) })],
  ['a request object', 'octavia.brandt', s => asked({ request: jwt({ client_id: 'web', login_hint: s }) })],
  [
    'authorization_details',
    'DE89370400440532013000',
    s =>
      asked({
        authorization_details: JSON.stringify([{ type: 'payment_initiation', creditorAccount: { iban: s } }]),
      }),
  ],
  [
    'a name',
    'Wilhelmina Sterne',
    s => token({ grant_type: 'x' }, { access_token: 'x', token_type: 'Bearer', user: { name: s } }),
  ],
  [
    'a phone',
    '+49 30 5550123',
    s => got(`${ISSUER}/userinfo`, { authorization: 'Bearer x' }, { json: { sub: 'x', phone_number: s } }),
  ],
  [
    'an address',
    'Lindenallee 42',
    s =>
      got(
        `${ISSUER}/userinfo`,
        { authorization: 'Bearer x' },
        { json: { sub: 'x', address: { street_address: s, formatted: `${s}\n10115 Berlin` } } },
      ),
  ],
  [
    'a birthday',
    '1984-07-19',
    s => got(`${ISSUER}/userinfo`, { authorization: 'Bearer x' }, { json: { sub: 'x', birthdate: s } }),
  ],
  [
    'a group',
    'CN=Radiology,OU=Ward7',
    s => token({ grant_type: 'x' }, { access_token: jwt({ groups: [s] }), token_type: 'Bearer' }),
  ],
  [
    'an introspection',
    'hyacinth.moore',
    s =>
      entry(
        next(),
        'POST',
        `${ISSUER}/introspect`,
        { json: { active: true, username: s, sub: s } },
        { form: { token: 'x' } },
      ),
  ],
  [
    'a registration',
    'clementine@corp.example',
    s =>
      entry(
        next(),
        'POST',
        `${ISSUER}/register`,
        { json: { client_id: 'x', contacts: [s], redirect_uris: [`${APP}/cb`] } },
        { form: JSON.stringify({ contacts: [s] }) },
      ),
  ],
  [
    'a binding message',
    'Transfer to Ignatius',
    s =>
      entry(
        next(),
        'POST',
        `${ISSUER}/bc-authorize`,
        { json: { auth_req_id: 'x', expires_in: 60 } },
        { form: { client_id: 'web', scope: 'openid', login_hint: 'x', binding_message: s } },
      ),
  ],
  [
    'a key',
    'pr1v4te-d-value',
    s =>
      got(
        `${ISSUER}/jwks`,
        {},
        { json: { keys: [{ kty: 'EC', kid: 'k', crv: 'P-256', x: 'x', y: 'y', d: s }] } },
      ),
  ],
  [
    'a sentence with an e-mail',
    'leopold.march@corp.example',
    s => refused(`The account ${s} does not exist in tenant Contoso.`),
  ],
  ['a sentence with a code', 'c.9f8e7d6c5b4a39281706', s => refused(`Code ${s} was used.`)],
  [
    'a sentence with a name',
    'Evangeline Tosh',
    s => [
      token({ grant_type: 'x' }, { access_token: 'x', token_type: 'Bearer', name: s, email: 'x@x.example' }),
      refused(`User '${s}' is disabled.`),
    ],
  ],
  ['a sentence with an address', '198.51.100.99', s => refused(`Login from ${s} was blocked.`)],
  ['a sentence with IPv6', '2001:db8:85a3::8a2e:370:7334', s => refused(`Login from ${s} was blocked.`)],
  [
    'a challenge',
    'ch4llenge-nonce',
    s =>
      got(
        `${ISSUER}/userinfo`,
        { authorization: 'Bearer x' },
        { status: 401, headers: { 'www-authenticate': `DPoP error="use_dpop_nonce", nonce="${s}"` } },
      ),
  ],
  [
    'a nonce header',
    'dp0p-n0nce-3',
    s => token({ grant_type: 'x' }, undefined, {}) && asked({}, { headers: { 'dpop-nonce': s } }),
  ],
  [
    'a presigned link',
    'Zm9vYmFyc2ln',
    s => asked({}, { location: `https://bucket.example/f.pdf?X-Amz-Signature=${s}` }),
  ],
  [
    'Accept-Language and agent',
    'iPhone of Barnaby',
    s =>
      asked({}, {}) &&
      got(`${ISSUER}/authorize?client_id=web`, { 'user-agent': 'App/1.0', 'x-device-name': s }),
  ],
  ['a sentence with a quoted name', 'Evangeline Tosh', s => refused(`User '${s}' is disabled.`)],
  ['a sentence with a quoted account', 'Fenwick', s => refused(`Account "${s}" is locked`)],
  [
    'a page with a quoted name',
    'Hortensia',
    s => page(`<div id="kc-error-message"><p class="instruction">User "${s}" is locked out.</p></div>`, 400),
  ],
  [
    'the name of a key',
    'isadora@corp.example',
    s =>
      token(
        { grant_type: 'x' },
        { access_token: jwt({ iss: ISSUER }, { alg: 'RS256', kid: s }), token_type: 'Bearer' },
      ),
  ],
  [
    'a challenge with a sentence',
    'Kendrick',
    s =>
      got(
        `${ISSUER}/userinfo`,
        { authorization: 'Bearer x' },
        {
          status: 401,
          headers: {
            'www-authenticate': `Bearer error="invalid_token", error_description="Token of user '${s}' expired"`,
          },
        },
      ),
  ],
  ['a sentence with a quoted password', 'Sommer24', s => refused(`Password '${s}' is wrong`)],
  ['a sentence with a password', 'Winter24', s => refused(`The password ${s} is too short`)],
  ['a sentence with a one-time code', '581934', s => refused(`OTP ${s} expired`)],
  ['a sentence with a sent code', '771204', s => refused(`Your verification code is ${s}`)],
  ['a sentence with a PIN', '8812', s => refused(`PIN ${s} is wrong`)],
  [
    'a title',
    'Mordecai',
    s => got(`${ISSUER}/userinfo`, { authorization: 'Bearer x' }, { json: { sub: 'x', title: `Dr. ${s}` } }),
  ],
  [
    'a description of a person',
    'Likes Nephrology',
    s => got(`${ISSUER}/userinfo`, { authorization: 'Bearer x' }, { json: { sub: 'x', description: s } }),
  ],
  [
    'a claim that is a sentence',
    'Oswin Parr',
    s =>
      token(
        { grant_type: 'x' },
        { access_token: jwt({ sub: 'x', reason: `for ${s}` }), token_type: 'Bearer' },
      ),
  ],
  [
    'SCIM',
    'Philippa Quayle',
    s =>
      got(
        `${ISSUER}/userinfo`,
        { authorization: 'Bearer x' },
        { json: { sub: 'x', members: [{ display: s }] } },
      ),
  ],
  [
    'the name of a file',
    'Sigismund',
    s =>
      got(
        `${ISSUER}/userinfo`,
        { authorization: 'Bearer x' },
        { headers: { 'content-type': `application/pdf; name="${s}.pdf"` } },
      ),
  ],
  ['a sentence with a card', '4111 1111 1111 1111', s => refused(`Card ${s} is expired`)],
  ['a sentence with a phone', '+1 (555) 010-9988', s => refused(`We sent a code to ${s}.`)],
  ['a sentence with an account of Windows', 'CORP\\\\abernathy', s => refused(`Login failed for ${s}`)],
]

const TOOLS = ['Chrome', 'Firefox', 'Playwright', 'mitmproxy', 'Charles']

/** Texts that a redacted copy keeps: explain needs them, and none is a secret. */
const HARMLESS = [
  'https://id.example/authorize?response_type=code&client_id=web',
  'https://app.example/cb',
  'scope=openid+profile',
  'grant_type=authorization_code',
  'application/x-www-form-urlencoded',
  'code_challenge_method=S256',
  'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  'invalid_grant',
  'Code was issued to another client (client_id web), 10 minutes ago.',
  'The password has expired; user authentication failed with status 401.',
  "Parameter 'scope' of client 'web' is wrong since 2026-03-01 10:00:00.",
]

describe.each(TOOLS)('a copy of a recording by %s', tool => {
  const { home, here, written } = programInHome()
  let [copy, found, explained]: [string, string[], string[][]] = ['', [], []]
  beforeAll(async () => {
    const entries = [
      ...loginEntries(),
      ...PLANTS.flatMap(([, secret, make]) => make(secret)),
      ...HARMLESS.slice(-3).map(refused),
    ]
    const text = dialects[tool]!(entries)
    written('tool.har', text)
    const { stdout, stderr } = await here(
      'explain',
      `${home()}/tool.har`,
      '--redact',
      '-o',
      `${home()}/copy.har`,
    )
    copy = readFileSync(`${home()}/copy.har`, 'utf8')
    const secrets = PLANTS.map(([, secret]) => secret)
    found = `${copy}\n${stdout}\n${stderr}`.split('\n').flatMap(line => leaks(line, secrets))
    explained = await Promise.all([text, copy].map(findings))
  })

  it.each(PLANTS)('has no secret of %s', (_, secret) => {
    expect(found.filter(each => each.startsWith(`${secret} in `))).toEqual([])
  })

  it.each(HARMLESS)('keeps %s', text => {
    expect(copy.replaceAll('%3A', ':').includes(text)).toBe(true)
  })

  it('explains the same', () => {
    expect(explained[1]).toEqual(explained[0])
  })
})
