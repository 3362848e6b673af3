import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import { header, text } from '../../../src/protocol/http/message.js'
import { jsonObject, UnreadableAnswer } from '../../../src/protocol/oauth/answers.js'
import { parseBasic } from '../../../src/protocol/oauth/client-auth.js'
import { tokenRequest, tokenResponse } from '../../../src/protocol/oauth/token.js'
import { thrown } from '../../support/refusal.js'

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Exchange {
  const written = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    request: { method: 'POST', url: 'https://server.example.com/token', headers: [], body: '' },
    response: {
      status,
      headers: Object.entries({
        'content-type': 'application/json;charset=UTF-8',
        'cache-control': 'no-store',
        ...headers,
      }),
      body: written,
    },
    wireBytes: { request: 0, response: written.length },
    bodyBytes: written.length,
    ms: 1,
    at: '2026-01-02T12:00:00.000Z',
  }
}

const refused = (exchange: Exchange) => thrown(() => tokenResponse(exchange))

describe('tokenRequest', () => {
  const code = {
    endpoint: 'https://server.example.com/token',
    clientId: 's6BhdRkqt3',
    clientSecret: 'gX1fBat3bV',
    grantType: 'authorization_code',
    parameters: [
      ['code', 'SplxlOBeZQQYbYS6WxSbIA'],
      ['redirect_uri', 'https://client.example.com/cb'],
      ['code_verifier', undefined],
    ],
  } as const

  it('is the example of RFC 6749 §4.1.3', () => {
    const request = tokenRequest({ ...code, auth: 'client_secret_basic' })
    expect(request.method).toBe('POST')
    expect(header(request, 'authorization')).toBe('Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW')
    expect(header(request, 'content-type')).toBe('application/x-www-form-urlencoded')
    expect(parseForm(text(request.body))).toEqual(
      parseForm(
        'grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&redirect_uri=https%3A%2F%2Fclient%2Eexample%2Ecom%2Fcb',
      ),
    )
  })

  it('puts the secret in one place only (RFC 6749 §2.3)', () => {
    const body = tokenRequest({ ...code, auth: 'client_secret_post' })
    expect(header(body, 'authorization')).toBeUndefined()
    expect(parseForm(text(body.body)).slice(-2)).toEqual([
      ['client_id', 's6BhdRkqt3'],
      ['client_secret', 'gX1fBat3bV'],
    ])
    const basic = tokenRequest({ ...code, auth: 'client_secret_basic' })
    expect(text(basic.body)).not.toContain('client_')
    const none = tokenRequest({ ...code, auth: 'none' })
    expect(header(none, 'authorization')).toBeUndefined()
    expect(text(none.body)).toContain('client_id=s6BhdRkqt3')
    expect(text(none.body)).not.toContain('gX1fBat3bV')
  })

  it('encodes any characters in id and secret', () => {
    const request = tokenRequest({
      ...code,
      clientId: 'a:b',
      clientSecret: '+ %:é',
      auth: 'client_secret_basic',
    })
    expect(parseBasic(header(request, 'authorization')!)?.[0]).toEqual({ clientId: 'a:b', secret: '+ %:é' })
  })
})

// RFC 6749 §5.1, with a token type that a client can know
const example = {
  access_token: '2YotnFZFEjr1zCsicMWpAA',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA',
  example_parameter: 'example_value',
}

