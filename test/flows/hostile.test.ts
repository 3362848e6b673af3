import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../src/flows/code.js'
import type { FlowRecord } from '../../src/flows/step.js'
import { TimeoutError, TransportError } from '../../src/protocol/errors.js'
import type { HttpRequest, HttpResponse } from '../../src/protocol/http/message.js'
import { bytes, header, jsonResponse, splitUrl, text, textResponse } from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { generateSigningKeyPem, loadSigningKey, signJwt } from '../../src/protocol/tokens/keys.js'
import { collect, ISSUER, NOW, outcomeIn, signingKey, stepsOf, type Tamper, world } from './support/world.js'

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
const openid = 'openid records:read'

interface Case {
  readonly name: string
  readonly tamper: Tamper
  readonly error: string
  readonly rule: RegExp
  readonly scope?: string
  readonly last: string
}

const refusals: Case[] = [
  {
    name: 'another state',
    tamper: answered(url => url.searchParams.set('state', 'x')),
    error: 'state_mismatch',
    rule: /6749 §10\.12/,
    last: 'authorization_response',
  },
  {
    name: 'no state',
    tamper: answered(url => url.searchParams.delete('state')),
    error: 'state_mismatch',
    rule: /6749 §10\.12/,
    last: 'authorization_response',
  },
  {
    name: 'another iss',
    tamper: answered(url => url.searchParams.set('iss', 'https://evil.test')),
    error: 'issuer_mismatch',
    rule: /9207/,
    last: 'authorization_response',
  },
  {
    name: 'no iss although promised',
    tamper: answered(url => url.searchParams.delete('iss')),
    error: 'issuer_mismatch',
    rule: /9207/,
    last: 'authorization_response',
  },
  {
    name: 'no code',
    tamper: answered(url => url.searchParams.delete('code')),
    error: 'invalid_response',
    rule: /6749 §4\.1\.2/,
    last: 'authorization_response',
  },
  {
    name: 'two codes',
    tamper: answered(url => url.searchParams.append('code', 'x')),
    error: 'invalid_response',
    rule: /6749 §3\.1/,
    last: 'authorization_response',
  },
  {
    name: 'HTML from the token endpoint',
    tamper: at('/token', () => ({
      status: 200,
      headers: [['content-type', 'text/html']],
      body: bytes('<h1>hello</h1>'),
    })),
    error: 'invalid_response',
    rule: /6749 §5\.1/,
    last: 'token_request',
  },
  {
    name: 'text from the token endpoint',
    tamper: at('/token', answer => textResponse(200, text(answer.body))),
    error: 'invalid_response',
    rule: /6749 §5\.1/,
    last: 'token_request',
  },
  {
    name: 'a redirect from the token endpoint',
    tamper: at('/token', () => ({
      status: 307,
      headers: [['location', 'https://evil.test/token']],
      body: new Uint8Array(),
    })),
    error: 'invalid_response',
    rule: /6749 §5\.1/,
    last: 'token_request',
  },
  {
    name: 'status 201 from the token endpoint',
    tamper: at('/token', answer => ({ ...answer, status: 201 })),
    error: 'invalid_response',
    rule: /6749 §5/,
    last: 'token_request',
  },
  {
    name: 'a token type nobody knows',
    tamper: members('/token', body => ({ ...body, token_type: 'pop' })),
    error: 'invalid_response',
    rule: /6749 §5\.1/,
    last: 'token_request',
  },
  {
    name: 'no token',
    tamper: members('/token', without('access_token')),
    error: 'invalid_response',
    rule: /6749 §5\.1/,
    last: 'token_request',
  },
  {
    name: 'a malformed scope',
    tamper: members('/token', body => ({ ...body, scope: 'a"b' })),
    error: 'invalid_response',
    rule: /6749 §3\.3/,
    last: 'token_request',
  },
  {
    name: 'an error of the token endpoint',
    tamper: at('/token', () => jsonResponse(400, { error: 'invalid_grant', error_description: 'used' })),
    error: 'invalid_grant',
    rule: /6749 §5\.2/,
    last: 'token_request',
  },
  {
    name: 'no keys',
    tamper: members('/.well-known/jwks.json', () => ({ keys: [] })),
    error: 'invalid_token',
    rule: /7515/,
    last: 'keys_request',
  },
  {
    name: 'keys gone',
    tamper: at('/.well-known/jwks.json', () => textResponse(404, 'no')),
    error: 'invalid_response',
    rule: /7517/,
    last: 'keys_request',
  },
  {
    name: 'an access token of a stranger',
    tamper: resigned('access_token', claims => claims, stranger),
    error: 'invalid_token',
    rule: /7515/,
    last: 'keys_request',
  },
  {
    name: 'an access token of another issuer',
    tamper: resigned('access_token', claims => ({ ...claims, iss: 'https://evil.test' })),
    error: 'invalid_token',
    rule: /7519 §4\.1\.1/,
    last: 'keys_request',
  },
  {
    name: 'an access token for somebody else',
    tamper: resigned('access_token', claims => ({ ...claims, aud: 'other' })),
    error: 'invalid_token',
    rule: /7519 §4\.1\.3/,
    last: 'keys_request',
  },
  {
    name: 'an expired access token',
    tamper: resigned('access_token', claims => ({ ...claims, exp: seconds - 60 })),
    error: 'invalid_token',
    rule: /7519 §4\.1\.4/,
    last: 'keys_request',
  },
  {
    name: 'an access token from the future',
    tamper: resigned('access_token', claims => ({ ...claims, iat: seconds + 60 })),
    error: 'invalid_token',
    rule: /7519 §4\.1\.6/,
    last: 'keys_request',
  },
  {
    name: 'dates in milliseconds',
    tamper: resigned('access_token', claims => ({ ...claims, iat: NOW, nbf: NOW, exp: NOW + 3600 })),
    error: 'invalid_token',
    rule: /7519 §2/,
    last: 'keys_request',
  },
  {
    name: 'no id_token',
    scope: openid,
    tamper: members('/token', without('id_token')),
    error: 'invalid_token',
    rule: /OpenID Connect Core §3\.1\.3\.3/,
    last: 'keys_request',
  },
  {
    name: 'an id_token that is none',
    scope: openid,
    tamper: members('/token', body => ({ ...body, id_token: 'x' })),
    error: 'invalid_token',
    rule: /OpenID Connect Core/,
    last: 'keys_request',
  },
  {
    name: 'an id_token of a stranger',
    scope: openid,
    tamper: resigned('id_token', claims => claims, stranger),
    error: 'invalid_token',
    rule: /7515/,
    last: 'keys_request',
  },
  {
    name: 'another nonce',
    scope: openid,
    tamper: resigned('id_token', claims => ({ ...claims, nonce: 'x' })),
    error: 'invalid_token',
    rule: /OpenID Connect Core §3\.1\.3\.7/,
    last: 'keys_request',
  },
  {
    name: 'no nonce',
    scope: openid,
    tamper: resigned('id_token', without('nonce')),
    error: 'invalid_token',
    rule: /OpenID Connect Core §3\.1\.3\.7/,
    last: 'keys_request',
  },
  {
    name: 'another at_hash',
    scope: openid,
    tamper: resigned('id_token', claims => ({ ...claims, at_hash: 'x' })),
    error: 'invalid_token',
    rule: /OpenID Connect Core §3\.1\.3\.8/,
    last: 'keys_request',
  },
  {
    name: 'an id_token for somebody else',
    scope: openid,
    tamper: resigned('id_token', claims => ({ ...claims, aud: ['other'] })),
    error: 'invalid_token',
    rule: /7519 §4\.1\.3/,
    last: 'keys_request',
  },
  {
    name: 'an id_token issued to somebody else',
    scope: openid,
    tamper: resigned('id_token', claims => ({ ...claims, aud: ['demo', 'other'], azp: 'other' })),
    error: 'invalid_token',
    rule: /OpenID Connect Core §3\.1\.3\.7/,
    last: 'keys_request',
  },
  {
    name: 'userinfo about somebody else',
    scope: openid,
    tamper: members('/userinfo', body => ({ ...body, sub: 'mallory' })),
    error: 'subject_mismatch',
    rule: /OpenID Connect Core §5\.3\.2/,
    last: 'userinfo_request',
  },
  {
    name: 'userinfo about nobody',
    scope: openid,
    tamper: members('/userinfo', without('sub')),
    error: 'subject_mismatch',
    rule: /OpenID Connect Core §5\.3\.2/,
    last: 'userinfo_request',
  },
  {
    name: 'userinfo refused',
    scope: openid,
    tamper: at('/userinfo', () => ({
      status: 401,
      headers: [['www-authenticate', 'Bearer error="invalid_token"']],
      body: new Uint8Array(),
    })),
    error: 'invalid_response',
    rule: /OpenID Connect Core §5\.3\.3/,
    last: 'userinfo_request',
  },
  {
    name: 'userinfo as text',
    scope: openid,
    tamper: at('/userinfo', answer => textResponse(200, text(answer.body))),
    error: 'invalid_response',
    rule: /OpenID Connect Core §5\.3/,
    last: 'userinfo_request',
  },
  {
    name: 'an error page',
    tamper: at('/authorization', () => ({
      status: 400,
      headers: [['content-type', 'text/html']],
      body: bytes('<main><p role=alert>Not you</p><code>unauthorized_client</code></main>'),
    })),
    error: 'unauthorized_client',
    rule: /6749 §4\.1\.2\.1/,
    last: 'login_form',
  },
  {
    name: 'a crash',
    tamper: at('/authorization', () => textResponse(500, 'oops')),
    error: 'server_error',
    rule: /6749 §4\.1\.2\.1/,
    last: 'login_form',
  },
  {
    name: 'redirects without end',
    tamper: at('/authorization', () => ({
      status: 302,
      headers: [['location', `${ISSUER}/authorization?again`]],
      body: new Uint8Array(),
    })),
    error: 'invalid_response',
    rule: /9110/,
    last: 'login_form',
  },
  {
    name: 'a redirect to nowhere',
    tamper: at('/authorization', () => ({ status: 302, headers: [], body: new Uint8Array() })),
    error: 'invalid_response',
    rule: /9110/,
    last: 'authorization_request',
  },
  {
    name: 'a redirect to a script',
    tamper: at('/authorization', () => ({
      status: 302,
      headers: [['location', 'javascript:alert(1)']],
      body: new Uint8Array(),
    })),
    error: 'invalid_response',
    rule: /9110/,
    last: 'login_form',
  },
]

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
  it.each(refusals)('$name', async ({ tamper, error, rule, scope, last }) => {
    const { records } = await run(tamper, scope)
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: { error, rule: expect.stringMatching(rule), error_description: expect.stringMatching(/./) },
    })
    expect(outcomeIn(records).tokens).toBeUndefined()
    expect(stepsOf(records).at(-1)?.name).toBe(last)
    const shown = JSON.stringify(stepsOf(records).at(-1))
    if (/token|keys|userinfo|response/.test(last)) expect(shown).toContain('"ok":false')
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
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error: { error: 'foreign_login_form' } })
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
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error: { error: 'invalid_response' } })
    expect(sent.filter(request => request.method === 'POST')).toHaveLength(1)
  })

  it('never puts the password into an address', async () => {
    const { records } = await run(
      at('/authorization', answer => ({
        ...answer,
        body: bytes(text(answer.body).replace('method="post"', 'method="get"')),
      })),
    )
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error: { error: 'foreign_login_form' } })
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
