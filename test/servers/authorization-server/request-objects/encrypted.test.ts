import { describe, expect, it } from 'vitest'
import type { ContentEncryption, KeyEncryption } from '../../../../src/protocol/oauth/algorithms.js'
import { contentKey, encryptText } from '../../../../src/protocol/tokens/encryption.js'
import { makeHmacJwt } from '../../../protocol/tokens/jwt-maker.js'
import { CALLBACK, client, json, SECRET } from '../support.js'
import { accepted, claims, key, of, refused, signed, unsigned, type World, world } from './support.js'

const encrypting = (alg: KeyEncryption) =>
  client('signer', { jwks: { keys: [key.publicJwk] }, request_object_encryption_alg: alg })
const both = [encrypting('RSA-OAEP-256'), { ...encrypting('ECDH-ES'), client_id: 'other' }]

async function publishedKey(server: World, kty: string) {
  const { keys } = json(await server.get('/.well-known/jwks.json')) as { keys: Record<string, string>[] }
  return keys.find(each => each.use === 'enc' && each.kty === kty)
}

async function encrypted(server: World, alg: KeyEncryption, enc: ContentEncryption, text = signed()) {
  const jwk = await publishedKey(server, alg.startsWith('RSA') ? 'RSA' : 'EC')
  return encryptText(text, jwk ?? {}, { alg, enc }, { kid: jwk?.kid, cty: 'JWT' })
}

describe('an encrypted request object', () => {
  it.each([
    ['RSA-OAEP-256', 'A128CBC-HS256'],
    ['RSA-OAEP', 'A256GCM'],
    ['ECDH-ES', 'A128GCM'],
    ['ECDH-ES+A128KW', 'A256CBC-HS512'],
    ['ECDH-ES+A256KW', 'A128CBC-HS256'],
  ] as const)('by %s and %s is accepted', async (alg, enc) => {
    const server = world({ clients: both })
    const request = await encrypted(server, alg, enc)
    expect(await accepted({ client_id: 'signer', request }, server)).toMatchObject({
      encryption: `${alg} ${enc}`,
      alg: 'ES256',
    })
  })

  it('to the secret of the client is accepted', async () => {
    const object = makeHmacJwt(SECRET, {}, claims(of('demo')))
    const request = await encryptText(
      object,
      contentKey(SECRET, 'A256GCM'),
      { alg: 'dir', enc: 'A256GCM' },
      {},
    )
    expect(await accepted({ client_id: 'demo', request })).toMatchObject({ encryption: 'dir A256GCM' })
  })

  const encryptedText = async (text: string) => encrypted(server, 'RSA-OAEP-256', 'A128GCM', text)
  const server = world({ clients: both })
  it.each<[string, () => Promise<string>, rule?: string]>([
    ['that is unsigned', () => encryptedText(unsigned()), 'RFC 9101 §10.5'],
    ['of plain claims', () => encryptedText(JSON.stringify(claims())), 'RFC 9101 §4'],
    ['within another', async () => encryptedText(await encryptedText(signed())), 'RFC 9101 §4'],
    ['whose text was changed', async () => `${(await encryptedText(signed())).slice(0, -4)}AAAA`],
    ['to a foreign key', () => encryptText(signed(), key.publicJwk, { alg: 'ECDH-ES', enc: 'A128GCM' }, {})],
    [
      'with the kid of no key',
      async () => {
        const jwk = await publishedKey(server, 'RSA')
        return encryptText(signed(), jwk ?? {}, { alg: 'RSA-OAEP', enc: 'A128GCM' }, { kid: 'x' })
      },
    ],
    [
      'to a secret that the client lacks',
      () => encryptText(signed(), contentKey('x', 'A128GCM'), { alg: 'dir', enc: 'A128GCM' }, {}),
    ],
    ['whose header is no JSON', async () => 'a.b.c.d.e'],
  ])('%s is refused', async (_name, make, rule = 'RFC 9101 §6.1') => {
    const outside = { client_id: 'signer', redirect_uri: CALLBACK, request: await make() }
    expect(await refused(outside, server)).toMatchObject({ error: 'invalid_request_object', rule })
  })

  it('has a published key where a client is registered for it, and no other key', async () => {
    const published = await publishedKey(server, 'RSA')
    expect(published).toMatchObject({ kty: 'RSA', use: 'enc', kid: expect.any(String) })
    for (const secret of ['d', 'p', 'q', 'alg']) expect(published).not.toHaveProperty(secret)
    expect(await publishedKey(world(), 'RSA')).toBeUndefined()
    const metadata = async (each: World) =>
      json(await each.get('/.well-known/openid-configuration')).request_object_encryption_alg_values_supported
    expect(await metadata(world())).toEqual(['dir'])
    expect(await metadata(world({ clients: [encrypting('ECDH-ES')] }))).toEqual([
      ...['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW', 'dir'],
    ])
  })
})
