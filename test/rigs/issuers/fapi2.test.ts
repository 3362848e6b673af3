import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
const keyFile = join(folder.path, 'key.pem')
const bound = { tls_client_certificate_bound_access_tokens: true }
let provider: OtherIssuer

interface Pair {
  readonly certificate: string
  readonly key: string
  readonly client: Readonly<Record<string, unknown>>
}
const pairs: Record<string, Pair> = {}

interface Line {
  readonly name?: string
  readonly note?: string
  readonly outcome?: string
  readonly error?: unknown
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[]
  readonly exchange?: { readonly request: { readonly body: string; readonly url: string } }
  readonly token?: { readonly kind: string }
}

describeWith([rigs], 'our client against oidc-provider under FAPI 2.0', () => {
  beforeAll(async () => {
    const { stdout } = await runProgram(['ca', 'path'], { env })
    for (const [name, more] of [
      ['shop', ['--subject', 'CN=shop,O=Example']],
      ['phone', ['--self-signed']],
    ] as const) {
      const made = await runProgram(['ca', 'client', name, '--json', ...more], { env })
      pairs[name] = JSON.parse(made.stdout) as Pair
    }
    // An RSA key in PEM names no algorithm, and this server takes no RS256.
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const own = publicKey.export({ format: 'jwk' })
    const signer = (client_id: string, more: object = {}) => ({
      client_id,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      jwks: {
        keys: [
          { ...own, use: 'sig', kid: 'sig' },
          { ...own, use: 'enc', kid: 'enc' },
        ],
      },
      ...more,
    })
    const { grant_types: _shop, ...shop } = pairs.shop!.client
    const { grant_types: _phone, ...phone } = pairs.phone!.client
    const clients = [
      signer('signer', { dpop_bound_access_tokens: true }),
      signer('certified', bound),
      signer('requester', { dpop_bound_access_tokens: true, request_object_signing_alg: 'PS256' }),
      signer('sealed', {
        dpop_bound_access_tokens: true,
        id_token_encrypted_response_alg: 'RSA-OAEP-256',
        id_token_encrypted_response_enc: 'A256GCM',
        userinfo_signed_response_alg: 'ES256',
      }),
      { ...shop, ...bound },
      { ...phone, ...bound },
    ]
    const state = dirname(stdout.trim())
    const args = [join(state, 'leaf.pem'), join(state, 'client-ca.pem'), JSON.stringify(clients)]
    provider = await startIssuer('oidc-provider-fapi2.js', args, env)
  }, 60_000)
  afterAll(async () => {
    await provider.stop()
    folder.remove()
  })

  const shown = (name: string) => ['--cert', pairs[name]!.certificate, '--cert-key', pairs[name]!.key]
  const byKey = ['--auth', 'private_key_jwt', '--client-key', keyFile]
  async function flow(name: string, client: string, args: readonly string[]) {
    const options = ['--issuer', provider.issuer, '--client-id', client, '--json', ...args]
    const people = name === 'client-credentials' ? [] : ['--user', 'alice:wonderland', '--scope', 'openid']
    const { code, stdout, stderr } = await runProgram(['flow', name, ...options, ...people], {
      env,
      limit: 60_000,
    })
    const lines = jsonLines(stdout) as unknown as Line[]
    return { code, stderr, lines, last: lines.at(-1) }
  }

  const ways: readonly [name: string, client: string, args: () => readonly string[]][] = [
    ['private_key_jwt and DPoP', 'signer', () => [...byKey, '--dpop']],
    ['private_key_jwt, bound to a certificate', 'certified', () => [...byKey, ...shown('phone')]],
    ['tls_client_auth', 'shop', () => ['--auth', 'tls_client_auth', ...shown('shop')]],
    [
      'self_signed_tls_client_auth',
      'phone',
      () => ['--auth', 'self_signed_tls_client_auth', ...shown('phone')],
    ],
    ['a signed request object', 'requester', () => [...byKey, '--dpop', '--request-object', 'signed']],
    ['an encrypted id_token, signed userinfo', 'sealed', () => [...byKey, '--dpop']],
    ['an answer by form_post', 'signer', () => [...byKey, '--dpop', '--response-mode', 'form_post']],
  ]
  it.each(ways)('logs in by %s', { timeout: 60_000 }, async (_name, client, args) => {
    // oidc-provider announces PAR, and FAPI 2.0 demands it: the profile pushes without --par.
    const { code, stderr, lines, last } = await flow('code', client, ['--profile', 'fapi2', ...args()])
    expect({ code, stderr, last }).toMatchObject({ code: 0, stderr: '', last: { outcome: 'granted' } })
    const failed = lines.flatMap(({ checks = [] }) => checks.filter(each => !each.ok && !('advice' in each)))
    expect(failed).toEqual([])
    expect(lines.map(each => each.name)).toEqual(
      expect.arrayContaining([
        'pushed_authorization_request',
        'token_request',
        'keys_request',
        'userinfo_request',
      ]),
    )
    const userinfo = lines.find(each => each.name === 'userinfo_request')
    expect(userinfo?.note).toContain(client === 'sealed' ? 'sub=alice, signed by ES256' : 'sub=alice')
  })

  it('refreshes, and gets a token for itself', { timeout: 60_000 }, async () => {
    const refreshed = await flow('refresh', 'certified', ['--par', ...byKey, ...shown('phone')])
    expect(refreshed.last, JSON.stringify(refreshed.last)).toMatchObject({ outcome: 'granted' })
    const own = await flow('client-credentials', 'signer', [...byKey, '--dpop'])
    expect(own.last).toMatchObject({ outcome: 'granted' })
  })

  const examined: readonly [name: string, client: string, args: () => readonly string[]][] = [
    ['signs and binds by DPoP', 'signer', () => [...byKey, '--dpop']],
    ['signs and shows a certificate', 'certified', () => [...byKey, ...shown('phone')]],
    ['authenticates by its certificate', 'shop', () => ['--auth', 'tls_client_auth', ...shown('shop')]],
    ['sends request objects', 'requester', () => [...byKey, '--dpop', '--request-object', 'signed']],
  ]
  it.each(examined)('is examined as a client that %s', { timeout: 120_000 }, async (_name, client, args) => {
    const people = ['--user', 'alice:wonderland', '--scope', 'openid']
    const who = [provider.issuer, '--client-id', client, '--json', ...people]
    const { stdout, stderr } = await runProgram(['doctor', ...who, '--par', ...args()], {
      env,
      limit: 120_000,
    })
    expect(stderr).toBe('')
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
    const of = (result: Finding['result']) =>
      findings.filter(each => each.result === result).map(each => each.name)
    // It takes the one registered address for a redirect_uri that is left out.
    expect(of('fault')).toEqual(['missing-redirect-uri'])
    // Node's own list of TLS 1.2 suites has CBC suites, and no address of the provider forbids frames.
    const weak = ['frame-protection', 'logout-frame-protection', 'tls-cbc-refused', 'unauthorized-challenge']
    expect(of('weakness').sort()).toEqual(weak)
    // It has a code of its own for a request_uri.
    expect(of('remark')).toEqual(['par-request-uri'])
    expect(of('not_tried').sort()).toEqual([
      ...['expired-code', 'expired-refresh-token', 'expired-request-uri', 'expired-token'],
      'logout-ends-session',
      ...['other-client-code', 'other-client-refresh-token', 'other-client-request-uri', 'other-user-hint'],
      'other-user-logout-hint',
    ])
    const passed = of('pass')
    expect(passed).toEqual(
      expect.arrayContaining([
        ...['honest-flow', 'state-intact', 'response-types-answered', 'reflected-parameters'],
        ...['reuse-code', 'replay-revokes', 'guessed-refresh-token', 'widened-scope', 'userinfo-takes-token'],
        ...['par-pushed', 'par-reuse', 'par-no-credentials', 'par-wrong-secret', 'guessed-request-uri'],
      ]),
    )
    const signs = client !== 'shop'
    for (const name of ['altered-client-assertion', 'listed-client-assertion', 'altered-request-object']) {
      expect([name, passed.includes(name)]).toEqual([name, signs])
    }
    expect(passed.includes('other-certificate')).toBe(!signs)
    const binds = client === 'signer' || client === 'requester'
    for (const name of ['dpop-bound', 'no-proof', 'other-key-proof', 'bound-token-as-bearer']) {
      expect([name, passed.includes(name)]).toEqual([name, binds])
    }
  })

  it.each<[name: string, client: string, args: () => readonly string[]]>([
    ['without a key for the tokens', 'signer', () => ['--par', ...byKey]],
    [
      'with the certificate of another client',
      'shop',
      () => ['--par', '--auth', 'tls_client_auth', ...shown('phone')],
    ],
  ])('is refused %s', { timeout: 60_000 }, async (_name, client, args) => {
    const { code, last } = await flow('code', client, args())
    expect([code, last?.outcome]).toEqual([1, 'refused'])
  })
})
