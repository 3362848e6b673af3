import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../src/flows/code.js'
import type { FlowRecord } from '../../src/flows/step.js'
import { TimeoutError, TransportError } from '../../src/protocol/errors.js'
import type { Header, HttpRequest, HttpResponse } from '../../src/protocol/http/message.js'
import { bytes, header, jsonResponse, splitUrl, text, textResponse } from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { generateSigningKeyPem, loadSigningKey, signJwt } from '../../src/protocol/tokens/keys.js'
import {
  collect,
  expectRefused,
  ISSUER,
  NOW,
  outcomeIn,
  signingKey,
  stepsOf,
  type Tamper,
  world,
} from './support/world.js'

const at = (
  path: string,
  change: (answer: HttpResponse, request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
): Tamper => {
  return async (request, answer) =>
    splitUrl(request.url).path === path ? change(answer, request) : undefined
}

/** Changes members of a JSON answer. */
const members = (path: string, change: (members: Record<string, unknown>) => object): Tamper =>
  at(path, answer => ({ ...answer, body: bytes(JSON.stringify(change(JSON.parse(text(answer.body))))) }))

/** Changes the parameters of the redirect to the client. */
const answered = (change: (url: URL) => void): Tamper =>
  at('/authorization', answer => {
    const location = header(answer, 'location')
    if (location === undefined) return answer
    const url = new URL(location)
    change(url)
    return { ...answer, headers: [['location', url.href]] }
  })

/** Signs a token of the answer anew, with changed claims. */
const resigned = (
  name: 'access_token' | 'id_token',
  change: (claims: Record<string, unknown>) => object,
  key = signingKey,
): Tamper =>
  at('/token', async answer => {
    const body = JSON.parse(text(answer.body)) as Record<string, string>
    const { claims, header: head } = decodeJwt(body[name]!)
    const token = await signJwt(change({ ...claims }) as never, { ...key, kid: String(head.kid) })
    return { ...answer, body: bytes(JSON.stringify({ ...body, [name]: token })) }
  })

const without = (name: string) => (object: Record<string, unknown>) => {
  const { [name]: _, ...rest } = object
  return rest
}

const stranger = await loadSigningKey(await generateSigningKeyPem())
const seconds = NOW / 1000

/** Changes claims of a token of the answer. */
const claims = (name: 'access_token' | 'id_token', changed: object): Tamper =>
  resigned(name, old => ({ ...old, ...changed }))

/** Sets, or without a value removes, a parameter of the redirect to the client. */
const parameter = (name: string, value?: string): Tamper =>
  answered(({ searchParams }) =>
    value === undefined ? searchParams.delete(name) : searchParams.set(name, value),
  )

const instead = (path: string, status: number, headers: Header[], body = ''): Tamper =>
  at(path, () => ({ status, headers, body: bytes(body) }))

const redirect = (path: string, status: number, to: string) => instead(path, status, [['location', to]])

const html: Header[] = [['content-type', 'text/html']]
const errorPage = '<main><p role=alert>Not you</p><code>unauthorized_client</code></main>'
const asText = (path: string) => at(path, answer => textResponse(200, text(answer.body)))
const keys = '/.well-known/jwks.json'
const CORE = 'OpenID Connect Core §'

/** By the last step and the error: a lie of the server, and the rule that refuses it. */
const refusals: Record<string, Record<string, readonly [lie: string, tamper: Tamper, rule: string][]>> = {
  authorization_response: {
    state_mismatch: [
      ['another state', parameter('state', 'x'), '6749 §10.12'],
      ['no state', parameter('state'), '6749 §10.12'],
    ],
    issuer_mismatch: [
      ['another iss', parameter('iss', 'https://evil.test'), '9207'],
      ['no iss although promised', parameter('iss'), '9207'],
    ],
    invalid_response: [
      ['no code', parameter('code'), '6749 §4.1.2'],
      ['two codes', answered(url => url.searchParams.append('code', 'x')), '6749 §3.1'],
    ],
  },
  token_request: {
    invalid_response: [
      ['HTML from the token endpoint', instead('/token', 200, html, '<h1>hello</h1>'), '6749 §5.1'],
      ['text from the token endpoint', asText('/token'), '6749 §5.1'],
      ['a redirect from the token endpoint', redirect('/token', 307, 'https://evil.test/token'), '6749 §5.1'],
      ['status 201 from the token endpoint', at('/token', answer => ({ ...answer, status: 201 })), '6749 §5'],
      ['a token type nobody knows', members('/token', body => ({ ...body, token_type: 'pop' })), '6749 §5.1'],
      ['no token', members('/token', without('access_token')), '6749 §5.1'],
      ['a malformed scope', members('/token', body => ({ ...body, scope: 'a"b' })), '6749 §3.3'],
    ],
    invalid_grant: [
      [
        'an error of the token endpoint',
        at('/token', () => jsonResponse(400, { error: 'invalid_grant', error_description: 'used' })),
        '6749 §5.2',
      ],
    ],
  },
  keys_request: {
    invalid_token: [
      ['no keys', members(keys, () => ({ keys: [] })), '7515'],
      ['an access token of a stranger', resigned('access_token', old => old, stranger), '7515'],
      [
        'an access token of another issuer',
        claims('access_token', { iss: 'https://evil.test' }),
        '7519 §4.1.1',
      ],
      ['an access token for somebody else', claims('access_token', { aud: 'other' }), '7519 §4.1.3'],
      ['an expired access token', claims('access_token', { exp: seconds - 60 }), '7519 §4.1.4'],
      ['an access token from the future', claims('access_token', { iat: seconds + 60 }), '7519 §4.1.6'],
      ['dates in milliseconds', claims('access_token', { iat: NOW, nbf: NOW, exp: NOW + 3600 }), '7519 §2'],
    ],
    invalid_response: [['keys gone', at(keys, () => textResponse(404, 'no')), '7517']],
  },
  'keys_request of a login': {
    invalid_token: [
      ['no id_token', members('/token', without('id_token')), `${CORE}3.1.3.3`],
      [
        'an id_token that is none',
        members('/token', body => ({ ...body, id_token: 'x' })),
        'OpenID Connect Core',
      ],
      ['an id_token of a stranger', resigned('id_token', old => old, stranger), '7515'],
      ['another nonce', claims('id_token', { nonce: 'x' }), `${CORE}3.1.3.7`],
      ['no nonce', resigned('id_token', without('nonce')), `${CORE}3.1.3.7`],
      ['another at_hash', claims('id_token', { at_hash: 'x' }), `${CORE}3.1.3.8`],
      ['an id_token for somebody else', claims('id_token', { aud: ['other'] }), '7519 §4.1.3'],
      [
        'an id_token issued to somebody else',
        claims('id_token', { aud: ['demo', 'other'], azp: 'other' }),
        `${CORE}3.1.3.7`,
      ],
    ],
  },
  'userinfo_request of a login': {
    subject_mismatch: [
      [
        'userinfo about somebody else',
        members('/userinfo', body => ({ ...body, sub: 'mallory' })),
        `${CORE}5.3.2`,
      ],
      ['userinfo about nobody', members('/userinfo', without('sub')), `${CORE}5.3.2`],
    ],
    invalid_response: [
      [
        'userinfo refused',
        instead('/userinfo', 401, [['www-authenticate', 'Bearer error="invalid_token"']]),
        `${CORE}5.3.3`,
      ],
      ['userinfo as text', asText('/userinfo'), `${CORE}5.3`],
    ],
  },
  login_form: {
    unauthorized_client: [
      ['an error page', instead('/authorization', 400, html, errorPage), '6749 §4.1.2.1'],
    ],
    server_error: [['a crash', at('/authorization', () => textResponse(500, 'oops')), '6749 §4.1.2.1']],
    invalid_response: [
      ['redirects without end', redirect('/authorization', 302, `${ISSUER}/authorization?again`), '9110'],
      ['a redirect to a script', redirect('/authorization', 302, 'javascript:alert(1)'), '9110'],
    ],
  },
  authorization_request: {
    invalid_response: [['a redirect to nowhere', instead('/authorization', 302, []), '9110']],
  },
}
const rows = Object.entries(refusals).flatMap(([last, errors]) =>
  Object.entries(errors).flatMap(([error, lies]) =>
    lies.map(([lie, tamper, rule]) => [lie, tamper, error, rule, last] as const),
  ),
)

async function run(tamper: Tamper, scope?: string): Promise<{ records: FlowRecord[]; sent: HttpRequest[] }> {
  const sent: HttpRequest[] = []
  const { ports, wanted } = await world({
    tamper: async (request, answer) => {
      sent.push(request)
      return tamper(request, answer)
    },
    ...(scope !== undefined && { scope }),
  })
  return { records: await collect(codeFlow(ports, wanted)), sent }
}

describe('a server that breaks a rule is refused with that rule', () => {
  it.each(rows)('%s', async (_lie, tamper, error, rule, place) => {
    const [last, login] = place.split(' of ')
    const { records } = await run(tamper, login && 'openid records:read')
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: { error, rule: expect.stringContaining(rule), error_description: expect.stringMatching(/./) },
    })
    expect(outcomeIn(records).tokens).toBeUndefined()
    expect(stepsOf(records).at(-1)?.name).toBe(last)
    const shown = JSON.stringify(stepsOf(records).at(-1))
    if (/token|keys|userinfo|response/.test(place)) expect(shown).toContain('"ok":false')
  })
})

