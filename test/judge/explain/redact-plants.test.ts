import { setImmediate } from 'node:timers/promises'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaks } from './leaks.js'
import { entry, form, type HarEntry, har, jwt, loginMessages, redacted } from './recording.js'

/** Ways in which programs write a value. Nothing of oauth-lab takes part, here or in what searches the copy. */
const hexOf = (value: string) => Buffer.from(value).toString('hex')
const base64 = (value: string) => Buffer.from(value).toString('base64')
const charCodes = (value: string, write: (code: number) => string) =>
  Array.from({ length: value.length }, (_, i) => write(value.charCodeAt(i))).join('')
const encodings: Readonly<Record<string, (value: string) => string>> = {
  raw: value => value,
  percent: encodeURIComponent,
  'percent twice': value => encodeURIComponent(encodeURIComponent(value)),
  'percent, every byte': value => hexOf(value).replace(/../g, '%$&'),
  'percent, lower case': value => encodeURIComponent(value).toLowerCase(),
  form: value => form({ v: value }).slice(2),
  JSON: value => JSON.stringify(value).slice(1, -1),
  'JSON twice': value => JSON.stringify(JSON.stringify(value)).slice(1, -1),
  'JSON, escaped': value => charCodes(value, code => `\\u${code.toString(16).padStart(4, '0')}`),
  HTML: value => value.replace(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`),
  'HTML, decimal': value => charCodes(value, code => `&#${code};`),
  'HTML, hexadecimal': value => charCodes(value, code => `&#x${code.toString(16)};`),
  base64,
  'base64 without its end': value => base64(value).replace(/=+$/, ''),
  base64url: value => Buffer.from(value).toString('base64url'),
  'base64 twice': value => base64(base64(value)),
  'base64, one byte later': value => base64(`x${value}yz`),
  'base64, two bytes later': value => base64(`xy${value}z`),
  'base64 of a pair': value => base64(`abc:${value}`),
  'base64 of JSON': value => Buffer.from(JSON.stringify({ a: value })).toString('base64url'),
  hexadecimal: hexOf,
  'percent of base64': value => encodeURIComponent(base64(value)),
  'a JWT': value => jwt({ x: value }),
  'a JWT in a JWT': value => jwt({ x: jwt({ y: { z: [value] } }) }),
  deflated: value => deflateRawSync(value).toString('base64'),
  gzipped: value => gzipSync(value).toString('base64'),
  'in a zlib stream': value => deflateSync(`x=${value}`).toString('base64'),
}

const HOST = 'https://app.example'
const get = (path: string, answer = {}, headers: Record<string, string> = {}) =>
  entry(20, 'GET', `${HOST}${path}`, answer, { headers })
const body = (mimeType: string, text: string, encoding?: string): HarEntry => {
  const made = get('/page')
  made.response.content = { mimeType, size: text.length, text, ...(encoding && { encoding }) }
  return made
}
const json = (value: unknown) => posted('application/json', JSON.stringify(value))
const token = (status: number, answer: object, sent: Record<string, string>) =>
  entry(20, 'POST', 'https://id.example/token', { status, json: answer }, { form: sent })
const authorize = (more: Record<string, string>, answer = {}) =>
  entry(20, 'GET', `https://id.example/authorize?${form({ ...loginMessages().request, ...more })}`, answer)
const posted = (mimeType: string, text: string): HarEntry => {
  const made = entry(20, 'POST', `${HOST}/post`)
  made.request.postData = { mimeType, text }
  return made
}
const withMembers = (request: object, response: object = {}, own: object = {}): HarEntry => {
  const made = get('/members')
  Object.assign(made.request, request)
  Object.assign(made.response, response)
  return Object.assign(made, own)
}

/** Places in which the name of a value says that it is secret. */
const homes: Readonly<Record<string, (name: string, value: string) => HarEntry>> = {
  form: (name, value) => posted('application/x-www-form-urlencoded', form({ a: '1', [name]: value })),
  'form of Rails': (name, value) =>
    posted('application/x-www-form-urlencoded', form({ [`user[${name}]`]: value })),
  JSON: (name, value) => json({ a: { [name]: value } }),
  'JSON of an answer': (name, value) => body('application/json', JSON.stringify([{ [name]: [value] }])),
  'guarded JSON': (name, value) => body('application/json', `)]}',\n${JSON.stringify({ [name]: value })}`),
  GraphQL: (name, value) => json({ query: 'mutation L { l }', variables: { i: { [name]: value } } }),
  'JSON in JSON': (name, value) => json({ payload: JSON.stringify({ [name]: value }) }),
  'base64 content': (name, value) =>
    body('application/json', base64(JSON.stringify({ [name]: value })), 'base64'),
  multipart: (name, value) =>
    posted(
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--`,
    ),
  'hidden input': (name, value) =>
    body('text/html', `<form><input type="hidden" name="${name}" value="${encodings.HTML!(value)}"></form>`),
  'input, value first': (name, value) =>
    body('text/html', `<input value='${encodings.HTML!(value)}' type=hidden name=${name} />`),
  script: (name, value) =>
    body('text/html', `<script>window.config = {${name}: ${JSON.stringify(value)}}</script>`),
  'meta refresh': (name, value) =>
    body('text/html', `<meta http-equiv="refresh" content="0;url=/next?${form({ [name]: value })}">`),
  XML: (name, value) =>
    body('application/xml', `<?xml version="1.0"?><a><${name}>${encodings.HTML!(value)}</${name}></a>`),
  query: (name, value) => get(`/q?${form({ [name]: value })}`),
  'query of many': (name, value) => get(`/q?${'a=1&'.repeat(300)}${form({ [name]: value })}`),
  fragment: (name, value) => get(`/q#${form({ [name]: value })}`),
  'route in a fragment': (name, value) => get(`/q#/route?${form({ [name]: value })}`),
  queryString: (name, value) => withMembers({ queryString: [{ name, value }] }),
  params: (name, value) => withMembers({ postData: { mimeType: 'x', params: [{ name, value }] } }),
  Location: (name, value) => get('/l', { location: `/m?${form({ [name]: value })}` }),
  'an address in an address': (name, value) =>
    get(`/q?${form({ next: `${HOST}/n?${form({ [name]: value })}` })}`),
  Cookie: (name, value) => get('/c', {}, { cookie: `a=1; ${name}=${encodeURIComponent(value)}` }),
  'Set-Cookie': (name, value) =>
    get('/c', { headers: { 'set-cookie': `${name}=${encodeURIComponent(value)}; Path=/` } }),
  cookies: (name, value) => withMembers({ cookies: [{ name, value }] }, { cookies: [{ name, value }] }),
  'a token': (name, value) => get('/t', {}, { authorization: `Bearer ${jwt({ [name]: value })}` }),
  'an event stream': (name, value) =>
    body('text/event-stream', `event: x\ndata: ${JSON.stringify({ [name]: value })}\n\n`),
  'a frame': (name, value) =>
    withMembers({}, {}, { _webSocketMessages: [{ type: 'send', data: JSON.stringify({ [name]: value }) }] }),
  'a line of a log': (name, value) =>
    withMembers({}, {}, { comment: `ws 101 ${name}="${value.replaceAll('"', '\\"')}"` }),
  'a custom member': (name, value) => withMembers({}, { _cached: { [name]: value } }),
  'a gzipped body': (name, value) =>
    body('application/json', gzipSync(JSON.stringify({ [name]: value })).toString('base64'), 'base64'),
}

/** Places of a copy that keep what they say, and that somebody may have put a known value into. */
const echoes: Readonly<Record<string, (value: string) => HarEntry>> = {
  'a segment': value => get(`/users/${encodeURIComponent(value)}/edit`),
  'a part of a segment': value => get(`/users/show-${encodeURIComponent(value)}.html`),
  'a file': value => get(`/export/${encodeURIComponent(value)}.js`),
  'the name of a parameter': value => get(`/q?${encodeURIComponent(value)}=1`),
  'the name of a header': value =>
    get('/h', {}, { [`x-${value.replace(/[^\w-]/g, '-')}`]: '1', [value]: '1' }),
  'the name of a cookie': value => get('/h', {}, { cookie: `${value.replace(/[=;]/g, '')}=1` }),
  'User-Agent': value => get('/h', {}, { 'user-agent': `Mozilla/5.0 (X11; ${value}) Chrome/130.0` }),
  Server: value => get('/h', { headers: { server: `nginx ${value}`, allow: value, date: value } }),
  Accept: value =>
    get('/h', {}, { accept: value, 'accept-language': value, 'sec-ch-ua-model': `"${value}"` }),
  'Content-Type': value => body(`text/html; charset=utf-8; name="${value}"`, '<p>x</p>'),
  'a realm': value =>
    get('/h', { headers: { 'www-authenticate': `Bearer realm="${value}", scope="${value}", error="x"` } }),
  Origin: value =>
    get(
      '/h',
      {},
      { origin: HOST, referer: `${HOST}/r/${encodeURIComponent(value)}#${encodeURIComponent(value)}` },
    ),
  'a method': value => entry(20, value, `${HOST}/m`),
  'members of programs': value =>
    withMembers(
      { httpVersion: value, comment: value, _x: value },
      {
        statusText: value,
        _error: `net::ERR_FAILED ${value}`,
        redirectURL: `/r/${encodeURIComponent(value)}`,
      },
      {
        _initiator: { type: value, url: value, stack: { callFrames: [{ url: value, functionName: value }] } },
        _resourceType: value,
        _priority: value,
        comment: value,
        pageref: value,
        serverIPAddress: value,
        connection: value,
        _file: value,
        _webSocketMessages: [{ type: 'receive', opcode: 1, data: value }],
      },
    ),
  'a scope': value =>
    authorize({
      scope: `openid ${value}`,
      acr_values: value,
      prompt: value,
      ui_locales: value,
      claims_locales: value,
    }),
  'a redirect_uri': value =>
    authorize({
      redirect_uri: `${HOST}/cb/${encodeURIComponent(value)}?x=${encodeURIComponent(value)}`,
      resource: `${HOST}/r/${encodeURIComponent(value)}`,
    }),
  'a sentence': value =>
    token(
      400,
      {
        error: 'invalid_grant',
        error_description: `Nobody is called '${value}' here (${value}).`,
        error_uri: `${HOST}/e/${encodeURIComponent(value)}`,
        trace: value,
      },
      { grant_type: 'password', username: 'x' },
    ),
  'an error': value =>
    token(
      400,
      { error: value, message: `bad ${value}`, errors: [{ message: value, reason: value, type: value }] },
      { grant_type: value },
    ),
  'an error page': value =>
    authorize(
      {},
      {
        status: 400,
        html: `<title>x</title><div id="error-message">We do not know ${encodings.HTML!(value)} at all.</div>`,
      },
    ),
  'kept claims': value =>
    token(
      200,
      {
        id_token: jwt(
          { aud: [value], azp: value, acr: value, amr: [value], typ: value, [value]: 1 },
          { alg: value, kid: value, typ: value, cty: value },
        ),
        token_type: value,
        scope: value,
      },
      { grant_type: 'x', code: 'c' },
    ),
  metadata: value =>
    entry(20, 'GET', 'https://id.example/.well-known/openid-configuration', {
      json: {
        issuer: `https://id.example/${encodeURIComponent(value)}`,
        scopes_supported: [value],
        token_endpoint: `https://id.example/${encodeURIComponent(value)}?${encodeURIComponent(value)}`,
        x_supported: value,
      },
    }),
  SAML: value => {
    const text = encodings.HTML!(value)
    const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${text}" Version="2.0" ProviderName="${text}" Destination="${HOST}/${text}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${text}</saml:Issuer></samlp:AuthnRequest>`
    return get(`/sso?${form({ SAMLRequest: deflateRawSync(xml).toString('base64'), SigAlg: value })}`)
  },
}

/** Values of people and programs. A name and a word are found in their plain forms alone. */
const random = fc.stringMatching(/^[A-Za-z0-9]{8,30}$/).filter(each => /\d/.test(each) && /[a-z]/i.test(each))
const spiced = fc.stringMatching(/^[A-Za-z]{2}\d[A-Za-z0-9 _.~+/=%&"'<>\\-]{6,20}[0-9]$/)
const kinds: Readonly<Record<string, { names: string[]; values: fc.Arbitrary<string> }>> = {
  secret: {
    names: [
      'password',
      'client_secret',
      'access_token',
      'code',
      'state',
      'code_verifier',
      'sessionId',
      'api_key',
      'j_password',
      'csrf_token',
    ],
    values: fc.oneof(random, spiced),
  },
  'one-time code': {
    names: ['otp', 'pin', 'mfa_code', 'passcode'],
    values: fc.stringMatching(/^[1-9]\d{7}$/),
  },
  'e-mail': {
    names: ['email', 'mail', 'login_hint', 'username', 'preferred_username'],
    values: fc.stringMatching(/^[a-z]{5,9}[.][a-z]{6,9}@[a-z]{6,9}\.(example|test)$/),
  },
  phone: { names: ['phone_number', 'phone'], values: fc.stringMatching(/^\+49 1[567]\d [2-9]\d{6}$/) },
  name: {
    names: ['name', 'display_name'],
    values: fc.stringMatching(/^Z[a-z]{2}qu[a-z]{3} X[a-z]{3}qy[a-z]{2}$/),
  },
}

const planted = fc.constantFrom(...Object.entries(kinds)).chain(([kind, { names, values }]) =>
  fc.record({
    kind: fc.constant(kind),
    name: fc.constantFrom(...names),
    value: values,
    home: fc.constantFrom(...Object.keys(homes)),
    spots: fc.array(
      fc.record({
        echo: fc.constantFrom(...Object.keys(echoes)),
        as: fc.constantFrom(...Object.keys(encodings)),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
)

describe('a copy', () => {
  it('has no secret in any reading, wherever its name stood and in whatever form it was said again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(planted, { minLength: 1, maxLength: 6 }), async plants => {
        const entries = plants.flatMap(({ name, value, home, spots }) => [
          homes[home]!(name, value),
          ...spots.map(({ echo, as }) => echoes[echo]!(encodings[as]!(value))),
        ])
        // zlib frees what it took in a turn of its own.
        await setImmediate()
        const copy = await redacted(har(entries.reverse()))
        expect(
          leaks(
            copy,
            plants.map(({ value }) => value),
          ),
        ).toEqual([])
      }),
      { numRuns: Number(process.env.PLANTS ?? 6) },
    )
  }, 120_000)
})
