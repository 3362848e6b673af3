import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

const SECRET = 'Fq3tZ8vLk2WcX7hR9pYdN4sB6mJgA1eU'
const REGISTERED = ['id_token', 'userinfo', 'introspection']
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, use: 'enc' })

/** Members about each kind of response. */
const each = (member: string, value: string) =>
  Object.fromEntries(REGISTERED.map(kind => [`${kind}_${member}`, value]))
const signing = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'].map(alg => ({
  client_id: alg,
  access_token_signing_alg: alg,
  ...each('signed_response_alg', alg),
}))
const encrypting = ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A256KW'].map((alg, i) => ({
  client_id: alg,
  jwks: { keys: [jwk(rsa.publicKey, 'rsa'), jwk(ec.publicKey, 'ec')] },
  token_endpoint_auth_method: 'client_secret_post',
  ...each('signed_response_alg', 'PS256'),
  ...each('encrypted_response_alg', alg),
  ...each('encrypted_response_enc', ['A128CBC-HS256', 'A256GCM', 'A128GCM'][i]!),
}))
const clients = [...signing, ...encrypting].map(registered => ({
  client_secret: SECRET,
  redirect_uris: ['http://127.0.0.1/callback'],
  ...registered,
}))

let folder: ReturnType<typeof temporaryFolder>
let lab: Serving
beforeAll(async () => {
  folder = temporaryFolder()
  const file = join(folder.path, 'lab.json')
  writeFileSync(file, JSON.stringify({ clients }))
  lab = await serve(['--config', file])
})
afterAll(async () => {
  await lab.remove()
  folder.remove()
})

describeWith([rigs], 'openid-client 6 with the algorithms that its client registered', () => {
  it('verifies, and decrypts, id_tokens, userinfo and introspection', async () => {
    const input = join(folder.path, 'clients.json')
    const keys = [
      { alg: 'RSA-OAEP-256', jwk: jwk(rsa.privateKey, 'rsa') },
      ...['ECDH-ES', 'ECDH-ES+A256KW'].map(alg => ({ alg, jwk: jwk(ec.privateKey, 'ec') })),
    ]
    writeFileSync(input, JSON.stringify({ clients, keys }), { mode: 0o600 })
    const file = join(import.meta.dirname, 'openid-client-algorithms.js')
    const { code, stdout, stderr } = await run(
      process.execPath,
      [file, lab.ready.urls.authorization, input],
      { env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' } },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const user = { sub: 'alice', name: 'Alice Liddell', active: true }
    const signed = signing.map(({ client_id: alg }) => [alg, { id_token: alg, access_token: alg, ...user }])
    const sealed = encrypting.map(({ client_id: id }) => [
      id,
      // The library shows the JWT that was inside, or the JWE.
      { id_token: expect.stringMatching(/^(PS256|RSA|ECDH)/), access_token: 'RS256', ...user },
    ])
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries([...signed, ...sealed]))
    const made = (await lab.events()).filter(event => event.type === 'key.made')
    expect(made.map(event => event.alg).sort()).toEqual(['ES256', 'Ed25519', 'EdDSA', 'PS256'])
  })
})
