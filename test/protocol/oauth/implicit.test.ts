import { describe, expect, it } from 'vitest'
import { authorizationRequest } from '../../../src/protocol/oauth/authorization-request.js'
import { implicitResponse } from '../../../src/protocol/oauth/authorization-response.js'

const request = authorizationRequest({
  endpoint: 'https://as.example/authorization',
  issuer: 'https://as.example',
  responseType: 'token',
  clientId: 'demo',
  redirectUri: 'http://example.com/cb',
  state: 'xyz',
  issPromised: false,
})

// RFC 6749 §4.2.2
const example =
  'http://example.com/cb#access_token=2YotnFZFEjr1zCsicMWpAA&state=xyz&token_type=bearer&expires_in=3600'

describe('implicitResponse', () => {
  it('reads the example of the RFC', () => {
    expect(implicitResponse(example, request).tokens).toEqual({
      access_token: '2YotnFZFEjr1zCsicMWpAA',
      token_type: 'bearer',
      expires_in: 3600,
    })
  })

  it('reports its checks, and keeps the members that it knows', () => {
    const least = 'http://example.com/cb#access_token=a&state=xyz&token_type=Bearer'
    const { tokens, checks } = implicitResponse(least, request)
    expect(tokens).toStrictEqual({ access_token: 'a', token_type: 'Bearer' })
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['state', true],
      ['fragment', true],
      ['token_type', true],
    ])
    expect(implicitResponse(`${least}&scope=openid`, request).tokens?.scope).toBe('openid')
  })

  it.each([
    ['no token', '#state=xyz&token_type=Bearer', /neither access_token nor error/],
    ['no type', '#state=xyz&access_token=a', /token_type is missing/],
  ])('says that there is %s', (_name, fragment, description) => {
    const read = () => implicitResponse(`http://example.com/cb${fragment}`, request)
    expect(read).toThrow(description)
    expect(read).toThrow(expect.objectContaining({ rule: 'RFC 6749 §4.2.2' }))
  })

  it.each([
    ['the answer in the query', example.replace('#', '?'), 'invalid_response'],
    ['another state', example.replace('xyz', 'abc'), 'state_mismatch'],
    ['another issuer', `${example}&iss=https%3A%2F%2Fevil.example`, 'issuer_mismatch'],
    ['an error', 'http://example.com/cb#error=access_denied&state=xyz', 'access_denied'],
    ['no token', 'http://example.com/cb#state=xyz', 'invalid_response'],
    ['no type', example.replace('token_type=bearer&', ''), 'invalid_response'],
    ['another type', example.replace('bearer', 'mac'), 'invalid_response'],
    ['a token twice', `${example}&access_token=other`, 'invalid_response'],
    ['a lifetime that is none', example.replace('3600', '1e9'), 'invalid_response'],
    ['a refresh token', `${example}&refresh_token=x`, 'invalid_response'],
    ['what cannot be decoded', `${example}&scope=%ff`, 'invalid_response'],
  ])('refuses %s', (_name, landed, code) => {
    expect(() => implicitResponse(landed, request)).toThrow(expect.objectContaining({ code }))
  })

  it('requires the id_token that it asked for', () => {
    const asked = { ...request, responseType: 'id_token token' }
    expect(() => implicitResponse(example, asked)).toThrow(/no id_token/)
    expect(() => implicitResponse(example, asked)).toThrow(
      expect.objectContaining({ code: 'invalid_response' }),
    )
    expect(implicitResponse(`${example}&id_token=a.b.c`, asked).tokens?.id_token).toBe('a.b.c')
  })
})
