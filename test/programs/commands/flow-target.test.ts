import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { home, oauthLab } = programInHome()

it('flow code to a server where nobody is ends as a failure of the network', async () => {
  const { code, stdout } = await oauthLab(
    ...'flow code --issuer https://localhost:1 --client-id web --json'.split(' '),
  )
  expect(code).toBe(3)
  expect(jsonLines(stdout)).toMatchObject([{ type: 'outcome', outcome: 'failed' }])
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
