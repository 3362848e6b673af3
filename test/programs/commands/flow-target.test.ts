import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { home, oauthLab } = programInHome()
const id = ['--client-id', 'web']

describe('flow says what is wrong before it sends anything', () => {
  it.each([
    ['a name that is none', ['--issuer', 'id.example', ...id], /not the address of an issuer/],
    ['no TLS beyond this computer', ['--issuer', 'http://id.example', ...id], /no TLS.*in the clear/],
    [
      'a document',
      ['--issuer', 'https://id.example/.well-known/openid-configuration', ...id],
      /--issuer https:\/\/id\.example\n/,
    ],
    ['no client', ['--issuer', 'https://id.example'], /needs a client/],
    [
      'a client of the lab file',
      ['--issuer', 'https://id.example', '--client', 'demo'],
      /cannot be used with/,
    ],
    ['a client without its server', id, /for another server than the lab/],
    [
      'a secret without its server',
      ['--client-secret-file', 'x'],
      /--client-secret-file is for another server/,
    ],
    [
      'a user without a password',
      ['--issuer', 'https://id.example', ...id, '--user', 'alice'],
      /not known here/,
    ],
    ['two things in stdin', [...id, '--client-secret-stdin', '--password-stdin'], /both read stdin/],
    ['an unknown client', ['--client', 'dem'], /unknown client "dem"\. .*\n {2}Did you mean demo\?/],
    ['an unknown user', ['--user', 'alcie'], /unknown user "alcie"\. .*\n {2}Did you mean alice\?/],
    ['an unknown method', ['--auth', 'client_secret_digest'], /Allowed choices/],
  ])('%s', async (_what, args, message) => {
    const { code, stdout, stderr } = await oauthLab('flow', 'code', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/Started a lab/)
  })

  it('flow resource wants to know the resource', async () => {
    const { code, stderr } = await oauthLab('flow', 'resource', '--issuer', 'https://id.example', ...id)
    expect(code).toBe(2)
    expect(stderr).toMatch(/--resource URL/)
  })

  it('nobody there is a failure of the network', async () => {
    const { code, stdout } = await oauthLab(
      ...'flow code --issuer https://localhost:1'.split(' '),
      ...id,
      '--json',
    )
    expect(code).toBe(3)
    expect(jsonLines(stdout)).toMatchObject([{ type: 'outcome', outcome: 'failed' }])
  })
})

describe('clients of the lab file that sign', () => {
  it('need their key, and authenticate with it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const [config, key] = [join(home(), 'lab.json'), join(home(), 'key.json')]
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' }
    const clients = [
      {
        client_id: 'signer',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [jwk] },
      },
    ]
    writeFileSync(config, JSON.stringify({ clients }))
    writeFileSync(key, JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'k1' }))
    const args = ['flow', 'code', '--config', config, '--client', 'signer', '--json']
    const without = await oauthLab(...args)
    expect({ code: without.code, stdout: without.stdout }).toEqual({ code: 2, stdout: '' })
    expect(without.stderr).toMatch(/--client-key FILE/)
    const { code, stdout } = await oauthLab(...args, '--client-key', key, '--par', '--dpop')
    expect(code).toBe(0)
    const lines = jsonLines(stdout)
    expect(lines.map(({ name }) => name)).toContain('pushed_authorization_request')
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted', tokens: { token_type: 'DPoP' } })
    expect(stdout).not.toContain('"d":"')
  })
})