describe('tokenResponse', () => {
  it('reads the example of RFC 6749 §5.1 without the members it does not know', () => {
    const { tokens, checks } = tokenResponse(answer(200, example))
    const { example_parameter: _ignored, ...known } = example
    expect(tokens).toEqual(known)
    expect(checks.every(each => each.ok)).toBe(true)
  })

  it('refuses the token type "example" of the RFC (§7.1)', () => {
    expect(refused(answer(200, { ...example, token_type: 'example' })).description).toContain('example')
  })

  // The example of Slack’s oauth.v2.access, shortened.
  const slack = {
    ok: true,
    access_token: 'xoxb-17653672481-19874698323',
    token_type: 'bot',
    scope: 'commands,incoming-webhook',
    authed_user: { id: 'U1234', scope: 'chat:write', access_token: 'xoxp-1234', token_type: 'user' },
  }

  it('takes Slack’s types, which it presents as Bearer, and points them out (§7.1)', () => {
    const { tokens, checks } = tokenResponse(answer(200, slack))
    expect(tokens).toMatchObject({ access_token: slack.access_token, token_type: 'bot' })
    const type = checks.find(({ name }) => name === 'token_type')
    expect(type).toMatchObject({ ok: false, advice: true, rule: 'RFC 6749 §7.1' })
    expect(type?.detail).toContain('Slack')
  })

  it('says where Slack puts the token of a person', () => {
    const { access_token: _none, ...person } = slack
    expect(refused(answer(200, person)).description).toContain('stands in authed_user')
  })

  it.each(['bearer', 'BEARER'])('takes the token type %s in any case (§5.1)', token_type => {
    expect(tokenResponse(answer(200, { ...example, token_type })).tokens.token_type).toBe(token_type)
  })

  it('takes a lifetime that is a text, with a remark: Entra and others wrote it so', () => {
    const { tokens, checks } = tokenResponse(answer(200, { ...example, expires_in: '3599' }))
    expect(tokens.expires_in).toBe(3599)
    expect(checks.filter(each => !each.ok)).toMatchObject([{ name: 'expires_in', advice: true }])
  })

  it('shows an answer that may be cached', () => {
    const { checks } = tokenResponse(answer(200, example, { 'cache-control': 'private' }))
    expect(checks.filter(each => !each.ok).map(each => each.name)).toEqual(['no_store'])
  })

  it.each([
    [{ ...example, access_token: undefined }, 'access_token'],
    [{ ...example, access_token: '' }, 'access_token'],
    [{ ...example, access_token: 7 }, 'access_token'],
    [{ ...example, token_type: undefined }, 'token_type'],
    [{ ...example, expires_in: '1 hour' }, 'expires_in'],
    [{ ...example, expires_in: -1 }, 'expires_in'],
    [{ ...example, expires_in: null }, 'expires_in'],
    [{ ...example, refresh_token: {} }, 'refresh_token'],
    [{ ...example, scope: ['a'] }, 'scope'],
    [{ ...example, id_token: null }, 'id_token'],
    ['{"access_token":"a","token_type":"Bearer","expires_in":1e999}', 'expires_in'],
  ])('refuses %j', (body, about) => {
    const error = refused(answer(200, body))
    expect(error).not.toBeInstanceOf(UnreadableAnswer)
    expect(error.code).toBe('invalid_response')
    expect(error.description).toContain(about)
  })

  it.each([
    [400, { error: 'invalid_request' }, 'invalid_request'],
    [400, { error: 'invalid_grant', error_description: 'used' }, 'invalid_grant'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [500, { error: 'server_error' }, 'server_error'],
    [400, {}, 'invalid_response'],
    [400, { error: 7 }, 'invalid_response'],
    [201, example, 'invalid_response'],
    [302, example, 'invalid_response'],
  ])('%i %j is the refusal %s (RFC 6749 §5.2)', (status, body, code) => {
    const error = refused(answer(status, body))
    expect(error.code).toBe(code)
    expect(error).not.toBeInstanceOf(UnreadableAnswer)
  })

  it('does not read JSON under another content type', () => {
    const html = answer(200, example, { 'content-type': 'text/html' })
    expect(refused(html)).not.toBeInstanceOf(UnreadableAnswer)
    expect(refused(html).description).toContain('text/html')
  })

  it.each(['', '{', 'null', '[]', '"text"', '<html>'])('refuses the body %j', body => {
    expect(refused(answer(200, body))).toBeInstanceOf(UnreadableAnswer)
    expect(refused(answer(400, body))).toBeInstanceOf(UnreadableAnswer)
  })

  it('reports that there was no answer', () => {
    const { response: _none, ...silent } = answer(200, example)
    expect(refused(silent)).toBeInstanceOf(UnreadableAnswer)
  })
})

describe('a token that a key is bound to', () => {
  const asked = (request: Partial<Exchange['request']>, body: unknown): Exchange => {
    const exchange = answer(200, body)
    return { ...exchange, request: { ...exchange.request, ...request } }
  }
  const proved = { headers: [['DPoP', 'e30.e30.']] } as const
  const typeCheck = (exchange: Exchange) =>
    tokenResponse(exchange).checks.find(each => each.name === 'token_type')

  it('is of type DPoP, in any case, after a request with a proof (RFC 9449 §5)', () => {
    const exchange = asked(proved, { ...example, token_type: 'dpop' })
    expect(tokenResponse(exchange).tokens.token_type).toBe('dpop')
    expect(typeCheck(exchange)).toEqual({ name: 'token_type', ok: true, rule: 'RFC 9449 §5', detail: 'dpop' })
  })

  it('is not bound when the server answers Bearer, which is a remark', () => {
    expect(typeCheck(asked(proved, example))).toEqual({
      name: 'token_type',
      ok: false,
      rule: 'RFC 9449 §5',
      detail: 'Bearer: not bound to the key',
      advice: true,
    })
  })

  it('is refused without a proof, and with a proof when the type is unknown', () => {
    expect(refused(answer(200, { ...example, token_type: 'DPoP' })).description).toMatch(/knows Bearer$/)
    expect(refused(asked(proved, { ...example, token_type: 'N_A' })).description).toMatch(/Bearer and DPoP$/)
  })

  const mac = { access_token: 'id', token_type: 'mac', mac_key: 'key', mac_algorithm: 'hmac-sha-256' }

  it.each(['token_type=mac', 'a=b&token_type=mac&c=d'])('is of type mac when %s was asked', body => {
    const { tokens, checks } = tokenResponse(asked({ body }, { ...mac, expires_in: 60 }))
    expect(tokens).toEqual({ ...mac, expires_in: 60 })
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['status', true],
      ['content_type', true],
      ['token_type', true],
      ['mac_key', true],
      ['no_store', true],
    ])
  })

  it.each(['', 'token_type=macaroon', 'my_token_type=mac'])('is not of type mac when %j was asked', body => {
    expect(refused(asked({ body }, mac)).code).toBe('invalid_response')
    expect(tokenResponse(asked({ body }, example)).tokens).not.toHaveProperty('mac_key')
  })

  it.each([
    [{ token_type: 'Bearer' }, 'unsupported_token_type'],
    [{ mac_key: undefined }, 'invalid_response'],
    [{ mac_key: '' }, 'invalid_response'],
    [{ mac_key: 7 }, 'invalid_response'],
    [{ mac_algorithm: undefined }, 'invalid_response'],
    [{ mac_algorithm: 'toString' }, 'invalid_response'],
    [{ mac_algorithm: 'HMAC-SHA-256' }, 'invalid_response'],
  ])('of type mac is refused with %j', (more, code) => {
    const error = refused(asked({ body: 'token_type=mac' }, { ...mac, ...more }))
    expect([error.code, error.rule]).toEqual([code, 'draft-ietf-oauth-v2-http-mac-00 §5.1'])
  })
})

