import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/http/exchange.js'
import { parseForm } from '../../src/http/form.js'
import { header, text } from '../../src/http/message.js'
import { parseBasic } from '../../src/oauth/client-auth.js'
import { OAuthError } from '../../src/oauth/oauth-error.js'
import { jsonObject, tokenRequest, tokenResponse, UnreadableAnswer } from '../../src/oauth/token.js'

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

function refused(exchange: Exchange): OAuthError {
  try {
    tokenResponse(exchange)
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
  throw new Error('accepted')
}

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

  it('survives any characters in id and secret', () => {
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

  it.each(['bearer', 'BEARER'])('takes the token type %s in any case (§5.1)', token_type => {
    expect(tokenResponse(answer(200, { ...example, token_type })).tokens.token_type).toBe(token_type)
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
    [{ ...example, expires_in: '3600' }, 'expires_in'],
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

  it('does not read JSON that is called something else', () => {
    const html = answer(200, example, { 'content-type': 'text/html' })
    expect(refused(html)).not.toBeInstanceOf(UnreadableAnswer)
    expect(refused(html).description).toContain('text/html')
  })

  it.each(['', '{', 'null', '[]', '"text"', '<html>'])('cannot read %j at all', body => {
    expect(refused(answer(200, body))).toBeInstanceOf(UnreadableAnswer)
    expect(refused(answer(400, body))).toBeInstanceOf(UnreadableAnswer)
  })

  it('says so when nothing was answered', () => {
    const { response: _none, ...silent } = answer(200, example)
    expect(refused(silent)).toBeInstanceOf(UnreadableAnswer)
  })
})

describe('jsonObject', () => {
  it.each(['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/jwk-set+json'])(
    'reads %s',
    type => {
      expect(jsonObject(answer(200, { a: 1 }, { 'content-type': type }), 'it', 'RFC')).toEqual({ a: 1 })
    },
  )
})