describe('an answer that cannot be read fails the flow', () => {
  it.each([
    [
      'truncated JSON from the token endpoint',
      at('/token', answer => ({ ...answer, body: answer.body.slice(0, 40) })),
    ],
    ['a list from the token endpoint', members('/token', () => [])],
    [
      'truncated keys',
      at('/.well-known/jwks.json', answer => ({ ...answer, body: answer.body.slice(0, 40) })),
    ],
    ['keys that are no list', members('/.well-known/jwks.json', () => ({ keys: 'RSA' }))],
    ['keys that are no objects', members('/.well-known/jwks.json', () => ({ keys: [1] }))],
  ])('%s', async (_name, tamper) => {
    const { records } = await run(tamper)
    expect(outcomeIn(records)).toMatchObject({ outcome: 'failed', error: { error: 'invalid_response' } })
  })

  it.each([
    ['TransportError', new TransportError('cannot reach it (ECONNREFUSED)', 'ECONNREFUSED'), 'ECONNREFUSED'],
    ['TimeoutError', new TimeoutError('no answer'), 'timeout'],
  ])('a %s in mid-flow', async (_name, error, code) => {
    const { ports, wanted } = await world()
    const send: typeof ports.send = async request => {
      if (request.url.endsWith('/token')) throw error
      return ports.send(request)
    }
    const records = await collect(codeFlow({ ...ports, send }, wanted))
    expect(stepsOf(records)).toHaveLength(4)
    expect(outcomeIn(records)).toEqual({
      type: 'outcome',
      outcome: 'failed',
      error: { error: code, error_description: error.message },
    })
  })
})

