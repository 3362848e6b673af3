import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTransport } from '../../../src/client/transport.js'
import { readInputFile } from '../../../src/session/input/input.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path, { OAUTH_LAB_CLIENT_SECRET: 'app-secret-0123456789abcdef0123456789' })
const client = ['--client-id', 'app', '--user', 'alice:wonderland', '--json']
let provider: OtherIssuer
let ca = ''

const flow = (...[name = '', ...args]: string[]) => runProgram(['flow', name, ...client, ...args], { env })
const endpoints = () => [
  ...['--authorization-endpoint', `${provider.issuer}/auth`],
  ...['--token-endpoint', `${provider.issuer}/token`],
]

describeWith([rigs], 'oidc-provider behind a front without discovery', () => {
  beforeAll(async () => {
    ca = (await runProgram(['ca', 'path'], { env })).stdout.trim()
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const args = [join(dirname(ca), 'leaf.pem'), JSON.stringify(publicKey.export({ format: 'jwk' }))]
    provider = await startIssuer('oidc-provider-people.js', args, { ...env, UNPUBLISHED: '1' })
  })
  afterAll(async () => {
    await provider.stop()
    folder.remove()
  })

  it('cannot be found by its issuer, and the refusal says what to name', async () => {
    const { code, stdout } = await flow('code', '--issuer', provider.issuer)
    expect(code).toBe(1)
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      error: { error: 'invalid_metadata', hints: [expect.stringContaining('--token-endpoint URL')] },
    })
  })

  it('grants a code to a client that knows two addresses and the keys', async () => {
    const { code, stdout, stderr } = await flow(
      ...['code', ...endpoints(), '--jwks', `${provider.issuer}/jwks`, '--scope', 'openid'],
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = jsonLines(stdout)
    expect(lines[0]).toMatchObject({ name: 'given_metadata', note: 'not known: issuer, pkce' })
    const landed = lines.find(({ name }) => name === 'authorization_response')
    expect(landed?.checks).toContainEqual(
      expect.objectContaining({
        name: 'iss',
        ok: false,
        advice: true,
        detail: expect.stringContaining(provider.issuer),
      }),
    )
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted' })
  })

  it('has no id_token accepted without keys, and verified with its keys from an address and from a file', async () => {
    const openid = ['--scope', 'openid', ...endpoints()]
    const refused = await flow('code', ...openid)
    expect(jsonLines(refused.stdout).at(-1)).toMatchObject({ outcome: 'refused' })
    const { send, close } = createTransport({ caPem: await readInputFile('the CA', ca) })
    const url = `${provider.issuer}/jwks`
    const { response } = await send({ method: 'GET', url, headers: [], body: new Uint8Array() })
    close()
    const file = join(folder.path, 'keys.json')
    writeFileSync(file, response!.body)
    for (const jwks of [url, file]) {
      const { code, stdout } = await flow('code', ...openid, '--jwks', jwks)
      expect(code).toBe(0)
      const verified = jsonLines(stdout).find(({ name }) => name === 'keys_request')
      expect(verified?.note).toContain('id token verified')
    }
  })

  it('is whole again by a metadata file: issuer, device endpoint and userinfo', async () => {
    const { issuer } = provider
    const metadata = join(folder.path, 'metadata.json')
    const known = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/me`,
      device_authorization_endpoint: `${issuer}/device/auth`,
      code_challenge_methods_supported: ['S256'],
    }
    writeFileSync(metadata, JSON.stringify(known))
    const lab = join(folder.path, 'lab.json')
    writeFileSync(
      lab,
      JSON.stringify({ servers: { work: { metadata_file: 'metadata.json', client_id: 'app' } } }),
    )
    for (const how of [
      ['--metadata', metadata, '--client-id', 'app'],
      ['--at', 'work', '--config', lab],
    ]) {
      const args = ['--user', 'alice:wonderland', '--scope', 'openid', '--json', ...how]
      const { code, stdout } = await runProgram(['flow', 'code', ...args], { env })
      const lines = jsonLines(stdout)
      expect({ how, code }).toEqual({ how, code: 0 })
      expect(lines[0]).toMatchObject({ name: 'given_metadata', note: 'nothing was fetched' })
      expect(lines.map(({ name }) => name)).toContain('userinfo_request')
    }
    const device = await flow('device', '--metadata', metadata, '--scope', 'openid')
    expect(jsonLines(device.stdout).at(-1)).toMatchObject({ outcome: 'granted' })
  })
})
