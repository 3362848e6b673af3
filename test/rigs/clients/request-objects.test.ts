import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, rigs } from '../../support/requires.js'
import { labWith, printed, QUIET } from './client-program.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = (key: typeof privateKey) => ({ ...key.export({ format: 'jwk' }), kid: 'one' })
const clients = [
  { client_id: 'jar' },
  { client_id: 'sealed', request_object_encryption_alg: 'RSA-OAEP-256' },
  { client_id: 'signed-only', require_signed_request_object: true, strict_request_objects: true },
].map(each => ({
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [jwk(publicKey)] },
  ...each,
}))

const { folder, lab } = labWith({ clients })

async function results(program: string) {
  const input = join(folder.path, 'key.json')
  writeFileSync(input, JSON.stringify(jwk(privateKey)), { mode: 0o600 })
  return printed(lab, program, [input], QUIET)
}

describeWith([rigs], 'request objects of other clients', () => {
  it('openid-client 6: signed, encrypted, and pushed', async () => {
    const all = { plain: 'alice', openid: 'alice', pushed: 'alice' }
    expect(await results('openid-client-request-objects.js')).toEqual({
      jar: all,
      sealed: { ...all, encrypted: 'alice' },
      'signed-only': all,
    })
  })

  it('oauth4webapi: issueRequestObject, in the browser and pushed', async () => {
    expect(await results('oauth4webapi-request-objects.js')).toEqual({ browser: 'alice', pushed: 'alice' })
  })
})
