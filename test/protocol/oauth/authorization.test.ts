import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseForm, readParameters } from '../../../src/protocol/http/form.js'
import { splitUrl } from '../../../src/protocol/http/message.js'
import {
  AUTHORIZATION_PARAMETERS,
  type AuthorizationRequestOptions,
  authorizationRequest,
  pushedRequest,
} from '../../../src/protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../../src/protocol/oauth/authorization-response.js'
import { errorParameters, OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { type VerifiedRedirectUri, withQuery } from '../../../src/protocol/oauth/redirect-uri.js'
import { forAll } from '../../support/for-all.js'
import { thrown } from '../../support/refusal.js'

// RFC 6749 §4.1.1
const example: AuthorizationRequestOptions = {
  endpoint: 'https://server.example.com/authorize',
  issuer: 'https://server.example.com',
  responseType: 'code',
  clientId: 's6BhdRkqt3',
  redirectUri: 'https://client.example.com/cb',
  state: 'xyz',
  issPromised: false,
}

const refusal = (landed: string, request = authorizationRequest(example)) =>
  thrown(() => authorizationResponse(landed, request))

describe('authorizationRequest', () => {
  it('says what the example of RFC 6749 §4.1.1 says', () => {
    const theirs =
      'response_type=code&client_id=s6BhdRkqt3&state=xyz&redirect_uri=https%3A%2F%2Fclient%2Eexample%2Ecom%2Fcb'
    const { url } = authorizationRequest(example)
    expect(url.startsWith('https://server.example.com/authorize?')).toBe(true)
    expect(new Map(parseForm(splitUrl(url).query))).toEqual(new Map(parseForm(theirs)))
  })

  it('sends the challenge and never the verifier of RFC 7636 Appendix B', () => {
    const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const { url } = authorizationRequest({ ...example, codeVerifier })
    expect(url).toContain(
      'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256',
    )
    expect(url).not.toContain(codeVerifier)
  })

  it('keeps the query of the endpoint', () => {
    const { url } = authorizationRequest({ ...example, endpoint: 'https://s.example/a?tenant=1' })
    expect(url).toMatch(/^https:\/\/s\.example\/a\?tenant=1&response_type=code&/)
  })

  it('is parsed by the server to the same parameters, for any text', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map(each => each.toWellFormed())
    await forAll(text, text, text, text, (clientId, scope, state, nonce) => {
      const { url } = authorizationRequest({ ...example, clientId, scope, state, nonce })
      const { values, repeated } = readParameters(parseForm(splitUrl(url).query), AUTHORIZATION_PARAMETERS)
      expect(repeated).toEqual([])
      expect({ ...values }).toEqual({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: example.redirectUri,
        scope,
        state,
        nonce,
      })
    })
  })
})

