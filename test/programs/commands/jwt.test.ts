import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactEncrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { tokenIn } from '../../../src/commands/jose/jwt-input.js'
import { ends, refused } from '../../commands/support.js'
import { makeHmacJwt, makeJwt, part, rsaKey } from '../../protocol/tokens/jwt-maker.js'
import { cleanEnv, launcher, run, runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

const home = sharedFolder()
const env = cleanEnv(home.path)

const jwt = (args: readonly string[], input?: string) =>
  runProgram(['jwt', ...args], { env, ...(input !== undefined && { input }) })

function file(name: string, text: string): string {
  const path = join(home.path, name)
  writeFileSync(path, text)
  return path
}

/** RFC 7515 appendix A.1: HS256, expired in 2011; its key is the `k` below. */
const RFC7515_A1 =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
/** RFC 7519 §6.1: the same claims, unsecured. */
const RFC7519_6_1 =
  'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.'

const now = Math.floor(Date.now() / 1000)
const claims = { iss: 'https://as.example', sub: 'alice', aud: 'api', iat: now - 10, exp: now + 3600 }
const secret = 'a secret of more than thirty-two bytes'
const key = rsaKey('r1')
const good = makeJwt(key, { kid: 'r1' }, claims)
const pem = file('public.pem', key.publicKey.export({ type: 'spki', format: 'pem' }).toString())
const jwks = file('jwks.json', JSON.stringify({ keys: [{ kty: 'oct', k: part(secret) }, key.publicJwk] }))

const lintOf = (stdout: string) =>
  (JSON.parse(stdout) as { lint: { name: string }[] }).lint.map(({ name }) => name)

describe('tokenIn', () => {
  it.each([
    [' a.b.c\r\n', 'a.b.c'],
    ['Bearer a.b.c', 'a.b.c'],
    ['Authorization: bearer  a.b.c\n', 'a.b.c'],
    ['bearer', 'bearer'],
    ['"a.b.c"\n', 'a.b.c'],
    ["'a.b.c'", 'a.b.c'],
    ['"', '"'],
  ])('%j holds %j', (text, token) => expect(tokenIn(text)).toBe(token))
})

describe('jwt decode', () => {
  it('explains the example of RFC 7515 A.1, by argument, by - and by a pipe', async () => {
    const { code, stdout, stderr } = await jwt(['decode', RFC7515_A1])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ {2}alg {2}HS256 {2}signature algorithm$/m)
    expect(stdout).toMatch(/^ {2}exp +1300819380 +expires: 2011-03-22 18:43:00Z, [\d,]+ d \d+ h ago$/m)
    expect(stdout).toMatch(/^ {2}! it has expired +RFC 7519 §4\.1\.4$/m)
    expect(stdout).toMatch(/not verified/)
    const dash = await jwt(['decode', '-'], `Bearer ${RFC7515_A1}\r\n`)
    const pipe = await jwt(['decode'], `\n  ${RFC7515_A1}`)
    const times = /[\d,]+ d \d+ h/g
    expect(dash.stdout.replace(times, '')).toBe(stdout.replace(times, ''))
    expect(pipe.code).toBe(0)
  })

  it.each([[[]], [['--json']], [['--ascii', '--no-color']]])(
    'says the same where the argument parser is left out and where it is not: %j',
    async switches => {
      const quick = await jwt(['decode', RFC7519_6_1, ...switches])
      const parsed = await jwt(['decode', '--timeout', '30s', ...switches, '--', RFC7519_6_1])
      const times = /[\d,]+ d \d+ h/g
      expect(quick.stdout.replace(times, '')).toBe(parsed.stdout.replace(times, ''))
      expect(quick).toMatchObject({ code: 0, stderr: '' })
    },
  )

  it('knows which words it does not know', async () => {
    expect(await jwt(['decode', RFC7519_6_1, 'more'])).toMatchObject({ code: 2, stdout: '' })
    expect(await jwt(['decode', '--jsn', RFC7519_6_1])).toMatchObject({ code: 2, stdout: '' })
    expect((await jwt(['decode', '--help'])).stdout).toMatch(/^Examples:$/m)
  })

  it('prints one object with --json', async () => {
    const { stdout } = await jwt(['decode', RFC7519_6_1, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      verdict: 'not_verified',
      header: { alg: 'none' },
      claims: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
      dates: { exp: '2011-03-22T18:43:00.000Z' },
      lint: [
        { name: 'no_aud', text: expect.any(String), rule: 'RFC 7519 §4.1.3' },
        { name: 'alg_none', text: expect.any(String), rule: 'RFC 8725 §3.2' },
        { name: 'expired', text: expect.any(String), rule: 'RFC 7519 §4.1.4' },
      ],
    })
    expect(stdout.trimEnd()).not.toContain('\n')
  })

  it('shows the header of an encrypted token, and says why there are no claims', async () => {
    const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'r1', cty: 'JWT' }
    const sealed = await new CompactEncrypt(Buffer.from(good))
      .setProtectedHeader(header)
      .encrypt(key.publicKey)
    const text = await jwt(['decode', sealed])
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/^ {2}enc {2}A256GCM +how the content is encrypted$/m)
    expect(text.stdout).toMatch(/Only the holder of the key can read its claims/)
    expect(text.stdout).not.toMatch(/^Claims/m)
    const json = await jwt(['decode', '--json'], sealed)
    expect(JSON.parse(json.stdout)).toEqual({ verdict: 'not_verified', encrypted: true, header })
    const verified = await jwt(['verify', sealed, '--key', pem])
    expect(verified).toMatchObject({ code: 2, stderr: expect.stringMatching(/encrypted[\s\S]*jwt decrypt/) })
  })

  it('shows the token inside of a signed one, which verify refuses to judge', async () => {
    const outer = `${part({ alg: 'ES256', cty: 'JWT' })}.${Buffer.from(good).toString('base64url')}.c2ln`
    const { code, stdout } = await jwt(['decode', outer])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}sub {2}alice /m)
    expect(stdout).toContain('payload of another signed token (RFC 7519 §5.2)')
    const verified = await jwt(['verify', outer, '--key', pem])
    expect(verified).toMatchObject(ends(2, 'its payload is another token'))
  })

  it('reads the token from a file, and says what is wrong with two', async () => {
    const { code, stdout } = await jwt(['decode', `@${file('token.txt', `"${good}"\n`)}`, '--json'])
    expect([code, (JSON.parse(stdout) as { claims: unknown }).claims]).toEqual([0, claims])
    expect(await jwt(['decode', '-'], `${good}\n${good}`)).toMatchObject(ends(2, 'a token is one word'))
    expect((await jwt(['decode', '@/nowhere'])).stderr).toContain('there is no such file')
  })

  it('refuses a token that is meant for somebody else, when asked who reads it', async () => {
    const wrong = await jwt(['decode', good, '--audience', 'other', '--json'])
    expect([wrong.code, lintOf(wrong.stdout)]).toEqual([1, ['wrong_aud']])
    expect((await jwt(['decode', good, '--audience', 'api'])).code).toBe(0)
    const several = makeJwt(key, {}, { ...claims, aud: ['x', 'other'] })
    expect((await jwt(['decode', several, '--audience', 'other'])).code).toBe(0)
  })

  it('reads no more than 1 MiB', async () => {
    expect(await jwt(['decode'], 'a'.repeat(1024 * 1024 + 1))).toMatchObject(
      ends(2, /larger than 1048576 bytes/),
    )
  })

  it('shows hostile claims as text', async () => {
    const token = makeHmacJwt(secret, {}, { ...claims, name: '\x1b]0;x\x07\u202e', '\x1b[2J': { a: '\x9b' } })
    const text = await jwt(['decode', token])
    expect(text.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    const json = await jwt(['decode', token, '--json'])
    expect(json.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    expect((JSON.parse(json.stdout) as { claims: unknown }).claims).toMatchObject({
      name: '\x1b]0;x\x07\u202e',
    })
    const ascii = await jwt(['decode', token, '--ascii'])
    expect(ascii.stdout).toMatch(/^[\x20-\x7e\n]*$/)
  })
})

