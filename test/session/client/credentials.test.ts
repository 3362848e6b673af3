import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/protocol/errors.js'
import type { Client, TokenEndpointAuthMethod } from '../../../src/protocol/oauth/client.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { clientProof, readClientKey } from '../../../src/session/client/credentials.js'

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const key = loadClientKey(pem)
const client = (more: Partial<Client> = {}): Client => ({
  client_id: 'web',
  redirect_uris: [],
  enabled: true,
  grant_types: [],
  response_types: [],
  require_pkce: true,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
  ...more,
})
const secret = client({ client_secret: 's' })
const signing = client({ jwks: { keys: [] } })

function proof(
  who: Client,
  options: { auth?: TokenEndpointAuthMethod; key?: typeof key; supported?: readonly string[] } = {},
) {
  const { auth, supported } = options
  const metadata = {
    issuer: 'https://as.test',
    ...(supported && { token_endpoint_auth_methods_supported: supported }),
  }
  return clientProof(who, { ...(auth && { auth }) }, { key: options.key }, metadata)
}

describe('clientProof', () => {
  it.each(
    Object.entries({
      'a secret goes into the header': [secret, {}, { auth: 'client_secret_basic', clientSecret: 's' }],
      'into the body where the server takes it nowhere else': [
        secret,
        { supported: ['client_secret_post'] },
        { auth: 'client_secret_post', clientSecret: 's' },
      ],
      'and into the header where it takes both': [
        secret,
        { supported: ['client_secret_post', 'client_secret_basic'] },
        { auth: 'client_secret_basic', clientSecret: 's' },
      ],
      'or as asked': [
        secret,
        { auth: 'client_secret_post' },
        { auth: 'client_secret_post', clientSecret: 's' },
      ],
      'or as registered': [
        client({ client_secret: 's', token_endpoint_auth_method: 'client_secret_post' }),
        {},
        { auth: 'client_secret_post', clientSecret: 's' },
      ],
      'no secret, nothing to send': [client(), {}, { auth: 'none' }],
      'a secret that is kept': [secret, { auth: 'none' }, { auth: 'none' }],
      'a key signs': [client(), { key }, { auth: 'none', key }],
      'a key before a secret': [secret, { key }, { auth: 'none', key }],
      'a key that decrypts alone': [
        secret,
        { auth: 'client_secret_post', key },
        { auth: 'client_secret_post', clientSecret: 's' },
      ],
      'a client registered for it': [signing, { key }, { auth: 'none', key }],
    } as const),
  )('%s', (_what, [who, options, found]) => expect(proof(who, options)).toEqual(found))

  it.each([
    ['PEM, which names no algorithm', undefined, ['PS256', 'ES256'], 'PS256'],
    ['PEM, where the usual one is announced', undefined, ['PS256', 'RS256'], 'RS256'],
    ['PEM, where none fits', undefined, ['ES256'], 'RS256'],
    ['PEM, where nothing is announced', undefined, undefined, 'RS256'],
    ['a JWK that names RS256', 'RS256', ['PS256'], 'RS256'],
  ] as const)('an RSA key in %s', (_what, alg, announced, signs) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), alg }
    const text = alg ? JSON.stringify(jwk) : privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const metadata = {
      issuer: 'https://as.test',
      ...(announced && { token_endpoint_auth_signing_alg_values_supported: announced }),
    }
    const made = clientProof(signing, {}, { key: loadClientKey(text) }, metadata)
    expect(made.key?.alg).toBe(signs)
  })

  it.each([
    ['a client that signs, without its key', signing, {}, /its key is not known here/],
    ['a key that has to sign, and is not there', secret, { auth: 'private_key_jwt' }, /its key is not known/],
    ['a secret that is not there', client(), { auth: 'client_secret_basic' }, /needs a secret/],
  ] as const)('refuses %s', (_what, who, options, why) => {
    expect(() => proof(who, options)).toThrow(UsageError)
    expect(() => proof(who, options)).toThrow(why)
  })

  it.each([
    [32, undefined, 'HS256'],
    [64, ['HS512'], 'HS512'],
    [64, ['RS256', 'HS256'], 'HS256'],
    [32, ['HS512'], 'HS256'],
  ] as const)('a secret of %i bytes signs where %j is announced: %s', (bytes, announced, alg) => {
    const metadata = { token_endpoint_auth_signing_alg_values_supported: announced }
    const who = client({ client_secret: 's'.repeat(bytes) })
    const made = clientProof(who, { auth: 'client_secret_jwt' }, {}, announced ? metadata : {})
    expect(made).toMatchObject({ auth: 'none', key: { alg } })
    expect(made.clientSecret).toBeUndefined()
  })

  it.each([
    ['no secret', client(), /which needs its secret/],
    ['a short one', secret, /a secret of 32 bytes or more/],
  ])('client_secret_jwt with %s is refused', (_what, who, why) => {
    expect(() => proof(who, { auth: 'client_secret_jwt' })).toThrow(why)
  })

  it('says what is wrong with a key file', async () => {
    await expect(readClientKey('/nowhere/key.pem')).rejects.toThrow(/cannot read the client key/)
    await expect(readClientKey(import.meta.filename)).rejects.toThrow(UsageError)
  })
})
