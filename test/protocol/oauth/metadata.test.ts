import { describe, expect, it } from 'vitest'
import { metadataUrls, parseMetadata, usableMembers } from '../../../src/protocol/oauth/metadata.js'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'

describe('metadataUrls', () => {
  it.each([
    // OpenID Connect Discovery §4.1 and RFC 8414 §3.1
    [
      'https://example.com',
      'https://example.com/.well-known/openid-configuration',
      'https://example.com/.well-known/oauth-authorization-server',
    ],
    [
      'https://example.com/issuer1',
      'https://example.com/issuer1/.well-known/openid-configuration',
      'https://example.com/.well-known/oauth-authorization-server/issuer1',
    ],
    [
      'https://example.com/issuer1/',
      'https://example.com/issuer1/.well-known/openid-configuration',
      'https://example.com/.well-known/oauth-authorization-server/issuer1',
    ],
    [
      'https://[::1]:8443',
      'https://[::1]:8443/.well-known/openid-configuration',
      'https://[::1]:8443/.well-known/oauth-authorization-server',
    ],
  ])('of %s', (issuer, ...urls) => expect(metadataUrls(issuer)).toEqual(urls))
})

describe('parseMetadata', () => {
  // RFC 8414 §3.2, shortened
  const example = {
    issuer: 'https://server.example.com',
    authorization_endpoint: 'https://server.example.com/authorize',
    token_endpoint: 'https://server.example.com/token',
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    jwks_uri: 'https://server.example.com/jwks.json',
    scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
    response_types_supported: ['code', 'code token'],
    ui_locales_supported: ['en-US', 'en-GB', 'en-CA', 'fr-FR', 'fr-CA'],
  }

  it('reads the example of RFC 8414 §3.2', () => {
    expect(parseMetadata(example, example.issuer)).toEqual(example)
  })

  it.each([
    ['https://server.example.com/'],
    ['https://SERVER.example.com'],
    [undefined],
    [null],
    [['https://server.example.com']],
    [{ toString: 1 }],
  ])('refuses the issuer %j (RFC 8414 §3.3)', issuer => {
    const parse = () => parseMetadata({ ...example, issuer }, example.issuer)
    expect(parse).toThrow(OAuthError)
    expect(parse).toThrow(/issuer_mismatch/)
  })

  it.each([
    ['token_endpoint', '/token'],
    ['token_endpoint', 'javascript:alert(1)'],
    ['jwks_uri', 7],
    ['jwks_uri', 'https://'],
    ['userinfo_endpoint', null],
    ['response_types_supported', 'code'],
    ['scopes_supported', [1]],
    ['token_endpoint_auth_methods_supported', { toString: 1 }],
  ])('refuses %s %j', (name, value) => {
    expect(() => parseMetadata({ ...example, [name]: value }, example.issuer)).toThrow(name)
  })

  it.each([null, [], 'text', 7, undefined])('refuses the document %j', document => {
    expect(() => parseMetadata(document, example.issuer)).toThrow(OAuthError)
  })
})

describe('usableMembers', () => {
  const urls = [
    'authorization_endpoint',
    'token_endpoint',
    'jwks_uri',
    'userinfo_endpoint',
    'revocation_endpoint',
    'introspection_endpoint',
    'pushed_authorization_request_endpoint',
    'device_authorization_endpoint',
    'end_session_endpoint',
  ]
  const lists = [
    'scopes_supported',
    'response_types_supported',
    'grant_types_supported',
    'token_endpoint_auth_methods_supported',
    'code_challenge_methods_supported',
    'id_token_signing_alg_values_supported',
  ]

  it.each(urls)('takes an address as %s, and nothing else (RFC 8414 §2)', name => {
    for (const value of ['https://as.example/x', 'http://127.0.0.1/', 'HTTPS://as.example']) {
      expect(usableMembers({ [name]: value })).toEqual({ usable: { [name]: value }, unusable: [] })
    }
    for (const value of [
      '',
      '/x',
      'ftp://as.example',
      'x https://as.example',
      'https://',
      null,
      ['https://a'],
    ]) {
      expect(usableMembers({ [name]: value })).toEqual({
        usable: {},
        unusable: [`${name} is not an absolute URL`],
      })
    }
  })

  it.each(lists)('takes a list of strings as %s, and nothing else', name => {
    for (const value of [[], ['a', 'b']]) {
      expect(usableMembers({ [name]: value })).toEqual({ usable: { [name]: value }, unusable: [] })
    }
    for (const value of ['a', ['a', 1], {}, null]) {
      expect(usableMembers({ [name]: value })).toEqual({
        usable: {},
        unusable: [`${name} is not a list of strings`],
      })
    }
  })

  it('keeps members that it does not know', () => {
    const unknown = { service_documentation: 7, mtls_endpoint_aliases: {} }
    expect(usableMembers(unknown)).toEqual({ usable: unknown, unusable: [] })
  })
})

it.each([
  ['https://as.example/', 'https://as.example', true],
  ['https://as.example', 'https://as.example/', true],
  ['https://other.example', 'https://as.example', false],
])('an issuer that differs by a slash: %s for %s', (issuer, asked, slash) => {
  const parse = () => parseMetadata({ issuer }, asked)
  const message = slash ? /differ by the slash/ : /asked was https:\/\/as\.example$/
  expect(parse).toThrow(message)
})
