import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactEncrypt, importJWK } from 'jose'
import { afterAll, describe, expect, it } from 'vitest'
import { runHere } from '../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../support/program.js'
import { ends, refused } from './support.js'

const home = temporaryFolder()
afterAll(home.remove)
const env = cleanEnv(home.path)
const at = (name: string) => join(home.path, name)
const lab = (args: readonly string[], input?: string) =>
  runHere(args, { env, ...(input !== undefined && { input }) })
const json = async (args: readonly string[], input?: string) =>
  JSON.parse((await lab([...args, '--json'], input)).stdout) as Record<string, unknown>

describe('jwk', () => {
  it('makes a key that only its owner reads, and overwrites none', async () => {
    const file = at('made.jwk')
    const made = await lab(['jwk', 'create', '-o', file])
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(made.stderr).toContain('jwk public')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    const again = await lab(['jwk', 'create', '-o', file])
    expect(again).toMatchObject(ends(2, 'No key is overwritten'))
    expect(readFileSync(file, 'utf8')).toBe(before)
    const half = await json(['jwk', 'public', file])
    expect(half).toMatchObject({ kty: 'EC', use: 'sig', alg: 'ES256' })
    expect(half).not.toHaveProperty('d')
    expect((await lab(['jwk', 'thumbprint', file])).stdout.trim()).toBe(half.kid)
  })

  it('writes a key of a set as PEM, and PEM as a set', async () => {
    const [a, b] = [await json(['jwk', 'create', '--kid', 'a']), await json(['jwk', 'create', '--kid', 'b'])]
    const set = JSON.stringify({ keys: [a, b] })
    const which = await lab(['jwk', 'convert', '-'], set)
    expect(which).toMatchObject(ends(2, '--kid: a, b'))
    const pem = (await lab(['jwk', 'convert', '--kid', 'b'], set)).stdout
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----/)
    const { use: _use, alg: _alg, ...material } = b
    expect(await json(['jwk', 'convert', '--to', 'set', '--kid', 'b'], pem)).toEqual({ keys: [material] })
    expect(await json(['jwk', 'public'], set)).toMatchObject({ keys: [{ kid: 'a' }, { kid: 'b' }] })
  })

  it('writes a converted key into a new file that only its owner reads', async () => {
    const pem = (await lab(['jwk', 'create', '--alg', 'EdDSA', '--pem'])).stdout
    const file = at('converted.jwk')
    const made = await lab(['jwk', 'convert', '--kid', 'mine', '-o', file], pem)
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kid: 'mine', d: expect.any(String) })
    expect((await lab(['jwk', 'convert', '-o', file], pem)).stderr).toContain('No key is overwritten')
  })

  it('says in one line that a key has no JWK form', async () => {
    const { privateKey } = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
    const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    for (const verb of ['convert', 'public', 'thumbprint']) {
      expect(await lab(['jwk', verb], pem)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'oauth-lab: stdin: a key of the type rsa-pss has no JWK form (RFC 7518 §6.1)\n',
      })
    }
    expect((await lab(['jwk', 'public', '--pem'], pem)).stdout).toContain('BEGIN PUBLIC KEY')
  })

  it.each([
    [['create', '--alg', 'RS1'], 'is no algorithm'],
    [['create', '--bits', '2048'], 'is for RSA keys'],
    [['create', '--alg', 'RS256', '--bits', '1024'], 'multiple of 8'],
    [['create', '--alg', 'HS256', '--pem'], 'no PEM form'],
    [['public', at('nowhere')], 'there is no such file'],
    [['create', '-o', at('no/folder')], 'there is no folder for it'],
  ])('jwk %j is refused', async (args, problem) => {
    const { code, stdout, stderr } = await lab(['jwk', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(problem)
    expect(stderr).not.toMatch(/ at .*\.(c?js|ts):/)
  })
})