describe('the checks of a token response', () => {
  it('name the check and its rule', () => {
    const { expires_in: _, ...endless } = example
    expect(tokenResponse(answer(200, endless)).checks).toEqual([
      { name: 'status', ok: true, rule: 'RFC 6749 §5.1', detail: '200' },
      { name: 'content_type', ok: true, rule: 'RFC 6749 §5.1', detail: 'application/json' },
      { name: 'token_type', ok: true, rule: 'RFC 6749 §7.1', detail: 'Bearer' },
      { name: 'no_store', ok: true, rule: 'RFC 6749 §5.1', detail: 'the answer may not be cached' },
      {
        name: 'expires_in',
        ok: false,
        rule: 'RFC 6749 §5.1',
        detail: expect.stringContaining('missing'),
        advice: true,
      },
    ])
  })

  it.each([
    ['private, no-store', true],
    ['NO-STORE', true],
    ['no-storest', false],
    ['no-cache', false],
  ])('read Cache-Control: %s', (value, ok) => {
    const { checks } = tokenResponse(answer(200, example, { 'cache-control': value }))
    expect(checks.find(each => each.name === 'no_store')?.ok).toBe(ok)
  })

  it('pass for a token without a lifetime, a scope or a refresh token', () => {
    const least = { access_token: 'a', token_type: 'Bearer' }
    expect(tokenResponse(answer(200, least)).tokens).toStrictEqual(least)
    expect(tokenResponse(answer(200, { ...least, expires_in: 0 })).tokens.expires_in).toBe(0)
  })

  it('pass for every optional member', () => {
    const all = { ...example, scope: 'openid', id_token: 'e30.e30.' }
    const { example_parameter: _, ...known } = all
    expect(tokenResponse(answer(200, all)).tokens).toStrictEqual(known)
  })
})

describe('a refusal', () => {
  it('carries description and address of the server (RFC 6749 §5.2)', () => {
    const body = {
      error: 'invalid_scope',
      error_description: 'no such scope',
      error_uri: 'https://e.example',
    }
    expect(refused(answer(400, body))).toMatchObject({
      code: 'invalid_scope',
      description: 'no such scope',
      uri: 'https://e.example',
      rule: 'RFC 6749 §5.2',
    })
    expect(refused(answer(400, { ...body, error_description: 7, error_uri: 7 }))).toMatchObject({
      description: 'the token endpoint refused the request',
      uri: undefined,
    })
  })

  it.each([
    [299, /without an error member/],
    [300, /redirect \(300\)/],
    [399, /redirect \(399\)/],
    [400, /without an error member/],
  ])('in an answer with status %i and no error says why', (status, description) => {
    expect(refused(answer(status, {})).description).toMatch(description)
  })
})

describe('jsonObject', () => {
  it.each(['text/json', 'application/json-seq', 'json', ''])('refuses the type %j', type => {
    const read = () => jsonObject(answer(200, {}, { 'content-type': type }), 'it', 'RFC 6749 §5.1')
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_response' }))
    expect(read).toThrow(type || 'no content type')
  })

  it.each(['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/jwk-set+json'])(
    'reads %s',
    type => {
      expect(jsonObject(answer(200, { a: 1 }, { 'content-type': type }), 'it', 'RFC 6749 §5.1')).toEqual({
        a: 1,
      })
    },
  )
})
