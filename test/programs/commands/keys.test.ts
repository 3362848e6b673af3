import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ends, programInHome } from '../../commands/support.js'
import { ask } from '../../support/https.js'
import { runProgram } from '../../support/program.js'
import { describeWith } from '../../support/requires.js'
import { testLab } from '../../support/shared.js'

const { env, home, oauthLab, written } = programInHome()

interface Listed {
  readonly kid: string
  readonly state: string
  readonly published_until?: string
}
const list = async () => JSON.parse((await oauthLab('keys', 'list', '--json')).stdout).keys as Listed[]

describe('oauth-lab keys', () => {
  it('rotates: the new key signs, the old one stays published while its tokens live', async () => {
    const [first] = await list()
    expect(first).toMatchObject({ alg: 'RS256', state: 'signs', created_at: expect.any(String) })
    const { stdout, stderr, code } = await oauthLab('keys', 'rotate')
    expect(code).toBe(0)
    expect(stderr).toContain(`${first?.kid} is published until`)
    const [second, old, ...none] = await list()
    expect(none).toEqual([])
    expect([`${second?.kid}\n`, second?.state]).toEqual([stdout, 'signs'])
    expect(old).toMatchObject({ kid: first?.kid, state: 'published' })
    const hour = Date.parse(old?.published_until ?? '') - Date.now()
    expect(hour).toBeGreaterThan(3_500_000)
    expect(hour).toBeLessThan(3_700_000)
    const text = (await oauthLab('keys', 'list')).stdout.split('\n')
    expect(text[0]).toMatch(new RegExp(`^${second?.kid} .* signs$`))
    expect(text[1]).toMatch(new RegExp(`^${old?.kid} .* verifies until`))
  })

  it('exports the public key as PEM, the set as JWKS, and the secret', async () => {
    const [{ kid } = { kid: '' }] = await list()
    const pem = (await oauthLab('keys', 'export')).stdout
    expect((await oauthLab('keys', 'export', '--pem')).stdout).toBe(pem)
    expect(readFileSync(join(home(), 'lab', 'signing-public.pem'), 'utf8')).toBe(pem)
    expect(JSON.parse((await oauthLab('keys', 'export', '--pem', '--json')).stdout)).toEqual({ kid, pem })
    const { keys } = JSON.parse((await oauthLab('keys', 'export', '--jwks')).stdout)
    expect(keys[0]).toMatchObject({ kid, kty: 'RSA', use: 'sig', alg: 'RS256' })
    expect(keys[0]).not.toHaveProperty('d')
    expect(createPublicKey(pem).export({ format: 'jwk' }).n).toBe(keys[0].n)
    const secret = (await oauthLab('keys', 'export', '--secret')).stdout
    expect(secret).toMatch(/^[\w-]{43}\n$/)
    expect((await oauthLab('keys', 'export', '--secret', '--json')).stdout).toBe(
      `${JSON.stringify({ secret: secret.trim() })}\n`,
    )
    for (const name of ['signing-keys.json', 'signing-secret']) {
      expect(statSync(join(home(), 'lab', name)).mode & 0o777).toBe(0o600)
    }
  })

  it('takes the key and the secret of the lab file, and never rotates a key of yours', async () => {
    const lab = join(home(), 'own.json')
    const key = join(home(), 'own.pem')
    const signing_secret = 'the secret of this lab file, of many bytes'
    writeFileSync(lab, JSON.stringify({ signing_key_file: 'own.pem', signing_secret }))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const own = (...args: string[]) => oauthLab('keys', ...args, '--config', lab)
    const pem = (await own('export')).stdout
    expect(pem).toBe(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }))
    expect((await own('export', '--secret')).stdout).toBe(`${signing_secret}\n`)
    expect(await own('rotate')).toMatchObject(ends(2, 'signing_key_file'))
    expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY')
  })

  it('writes nothing where the folder is no folder', async () => {
    const file = written('file', '')
    expect(await runProgram(['keys', 'list'], { env: env({ OAUTH_LAB_HOME: file }) })).toMatchObject(
      ends(2, 'state folder'),
    )
  })
})

describe('a running lab', () => {
  it('publishes and signs with a rotated key from its next request on', async () => {
    const lab = await testLab()
    const ca = readFileSync(lab.ready.ca, 'utf8')
    const { authorization } = lab.ready.urls
    const kids = async () => {
      const { body } = await ask(`${authorization}/.well-known/jwks.json`, { ca })
      return (JSON.parse(body).keys as { kid: string }[]).map(each => each.kid)
    }
    const [first] = await kids()
    const { stdout, stderr } = await runProgram(['keys', 'rotate', '--json'], { env: lab.env })
    expect(stderr).toBe('')
    const { kid } = JSON.parse(stdout)
    expect(await kids()).toEqual([kid, first])
    const flow = await runProgram(['flow', 'code', '--json', '--scope', 'openid'], { env: lab.env })
    expect(flow.code).toBe(0)
    const token = /"access_token":"([\w-]+)\./.exec(flow.stdout)?.[1] ?? ''
    expect(JSON.parse(Buffer.from(token, 'base64url').toString()).kid).toBe(kid)
    await lab.stop()
    expect(await lab.events()).toContainEqual({
      type: 'key.rotated',
      at: expect.any(String),
      kid,
      alg: 'RS256',
      retired: first,
    })
  })
})

describeWith(['openssl'], 'openssl', () => {
  it('reads the exported key', async () => {
    const { stdout } = await oauthLab('keys', 'export')
    const options = { input: stdout, encoding: 'utf8' } as const
    expect(execFileSync('openssl', ['pkey', '-pubin', '-noout', '-text'], options)).toContain('2048 bit')
  })
})
