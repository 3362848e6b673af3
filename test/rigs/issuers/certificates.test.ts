import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
let provider: OtherIssuer

interface Pair {
  readonly certificate: string
  readonly key: string
  readonly 'x5t#S256': string
  readonly client: Readonly<Record<string, unknown>>
}
let shop: Pair
let phone: Pair

describeWith([rigs], 'flow --cert against oidc-provider', () => {
  beforeAll(async () => {
    const { stdout } = await runProgram(['ca', 'path'], { env })
    const state = dirname(stdout.trim())
    const pair = async (name: string, ...more: string[]) => {
      const made = await runProgram(['ca', 'client', name, '--json', ...more], { env })
      return JSON.parse(made.stdout) as Pair
    }
    shop = await pair('shop', '--subject', 'CN=shop,O=Example')
    phone = await pair('phone', '--self-signed')
    const args = [
      join(state, 'leaf.pem'),
      join(state, 'client-ca.pem'),
      JSON.stringify([shop.client, phone.client]),
    ]
    provider = await startIssuer('oidc-provider-mtls.js', args, env)
  })
  afterAll(async () => {
    await provider.stop()
    folder.remove()
  })

  const flow = (id: string, { certificate, key }: Pair) =>
    runProgram(
      [
        ...['flow', 'client-credentials', '--issuer', provider.issuer, '--client-id', id, '--json'],
        ...['--cert', certificate, '--cert-key', key],
      ],
      { env },
    )

  it('uses its alias, authenticates, and finds the thumbprint in the token', async () => {
    for (const [id, pair] of [
      ['shop', shop],
      ['phone', phone],
    ] as const) {
      const { code, stdout } = await flow(id, pair)
      expect(code).toBe(0)
      const checks = jsonLines(stdout).flatMap(line => (line.checks ?? []) as Record<string, unknown>[])
      expect(checks).toContainEqual(
        expect.objectContaining({ name: 'cnf', ok: true, detail: expect.stringContaining(pair['x5t#S256']) }),
      )
      const request = jsonLines(stdout).find(line => line.name === 'token_request') as {
        exchange: { request: { url: string } }
      }
      expect(request.exchange.request.url).not.toContain(provider.issuer)
    }
  })

  it('is refused with the certificate of another client', async () => {
    const { code, stdout } = await flow('shop', phone)
    expect(code).toBe(1)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ error: { error: 'invalid_client' } })
  })
})
