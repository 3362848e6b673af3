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

type Make<T> = (secret: string) => T
/** A secret, its place, and a function that writes it into what is recorded. */
type Rows<T> = readonly (readonly [place: string, secret: string, write: Make<T>])[]
type Plant = readonly [place: string, secret: string, make: Make<Made>]
const planted = <T>(make: (written: T) => Made, rows: Rows<T>): Plant[] =>
  rows.map(([place, secret, write]) => [place, secret, s => make(write(s))])

type Headers = Record<string, string>
const authorize = `${ISSUER}/authorize?client_id=web`
const base64 = (text: string) => Buffer.from(text).toString('base64')
const sentHeaders = (headers: Headers) => token({ grant_type: 'x' }, undefined, headers)
const answerHeaders = (headers: Headers) => asked({}, { headers })
const userinfo = (answer: object) => got(`${ISSUER}/userinfo`, { authorization: 'Bearer x' }, answer)
const frame = (data: string) => beside({ _webSocketMessages: [{ type: 'send', time: 1, opcode: 1, data }] })
const answered = (tokens: object) =>
  token({ grant_type: 'x' }, { access_token: 'x', token_type: 'Bearer', ...tokens })
const errorPage = (words: string) =>
  page(`<title>Error</title><div id="kc-error-message"><p class="instruction">${words}</p></div>`, 400)
/** A request to another endpoint of the issuer, and its answer. */
type Sent = [path: string, sent: Headers | string, json: object]
const exchanged = ([path, sent, json]: Sent) =>
  entry(next(), 'POST', `${ISSUER}/${path}`, { json }, { form: sent })

