import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const folder = temporaryFolder()
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let provider: OtherIssuer
let env: Record<string, string>
const key = join(folder.path, 'enc.pem')

beforeAll(async () => {
  env = cleanEnv(folder.path)
  const { stdout } = await runProgram(['ca', 'path'], { env })
  const jwk = join(folder.path, 'enc.json')
  writeFileSync(jwk, JSON.stringify(publicKey.export({ format: 'jwk' })))
  writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  provider = await startIssuer('oidc-provider-jarm.js', [join(dirname(stdout.trim()), 'leaf.pem'), jwk], env)
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

/** Runs a flow at oidc-provider, and returns its records. */
async function flow(name: string, client: string, args: readonly string[]) {
  const usual = ['--issuer', provider.issuer, '--client-id', client, '--user', 'alice:x', '--scope', 'openid']
  const { stdout, stderr } = await runProgram(['flow', name, ...usual, '--json', ...args], {
    env: { ...env, OAUTH_LAB_CLIENT_SECRET: `${client}-secret-0123456789abcdef0123456789` },
    limit: 60_000,
  })
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

const checksOf = (records: readonly Record<string, unknown>[]) => {
  const step = records.find(({ name }) => name === 'response_verification')
  const { checks = [] } = (step?.token ?? {}) as { checks?: { name: string; ok: boolean }[] }
  return checks.map(({ name, ok }) => `${name} ${ok}`)
}
const ALL = ['iss true', 'aud true', 'exp true', 'alg true', 'signature true']

describeWith([rigs], 'responses of oidc-provider in a JWT', () => {
  it.each([
    ['code', 'app', 'jwt'],
    ['code', 'app', 'query.jwt'],
    ['code', 'app', 'fragment.jwt'],
    ['code', 'app', 'form_post.jwt'],
    ['code', 'es256', 'jwt'],
    ['hybrid', 'app', 'jwt'],
    ['hybrid', 'app', 'form_post.jwt'],
  ])('flow %s as %s with %s', async (name, client, mode) => {
    const records = await flow(name, client, ['--response-mode', mode])
    expect(records.at(-1)).toMatchObject({ outcome: 'granted' })
    expect(checksOf(records)).toEqual(expect.arrayContaining(ALL))
  })

  it('encrypted to the key of the client', async () => {
    const auth = ['--auth', 'client_secret_basic', '--client-key', key]
    const records = await flow('code', 'sealed', ['--response-mode', 'jwt', ...auth])
    expect(records.at(-1)).toMatchObject({ outcome: 'granted' })
    expect(checksOf(records)).toEqual(expect.arrayContaining(['decryption true', ...ALL]))
    const without = await flow('code', 'sealed', ['--response-mode', 'jwt'])
    expect(without.at(-1)).toMatchObject({ outcome: 'refused', error: { rule: 'JARM §2.4' } })
  })

  it('the doctor finds them right', async () => {
    const who = ['--client-id', 'app', '--user', 'alice:x']
    const { stdout } = await runProgram(
      ['doctor', provider.issuer, ...who, '--only', 'authorization', '--json'],
      { env: { ...env, OAUTH_LAB_CLIENT_SECRET: 'app-secret-0123456789abcdef0123456789' }, limit: 100_000 },
    )
    const { findings } = JSON.parse(stdout) as { findings: { name: string; result: string }[] }
    const about = findings.filter(({ name }) => name.startsWith('response-jwt'))
    expect(about.map(({ name, result }) => `${name} ${result}`)).toEqual([
      ...['response-jwt-modes pass', 'response-jwt-signed pass', 'response-jwt-query pass'],
    ])
  }, 120_000)

  it('an error comes in one too', async () => {
    const records = await flow('code', 'app', ['--response-mode', 'jwt', '--param', 'prompt=none'])
    expect(records.at(-1)).toMatchObject({ outcome: 'refused', error: { error: 'login_required' } })
    expect(checksOf(records)).toEqual(expect.arrayContaining(ALL))
  })
})
