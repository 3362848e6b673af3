import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { explainSource } from '../../../src/judge/explain/read/explain-source.js'
import {
  entry,
  form,
  type HarEntry,
  har,
  jwt,
  loginEntries,
  loginMessages,
  loginParts,
  redacted,
  stream,
} from './recording.js'

const secret = fc.stringMatching(/^[A-Za-z0-9]{10}[A-Za-z0-9_.~-]{4,20}[0-9]$/)
/** People's passwords, with what forms, JSON and addresses write in another way. */
const phrase = fc.stringMatching(/^[A-Za-z0-9]{9}[ A-Za-z0-9_.~+/=%&"\\-]{4,20}[0-9]$/)

const ISSUER = 'https://id.example'

/** Places without a name. A value is known there by its length. */
const NAMELESS = new Set(['a path', 'the path of a cookie'])

/** Places of an entry that can hold a secret, by what they are. Each puts the value where it belongs. */
const places: Readonly<Record<string, (value: string) => HarEntry>> = {
  'a query': value => entry(20, 'GET', `https://app.example/x?${form({ session: value })}`),
  'a query without a name': value => entry(20, 'GET', `https://app.example/x?${encodeURIComponent(value)}`),
  'a query, encoded twice': value =>
    entry(20, 'GET', `https://app.example/x?token=${encodeURIComponent(encodeURIComponent(value))}`),
  'an address in a query': value =>
    entry(20, 'GET', `https://app.example/x?${form({ next: `/cb?${form({ code: value })}` })}`),
  'JSON in a query': value =>
    entry(20, 'GET', `https://app.example/x?${form({ o: JSON.stringify({ a: value }) })}`),
  'a fragment': value => entry(20, 'GET', `https://app.example/x#${form({ access_token: value })}`),
  'a path': value => entry(20, 'GET', `https://app.example/reset/${encodeURIComponent(value)}/form`),
  'a login in an address': value => entry(20, 'GET', `https://${encodeURIComponent(value)}:x@app.example/`),
  'a Location': value =>
    entry(20, 'GET', 'https://app.example/x', { location: `/y?${form({ ticket: value })}` }),
  'a redirectURL': value => {
    const made = entry(20, 'GET', 'https://app.example/x', { status: 302 })
    made.response.redirectURL = `/y?${form({ ticket: value })}`
    return made
  },
  'a Referer': value =>
    entry(
      20,
      'GET',
      'https://app.example/x',
      {},
      { headers: { referer: `https://app.example/?${form({ t: value })}` } },
    ),
  'a list of cookies': value => {
    const made = entry(20, 'GET', 'https://app.example/x')
    made.request.cookies = [{ name: 'sid', value }]
    made.response.cookies = [{ name: 'sid', value }]
    return made
  },
  'the path of a cookie': value =>
    entry(20, 'GET', 'https://app.example/x', {
      headers: { 'set-cookie': `a=1; Path=/login/${encodeURIComponent(value)}; Secure` },
    }),
  'a Bearer header': value =>
    entry(20, 'GET', 'https://app.example/x', {}, { headers: { authorization: `Bearer ${value}` } }),
  'a Basic name': value =>
    entry(
      20,
      'GET',
      'https://app.example/x',
      {},
      {
        headers: {
          authorization: `Basic ${Buffer.from(`${encodeURIComponent(value)}:pw`).toString('base64')}`,
        },
      },
    ),
  'a proof of DPoP': value =>
    entry(
      20,
      'GET',
      'https://app.example/x',
      {},
      { headers: { dpop: jwt({ jti: value }, { typ: 'dpop+jwt', alg: 'ES256' }) } },
    ),
  'a challenge without quotes': value =>
    entry(20, 'GET', 'https://app.example/x', {
      headers: { 'www-authenticate': `Digest realm="x", nonce=${encodeURIComponent(value)}` },
    }),
  'a challenge that is a token': value =>
    entry(20, 'GET', 'https://app.example/x', {
      headers: { 'www-authenticate': `Negotiate ${Buffer.from(value).toString('base64')}` },
    }),
  'an unknown header': value => entry(20, 'GET', 'https://app.example/x', { headers: { 'x-trace': value } }),
  'a page': value => entry(20, 'GET', 'https://app.example/x', { html: `<input value="${value}">` }),
  'a form': value =>
    entry(20, 'POST', `${ISSUER}/token`, {}, { form: { grant_type: 'password', password: value } }),
  'JSON that says that it is a form': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      {},
      { form: JSON.stringify({ grant_type: 'password', password: value }) },
    ),
  'the parameters of a form': value => {
    const made = entry(20, 'POST', `${ISSUER}/token`, {}, { form: '' })
    made.request.postData = {
      mimeType: 'application/x-www-form-urlencoded',
      params: [
        { name: 'grant_type', value: 'password' },
        { name: 'password', value },
      ],
    }
    return made
  },
  'a form with parts': value => {
    const made = entry(20, 'POST', `${ISSUER}/token`)
    made.request.postData = {
      mimeType: 'multipart/form-data; boundary=b',
      text: `--b\r\n\r\n${value}\r\n--b--`,
    }
    return made
  },
  'base64 content': value => {
    const made = entry(
      20,
      'POST',
      `${ISSUER}/token`,
      { json: { access_token: value } },
      { form: { grant_type: 'x' } },
    )
    const { content } = made.response
    Object.assign(content, { text: Buffer.from(content.text ?? '').toString('base64'), encoding: 'base64' })
    return made
  },
  'the name of a member': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      { json: { users: { [`${value}@x.org`]: 1 } } },
      { form: { grant_type: 'x' } },
    ),
  'a device answer': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/device`,
      {
        json: {
          device_code: value,
          user_code: value,
          verification_uri: `${ISSUER}/activate`,
          verification_uri_complete: `${ISSUER}/activate?${form({ user_code: value })}`,
        },
      },
      { form: { client_id: 'tv' } },
    ),
  'an answer of CIBA': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      { json: { auth_req_id: value } },
      { form: { grant_type: 'ciba', auth_req_id: value } },
    ),
  'a registration': value =>
    entry(20, 'POST', `${ISSUER}/register`, {
      json: {
        client_id: 'x',
        client_secret: value,
        registration_access_token: value,
        registration_client_uri: `${ISSUER}/register/x?${form({ t: value })}`,
      },
    }),
  'a pushed request': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/par`,
      {
        json: {
          request_uri: `urn:ietf:params:oauth:request_uri:${encodeURIComponent(value)}`,
          expires_in: 60,
        },
      },
      { form: { client_id: 'web', response_type: 'code', login_hint: value } },
    ),
  'an answer in a JWT': value =>
    entry(
      20,
      'GET',
      `https://app.example/cb?${form({ response: jwt({ iss: ISSUER, aud: 'web', code: value, state: value }) })}`,
    ),
  'a claim in a claim': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      { json: { id_token: jwt({ act: { sub: value, list: [{ jti: value }] } }) } },
      { form: { grant_type: 'x' } },
    ),
  'a JWT in a JWT': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      {},
      { form: { grant_type: 'x', assertion: jwt({ inner: jwt({ jti: value }) }) } },
    ),
  'an error description': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      { status: 400, json: { error: 'invalid_grant', error_description: `wrong password ${value}.` } },
      { form: { grant_type: 'password', password: value } },
    ),
  'an address in an error description': value =>
    entry(
      20,
      'POST',
      `${ISSUER}/token`,
      {
        status: 400,
        json: { error: 'x', error_description: `see https://id.example/log?${form({ id: value })}` },
      },
      { form: { grant_type: 'x' } },
    ),
  'a SAML message': value => {
    const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"><x>${value.replace(/[&"<]/g, '_')}</x></samlp:AuthnRequest>`
    return entry(
      20,
      'GET',
      `https://idp.example/sso?${form({ SAMLRequest: deflateRawSync(xml).toString('base64'), RelayState: value })}`,
    )
  },
  'members of programs': value => {
    const made = entry(20, 'GET', 'https://app.example/x')
    const message = { type: 'send', time: 1, opcode: 1, data: value }
    Object.assign(made, {
      _webSocketMessages: [message],
      _initiator: { type: value, url: value, stack: { callFrames: [{ url: value }] } },
      _resourceType: value,
      _eventSourceMessages: [{ data: value }],
      comment: value,
      pageref: value,
      connection: value,
      serverIPAddress: value,
    })
    Object.assign(made.response, { _error: value, statusText: value, httpVersion: value, comment: value })
    return made
  },
}