describe('jwt verify, offline', () => {
  it.each([
    ['--key with a public key', ['--key', pem], good, 0],
    ['--jwks with a set', ['--jwks', jwks], good, 0],
    ['another audience', ['--key', pem, '--audience', 'other'], good, 1],
    [
      'HMAC with the public key',
      ['--key', pem],
      makeHmacJwt(key.publicKey.export({ type: 'spki', format: 'pem' }).toString(), {}, claims),
      1,
    ],
    ['alg none', ['--key', pem], RFC7519_6_1, 1],
    ['HMAC with a symmetric key of a set', ['--jwks', jwks], makeHmacJwt(secret, {}, claims), 1],
  ])('%s', async (_what, args, token, exit) => {
    const { code, stdout, stderr } = await jwt(['verify', token, ...args, '--json'])
    expect({ code, stderr }).toEqual({ code: exit, stderr: '' })
    const found = JSON.parse(stdout) as { verdict: string; checks: { ok: boolean }[] }
    expect(found.verdict).toBe(exit === 0 ? 'accepted' : 'refused')
    expect(found.checks.every(({ ok }) => ok)).toBe(exit === 0)
  })

  it('accepts a token without exp, which is optional, with a remark', async () => {
    const { code, stdout } = await jwt(['verify', makeJwt(key, {}, { iss: 'a', aud: 'b' }), '--key', pem])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}! it never expires +RFC 7519 §4\.1\.4$/m)
    expect(stdout).toMatch(/accepted$/m)
  })

  it('takes HMAC with the secret on stdin, and then no other algorithm', async () => {
    const token = makeHmacJwt(secret, {}, claims)
    expect((await jwt(['verify', token, '--secret-stdin'], `${secret}\n`)).code).toBe(0)
    expect((await jwt(['verify', token, '--secret-stdin'], `${secret}x`)).code).toBe(1)
    expect((await jwt(['verify', good, '--secret-stdin'], secret)).code).toBe(1)
    const short = await jwt(['verify', makeHmacJwt('short', {}, claims), '--secret-stdin'], 'short')
    expect([short.code, short.stdout]).toEqual([0, expect.stringMatching(/5 bytes; HS256 needs at least 32/)])
  })

  it('takes a secret and the public half of a private key from a JWK', async () => {
    const hmac = makeHmacJwt(secret, {}, claims)
    const another = file('secret.jwk', JSON.stringify({ kty: 'oct', k: part(`${secret}x`) }))
    const raw = file('raw.jwk', JSON.stringify({ kty: 'oct', k: Buffer.from(secret).toString('base64url') }))
    const pair = file('pair.jwk', JSON.stringify(key.privateKey.export({ format: 'jwk' })))
    expect((await jwt(['verify', hmac, '--key', raw])).code).toBe(0)
    expect((await jwt(['verify', hmac, '--key', another])).code).toBe(1)
    expect((await jwt(['verify', good, '--key', raw])).code).toBe(1)
    expect((await jwt(['verify', good, '--key', pair])).code).toBe(0)
    expect((await jwt(['verify', hmac, '--key', pair])).code).toBe(1)
    expect(await jwt(['verify', hmac, '--jwks', raw])).toMatchObject(
      ends(2, /holds a shared secret[\s\S]*--key/),
    )
  })

  it('verifies RFC 7515 A.1 by its key; it has only expired', async () => {
    const k = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow'
    const line = `node -e 'process.stdout.write(Buffer.from("${k}", "base64url"))' | '${process.execPath}' '${launcher}' jwt verify ${RFC7515_A1} --secret-stdin --json`
    const { code, stdout } = await run('sh', ['-c', line], { env })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      checks: [
        { name: 'signature', ok: true },
        { name: 'exp', ok: false },
      ],
    })
  })

  it('writes checks aligned, with rules and a verdict; in ASCII where asked', async () => {
    const { stdout } = await jwt(['verify', good, '--key', pem, '--audience', 'other'])
    expect(stdout).toMatch(/^ {2}✓ signature {2}RS256, verified with key r1 +RFC 7515 §5\.2$/m)
    expect(stdout).toMatch(/^ {2}✗ aud {8}api +RFC 7519 §4\.1\.3$/m)
    expect(stdout).toMatch(/\n✗ refused: aud\n$/)
    const ascii = await jwt(['verify', good, '--key', pem, '--ascii'])
    expect(ascii.stdout).toMatch(/^[\x20-\x7e\n]*$/)
    expect(ascii.stdout).toMatch(/\n\+ accepted\n$/)
  })

  it.each([
    ['no key', [good], undefined, /no key to verify with/],
    ['two keys', [good, '--key', pem, '--jwks', jwks], undefined, /more than one place/],
    ['token and secret on stdin', ['-', '--secret-stdin'], secret, /token has to be an argument/],
    ['an empty secret', [good, '--secret-stdin'], '\n', /holds no secret/],
    [
      'no such file',
      [good, '--key', '/nowhere.pem'],
      undefined,
      /cannot read the key .*: there is no such file/,
    ],
    ['a file that is no key', [good, '--key', file('no.pem', '-----BEGIN X')], undefined, /no public key/],
    ['a set as one key', [good, '--key', jwks], undefined, /not one key[\s\S]*--jwks/],
    ['a file that is no set', [good, '--jwks', file('no.json', 'keys')], undefined, /neither PEM nor JSON/],
    ['a set without keys', [good, '--jwks', file('none.json', '{"a":1}')], undefined, /holds no JWK Set/],
    ['no JWT', ['abc', '--key', pem], undefined, /no JWT/],
    ['no address', [good, '--issuer', 'localhost'], undefined, /not the address of an issuer/],
  ])('a wrong word is a usage error: %s', async (_what, args, input, message) => {
    expect(await jwt(['verify', ...args], input)).toMatchObject(refused(message))
  })
})

