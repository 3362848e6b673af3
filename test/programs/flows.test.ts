import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refused } from '../commands/support.js'
import { cleanEnv, jsonLines, runProgram } from '../support/program.js'
import { sharedFolder, sharedLab } from '../support/shared.js'

const home = sharedFolder()

const lab = sharedLab()

const flow = (args: readonly string[], input?: string) =>
  runProgram(['flow', ...args], { env: lab.env, ...(input !== undefined && { input }) })

/** Arguments of every flow, with its last two steps. */
const variants = [
  ['code', 'keys_request, resource_request'],
  ['implicit --client demo-spa', 'keys_request, resource_request'],
  ['implicit --scope openid', 'userinfo_request, resource_request'],
  ['resource', 'keys_request, resource_request'],
  ['password --client demo-legacy --user bob', 'keys_request, resource_request'],
  ['client-credentials --client demo-service', 'keys_request, resource_request'],
  ['refresh', 'reuse_request, revoked_request'],
  ['assertion --user carol', 'keys_request, resource_request'],
  ['assertion --saml', 'keys_request, resource_request'],
  ['token-exchange', 'keys_request, resource_request'],
] as const

describe('every flow in a pipe, beside a running serve', () => {
  it.each(variants)('flow %s is granted, one object a line', async (args, last) => {
    const { code, stdout, stderr } = await flow([...args.split(' '), '--json'])
    const lines = jsonLines(stdout)
    expect({ code, stderr, outcome: lines.at(-1) }).toMatchObject({
      code: 0,
      outcome: {
        type: 'outcome',
        outcome: 'granted',
        tokens: { access_token: expect.stringMatching(/^eyJ/) },
      },
    })
    const steps = lines.slice(0, -1)
    expect(steps.slice(-2).map(each => each.name)).toEqual(last.split(', '))
    expect(steps.map(each => [each.n, each.of])).toEqual(steps.map((_, i) => [i + 1, steps.length]))
    expect(stdout).not.toMatch(/wonderland|builder|christmas|demo-\w*-?secret-/)
  })

  it('device waits as long as the server asks, and is granted', async () => {
    const { code, stdout } = await flow(['device', '--json'])
    const lines = jsonLines(stdout)
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted' })
    expect(lines.map(each => each.note).join('\n')).toMatch(/authorization_pending[\s\S]*slow_down/)
    expect(code).toBe(0)
  })

  it.each(['plain', 'screen-reader'])('--%s tells all of a flow, without secrets', async mode => {
    for (const args of [['refresh'], ['assertion'], ['resource']] as const) {
      const { code, stdout } = await flow([...args, `--${mode}`])
      expect(code).toBe(0)
      expect(stdout).toMatch(/granted/i)
      expect(stdout).not.toMatch(/\x1b|wonderland|eyJ[\w-]{20,}\.eyJ/)
    }
  })

  it.each([
    [['password', '--client', 'demo-service'], 'unauthorized_client'],
    [['refresh', '--client', 'demo-spa'], 'no_refresh_token'],
    [['resource', '--token', 'abc'], 'invalid_token'],
    [['password', '--user', 'alice:wrong'], 'invalid_grant'],
  ] as const)('%j is refused with the rule and a next move: %s', async (args, error) => {
    const { code, stdout } = await flow([...args])
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^refused  ${error}.*\\(RFC`, 'm'))
    expect(stdout).toMatch(/^next +\S/m)
  })

  it('takes a token from stdin, and shows it to the resource server', async () => {
    const granted = await flow(['code', '--scope', 'records:read', '--json'])
    const { tokens } = jsonLines(granted.stdout).at(-1) as { tokens: { access_token: string } }
    const records = ['--resource', `${lab.ready.urls.resource}/records`]
    const taken = await flow(['resource', '--token', '-', ...records, '--json'], `${tokens.access_token}\n`)
    expect(jsonLines(taken.stdout).at(-1)).toMatchObject({ outcome: 'granted' })
    const exchanged = await flow(
      [
        'token-exchange',
        '--token',
        '-',
        '--audience',
        'https://api.example',
        '--json',
        '--resource',
        `${lab.ready.urls.resource}/resource`,
      ],
      tokens.access_token,
    )
    // The resource server is not the audience any more.
    expect(jsonLines(exchanged.stdout).at(-1)).toMatchObject({
      outcome: 'refused',
      error: { error: 'invalid_token' },
    })
  })

  it('takes no token of two words', async () => {
    expect(await flow(['resource', '--token', '-'], 'x y')).toMatchObject(refused(/no access token/))
  })
})

describe('flow assertion with an issuer of the lab file', () => {
  it('signs with the key that is given', async () => {
    const env = cleanEnv(home.path)
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    writeFileSync(join(home.path, 'idp.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(
      join(home.path, 'idp.json'),
      JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256' }] }),
    )
    writeFileSync(
      join(home.path, 'lab.yaml'),
      'assertion_issuers: [{ issuer: https://idp.example, jwks_file: idp.json }]\n',
    )
    const args = ['flow', 'assertion', '--config', 'lab.yaml', '--json']
    const granted = await runProgram([...args, '--issuer-key', 'idp.pem'], { env })
    expect(jsonLines(granted.stdout).at(-1)).toMatchObject({ outcome: 'granted' })
    // The built-in issuer is not registered where the lab file names others.
    const own = await runProgram(args, { env })
    expect(own.code).toBe(2)
    expect(own.stderr).toMatch(/--issuer-key/)
    const stranger = await runProgram(
      [...args, '--issuer-key', 'idp.pem', '--assertion-issuer', 'https://evil.example'],
      { env },
    )
    expect(jsonLines(stranger.stdout).at(-1)).toMatchObject({
      outcome: 'refused',
      error: { error: 'invalid_grant' },
    })
  })
})
