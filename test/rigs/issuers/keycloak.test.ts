import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { describeAgainst } from '../../support/java-issuer.js'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { type FlowTarget, replayFlow, runDoctor, runFlow } from './flow-runs.js'

const secret = 'app-secret-0123456789abcdef0123456789'
const alice = ['--user', 'alice:wonderland']
const openid = [...alice, '--scope', 'openid']

describeAgainst('keycloak', 'Keycloak', () => {
  const folder = temporaryFolder()
  const env = cleanEnv(folder.path)
  let keycloak: OtherIssuer
  /** The confidential client, and the public one. */
  let app: FlowTarget
  let open: FlowTarget

  beforeAll(async () => {
    const { stdout } = await runProgram(['ca', 'path'], { env })
    keycloak = await startIssuer('keycloak.js', [join(dirname(stdout.trim()), 'leaf.pem')], env)
    app = { issuer: keycloak.issuer, client: 'app', env, secret }
    open = { issuer: keycloak.issuer, client: 'open', env }
  }, 600_000)
  afterAll(async () => {
    await keycloak?.stop()
    folder.remove()
  })

  it.each([
    ['code', 'id_token', openid],
    ['code', 'refresh_token', [...openid, '--par', '--dpop']],
    ['code', 'access_token', [...alice, '--auth', 'client_secret_post']],
    ['refresh', 'refresh_token', openid],
    ['implicit', 'id_token', openid],
    ['implicit', 'access_token', alice],
    ['client-credentials', 'access_token', []],
    ['password', 'id_token', openid],
    ['device', 'id_token', openid],
    ['token-exchange', 'access_token', openid],
  ])('grants flow %s, with its %s', async (name, token, args) => {
    const { code, stderr, outcome, tokens } = await runFlow(name, app, args)
    expect({ code, stderr, outcome }).toEqual({ code: 0, stderr: '', outcome: 'granted' })
    expect(tokens).toHaveProperty(token)
  })

  it.each(['code', 'refresh'])('grants flow %s to a public client, by PKCE', async name => {
    expect(await runFlow(name, open, openid)).toMatchObject({ code: 0, outcome: 'granted' })
  })

  it('is asked about a token by introspect, userinfo and revoke', { timeout: 240_000 }, async () => {
    const at = ['--issuer', app.issuer, '--client-id', 'app']
    const as = { env: { ...env, OAUTH_LAB_CLIENT_SECRET: secret }, limit: 60_000 }
    const { stdout: bare } = await runProgram(['flow', 'code', ...openid, '-o', 'token', ...at], as)
    const token = bare.trim()
    const asked = await runProgram(['introspect', token, '--json', ...at], as)
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout)).toMatchObject({
      active: true,
      claims: { client_id: 'app', username: 'alice' },
    })
    const person = await runProgram(['userinfo', token, '--json', ...at], as)
    expect(person.code, person.stderr).toBe(0)
    expect(JSON.parse(person.stdout)).toMatchObject({ checks: [{ name: 'sub', ok: true }] })
    expect(await runProgram(['revoke', token, ...at], as)).toMatchObject({ code: 0 })
    expect(await runProgram(['introspect', token, ...at], as)).toMatchObject({ code: 1 })
    const found = await runProgram(['discover', app.issuer, '--json'], as)
    expect(found.code, found.stdout + found.stderr).toBe(0)
  })

  it.each([
    ['a public client that asks for itself', 'client-credentials', [], 'unauthorized_client'],
    ['a device of a client that is not registered for it', 'device', alice, 'unauthorized_client'],
    ['a code without a challenge', 'code', [...alice, '--no-pkce'], 'invalid_request'],
    [
      'a redirect_uri that is not registered',
      'code',
      [...alice, '--redirect-uri', 'http://localhost:9/x'],
      'error_page',
    ],
    ['a wrong password', 'code', ['--user', 'alice:wrong'], 'login_failed'],
  ])('refuses %s', async (_what, name, args, error) => {
    expect(await runFlow(name, open, args)).toMatchObject({ code: 1, outcome: 'refused', error: { error } })
  })

  it.each([
    [
      'a wrong secret',
      ['code', alice, { secret: 'wrong' }],
      { error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' },
      /check the client and its secret: --client-id app --client-secret-file FILE/,
    ],
    [
      'a wrong password',
      ['code', ['--user', 'alice:wrong'], {}],
      { error: 'login_failed', error_description: 'Invalid username or password.' },
      undefined,
    ],
    [
      'a user who has to choose a new password',
      ['code', ['--user', 'bob:builder'], {}],
      {
        error: 'unknown_page',
        error_description: expect.stringMatching(/new password on the page “Update password”.*--browser/),
      },
      undefined,
    ],
    [
      'a redirect_uri that is not registered, by its name',
      ['code', [...alice, '--redirect-uri', 'http://localhost:9/x'], {}],
      { error: 'error_page', error_description: expect.stringContaining('http://localhost:9/x') },
      /register this address for client app .*--redirect-uri URI/,
    ],
    [
      'an unknown scope',
      ['code', [...alice, '--scope', 'openid nonsense'], {}],
      { error: 'invalid_scope' },
      /the server announces openid, /,
    ],
  ] as const)('says what to do after %s', async (_what, [name, args, more], error, hint) => {
    const ended = await runFlow(name, { ...app, ...more }, args)
    expect(ended).toMatchObject({ code: 1, outcome: 'refused', error })
    if (hint) expect(ended.error?.hints?.join('\n')).toMatch(hint)
    expect(JSON.stringify(ended.error)).not.toContain('lab file')
  })

  it.each([
    ['code', openid],
    ['code', [...openid, '--par', '--dpop']],
    ['client-credentials', []],
    ['refresh', openid],
    ['password', openid],
    ['implicit', openid],
    ['token-exchange', openid],
    ['device', openid],
  ])('is sent flow %s again by its curl export', async (name, args) => {
    const { stdout: ca } = await runProgram(['ca', 'path'], { env })
    const secrets = { password: 'wonderland', cacert: ca.trim() }
    const replayed = await replayFlow(name, app, args, secrets)
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ey\S+\n$/) })
  })

  it('is sent flow refresh of a public client again', async () => {
    const { stdout: ca } = await runProgram(['ca', 'path'], { env })
    const secrets = { password: 'wonderland', cacert: ca.trim() }
    const replayed = await replayFlow('refresh', open, openid, secrets)
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ey/) })
  })

  it('is examined: most is right, and what is wrong is true', async () => {
    const second = ['--second-client-id', 'open', '--second-user', 'carol:fa-la-la']
    const args = [...alice, ...second, '--redirect-uri', 'https://web.example/cb']
    const { code, of } = await runDoctor(app, args)
    expect(code).toBe(1)
    // Keycloak reads id_token_hint at the logout alone, and takes a secret that is sent in two ways at once.
    // Of a request object it reads neither exp nor aud, unless a policy of the realm asks for that.
    expect(of('fault')).toEqual([
      ...['other-user-hint', 'both-credentials'],
      ...['expired-request-object', 'misdirected-request-object'],
    ])
    // It announces RSA1_5, Java's own list of TLS 1.2 suites has CBC suites, and its 401 to a wrong secret names no scheme.
    expect(of('weakness').sort()).toEqual(['encryption-padding', 'tls-cbc-refused', 'unauthorized-challenge'])
    expect(of('remark').sort()).toEqual(
      [
        // Refusals in another form than the RFC asks for: `unauthorized_client` for every wrong secret.
        ...['alg-none', 'basic-challenge', 'misdirected-proof', 'no-credentials', 'wrong-secret'],
        ...['device-no-credentials', 'device-wrong-secret', 'par-no-credentials', 'par-wrong-secret'],
        ...['introspection-wrong-secret', 'revocation-no-credentials', 'revocation-wrong-secret'],
        // `invalid_request` for every wrong proof.
        ...['other-method-proof', 'stale-proof', 'other-key-proof', 'replayed-token-proof'],
        // It reads no iss of a request object, and no object within.
        ...['other-issuer-request-object', 'nested-request-object'],
        // Grants that OAuth 2.1 has no more, cookies that its session iframe reads, refresh tokens that it does not rotate, and a client
        // that the administrator allowed, at its https address.
        ...['session-asks'],
        // It announces every algorithm it knows, and has keys for some.
        'jwks-announced',
        ...['implicit-not-announced', 'login-cookies', 'password-not-announced', 'reuse-refresh-token'],
      ].sort(),
    )
    // The clock of another server cannot be set, and what it allows a client is its own knowledge.
    expect(of('not_tried').sort()).toEqual([
      ...['expired-code', 'expired-device-code', 'expired-refresh-token', 'expired-request-uri'],
      'expired-token',
      'unregistered-response-type',
    ])
    expect(of('pass')).toEqual(
      expect.arrayContaining([
        ...[
          'metadata',
          'metadata-agree',
          'issuer-exact',
          'https',
          'tls-version',
          'jwks-public',
          'login-asked',
        ],
        ...['frame-protection', 'honest-flow', 'state-intact', 'iss-sent', 'authorization-no-cors'],
        ...['scope-escalation', 'downgrade-pkce', 'unregistered-redirect-uri', 'redirect-uri-look-alike'],
        ...['reuse-code', 'wrong-verifier', 'missing-verifier', 'wrong-redirect-uri', 'get-token-request'],
        ...['token-no-store', 'replay-revokes', 'altered-token', 'hmac-with-public-key', 'foreign-key'],
        ...['embedded-key', 'id-token-as-access-token', 'bearer-challenge', 'invalid-token-challenge'],
      ]),
    )
  }, 180_000)
})
