import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { labWith, printed, QUIET } from './client-program.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secret = 'secret-of-the-rig-0123456789abcdef0123456789'
const ec = { kid: 'enc', use: 'enc' }
const clients = [
  { client_id: 'signed' },
  { client_id: 'es256', authorization_signed_response_alg: 'ES256' },
  { client_id: 'ps256', authorization_signed_response_alg: 'PS256' },
  {
    client_id: 'sealed',
    token_endpoint_auth_method: 'client_secret_post',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), ...ec }] },
    authorization_encrypted_response_alg: 'ECDH-ES',
    authorization_encrypted_response_enc: 'A256GCM',
  },
].map(each => ({ redirect_uris: ['http://127.0.0.1/callback'], client_secret: secret, ...each }))

const { folder, lab } = labWith({ clients })

async function results(program: string) {
  const input = join(folder.path, 'keys.json')
  const keys = { secret, ec: { ...privateKey.export({ format: 'jwk' }), ...ec } }
  writeFileSync(input, JSON.stringify(keys), { mode: 0o600 })
  return printed(lab, program, [input], QUIET)
}

describeWith([rigs], 'authorization responses in a JWT, read by other clients', () => {
  it('openid-client 6: useJwtResponseMode, signed and encrypted, and errors', async () => {
    const names = ['response']
    const granted = { names, sub: 'alice' }
    const refused = { names, error: 'login_required' }
    expect(await results('openid-client-jarm.js')).toMatchObject({
      signed: granted,
      es256: granted,
      other: { names, reason: 'invalid response encountered' },
      sealed: granted,
      refused,
      sealedError: refused,
    })
  })

  it('oauth4webapi: validateJwtAuthResponse in query and fragment', async () => {
    expect(await results('oauth4webapi-jarm.js')).toEqual({
      jwt: 'alice',
      query: 'alice',
      fragment: 'alice',
      ps256: 'alice',
      other: expect.stringContaining('alg'),
      refused: 'login_required',
      audience: expect.stringContaining('"aud"'),
    })
  })
})
