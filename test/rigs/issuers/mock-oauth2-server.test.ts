import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { describeAgainst } from '../../support/java-issuer.js'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { type FlowTarget, replayFlow, runDoctor, runFlow } from './flow-runs.js'

const alice = ['--user', 'alice:wonderland']
const openid = [...alice, '--scope', 'openid']

describeAgainst('mock-oauth2-server', 'mock-oauth2-server', () => {
  const folder = temporaryFolder()
  const env = cleanEnv(folder.path)
  let mock: OtherIssuer
  let app: FlowTarget

  beforeAll(async () => {
    mock = await startIssuer('mock-oauth2-server.js', [], env)
    app = { issuer: mock.issuer, client: 'app', env, secret: 'any secret will do' }
  }, 120_000)
  afterAll(async () => {
    await mock?.stop()
    folder.remove()
  })

  it.each([
    ['code', 'id_token', openid],
    ['refresh', 'refresh_token', openid],
    ['client-credentials', 'access_token', ['--scope', 'records']],
    ['password', 'id_token', openid],
    ['token-exchange', 'access_token', [...openid, '--audience', 'https://api.example']],
  ])('grants flow %s, with its %s', async (name, token, args) => {
    const { code, stderr, outcome, tokens } = await runFlow(name, app, args)
    expect({ code, stderr, outcome }).toEqual({ code: 0, stderr: '', outcome: 'granted' })
    expect(tokens).toHaveProperty(token)
  })

  it('grants flow code to a public client', async () => {
    const { secret: _none, ...open } = app
    expect(await runFlow('code', { ...open, client: 'open' }, openid)).toMatchObject({ code: 0 })
  })

  it('grants flow assertion, for an assertion of any issuer', async () => {
    const key = join(folder.path, 'issuer.pem')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const issuer = ['--issuer-key', key, '--assertion-issuer', 'https://idp.example']
    expect(
      await runFlow('assertion', app, ['--user', 'alice', '--scope', 'records', ...issuer]),
    ).toMatchObject({ code: 0, outcome: 'granted' })
  })

  it('has no device flow, no implicit one, and wants an audience for an exchange', async () => {
    expect(await runFlow('device', app, openid)).toMatchObject({
      code: 1,
      error: { error: 'invalid_metadata', error_description: 'device_authorization_endpoint is missing' },
    })
    expect(await runFlow('implicit', app, openid)).toMatchObject({ code: 1, outcome: 'refused' })
    expect(await runFlow('token-exchange', app, openid)).toMatchObject({
      code: 1,
      error: { error: 'invalid_request', hints: [expect.stringContaining('--audience')] },
    })
    expect(await runFlow('code', app, alice)).toMatchObject({
      code: 1,
      error: {
        error: 'invalid_request',
        error_description: expect.stringMatching(/^invalid request: missing scope/),
        hints: [expect.stringContaining('--scope openid')],
      },
    })
  }, 60_000)

  it.each([
    ['code', openid],
    ['client-credentials', ['--scope', 'records']],
    ['refresh', openid],
  ])('is sent flow %s again by its curl export', async (name, args) => {
    const replayed = await replayFlow(name, app, args, { password: 'wonderland' })
    expect(replayed, replayed.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ey\S+\n$/) })
  })

  it('takes every client at its word, and the doctor says so', async () => {
    const { code, of } = await runDoctor(app, [...alice, '--redirect-uri', 'http://127.0.0.1/cb'])
    expect(code).toBe(1)
    // It answers in the clear and asks nobody who they are. It knows no clients, no addresses and no scopes, and takes any code.
    expect(of('fault').sort()).toEqual(
      [
        ...['both-credentials', 'guessed-code', 'https', 'id-token-as-access-token', 'login-asked'],
        ...['missing-redirect-uri', 'missing-verifier', 'no-credentials', 'redirect-uri-look-alike'],
        ...[
          'redirect-uri-path',
          'redirect-uri-query',
          'redirect-uri-user-info',
          'replay-revokes',
          'reuse-code',
        ],
        // The state is put into the address as it came: `a&b` comes back as `a`.
        ...['scope-escalation', 'state-intact', 'unknown-client', 'unregistered-redirect-uri'],
        ...['wrong-redirect-uri', 'wrong-secret'],
        // It takes any refresh token and any secret, and revokes nothing.
        ...[
          'guessed-refresh-token',
          'introspection-wrong-secret',
          'revocation-refresh-token',
          'widened-scope',
        ],
        // It answers response types that it announces by a code alone.
        'response-types-answered',
        // There is no session that a logout could end, and it sends the browser to any address.
        ...['logout-addresses', 'logout-ends-session', 'unregistered-logout-return'],
      ].sort(),
    )
    expect(of('weakness').sort()).toEqual([
      ...['authorization-no-cors', 'introspection-active', 'logout-frame-protection', 'token-no-store'],
      'unauthorized-challenge',
    ])
    expect(of('remark').sort()).toEqual([
      ...['bearer-challenge', 'downgrade-pkce', 'implicit-not-announced', 'invalid-token-challenge'],
      // It announces algorithms that it has no key for.
      'jwks-announced',
      'logout-not-cached',
      // Its revocation endpoint knows refresh tokens alone, and refuses everything else alike.
      ...['revocation-no-credentials', 'revocation-unknown-token', 'revocation-works'],
      ...['revocation-wrong-secret', 'unknown-grant-type'],
    ])
    expect(of('pass')).toEqual(
      expect.arrayContaining([
        'metadata',
        'issuer-exact',
        'jwks-public',
        'honest-flow',
        'wrong-verifier',
        'alg-none',
      ]),
    )
  }, 120_000)
})

describeAgainst('mock-oauth2-server', 'mock-oauth2-server that asks for a name alone', () => {
  const folder = temporaryFolder()
  const env = cleanEnv(folder.path)
  let mock: OtherIssuer
  let app: FlowTarget

  beforeAll(async () => {
    mock = await startIssuer('mock-oauth2-server.js', ['login'], env)
    app = { issuer: mock.issuer, client: 'app', env, secret: 'any secret will do' }
  }, 120_000)
  afterAll(async () => {
    await mock?.stop()
    folder.remove()
  })

  it('is left to a person: its page cannot be filled in, and repeats nothing of the request', async () => {
    const { code, error } = await runFlow('code', app, openid)
    expect([code, error?.error]).toEqual([1, 'unknown_page'])
    expect(error?.error_description).toContain('--browser')
    expect(error?.error_description).not.toMatch(/state|nonce|[\w-]{43}/)
  })

  it('is no refusal for the doctor: what needs a login was not tried', async () => {
    const { code, of } = await runDoctor(app, [...alice, '--redirect-uri', 'http://127.0.0.1/cb'])
    const judged = [...of('pass'), ...of('fault'), ...of('weakness'), ...of('remark')]
    for (const move of [
      'unknown-client',
      'unregistered-redirect-uri',
      'redirect-uri-path',
      'downgrade-pkce',
    ]) {
      expect(of('not_tried')).toContain(move)
      expect(judged).not.toContain(move)
    }
    expect(of('fault')).not.toContain('scope-escalation')
    expect(code).toBe(1)
  }, 120_000)
})
