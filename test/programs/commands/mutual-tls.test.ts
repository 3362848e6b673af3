import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ends, programInHome } from '../../commands/support.js'

const { home, oauthLab } = programInHome()
const at = (name: string) => join(home(), name)

interface Pair {
  readonly certificate: string
  readonly key: string
  readonly 'x5t#S256': string
  readonly client: Record<string, unknown>
}

async function pair(name: string, ...options: string[]): Promise<Pair> {
  const { stdout, stderr } = await oauthLab('ca', 'client', name, '-o', at('pairs'), '--json', ...options)
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Pair
}

const shown = ({ certificate, key }: Pair) => ['--cert', certificate, '--cert-key', key]

describe('oauth-lab ca client', () => {
  it('makes a pair of files, and overwrites none', async () => {
    const args = ['ca', 'client', 'once', '-o', at('pairs'), '--san-dns', 'shop.example']
    const { code, stdout, stderr } = await oauthLab(...args)
    expect([code, stdout]).toEqual([0, expect.stringContaining(at('pairs/once.pem'))])
    expect(stderr).toContain('tls_client_auth_san_dns: "shop.example"')
    expect(statSync(at('pairs/once-key.pem')).mode & 0o777).toBe(0o600)
    const before = readFileSync(at('pairs/once.pem'), 'utf8')
    const again = await oauthLab(...args)
    expect(again).toMatchObject(ends(2, 'is there already'))
    expect(readFileSync(at('pairs/once.pem'), 'utf8')).toBe(before)
  })

  it.each([
    [['../x'], 'is no name of a pair'],
    [['x', '--subject', 'FOO=bar'], 'RFC 4514'],
    [['x', '--san-ip', '192.0.2.300'], '--san-ip'],
    [['x', '--san-uri', 'no uri'], '--san-uri'],
    [['x', '--san-email', 'nobody'], '--san-email'],
    [['x', '--san-dns', 'a..b'], 'host name'],
    [['x', '--days', '0'], '--days'],
  ])('%j is refused, and nothing is written', async (args, problem) => {
    expect(await oauthLab('ca', 'client', ...args, '-o', at('none'))).toMatchObject(ends(2, problem))
    expect(existsSync(at('none'))).toBe(false)
  })
})

describe('oauth-lab flow --cert', () => {
  let shop: Pair
  let other: Pair
  let phone: Pair
  const config = () => ['--config', at('lab.json')]
  beforeAll(async () => {
    shop = await pair('shop', '--subject', 'CN=shop,O=Example')
    other = await pair('other')
    phone = await pair('phone', '--self-signed')
    const spa = {
      client_id: 'spa',
      redirect_uris: ['http://127.0.0.1/callback'],
      tls_client_certificate_bound_access_tokens: true,
    }
    writeFileSync(at('lab.json'), JSON.stringify({ clients: [shop.client, phone.client, spa] }))
  })

  it.each(['shop', 'phone'])('authenticates %s, and checks the thumbprint of its token', async name => {
    const own = name === 'shop' ? shop : phone
    const args = ['flow', 'client-credentials', '--client', name, ...shown(own), '--json', ...config()]
    const { code, stdout } = await oauthLab(...args)
    expect(code).toBe(0)
    const step = JSON.parse(stdout.split('\n')[0]!)
    expect(step.exchange.request.body).toContain(`client_id=${name}`)
    expect(step.checks).toContainEqual(
      expect.objectContaining({ name: 'cnf', ok: true, detail: expect.stringContaining(own['x5t#S256']) }),
    )
  })

  it('is refused with another certificate, and asks for a missing one', async () => {
    const flow = ['flow', 'client-credentials', '--client', 'shop', ...config()]
    const wrong = await oauthLab(...flow, ...shown(other))
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('invalid_client')])
    const without = await oauthLab(...flow)
    expect(without).toMatchObject(ends(2, '--cert FILE'))
    const half = await oauthLab(...flow, '--cert', shop.certificate)
    expect(half).toMatchObject(ends(2, '--cert-key'))
    const mixed = await oauthLab(...flow, '--cert', shop.certificate, '--cert-key', other.key)
    expect(mixed).toMatchObject(ends(2, 'is not the key'))
  })

  it('takes a bound token of a public client to the resource server that asks for certificates', async () => {
    const args = ['flow', 'resource', '--client', 'spa', ...shown(phone), '--json', ...config()]
    const { code, stdout } = await oauthLab(...args)
    expect(code).toBe(0)
    const steps = stdout.split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line)))
    const resource = steps.find(({ name }) => name === 'resource_request')
    expect(resource.checks).toContainEqual(
      expect.objectContaining({ name: 'cnf', ok: true, rule: 'RFC 8705 §3' }),
    )
  })

  it.each([
    ['client-credentials', 'shop', 'no-certificate', 'invalid_client'],
    ['resource', 'spa', 'bound-with-other-certificate', 'invalid_token'],
  ])('%s as %s: %s is refused', async (name, client, move, error) => {
    const own = client === 'shop' ? shop : phone
    const args = ['flow', name, '--client', client, '--tamper', move, ...shown(own), '--json', ...config()]
    const { code, stdout } = await oauthLab(...args)
    expect(code).toBe(0)
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
      outcome: 'refused',
      expected: true,
      error: { error },
    })
  })

  it('has no wrong certificate to try where there is none', async () => {
    const flow = ['flow', 'client-credentials', ...config()]
    const other = await oauthLab(...flow, '--client', 'spa', '--tamper', 'no-certificate', ...shown(phone))
    expect(other).toMatchObject(ends(2, '--cert'))
  })
})
