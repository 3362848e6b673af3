import { describe, expect, it } from 'vitest'
import { redirectUriFor, secretPlace } from '../../../src/session/client/identity.js'
import { client, usage } from '../support.js'

describe('redirectUriFor', () => {
  it.each([
    [['http://127.0.0.1/callback', 'https://client.example/cb'], 'http://127.0.0.1:0/callback'],
    [['https://client.example/cb', 'http://127.0.0.1:7000/x?a=1'], 'http://127.0.0.1:0/x?a=1'],
    [['http://[::1]/callback', 'http://127.0.0.1/callback'], 'http://127.0.0.1:0/callback'],
    [['http://[::1]/callback'], 'http://[::1]:0/callback'],
    [['https://client.example/cb'], 'https://client.example/cb'],
    [[], 'http://127.0.0.1:0/callback'],
    [['http://localhost/cb', 'http://127.0.0.1/cb'], 'http://127.0.0.1:0/cb'],
    [['http://localhost/cb'], 'http://localhost:0/cb'],
  ])('%j', (registered, wanted) => {
    expect(redirectUriFor(client({ redirect_uris: registered }), true)).toBe(wanted)
  })

  it('keeps the port of localhost for a web client with a secret', () => {
    const web = { client_secret: 's', redirect_uris: ['http://localhost:3000/cb'] }
    expect(redirectUriFor(client(web))).toBe('http://localhost:3000/cb')
    expect(redirectUriFor(client({ ...web, application_type: 'native' }))).toBe('http://localhost:0/cb')
  })

  it('takes IPv6 when there is no IPv4', () => {
    const registered = ['http://127.0.0.1/callback', 'http://[::1]/callback']
    expect(redirectUriFor(client({ redirect_uris: registered }), false)).toBe('http://[::1]:0/callback')
  })
})

describe('secretPlace', () => {
  it.each([
    [{}, 'none'],
    [{ client_secret: 's' }, 'client_secret_basic'],
    [{ client_secret: 's', token_endpoint_auth_method: 'client_secret_post' }, 'client_secret_post'],
    [{ client_secret: 's', jwks: { keys: [] } }, 'client_secret_basic'],
  ] as const)('%j', (more, place) => expect(secretPlace(client(more))).toBe(place))

  it('refuses a method that a flow cannot use', () => {
    expect(
      usage(() => secretPlace(client({ token_endpoint_auth_method: 'private_key_jwt' }))).message,
    ).toContain('private_key_jwt')
    expect(usage(() => secretPlace(client({ jwks: { keys: [] } }))).message).toContain('private_key_jwt')
  })
})
