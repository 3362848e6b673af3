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

/** Places without a name. A value is known there by its length, and small letters with marks between them are words. */
const NAMELESS = new Set(['a path', 'the path of a cookie'])

type Headers = Record<string, string>
type Answer = Parameters<typeof entry>[3]
const PAGE = 'https://app.example/x'
const got = (url: string, answer: Answer = {}, headers: Headers = {}) =>
  entry(20, 'GET', url, answer, { headers })
const posted = (path: string, form: Headers | string, answer: Answer = {}) =>
  entry(20, 'POST', `${ISSUER}/${path}`, answer, { form })
const token = (json: object, sent: Headers = {}) => posted('token', { grant_type: 'x', ...sent }, { json })
const tokenError = (error_description: string, sent: Headers = {}) =>
  posted('token', { grant_type: 'x', ...sent }, { status: 400, json: { error: 'x', error_description } })
/** An entry, with other members in its request and response. */
const changed = (made: HarEntry, request: object, response: object = {}): HarEntry => {
  Object.assign(made.request, request)
  Object.assign(made.response, response)
  return made
}
const coded = encodeURIComponent

/** Places of an entry that can hold a secret, by what they are. Each puts the value where it belongs. */
const places: Readonly<Record<string, (value: string) => HarEntry>> = {
  'a query': value => got(`${PAGE}?${form({ session: value })}`),
  'a query without a name': value => got(`${PAGE}?${coded(value)}`),
  'a query, encoded twice': value => got(`${PAGE}?token=${coded(coded(value))}`),
  'an address in a query': value => got(`${PAGE}?${form({ next: `/cb?${form({ code: value })}` })}`),
  'JSON in a query': value => got(`${PAGE}?${form({ o: JSON.stringify({ a: value }) })}`),
  'a fragment': value => got(`${PAGE}#${form({ access_token: value })}`),
  'a path': value => got(`https://app.example/reset/${coded(value)}/form`),
  'a login in an address': value => got(`https://${coded(value)}:x@app.example/`),
  'a Location': value => got(PAGE, { location: `/y?${form({ ticket: value })}` }),
  'a redirectURL': value =>
    changed(got(PAGE, { status: 302 }), {}, { redirectURL: `/y?${form({ ticket: value })}` }),
  'a Referer': value => got(PAGE, {}, { referer: `https://app.example/?${form({ t: value })}` }),
  'a list of cookies': value =>
    changed(got(PAGE), { cookies: [{ name: 'sid', value }] }, { cookies: [{ name: 'sid', value }] }),
  'the path of a cookie': value =>
    got(PAGE, { headers: { 'set-cookie': `a=1; Path=/login/${coded(value)}; Secure` } }),
  'a Bearer header': value => got(PAGE, {}, { authorization: `Bearer ${value}` }),
  'a Basic name': value =>
    got(PAGE, {}, { authorization: `Basic ${Buffer.from(`${coded(value)}:pw`).toString('base64')}` }),
  'a proof of DPoP': value => got(PAGE, {}, { dpop: jwt({ jti: value }, { typ: 'dpop+jwt', alg: 'ES256' }) }),
  'a challenge without quotes': value =>
    got(PAGE, { headers: { 'www-authenticate': `Digest realm="x", nonce=${coded(value)}` } }),
  'a challenge that is a token': value =>
    got(PAGE, { headers: { 'www-authenticate': `Negotiate ${Buffer.from(value).toString('base64')}` } }),
  'an unknown header': value => got(PAGE, { headers: { 'x-trace': value } }),
  'a page': value => got(PAGE, { html: `<input value="${value}">` }),
  'a form': value => posted('token', { grant_type: 'password', password: value }),
  'JSON that says that it is a form': value =>
    posted('token', JSON.stringify({ grant_type: 'password', password: value })),
  'the parameters of a form': value => {
    const params = Object.entries({ grant_type: 'password', password: value })
    return changed(posted('token', ''), {
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        params: params.map(([name, each]) => ({ name, value: each })),
      },
    })
  },
  'a form with parts': value =>
    changed(posted('token', ''), {
      postData: { mimeType: 'multipart/form-data; boundary=b', text: `--b\r\n\r\n${value}\r\n--b--` },
    }),
  'base64 content': value => {
    const made = token({ access_token: value })
    const { content } = made.response
    Object.assign(content, { text: Buffer.from(content.text ?? '').toString('base64'), encoding: 'base64' })
    return made
  },
  'the name of a member': value => token({ users: { [`${value}@x.org`]: 1 } }),
  'a device answer': value =>
    posted(
      'device',
      { client_id: 'tv' },
      {
        json: {
          device_code: value,
          user_code: value,
          verification_uri: `${ISSUER}/activate`,
          verification_uri_complete: `${ISSUER}/activate?${form({ user_code: value })}`,
        },
      },
    ),
  'an answer of CIBA': value => token({ auth_req_id: value }, { grant_type: 'ciba', auth_req_id: value }),
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
    posted(
      'par',
      { client_id: 'web', response_type: 'code', login_hint: value },
      { json: { request_uri: `urn:ietf:params:oauth:request_uri:${coded(value)}`, expires_in: 60 } },
    ),
  'an answer in a JWT': value => {
    const response = jwt({ iss: ISSUER, aud: 'web', code: value, state: value })
    return got(`https://app.example/cb?${form({ response })}`)
  },
  'a claim in a claim': value => token({ id_token: jwt({ act: { sub: value, list: [{ jti: value }] } }) }),
  'a JWT in a JWT': value =>
    posted('token', { grant_type: 'x', assertion: jwt({ inner: jwt({ jti: value }) }) }),
  'an error description': value =>
    tokenError(`wrong password ${value}.`, { grant_type: 'password', password: value }),
  'an address in an error description': value =>
    tokenError(`see https://id.example/log?${form({ id: value })}`),
  'a SAML message': value => {
    const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0"><x>${value.replace(/[&"<]/g, '_')}</x></samlp:AuthnRequest>`
    const SAMLRequest = deflateRawSync(xml).toString('base64')
    return got(`https://idp.example/sso?${form({ SAMLRequest, RelayState: value })}`)
  },
  'members of programs': value => {
    const message = { type: 'send', time: 1, opcode: 1, data: value }
    const response = { _error: value, statusText: value, httpVersion: value, comment: value }
    return Object.assign(changed(got(PAGE), {}, response), {
      _webSocketMessages: [message],
      _initiator: { type: value, url: value, stack: { callFrames: [{ url: value }] } },
      _resourceType: value,
      _eventSourceMessages: [{ data: value }],
      comment: value,
      pageref: value,
      connection: value,
      serverIPAddress: value,
    })
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
    const isKnown = NAMELESS.has(where)
      ? (each: string) => each.length >= 16 && /[A-Z]/.test(each)
      : () => true
    const values = fc.oneof(secret, phrase).filter(isKnown)
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
  const accessToken = jwt({ sub: 'alice', jti: 'abcdefgh12345678' })
  parts.accessToken = accessToken
  const url = `https://api.example/r/${accessToken}?t=${accessToken}`
  const entries = [
    ...loginEntries(parts, loginMessages(parts)),
    got(url, {}, { authorization: `Bearer ${accessToken}`, cookie: `t=${accessToken}` }),
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
