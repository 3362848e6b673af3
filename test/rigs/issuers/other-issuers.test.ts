import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, type Ended, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { replayFlow } from './flow-runs.js'

/** What the tests read of a line. */
interface Line {
  readonly type: string
  readonly name?: string
  readonly n?: number
  readonly of?: number
  readonly note?: string
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[]
  readonly exchange?: {
    readonly request: { readonly headers: readonly (readonly [string, string])[]; readonly body: string }
    readonly response?: { readonly status: number }
  }
  readonly outcome?: string
  readonly error?: { readonly error: string; readonly rule?: string; readonly hints?: readonly string[] }
  readonly tokens?: Readonly<Record<string, unknown>>
}

const folder = temporaryFolder()
const keyFile = join(folder.path, 'client-key.pem')
let provider: OtherIssuer
let env: Record<string, string>

beforeAll(async () => {
  env = cleanEnv(folder.path)
  const { stdout } = await runProgram(['ca', 'path'], { env })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const args = [join(dirname(stdout.trim()), 'leaf.pem'), JSON.stringify(publicKey.export({ format: 'jwk' }))]
  provider = await startIssuer('oidc-provider-people.js', args, env)
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

const secret = (id: string) => `${id}-secret-0123456789abcdef0123456789`

/** Runs a flow against oidc-provider; the secret, where there is one, by the environment. */
async function flow(
  name: string,
  client: string,
  args: readonly string[],
  more: { readonly secret?: string; readonly input?: string } = {},
): Promise<Ended & { readonly lines: readonly Line[]; readonly last: Line }> {
  const options = ['--issuer', provider.issuer, '--client-id', client, '--json', ...args]
  const ended = await runProgram(['flow', name, ...options], {
    env: { ...env, ...(more.secret !== undefined && { OAUTH_LAB_CLIENT_SECRET: more.secret }) },
    ...(more.input !== undefined && { input: more.input }),
    limit: 60_000,
  })
  const lines = jsonLines(ended.stdout) as unknown as Line[]
  return { ...ended, lines, last: lines.at(-1)! }
}

const alice = ['--user', 'alice:wonderland']
const names = (lines: readonly Line[]) => [...new Set(lines.flatMap(({ name }) => name ?? []))]
const step = (lines: readonly Line[], name: string) => lines.filter(each => each.name === name)
const header = (line: Line | undefined, name: string) =>
  line?.exchange?.request.headers.find(([each]) => each === name)?.[1]

describeWith([rigs], 'flow code against oidc-provider', () => {
  it('begins with discovery, clicks through consent, verifies and asks who logged in; no lab is started', async () => {
    const { code, stderr, lines, last } = await flow('code', 'app', [...alice, '--scope', 'openid'], {
      secret: secret('app'),
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(names(lines)).toEqual([
      'discovery_request',
      'authorization_request',
      'login_form',
      'login',
      'authorization_response',
      'token_request',
      'keys_request',
      'userinfo_request',
    ])
    expect(names(lines).map(name => step(lines, name).at(-1)?.n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(new Set(lines.flatMap(({ of }) => of ?? []))).toEqual(new Set([8]))
    expect(lines[0]?.checks?.every(({ ok }) => ok)).toBe(true)
    expect(step(lines, 'login').map(({ note }) => note)).toContain('presses “Continue”')
    expect(last).toMatchObject({ outcome: 'granted', tokens: { scope: 'openid', token_type: 'Bearer' } })
  })

  it.each([
    ['told', 'PS256', []],
    ['sealed', 'ES256', ['--auth', 'client_secret_basic', '--client-key', keyFile]],
  ])('reads the signed and encrypted answers of client %s', async (client, alg, more) => {
    const args = [...alice, '--scope', 'openid', ...more]
    const { code, lines, last } = await flow('code', client, args, { secret: secret(client) })
    expect({ code, outcome: last.outcome, error: last.error }).toEqual({ code: 0, outcome: 'granted' })
    expect(step(lines, 'userinfo_request').at(-1)?.note).toBe(`sub=alice, signed by ${alg}`)
  })

  it('asks for a login: max_age is met, acr_values is a wish, an essential acr is not met', async () => {
    const run = (...more: string[]) =>
      flow('code', 'app', [...alice, '--scope', 'openid', ...more], { secret: secret('app') })
    const idChecks = ({ lines }: { readonly lines: readonly Line[] }) =>
      step(lines, 'keys_request')
        .flatMap(({ tokens }) => tokens as unknown as readonly Line[])
        .flatMap(({ checks = [] }) => checks)
        .filter(({ name }) => name === 'acr' || name === 'auth_time')
    const met = await run('--max-age', '60', '--acr-values', 'urn:example:gold')
    expect({ code: met.code, error: met.last.error }).toEqual({ code: 0 })
    expect(idChecks(met)).toMatchObject([
      { name: 'acr', ok: false, advice: true },
      { name: 'auth_time', ok: true },
    ])
    const claims = { id_token: { acr: { essential: true, value: 'urn:example:gold' } } }
    const refused = await run('--claims', JSON.stringify(claims))
    expect(refused).toMatchObject({ code: 1, last: { outcome: 'refused' } })
  })

  it('takes the sub of a pairwise client, which the userinfo endpoint repeats', async () => {
    const args = [...alice, '--scope', 'openid', '--max-age', '60']
    const { code, lines, last } = await flow('code', 'pair', args, { secret: secret('pair') })
    expect({ code, error: last.error }).toEqual({ code: 0 })
    expect(step(lines, 'userinfo_request').at(-1)?.note).toBe('sub=127.0.0.1:alice')
  })

  it('says how to read an encrypted id_token without its key', async () => {
    const { code, last } = await flow('code', 'sealed', [...alice, '--scope', 'openid'], {
      secret: secret('sealed'),
    })
    expect({ code, error: last.error?.error }).toEqual({ code: 1, error: 'invalid_response' })
    expect(JSON.stringify(last.error)).toContain('--client-key FILE')
  })

  it.each([
    ['code', 'app', ['--scope', 'openid']],
    ['refresh', 'app', ['--scope', 'openid offline_access', '--param', 'prompt=consent']],
    ['device', 'app', ['--scope', 'openid']],
    ['client-credentials', 'service', []],
  ])(
    'is sent flow %s again by its curl export, which reads the addresses of forms',
    async (name, client, more) => {
      const ca = await runProgram(['ca', 'path'], { env })
      const target = { issuer: provider.issuer, client, env, secret: secret(client) }
      const args = name === 'client-credentials' ? more : [...alice, ...more]
      const secrets = { password: 'wonderland', cacert: ca.stdout.trim() }
      const replayed = await replayFlow(name, target, args, secrets)
      expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/\S/) })
    },
  )

  it('takes the password or the secret from stdin, or the secret from a file', async () => {
    const file = join(folder.path, 'secret.txt')
    writeFileSync(file, `${secret('app')}\n`)
    const openid = ['--scope', 'openid']
    const ends = await Promise.all([
      flow('code', 'app', ['--user', 'alice', '--password-stdin', '--client-secret-file', file, ...openid], {
        input: 'wonderland\n',
      }),
      flow('code', 'app', [...alice, '--client-secret-stdin', ...openid], { input: `${secret('app')}\n` }),
      flow('code', 'open', [...alice, ...openid]),
    ])
    expect(ends.map(({ code, last }) => [code, last.outcome])).toEqual(Array(3).fill([0, 'granted']))
  })

  it('shows a wrong secret refused', async () => {
    const { code, last } = await flow('code', 'app', [...alice, '--scope', 'openid'], { secret: 'wrong' })
    expect(code).toBe(1)
    expect(last).toMatchObject({ outcome: 'refused', error: { error: 'invalid_client' } })
  })

  it.each([
    ['the secret in the body', 'poster', ['--auth', 'client_secret_post'], 'poster', /client_secret=/],
    ['a signed assertion', 'signer', [], undefined, /client_assertion=/],
  ])('authenticates by %s', async (_what, client, args, by, sent) => {
    const key = client === 'signer' ? ['--client-key', keyFile] : []
    const all = [...alice, '--scope', 'openid', ...args, ...key]
    const { code, lines } = await flow('code', client, all, by === undefined ? {} : { secret: secret(by) })
    expect(code).toBe(0)
    const [request] = step(lines, 'token_request')
    expect(request?.exchange?.request.body).toMatch(sent)
    expect(header(request, 'authorization')).toBeUndefined()
  })

  it('pushes the request and binds the tokens to a key; what the server asks for on the way is a step of its own', async () => {
    const args = [...alice, '--scope', 'openid', '--par', '--dpop']
    const { code, lines, last } = await flow('code', 'pusher', args, { secret: secret('pusher') })
    expect(code).toBe(0)
    const pushes = step(lines, 'pushed_authorization_request')
    expect(pushes.map(each => [each.n, each.exchange?.response?.status])).toEqual([
      [2, 400],
      [2, 201],
    ])
    expect(pushes[0]?.note).toContain('nonce')
    expect(last).toMatchObject({ outcome: 'granted', tokens: { token_type: 'DPoP' } })
    const [userinfo] = step(lines, 'userinfo_request')
    expect(header(userinfo, 'authorization')).toMatch(/^DPoP /)
    expect(header(userinfo, 'dpop')).toMatch(/^ey/)
  })

  it('tells what the server refuses: no push, no PKCE, an unknown client, another issuer by a slash', async () => {
    const refused = await Promise.all([
      flow('code', 'pusher', alice, { secret: secret('pusher') }),
      flow('code', 'open', [...alice, '--no-pkce']),
      flow('code', 'nobody', alice),
      flow('code', 'open', [...alice, '--issuer', `${provider.issuer}/`]),
      flow('code', 'open', []),
    ])
    expect(refused.map(({ code, last }) => [code, last.error?.error])).toEqual([
      [1, 'invalid_request'],
      [1, 'invalid_request'],
      [1, 'error_page'],
      [1, 'issuer_mismatch'],
      [1, 'login_cancelled'],
    ])
    const hints = refused.map(({ last }) => last.error?.hints?.join() ?? '')
    expect(hints[0]).toContain('--par')
    expect(hints[1]).toContain('--no-pkce')
    expect(hints[2]).toContain('--client-id nobody')
    expect(names(refused[3]!.lines)).toEqual(['discovery_request'])
  })
})

describeWith([rigs], 'other flows against oidc-provider', () => {
  it('refresh, after a parameter that the server wants for it', async () => {
    const args = [...alice, '--scope', 'openid offline_access', '--param', 'prompt=consent']
    const { code, lines, last } = await flow('refresh', 'app', args, { secret: secret('app') })
    expect(code).toBe(0)
    expect(step(lines, 'refresh_request')[0]?.exchange?.response?.status).toBe(200)
    expect(last).toMatchObject({ outcome: 'granted', tokens: { refresh_token: expect.any(String) } })
  })

  it('code, with authorization details (RFC 9396), to which the server adds a member', async () => {
    const details = (type: string) => `[{"type":"${type}","actions":["list_accounts"]}]`
    const asked = [
      '--authorization-details',
      details('account_information'),
      '--scope',
      'openid',
      '--param',
      'resource=urn:example:bank',
    ]
    const { code, lines, last } = await flow('code', 'app', [...alice, ...asked], { secret: secret('app') })
    expect(code).toBe(0)
    const granted = [{ type: 'account_information', actions: ['list_accounts'], identifier: 'account-1' }]
    expect(last).toMatchObject({ outcome: 'granted', tokens: { authorization_details: granted } })
    const checks = step(lines, 'token_request').at(-1)?.checks ?? []
    expect(checks.find(({ name }) => name === 'authorization_details')).toMatchObject({ ok: true })
    const unknown = ['--authorization-details', details('payment_initiation')]
    const refused = await flow('code', 'app', [...alice, ...unknown], { secret: secret('app') })
    expect(refused.code).toBe(1)
    expect(refused.last.error).toMatchObject({ error: 'invalid_authorization_details' })
  })

  it('client-credentials, with a proof that has the nonce the server asks for', async () => {
    const { code, lines, last } = await flow('client-credentials', 'service', ['--dpop'], {
      secret: secret('service'),
    })
    expect(code).toBe(0)
    expect(step(lines, 'token_request').map(each => each.exchange?.response?.status)).toEqual([400, 200])
    expect(last).toMatchObject({ outcome: 'granted', tokens: { token_type: 'DPoP' } })
  })

  it('device, through its pages', async () => {
    const { code, lines, last } = await flow('device', 'app', [...alice, '--scope', 'openid'], {
      secret: secret('app'),
    })
    expect(code).toBe(0)
    expect(names(lines)).toEqual(expect.arrayContaining(['device_verification', 'device_approval']))
    expect(last).toMatchObject({ outcome: 'granted', tokens: { id_token: expect.any(String) } })
  })

  it('implicit, whose answer names its issuer in the id_token alone', async () => {
    const { code, stderr, last } = await flow('implicit', 'page', [...alice, '--scope', 'openid'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(last).toMatchObject({ outcome: 'granted', tokens: { id_token: expect.any(String) } })
  })

  it.each(['password', 'token-exchange'])('refuses flow %s, which it does not know', async name => {
    const { code, last } = await flow(name, 'app', [...alice, '--scope', 'openid'], { secret: secret('app') })
    expect([code, last.error?.error]).toEqual([1, 'unsupported_grant_type'])
  })
})

describeWith([rigs], 'doctor against oidc-provider', () => {
  it('finds a hint that the login forgets, and a login page that can be framed', async () => {
    const redirect = ['--redirect-uri', 'https://web.example/cb']
    const { stdout } = await runProgram(
      [
        ...[
          'doctor',
          provider.issuer,
          '--client-id',
          'web',
          '--second-client-id',
          'open',
          '--second-user',
          'bob:builder',
        ],
        ...[...alice, ...redirect, '--json'],
      ],
      { env: { ...env, OAUTH_LAB_CLIENT_SECRET: secret('web') }, limit: 60_000 },
    )
    const { findings } = JSON.parse(stdout) as {
      readonly findings: readonly { readonly name: string; readonly result: string }[]
    }
    const of = (result: string) => findings.filter(each => each.result === result).map(({ name }) => name)
    // It compares id_token_hint with the session when the request comes, and no more when the login is over.
    expect(of('fault')).toEqual(['other-user-hint'])
    // Node's own list of TLS 1.2 suites has CBC suites, no address of the provider forbids frames, and its 401 to a wrong
    // secret has no WWW-Authenticate.
    const weak = ['frame-protection', 'logout-frame-protection', 'tls-cbc-refused', 'unauthorized-challenge']
    expect(of('weakness').sort()).toEqual(weak)
    // It announces `id_token token` for the client `page`.
    expect(of('remark')).toEqual(['implicit-not-announced'])
    // The clock is not ours to set, and prompt=none shows a native client no session.
    const untried = [
      ...['expired-code', 'expired-device-code', 'expired-refresh-token', 'expired-request-uri'],
      ...['expired-token', 'logout-ends-session'],
    ]
    expect(of('not_tried').sort()).toEqual(untried)
    expect(of('pass')).toEqual(
      expect.arrayContaining([
        ...['honest-flow', 'reuse-code', 'wrong-secret', 'refresh-with-other-key'],
        'other-client-request-uri',
        ...['altered-request-object', 'foreign-request-object', 'expired-request-object'],
        ...['misdirected-request-object', 'other-issuer-request-object', 'other-client-request-object'],
        ...['nested-request-object', 'contradicted-request-object', 'unregistered-request-uri'],
        ...['misdirected-proof', 'other-method-proof', 'other-key-proof', 'no-nonce-proof'],
        ...['foreign-nonce-proof', 'proof-for-another-token'],
      ]),
    )
  }, 60_000)
})

describeWith([rigs], 'flow hybrid against oidc-provider', () => {
  it.each([
    ['code id_token', 'fragment'],
    ['code id_token token', 'fragment'],
    ['code token', 'fragment'],
    ['code id_token', 'form_post'],
  ])('%s by %s', async (type, mode) => {
    const args = [...alice, '--scope', 'openid', '--response-type', type, '--response-mode', mode]
    const { lines, last } = await flow('hybrid', 'hybrid', args, { secret: secret('hybrid') })
    expect(last).toMatchObject({
      type: 'outcome',
      outcome: 'granted',
      tokens: { id_token: expect.any(String) },
    })
    const verified = step(lines, 'id_token_verification')
    expect(verified).toHaveLength(type.includes('id_token') ? 1 : 0)
  })
})

describeWith([rigs], 'request objects for oidc-provider', () => {
  const byKey = ['--client-key', keyFile]
  it.each([
    ['code', 'signer', 'signed', byKey],
    ['code', 'app', 'signed', []],
    ['code', 'signer', 'signed', [...byKey, '--par']],
    ['code', 'signer', 'encrypted', byKey],
    ['hybrid', 'hybrid', 'signed', []],
  ] as const)('flow %s of %s, %s %j', async (name, client, kind, more) => {
    const args = [...alice, '--scope', 'openid', '--request-object', kind, ...more]
    const { lines, last } = await flow(
      name,
      client,
      args,
      client === 'signer' ? {} : { secret: secret(client) },
    )
    expect(last).toMatchObject({ outcome: 'granted' })
    expect(step(lines, 'request_object')).toHaveLength(1)
  })

  it.each([
    ...['altered-request-object', 'foreign-request-object', 'unsigned-request-object'],
    ...['expired-request-object', 'misdirected-request-object', 'other-issuer-request-object'],
    ...['other-client-request-object', 'nested-request-object', 'contradicted-request-object'],
    ...['unregistered-request-uri', 'request-and-request-uri', 'unregistered-redirect-uri'],
  ])('are refused: --tamper %s', async move => {
    const args = [...alice, '--redirect-uri', 'https://web.example/cb', '--scope', 'openid']
    const wrong = ['--request-object', 'signed', '--tamper', move]
    const { last } = await flow('code', 'web', [...args, ...wrong], { secret: secret('web') })
    expect(last).toMatchObject({ outcome: 'refused', expected: true })
  })
})