describe('jwt sign', () => {
  const key = at('signer.jwk')
  const published = at('published.jwk')

  it('signs what jwt verify accepts', async () => {
    await lab(['jwk', 'create', '--alg', 'PS256', '-o', key])
    writeFileSync(published, (await lab(['jwk', 'public', key])).stdout)
    const options = '--audience api --expires-in 10m --typ at+jwt --header {"alg":"none","x":1}'.split(' ')
    const { stdout } = await lab(['jwt', 'sign', '{"sub":"alice"}', '--key', key, ...options])
    const verified = await json(['jwt', 'verify', stdout.trim(), '--jwks', published, '--audience', 'api'])
    expect(verified).toMatchObject({
      verdict: 'accepted',
      header: { alg: 'PS256', typ: 'at+jwt', x: 1 },
      claims: { sub: 'alice', aud: 'api' },
    })
  })

  it('signs claims of a file, of a pipe, and of options alone', async () => {
    writeFileSync(at('claims.json'), '{"a":1}')
    const file = await json(['jwt', 'sign', `@${at('claims.json')}`, '--key', key])
    const pipe = await json(['jwt', 'sign', '--key', key], '{"a":1}')
    const named = await json(['jwt', 'sign', '--key', key, '--audience', 'a', '--audience', 'b'])
    expect([file.claims, pipe.claims, named.claims]).toEqual([{ a: 1 }, { a: 1 }, { aud: ['a', 'b'] }])
  })

  it.each([
    [['{}'], 'name one key'],
    [['{}', '--key', key, '--secret-stdin'], 'name one key'],
    [['{"a":', '--key', key], 'no JSON object in the claims'],
    [['[]', '--key', key], 'no JSON object in the claims'],
    [['{}', '--key', key, '--header', '1'], 'no JSON object in --header'],
    [['{}', '--key', published], 'the private one signs'],
    [['--subject', 'a', '--key', key, '--expires-in', 'soon'], 'is no duration'],
    [['-', '--secret-stdin'], 'have to be an argument'],
  ])('jwt sign %j is refused', async (args, problem) => {
    expect(await lab(['jwt', 'sign', ...args], '')).toMatchObject(refused(problem))
  })
})

describe('jwt decrypt', () => {
  it('prints the token inside, for jwt decode', async () => {
    const file = at('reader.jwk')
    await lab(['jwk', 'create', '--alg', 'ECDH-ES', '-o', file])
    const half = await json(['jwk', 'public', file])
    const inner = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.'
    const jwe = await new CompactEncrypt(Buffer.from(inner))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', cty: 'JWT' })
      .encrypt(await importJWK(half, 'ECDH-ES'))
    const { code, stdout } = await lab(['jwt', 'decrypt', jwe, '--key', file])
    expect({ code, stdout }).toEqual({ code: 0, stdout: inner })
    expect((await lab(['jwt', 'decode', jwe])).stdout).toContain('oauth-lab jwt decrypt TOKEN --key FILE')
    const other = at('other.jwk')
    await lab(['jwk', 'create', '--alg', 'ECDH-ES', '-o', other])
    const refused = await lab(['jwt', 'decrypt', jwe, '--key', other])
    expect(refused).toMatchObject(ends(1, 'for another key, or was changed'))
    const signed = await lab(['jwt', 'decrypt', inner, '--key', file])
    expect(signed).toMatchObject(ends(2, 'five parts of a JWE'))
  })

  it('takes the key of a set that the token names', async () => {
    const make = (kid: string) => json(['jwk', 'create', '--alg', 'RSA-OAEP-256', '--kid', kid])
    const [a, b] = [await make('a'), await make('b')]
    writeFileSync(at('readers.json'), JSON.stringify({ keys: [a, b] }))
    const encrypted = async (header: object) =>
      new CompactEncrypt(Buffer.from('hello'))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A128GCM', ...header })
        .encrypt(await importJWK({ kty: 'RSA', n: String(b.n), e: String(b.e) }, 'RSA-OAEP-256'))
    const decrypt = async (header: object, ...args: string[]) =>
      lab(['jwt', 'decrypt', await encrypted(header), '--key', at('readers.json'), ...args])
    expect(await decrypt({ kid: 'b' })).toMatchObject({ code: 0, stdout: 'hello' })
    expect(await decrypt({ kid: 'b' }, '--kid', 'a')).toMatchObject({ code: 1, stdout: '' })
    for (const header of [{}, { kid: 'c' }]) {
      expect(await decrypt(header)).toMatchObject({ code: 2, stderr: expect.stringContaining('--kid: a, b') })
    }
    expect(await decrypt({}, '--kid', 'b')).toMatchObject({ code: 0, stdout: 'hello' })
  })
})
