import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { describeAgainst } from '../../support/java-issuer.js'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { type FlowTarget, runDoctor, runFlow } from './flow-runs.js'

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

  it('has no device flow, no implicit one, and wants an audience for an exchange', async () => {
    expect(await runFlow('device', app, openid)).toMatchObject({
      code: 1,
      error: { error: 'invalid_metadata', error_description: 'device_authorization_endpoint is missing' },
    })
    expect(await runFlow('implicit', app, openid)).toMatchObject({ code: 1, outcome: 'refused' })
    expect(await runFlow('token-exchange', app, openid)).toMatchObject({
      code: 1,
      error: { error: 'invalid_request' },
    })
  }, 60_000)

  it('takes every client at its word, and the doctor says so', async () => {
    const { code, of } = await runDoctor(app, [...alice, '--redirect-uri', 'http://127.0.0.1/cb'])
    expect(code).toBe(1)
    expect(of('fault')).toEqual(
      expect.arrayContaining([
        ...['https', 'login-asked', 'unknown-client', 'unregistered-redirect-uri', 'redirect-uri-look-alike'],
        ...['reuse-code', 'guessed-code', 'wrong-redirect-uri', 'missing-verifier', 'wrong-secret'],
        ...['no-credentials', 'replay-revokes', 'id-token-as-access-token'],
      ]),
    )
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