describe('authorizationResponse', () => {
  it('accepts the example of RFC 6749 §4.1.2', () => {
    const landed = 'https://client.example.com/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=xyz'
    const { code, checks } = authorizationResponse(landed, authorizationRequest(example))
    expect(code).toBe('SplxlOBeZQQYbYS6WxSbIA')
    expect(checks.map(each => [each.name, each.ok])).toEqual([['state', true]])
  })

  it('reports the error of RFC 6749 §4.1.2.1', () => {
    expect(refusal('https://client.example.com/cb?error=access_denied&state=xyz').code).toBe('access_denied')
  })

  it('accepts the example of RFC 9207 §2 and reports its error', () => {
    const request = authorizationRequest({
      ...example,
      issuer: 'https://honest.as.example',
      issPromised: true,
      state: 'ZWVlNDBlYzA1NjdkMDNhYjg3ZjUxZjAyNGQzMTM2NzI',
    })
    const landed =
      'https://client.example/cb?code=x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58&state=ZWVlNDBlYzA1NjdkMDNhYjg3ZjUxZjAyNGQzMTM2NzI&iss=https%3A%2F%2Fhonest.as.example'
    const { code, checks } = authorizationResponse(landed, request)
    expect(code).toBe('x1848ZT64p4IirMPT0R-X3141MFPTuBX-VFL_cvaplMH58')
    expect(checks.map(each => each.name)).toEqual(['state', 'iss'])

    const state = 'N2JjNGJhY2JiZjRhYzA3MGJkMzNmMDE5OWJhZmJhZjA'
    const refused = `https://client.example/cb?error=access_denied&state=${state}&iss=https%3A%2F%2Fhonest.as.example`
    expect(refusal(refused, { ...request, state }).code).toBe('access_denied')
  })

  const promised = authorizationRequest({ ...example, issPromised: true })
  const iss = 'iss=https%3A%2F%2Fserver.example.com'
  it.each([
    ['code=c', promised, 'state_mismatch'],
    ['code=c&state=', promised, 'state_mismatch'],
    [`code=c&state=other&${iss}`, promised, 'state_mismatch'],
    [`code=c&state=xyz%20&${iss}`, promised, 'state_mismatch'],
    [`error=access_denied&state=other&${iss}`, promised, 'state_mismatch'],
    ['code=c&state=xyz', promised, 'issuer_mismatch'],
    ['code=c&state=xyz&iss=https%3A%2F%2Fserver.example.com%2F', promised, 'issuer_mismatch'],
    ['code=c&state=xyz&iss=https%3A%2F%2FSERVER.example.com', promised, 'issuer_mismatch'],
    ['error=access_denied&state=xyz&iss=https%3A%2F%2Fevil', promised, 'issuer_mismatch'],
    ['code=c&state=xyz&iss=https%3A%2F%2Fevil', authorizationRequest(example), 'issuer_mismatch'],
    [`code=c&code=d&state=xyz&${iss}`, promised, 'invalid_response'],
    [`code=c&state=xyz&state=xyz&${iss}`, promised, 'invalid_response'],
    [`state=xyz&${iss}`, promised, 'invalid_response'],
    [`code=&state=xyz&${iss}`, promised, 'invalid_response'],
    ['code=%zz&state=xyz', promised, 'invalid_response'],
    [`code=c&error=access_denied&state=xyz&${iss}`, promised, 'access_denied'],
  ])('refuses ?%s', (query, request, code) => {
    const error = refusal(`https://client.example.com/cb?${query}`, request)
    expect(error.code).toBe(code)
    expect(error.rule).toMatch(/^RFC \d+ §/)
  })

  it.each([
    ['code=c', 'state_mismatch', 'the answer has no state', 'sent xyz, got none'],
    ['code=c&state=abc', 'state_mismatch', 'the answer has another state', 'sent xyz, got abc'],
    [
      'code=c&state=xyz',
      'issuer_mismatch',
      'the answer has none',
      'expected https://server.example.com, got none',
    ],
    [
      'code=c&state=xyz&iss=evil',
      'issuer_mismatch',
      'the answer names another issuer',
      'expected https://server.example.com, got evil',
    ],
  ])('says what ?%s lacks', (query, code, description, evidence) => {
    expect(refusal(`https://client.example.com/cb?${query}`, promised)).toMatchObject({
      code,
      description: expect.stringContaining(description),
      evidence,
    })
  })

  it('keeps description and address of an error', () => {
    const landed = `https://client.example.com/cb?error=invalid_scope&state=xyz&${iss}`
    expect(
      refusal(`${landed}&error_description=no&error_uri=https%3A%2F%2Fe.example`, promised),
    ).toMatchObject({ description: 'no', uri: 'https://e.example' })
    expect(refusal(landed, promised)).toMatchObject({
      description: 'the authorization server refused the request',
      uri: undefined,
    })
  })

  it('believes nothing in the fragment of a code response', () => {
    expect(refusal('https://client.example.com/cb#code=c&state=xyz').code).toBe('invalid_response')
  })

  it('throws only OAuthError, for any address', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom('code', 'state', 'iss', '=', '&', '%', '%ff', 'xyz', '#', '?'),
    })
    await forAll(hostile, refusalOrCode)
    function refusalOrCode(query: string): void {
      try {
        expect(authorizationResponse(`https://c.example/cb?${query}`, promised).code).not.toBe('')
      } catch (error) {
        expect(error).toBeInstanceOf(OAuthError)
      }
    }
  })

  it('reads every answer the server writes: code, state, iss and errors', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map(each => each.toWellFormed())
    await forAll(text, text, text, (code, state, description) => {
      const request = authorizationRequest({ ...example, state, issPromised: true })
      const uri = request.redirectUri as VerifiedRedirectUri
      const ours = [
        ['state', state],
        ['iss', request.issuer],
      ] as const
      expect(authorizationResponse(withQuery(uri, [['code', code], ...ours]), request).code).toBe(code)
      const error = new OAuthError('invalid_scope', { description, rule: 'RFC 6749 §3.3' })
      const landed = withQuery(uri, [...errorParameters(error), ...ours])
      const received = refusal(landed, request)
      expect(received.code).toBe('invalid_scope')
      // RFC 6749 §4.1.2.1
      expect(received.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
    })
  })
})

it('pushedRequest names the request and its client, and keeps the rest (RFC 9126 §4)', () => {
  const request = authorizationRequest(example)
  const uri = 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c'
  const pushed = pushedRequest(request, uri)
  expect(pushed).toEqual({ ...request, url: pushed.url })
  expect(parseForm(splitUrl(pushed.url).query)).toEqual([
    ['client_id', example.clientId],
    ['request_uri', uri],
  ])
  expect(splitUrl(pushed.url).path).toBe(splitUrl(example.endpoint).path)
})