const pages = (value: string) => [
  {
    id: value,
    startedDateTime: value,
    title: `https://app.example/cb?${form({ code: value })}`,
    comment: value,
  },
]

/** The forms in which a value could be left. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const json = JSON.stringify(value).slice(1, -1)
  const escaped = [...value].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const percent = encodeURIComponent(value)
  return [
    ...[value, json, JSON.stringify(json).slice(1, -1), escaped],
    ...[percent, encodeURIComponent(percent), form({ v: value }).slice(2), percent.toLowerCase()],
    ...[bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')],
  ]
}

/** A text with what is written in other forms within it: base64 pieces, at each of their four starts. */
function withInside(text: string): string {
  const pieces = text.match(/[\w+/-]{12,}/g) ?? []
  return [
    text,
    ...pieces.flatMap(each => [0, 1, 2, 3].map(i => Buffer.from(each.slice(i), 'base64').toString('latin1'))),
  ].join('\n')
}

async function findings(text: string): Promise<unknown> {
  const { flows } = await explainSource(stream(text), 'x')
  return flows.map(({ conversation: { kind, outcome }, findings: found }) => ({
    kind,
    outcome,
    found: found.map(({ name, entry: at }) => [name, at]),
  }))
}

it.each(Object.entries(places))(
  'a secret in %s is in no form in the copy, which is explained the same',
  async (where, place) => {
    const shortest = NAMELESS.has(where) ? 16 : 0
    const values = fc.oneof(secret, phrase).filter(each => each.length >= shortest)
    await fc.assert(
      fc.asyncProperty(values, async value => {
        const text = har([...loginEntries(), place(value)], { pages: pages(value), comment: value })
        const copy = await redacted(text)
        const all = withInside(copy)
        for (const each of formsOf(value)) expect(all.includes(each), each).toBe(false)
        expect(await findings(copy)).toEqual(await findings(text))
      }),
      { numRuns: 12 },
    )
  },
)

it('keeps equal values equal in all places', async () => {
  const parts = loginParts()
  const token = jwt({ sub: 'alice', jti: 'abcdefgh12345678' })
  parts.accessToken = token
  const entries = [
    ...loginEntries(parts, loginMessages(parts)),
    entry(
      20,
      'GET',
      `https://api.example/r/${token}?t=${token}`,
      {},
      { headers: { authorization: `Bearer ${token}`, cookie: `t=${token}` } },
    ),
  ]
  const copy = await redacted(har(entries))
  const { log } = JSON.parse(copy) as { log: { entries: HarEntry[] } }
  const { request } = log.entries.at(-1)!
  const [, inPath, inQuery] = /\/r\/([^?]+)\?t=(.+)$/.exec(request.url) ?? []
  const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name, value]))
  expect(headers).toEqual({ authorization: `Bearer ${inPath}`, cookie: `t=${inPath}` })
  expect(inQuery).toBe(inPath)
  expect(copy).toContain(`\\"access_token\\":\\"${inPath}\\"`)
})
