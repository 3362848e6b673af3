import { describe, expect, it } from 'vitest'
import { metadataUrls, parseMetadata } from '../../src/oauth/metadata.js'
import { OAuthError } from '../../src/oauth/oauth-error.js'

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
  ])('of %s', (issuer, ...urls) => {
    expect(metadataUrls(issuer)).toEqual(urls)
  })
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