describe('secrets stay where they belong', () => {
  it('sends no password to a form of another origin', async () => {
    const { records, sent } = await run(
      at('/authorization', answer => ({
        ...answer,
        body: bytes(text(answer.body).replace('<form ', '<form action="https://evil.test/steal" ')),
      })),
    )
    expectRefused(records, 'foreign_login_form')
    expect(sent.every(request => request.url.startsWith(ISSUER))).toBe(true)
    expect(sent.map(request => text(request.body)).join()).not.toContain('wonderland')
  })

  it('sends no password on when the server asks for it by 307', async () => {
    const { records, sent } = await run(
      at('/authorization', (answer, request) =>
        request.method === 'POST'
          ? { status: 307, headers: [['location', `${ISSUER}/elsewhere`]], body: new Uint8Array() }
          : answer,
      ),
    )
    expectRefused(records, 'invalid_response')
    expect(sent.filter(request => request.method === 'POST')).toHaveLength(1)
  })

  it('never puts the password into an address', async () => {
    const { records } = await run(
      at('/authorization', answer => ({
        ...answer,
        body: bytes(text(answer.body).replace('method="post"', 'method="get"')),
      })),
    )
    expectRefused(records, 'foreign_login_form')
    expect(JSON.stringify(records)).not.toContain('wonderland')
  })
})

describe('interruption', () => {
  it.each([1, 2, 3, 4, 5, 6])('after step %i ends the flow as interrupted', async steps => {
    const { ports, wanted, controller } = await world()
    const flow = codeFlow(ports, wanted)
    for (let i = 0; i < steps; i++) await flow.next()
    controller.abort()
    const rest = await collect(flow)
    if (steps < 6)
      expect(outcomeIn(rest)).toMatchObject({ outcome: 'failed', error: { error: 'interrupted' } })
    else expect(outcomeIn(rest).outcome).toBe('granted')
    expect(rest).toHaveLength(1)
  })

  it('lets a mistake in this program through', async () => {
    const { ports, wanted } = await world()
    const send: typeof ports.send = async request => {
      if (request.url.endsWith('/token')) throw new TypeError('a bug')
      return ports.send(request)
    }
    await expect(collect(codeFlow({ ...ports, send }, wanted))).rejects.toThrow('a bug')
  })
})
