import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

/** What the tests read of a line. */
interface Line {
  readonly name?: string
  readonly note?: string
  readonly exchange?: { readonly at: string; readonly response?: { readonly status: number } }
  readonly outcome?: string
  readonly error?: { readonly error: string }
  readonly tokens?: Readonly<Record<string, unknown>>
}

const folder = temporaryFolder()
let provider: OtherIssuer
let env: Record<string, string>
let port = 0

const ENDPOINT = (at: number) => `https://localhost:${at}/ping`

beforeAll(async () => {
  env = cleanEnv(folder.path)
  const { stdout } = await runProgram(['ca', 'path'], { env })
  const leaf = join(dirname(stdout.trim()), 'leaf.pem')
  port = await freePort()
  // The provider trusts the certificate of the client's endpoint.
  const trust = { NODE_EXTRA_CA_CERTS: stdout.trim() }
  provider = await startIssuer('oidc-provider-ciba.js', [leaf, ENDPOINT(port)], { ...env, ...trust })
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

const ciba = (...args: readonly string[]) => cibaAs('till', ...args)

async function cibaAs(client: string, ...args: readonly string[]) {
  const all = ['flow', 'ciba', '--issuer', provider.issuer, '--client-id', client, '--json', ...args]
  const secret = { OAUTH_LAB_CLIENT_SECRET: `${client}-secret-0123456789abcdef0123456789` }
  const { code, stdout, stderr } = await runProgram(all, { env: { ...env, ...secret }, limit: 60_000 })
  const lines = jsonLines(stdout) as unknown as Line[]
  return { code, stderr, lines, last: lines.at(-1)! }
}

describeWith([rigs], 'flow ciba against oidc-provider', () => {
  it('polls at the usual interval until alice has approved', async () => {
    const { code, stderr, lines, last } = await ciba(
      ...['--login-hint', 'alice', '--binding-message', 'W4SCT', '--acr-values', 'urn:example:gold'],
    )
    expect({ code, stderr, error: last.error }).toEqual({ code: 0, stderr: '' })
    expect([...new Set(lines.flatMap(({ name }) => name ?? []))]).toEqual([
      'discovery_request',
      'backchannel_authentication_request',
      'poll_request',
      'approval',
      'token_request',
      'keys_request',
      'userinfo_request',
    ])
    expect(last).toMatchObject({
      outcome: 'granted',
      tokens: { id_token: expect.any(String), scope: 'openid' },
    })
    const polls = lines.flatMap(({ name = '', exchange }) =>
      /^(poll|token)_request$/.test(name) && exchange ? [Date.parse(exchange.at)] : [],
    )
    expect(polls[1]! - polls[0]!).toBeGreaterThanOrEqual(4990)
    const idToken = join(folder.path, 'id-token.txt')
    writeFileSync(idToken, `${last.tokens?.id_token}\n`)
    const again = await ciba('--id-token-hint', `@${idToken}`)
    expect({ code: again.code, error: again.last.error }).toEqual({ code: 0 })
  }, 60_000)

  it('reports that bob said no, and that nobody knows nobody', async () => {
    const [no, unknown, message] = await Promise.all([
      ciba('--login-hint', 'bob'),
      ciba('--login-hint', 'nobody'),
      ciba('--login-hint', 'alice', '--binding-message', 'far too long for this server'),
    ])
    expect([no, unknown, message].map(({ code, last }) => [code, last.error?.error])).toEqual([
      [1, 'access_denied'],
      [1, 'unknown_user_id'],
      [1, 'invalid_binding_message'],
    ])
  })

  it('ends when carol does not answer', async () => {
    const { code, last } = await ciba('--login-hint', 'carol', '--requested-expiry', '6')
    expect([code, last.error?.error]).toEqual([1, 'expired_token'])
  })

  it('is pinged at its own https address, and then asks once', async () => {
    const ping = ['--mode', 'ping', '--notification-endpoint', ENDPOINT(port)]
    const { code, lines, last } = await cibaAs('pinged', '--login-hint', 'alice', ...ping)
    expect({ code, error: last.error }).toEqual({ code: 0 })
    const names = lines.flatMap(({ name }) => name ?? [])
    expect(names).toEqual([
      ...['discovery_request', 'backchannel_authentication_request', 'approval', 'ping_callback'],
      ...['token_request', 'keys_request', 'userinfo_request'],
    ])
    const callback = lines.find(({ name }) => name === 'ping_callback')
    expect(callback?.exchange?.response?.status).toBe(204)
    const denied = await cibaAs('pinged', '--login-hint', 'bob', ...ping)
    expect([denied.code, denied.last.error?.error]).toEqual([1, 'access_denied'])
  })

  it.each([
    ['two-hints', 'invalid_request'],
    ['no-hint', 'invalid_request'],
    ['no-openid-scope', 'invalid_request'],
    ['unauthenticated-backchannel-request', 'invalid_client'],
    ['guessed-auth-req-id', 'invalid_grant'],
    ['reuse-auth-req-id', 'invalid_grant'],
  ])('--tamper %s is refused as expected', async (move, error) => {
    const { code, last } = await ciba('--login-hint', 'alice', '--tamper', move)
    expect({ code, last }).toMatchObject({ code: 0, last: { expected: true, error: { error } } })
  })
})
