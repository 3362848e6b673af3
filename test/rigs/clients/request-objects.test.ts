import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

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

async function results(program: string) {
  const input = join(folder.path, 'key.json')
  writeFileSync(input, JSON.stringify(jwk(privateKey)), { mode: 0o600 })
  const file = join(import.meta.dirname, program)
  const { code, stdout, stderr } = await run(process.execPath, [file, lab.ready.urls.authorization, input], {
    env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' },
  })
  expect([stderr, code]).toEqual(['', 0])
  return JSON.parse(stdout)
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
