import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { printed } from './client-program.js'

const grants = ['jwt-bearer', 'token-exchange'].map(name => `urn:ietf:params:oauth:grant-type:${name}`)
const folder = temporaryFolder()
const write = (name: string, value: unknown) =>
  writeFileSync(join(folder.path, name), JSON.stringify(value), { mode: 0o600 })

/** Writes the private key for the client program, and returns the public one. */
async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  write(`${kid}.json`, { ...(await exportJWK(privateKey)), kid })
  return { ...(await exportJWK(publicKey)), kid }
}

let lab: Serving
beforeAll(async () => {
  write('idp-keys.json', { keys: [await makeKey('idp')] })
  const redirect_uris = ['http://127.0.0.1/callback']
  const code = ['authorization_code', 'refresh_token']
  write('lab.json', {
    dpop_nonce: 'required',
    resources: ['https://api.example/', 'urn:example:records'],
    assertion_issuers: [{ issuer: 'https://idp.example', jwks_file: 'idp-keys.json' }],
    clients: [
      {
        client_id: 'web',
        client_secret: 'web-secret',
        redirect_uris,
        grant_types: [...code, 'password', ...grants],
      },
      { client_id: 'signer', jwks: { keys: [await makeKey('signer')] }, grant_types: ['client_credentials'] },
      { client_id: 'spa', redirect_uris, grant_types: code },
    ],
  })
  lab = await serve(['--config', join(folder.path, 'lab.json')])
})
afterAll(async () => {
  await lab.remove()
  folder.remove()
})

describeWith([rigs], 'every grant over TLS, with signed clients, DPoP nonces and a lab file', () => {
  it('openid-client 6', async () => {
    expect(await printed(lab, 'openid-client-grants.js', [folder.path])).toEqual({
      refreshed: { scope: 'records:read', rotated: true },
      introspected: [true, 'alice', 'records:read'],
      revoked: [false, '400 invalid_grant'],
      own: ['records:write', null],
      password: 'records:read',
      asserted: ['records:read', '400 invalid_grant'],
      exchanged: 'urn:ietf:params:oauth:token-type:access_token',
      dpop: ['dpop', 'alice', '400 invalid_grant', 'dpop'],
    })
  })
})