describe('jwt verify --issuer', () => {
  const lab = sharedLab()

  it('accepts a token of a running lab, trusting its CA, and refuses it for others', async () => {
    const flow = await runProgram(['flow', 'code', '--json'], { env: lab.env })
    const outcome = JSON.parse(flow.stdout.trimEnd().split('\n').at(-1)!) as {
      tokens: { access_token: string }
    }
    const token = outcome.tokens.access_token
    const issuer = lab.ready.urls.authorization
    const verify = (...args: string[]) =>
      runProgram(['jwt', 'verify', token, '--issuer', issuer, '--json', ...args], { env: lab.env })
    const { code, stdout } = await verify('--audience', 'demo')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'accepted', claims: { iss: issuer } })
    expect((await verify('--audience', 'other')).code).toBe(1)
    const foreign = await runProgram(['jwt', 'verify', good, '--issuer', issuer], { env: lab.env })
    expect([foreign.code, foreign.stdout]).toEqual([1, expect.stringMatching(/✗ iss/)])
    const trusting = ['jwt', 'verify', token, '--issuer', issuer, '--cacert', lab.ready.ca]
    expect((await runProgram(trusting, { env })).code).toBe(0)
    expect((await runProgram(trusting.slice(0, 5), { env })).code).toBe(3)
  })

  it('reports that no server answers', async () => {
    expect(await jwt(['verify', good, '--issuer', 'https://127.0.0.1:1'])).toMatchObject(
      ends(3, /127\.0\.0\.1:1/),
    )
  })
})
