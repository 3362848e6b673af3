import { describe, expect, it } from 'vitest'
import { authorizationRequest } from '../../../src/protocol/oauth/authorization-request.js'
import { hybridResponse } from '../../../src/protocol/oauth/authorization-response.js'

const request = (responseType: string, responseMode?: 'form_post') =>
  authorizationRequest({
    endpoint: 'https://server.example.com/authorize',
    issuer: 'https://server.example.com',
    responseType,
    clientId: 's6BhdRkqt3',
    redirectUri: 'https://client.example.org/cb',
    state: 'af0ifjsldkj',
    issPromised: false,
    ...(responseMode && { responseMode }),
  })

// OpenID Connect Core §3.3.2.5
const example =
  'https://client.example.org/cb#code=SplxlOBeZQQYbYS6WxSbIA&id_token=eyJ0.NiJ9.eyJ1c&state=af0ifjsldkj'

describe('hybridResponse', () => {
  it('reads the example of OpenID Connect', () => {
    expect(hybridResponse(example, request('code id_token'))).toMatchObject({
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      idToken: 'eyJ0.NiJ9.eyJ1c',
    })
  })

  it('reads an access token beside the code', () => {
    const landed = `${example}&access_token=jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEz0z9K3vx5KF0Y&token_type=Bearer`
    expect(hybridResponse(landed, request('code id_token token')).tokens).toMatchObject({
      access_token: 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEz0z9K3vx5KF0Y',
    })
  })

  it('reads a form in the query of its address', () => {
    const landed = example.replace('#', '?')
    expect(hybridResponse(landed, request('code id_token', 'form_post')).code).toBe('SplxlOBeZQQYbYS6WxSbIA')
    expect(() => hybridResponse(landed, request('code id_token'))).toThrow('in the query of the address')
  })

  it.each([
    ['no code', 'code id_token', example.replace(/code=\w+&/, ''), 'no code'],
    ['no id_token', 'code id_token', example.replace(/&id_token=[^&]+/, ''), 'no id_token'],
    ['no access token', 'code token', example, 'access_token'],
    ['another state', 'code id_token', `${example}x`, 'another state'],
    [
      'a refresh token',
      'code token',
      `${example}&access_token=a&token_type=Bearer&refresh_token=r`,
      'refresh_token',
    ],
    ['a code twice', 'code id_token', `${example}&code=other`, 'repeated'],
  ])('refuses %s', (_, type, landed, description) => {
    expect(() => hybridResponse(landed, request(type))).toThrow(description)
  })
})
