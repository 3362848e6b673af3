import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { ends } from '../../commands/support.js'
import { cleanEnv, type Ended, jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder, testLab } from '../../support/shared.js'

const folder = sharedFolder()

const clock = ['--seed', '77', '--now', '2030-01-01T12:00:00Z']

const flow = (name: string, ...args: string[]): Promise<Ended> =>
  runProgram(['flow', name, ...args], { env: cleanEnv(folder.path), limit: 60_000 })

/** The transcript of two runs at the same time: the later one waits for the ports. */
async function repeated(name: string, ...args: string[]): Promise<Ended> {
  const [one, other] = await Promise.all([flow(name, ...clock, ...args), flow(name, ...clock, ...args)])
  expect(one, one.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) })
  expect(other).toEqual(one)
  return one
}

interface Line {
  readonly exchange?: {
    readonly ms: number
    readonly at: string
    readonly request: { readonly headers: readonly (readonly [string, string])[] }
  }
  readonly token?: { readonly value: string }
}

describe('flow --seed --now', { timeout: 120_000 }, () => {
  it.each([
    ['lines', ['--plain']],
    ['sentences', ['--screen-reader']],
    ['JSON', ['--json', '--scope', 'openid']],
    ['an archive', ['--export', 'har']],
    ['a curl script', ['--export', 'curl']],
    ['a diagram', ['--export', 'mermaid']],
    ['a document', ['--export', 'markdown', '--show-secrets']],
  ])('repeats byte for byte as %s', async (_form, args) => {
    const { stderr } = await repeated('code', ...args)
    expect(stderr).toContain('--seed makes every value predictable')
    expect(stderr).not.toContain('differ')
  })

  it('takes times from the clock of the lab, also the time that a request takes', async () => {
    const { stdout } = await repeated('device', '--json')
    const exchanges = (jsonLines(stdout) as unknown as Line[]).flatMap(({ exchange }) => exchange ?? [])
    expect(new Set(exchanges.map(({ ms }) => ms))).toEqual(new Set([0]))
    const times = exchanges.map(({ at }) => Date.parse(at) - Date.parse('2030-01-01T12:00:00Z'))
    expect(times[0]).toBe(0)
    // The device waits as long as the server asks, and the clock is set forward by that.
    expect(times.at(-1)).toBeGreaterThanOrEqual(5000)
  })

  it('signs DPoP proofs and assertions with EdDSA', async () => {
    const code = await repeated('code', '--dpop', '--json')
    const proofs = (jsonLines(code.stdout) as unknown as Line[]).flatMap(({ exchange }) =>
      (exchange?.request.headers ?? []).flatMap(([name, value]) => (name === 'dpop' ? [value] : [])),
    )
    expect(proofs.length).toBeGreaterThan(1)
    expect(new Set(proofs.map(proof => decodeJwt(proof).header.alg))).toEqual(new Set(['EdDSA']))

    const assertion = await repeated('assertion', '--json')
    const [first] = jsonLines(assertion.stdout) as unknown as Line[]
    expect(decodeJwt(first?.token?.value ?? '').header.alg).toBe('EdDSA')
  })

  it('names what differs all the same', async () => {
    const saml = await flow('assertion', ...clock, '--saml', '--plain')
    expect(saml).toMatchObject(ends(0, /differ in every run: the SAML assertion \(ES256\)\n/))
    const forged = await flow('code', ...clock, '--tamper', 'foreign-key', '--plain')
    expect(forged).toMatchObject(ends(0, /differ.* foreign-key/))
    const running = await flow('client-credentials', '--seed', '77', '--plain')
    expect(running).toMatchObject(ends(0, /differ.*--now TIME stops/))
  })

  it('names a client assertion by ES256', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const [key, lab] = [join(folder.path, 'key.pem'), join(folder.path, 'lab.json')]
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const client = {
      client_id: 'signer',
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [publicKey.export({ format: 'jwk' })] },
    }
    writeFileSync(lab, JSON.stringify({ clients: [client] }))
    const args = ['--config', lab, '--client', 'signer', '--client-key', key, '--plain']
    expect(await flow('client-credentials', ...clock, ...args)).toMatchObject(
      ends(0, /differ.*the client assertion \(ES256\)/),
    )
  })

  it('promises nothing for another lab, and signs there as without a seed', async () => {
    const lab = await testLab()
    const args = ['--server', lab.ready.urls.authorization, '--seed', '77', '--json']
    const there = (name: string, ...more: string[]) =>
      runProgram(['flow', name, ...args, ...more], { env: lab.env, limit: 60_000 })
    const [code, assertion] = await Promise.all([there('code', '--dpop'), there('assertion')])
    for (const ended of [code, assertion]) {
      expect(ended).toMatchObject(ends(0, /only the values that the client makes repeat/))
    }
    const [first] = jsonLines(assertion.stdout) as unknown as Line[]
    expect(decodeJwt(first?.token?.value ?? '').header.alg).toBe('ES256')
  })
})