/** Secrets of people and programs, each in one place. */
const PLANTS: readonly Plant[] = [
  ...planted(sentHeaders, [
    ['X-Api-Key', 'live-4f9c2e77', s => ({ 'x-api-key': s })],
    ['a header of a gateway', 'Zephyrine', s => ({ 'x-authenticated-user': s })],
    ['X-Forwarded-For', '203.0.113.77', s => ({ 'x-forwarded-for': `${s}, 10.0.0.1` })],
    ['Forwarded', '198.51.100.23', s => ({ forwarded: `for=${s};proto=https` })],
    ['Basic', 'b4sic-secret', s => ({ authorization: `Basic ${base64(`web:${s}`)}` })],
    [
      'Digest',
      'd1gest-n0nce',
      s => ({ authorization: `Digest username="marguerite", nonce="${s}", response="abc"` }),
    ],
    [
      'a signature of AWS',
      'fe5f80f77d5fa3beca038a248ff027d0',
      s => ({
        authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260101/x/sts/aws4_request, SignedHeaders=host, Signature=${s}`,
      }),
    ],
    [
      'a proof',
      'dp0p-jti-77',
      s => ({
        dpop: jwt(
          { jti: s, htm: 'POST', htu: `${ISSUER}/token`, iat: 1 },
          { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } },
        ),
      }),
    ],
  ]),
  ...planted(answerHeaders, [
    ['Set-Cookie', 'hR2-remember', s => ({ 'set-cookie': `rm=${s}; Path=/; HttpOnly\ntheme=dark` })],
    ['the name of a cookie', 'wk0dGhlbm9uY2Uxx', s => ({ 'set-cookie': `nonce.${s}=N; Path=/` })],
    ['a Refresh header', 'r3fresh-code', s => ({ refresh: `0; url=${APP}/cb?code=${s}` })],
    ['a Link header', 'l1nk-sign4ture', s => ({ link: `<${APP}/f?sig=${s}>; rel="next"` })],
    ['a trace', 'tr4ce-1d-0099', s => ({ 'x-correlation-id': s, 'server-timing': `db;desc="${s}"` })],
    [
      'a file name',
      'quillfeather',
      s => ({ 'content-disposition': `attachment; filename="${s}-payslip.pdf"` }),
    ],
    ['a nonce header', 'dp0p-n0nce-3', s => ({ 'dpop-nonce': s })],
    [
      'a policy',
      'r3port-k3y-55',
      s => ({
        'content-security-policy': `default-src 'self'; report-uri https://sentry.example/1?sentry_key=${s}`,
      }),
    ],
  ]),
  ...planted(
    (headers: Headers) => got(authorize, headers),
    [
      ['Cookie', 'k7Wq-session', s => ({ cookie: `theme=dark; SSO=${s}` })],
      ['a subprotocol', 'sub-pr0t0c0l-t0k3n', s => ({ 'sec-websocket-protocol': `bearer, ${s}` })],
      ['Referer', 'ref3rer-code', s => ({ referer: `${APP}/cb?code=${s}` })],
      [
        'Accept-Language and agent',
        'iPhone of Barnaby',
        s => ({ 'user-agent': 'App/1.0', 'x-device-name': s }),
      ],
    ],
  ),
  ...planted(got, [
    ['a query', 'q5ession1d', s => `${APP}/home?sid=${s}`],
    ['an old link', 'Jc8-magic-31', s => `${APP}/signin/magic/${s}/confirm`],
    [
      'a matrix parameter',
      '0A1B2C3D4E5F',
      s => `${ISSUER}/authorize;jsessionid=${s}?client_id=web&response_type=code`,
    ],
    ['a fragment', 'fr4gm3nt-t0ken', s => `${APP}/cb#access_token=${s}&token_type=bearer`],
    ['a route in a fragment', 'r0ut3-inv1te', s => `${APP}/#/join?invite=${s}`],
    [
      'a SAML request',
      'theodora.fenn',
      s => `https://idp.example/sso?${form({ SAMLRequest: deflateRawSync(saml(s)).toString('base64') })}`,
    ],
  ]),
  ...planted(
    (fields: Headers) => token(fields),
    [
      ['a password', 'Tr0ub4dor & 3', s => ({ grant_type: 'password', username: 'x', password: s })],
      ['a short password', 'hunter', s => ({ grant_type: 'password', username: 'x', password: s })],
      ['a one-time code', '493027', s => ({ grant_type: 'urn:x:mfa-otp', otp: s, mfa_token: 'x' })],
      [
        'a JWT in a JWT',
        'in-n3r-claim',
        s => ({ grant_type: 'x', assertion: jwt({ act: jwt({ email_hash: s }) }) }),
      ],
      [
        'a client assertion',
        'ass3rt-jti-1',
        s => ({
          grant_type: 'x',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: jwt({ iss: 'web', sub: 'web', aud: ISSUER, jti: s }),
        }),
      ],
    ],
  ),
  ...planted(
    (json: object) => posted(TYPES.json, JSON.stringify(json)),
    [
      ['nested JSON', 'n3sted-pass', s => ({ user: { credentials: [{ password: s }] } })],
      [
        'GraphQL variables',
        'gr4ph-pass',
        s => ({ query: 'mutation($p:String!){login(password:$p){id}}', variables: { p: s } }),
      ],
      ['a GraphQL literal', 'l1teral-pw', s => ({ query: `mutation{login(password:"${s}"){id}}` })],
    ],
  ),
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
    'a SAML response',
    'Cosima Thrale',
    s => posted(TYPES.form, form({ SAMLResponse: saml(s).toString('base64') }), `${APP}/saml/acs`),
  ],
  [
    'base64 content',
    'b64-s3cret',
    s => {
      const content = { mimeType: TYPES.json, size: 9, encoding: 'base64' }
      return beside({}, {}, { content: { ...content, text: base64(JSON.stringify({ client_secret: s })) } })
    },
  ],
  ...planted(frame, [
    ['a frame', 'fr4me-pass', s => JSON.stringify({ type: 'connection_init', payload: { authToken: s } })],
    ['a STOMP frame', 'st0mp-pass', s => `CONNECT\nlogin:bob\npasscode:${s}\n\n\0`],
  ]),
  ...planted(
    (own: object) => beside(own),
    [
      [
        '_initiator',
        'in1tiator-k',
        s => ({
          _initiator: {
            type: 'script',
            stack: { callFrames: [{ functionName: '', url: `${APP}/a.js?token=${s}`, lineNumber: 1 }] },
          },
        }),
      ],
      [
        '_securityDetails',
        'Zenobia Quill',
        s => ({ _securityDetails: { protocol: 'TLS 1.3', subjectName: s, issuer: s } }),
      ],
      ['a page title', 'Ottoline Vex', s => ({ pageref: `${APP}/u/${s}`, comment: `${APP}/?name=${s}` })],
      ['serverIPAddress', '192.0.2.41', s => ({ serverIPAddress: s, connection: `ClientIP:${s}` })],
    ],
  ),
  ['a comment', 'c0mment-key-1', s => beside({ comment: `api_key=${s}` }, { comment: s }, { comment: s })],
  ...planted(
    (location: string) => asked({}, { location }),
    [
      ['Location', 'l0cation-t1', s => `${APP}/cb?${form({ code: s, state: 'x' })}`],
      ['a presigned link', 'Zm9vYmFyc2ln', s => `https://bucket.example/f.pdf?X-Amz-Signature=${s}`],
    ],
  ),
  ...planted(
    (fields: Headers) => asked(fields),
    [
      [
        'an address in state',
        'st4te-return',
        s => ({ state: Buffer.from(JSON.stringify({ returnTo: `/x?token=${s}` })).toString('base64url') }),
      ],
      ['a login_hint', 'perpetua.lund@corp.example', s => ({ login_hint: s })],
      ['an id_token_hint', 'subj-ect-5521', s => ({ id_token_hint: jwt({ sub: s }) })],
      ['claims', 'cl4im-value-8', s => ({ claims: JSON.stringify({ id_token: { sub: { value: s } } }) })],
      ['a request object', 'octavia.brandt', s => ({ request: jwt({ client_id: 'web', login_hint: s }) })],
      [
        'authorization_details',
        'DE89370400440532013000',
        s => ({
          authorization_details: JSON.stringify([
            { type: 'payment_initiation', creditorAccount: { iban: s } },
          ]),
        }),
      ],
    ],
  ),
  ...planted(
    (html: string) => page(html),
    [
      [
        'a hidden input',
        'h1dden-input',
        s => `<form><input type="hidden" name="execution" value="${s}"></form>`,
      ],
      ['inline state', '1nline-state', s => `<script>window.__STATE__={"user":{"apiKey":"${s}"}}</script>`],
    ],
  ),
  ...planted(errorPage, [
    ['an error page', 'prudence.ash@corp.example', s => `User ${s} is locked.`],
    ['a page with a quoted name', 'Hortensia', s => `User "${s}" is locked out.`],
  ]),
  ...planted<Sent>(exchanged, [
    [
      'a device code',
      'd3vice-c0de',
      s => [
        'device',
        { client_id: 'tv' },
        { device_code: s, user_code: 'WDJB-MJHT', verification_uri: `${ISSUER}/go`, expires_in: 600 },
      ],
    ],
    [
      'a user code',
      'QKLM-RTVX',
      s => [
        'device',
        { client_id: 'tv' },
        {
          device_code: 'x',
          user_code: s,
          verification_uri: `${ISSUER}/go`,
          verification_uri_complete: `${ISSUER}/go?user_code=${s}`,
          message: `Enter ${s} at ${ISSUER}/go`,
        },
      ],
    ],
    [
      'an introspection',
      'hyacinth.moore',
      s => ['introspect', { token: 'x' }, { active: true, username: s, sub: s }],
    ],
    [
      'a registration',
      'clementine@corp.example',
      s => [
        'register',
        JSON.stringify({ contacts: [s] }),
        { client_id: 'x', contacts: [s], redirect_uris: [`${APP}/cb`] },
      ],
    ],
    [
      'a binding message',
      'Transfer to Ignatius',
      s => [
        'bc-authorize',
        { client_id: 'web', scope: 'openid', login_hint: 'x', binding_message: s },
        { auth_req_id: 'x', expires_in: 60 },
      ],
    ],
  ]),
  ...planted(answered, [
    ['a name', 'Wilhelmina Sterne', s => ({ user: { name: s } })],
    ['a group', 'CN=Radiology,OU=Ward7', s => ({ access_token: jwt({ groups: [s] }) })],
    [
      'the name of a key',
      'isadora@corp.example',
      s => ({ access_token: jwt({ iss: ISSUER }, { alg: 'RS256', kid: s }) }),
    ],
    [
      'a claim that is a sentence',
      'Oswin Parr',
      s => ({ access_token: jwt({ sub: 'x', reason: `for ${s}` }) }),
    ],
  ]),
  ...planted(
    (json: object) => userinfo({ json: { sub: 'x', ...json } }),
    [
      ['a phone', '+49 30 5550123', s => ({ phone_number: s })],
      [
        'an address',
        'Lindenallee 42',
        s => ({ address: { street_address: s, formatted: `${s}\n10115 Berlin` } }),
      ],
      ['a birthday', '1984-07-19', s => ({ birthdate: s })],
      ['a title', 'Mordecai', s => ({ title: `Dr. ${s}` })],
      ['a description of a person', 'Likes Nephrology', s => ({ description: s })],
      ['SCIM', 'Philippa Quayle', s => ({ members: [{ display: s }] })],
    ],
  ),
  ...planted(
    (challenge: string) => userinfo({ status: 401, headers: { 'www-authenticate': challenge } }),
    [
      ['a challenge', 'ch4llenge-nonce', s => `DPoP error="use_dpop_nonce", nonce="${s}"`],
      [
        'a challenge with a sentence',
        'Kendrick',
        s => `Bearer error="invalid_token", error_description="Token of user '${s}' expired"`,
      ],
    ],
  ),
  [
    'the name of a file',
    'Sigismund',
    s => userinfo({ headers: { 'content-type': `application/pdf; name="${s}.pdf"` } }),
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
    'a sentence with a name',
    'Evangeline Tosh',
    s => [answered({ name: s, email: 'x@x.example' }), refused(`User '${s}' is disabled.`)],
  ],
  ...planted(refused, [
    [
      'a sentence with an e-mail',
      'leopold.march@corp.example',
      s => `The account ${s} does not exist in tenant Contoso.`,
    ],
    ['a sentence with a code', 'c.9f8e7d6c5b4a39281706', s => `Code ${s} was used.`],
    ['a sentence with an address', '198.51.100.99', s => `Login from ${s} was blocked.`],
    ['a sentence with IPv6', '2001:db8:85a3::8a2e:370:7334', s => `Login from ${s} was blocked.`],
    ['a sentence with a quoted name', 'Evangeline Tosh', s => `User '${s}' is disabled.`],
    ['a sentence with a quoted account', 'Fenwick', s => `Account "${s}" is locked`],
    ['a sentence with a quoted password', 'Sommer24', s => `Password '${s}' is wrong`],
    ['a sentence with a password', 'Winter24', s => `The password ${s} is too short`],
    ['a sentence with a one-time code', '581934', s => `OTP ${s} expired`],
    ['a sentence with a sent code', '771204', s => `Your verification code is ${s}`],
    ['a sentence with a PIN', '881204', s => `PIN ${s} is wrong`],
    ['a sentence with a card', '4111 1111 1111 1111', s => `Card ${s} is expired`],
    ['a sentence with a phone', '+1 (555) 010-9988', s => `We sent a code to ${s}.`],
    ['a sentence with an account of Windows', 'CORP\\\\abernathy', s => `Login failed for ${s}`],
  ]),
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
