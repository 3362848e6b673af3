import { readFileSync } from 'node:fs'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/https.js'
import { cleanEnv, jsonLines, launcher, run, runProgram, startProgram, until } from '../support/program.js'
import { sharedFolder, sharedLab } from '../support/shared.js'

const home = sharedFolder()
const flow = ['flow', 'code', '--client', 'demo']

/** Steps of a granted flow without `openid`. */
const names = [
  'authorization_request',
  'login_form',
  'login',
  'authorization_response',
  'token_request',
  'keys_request',
  'resource_request',
]

describe('flow code without a terminal, as the first command ever typed', () => {
  it('runs to the end against a lab of its own, one object a line', async () => {
    const { code, stdout, stderr } = await runProgram([...flow, '--user', 'alice', '--json'], {
      env: cleanEnv(home.path),
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const lines = jsonLines(stdout)
    expect(lines.map(each => each.name ?? each.type)).toEqual([...names, 'outcome'])
    expect(lines.slice(0, -1).map(each => [each.type, each.n, each.of])).toEqual(
      names.map((_name, i) => ['step', i + 1, names.length]),
    )
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted', tokens: { expires_in: 3600 } })
    // Which lab it was is said, and not on stdout.
    expect(stderr).toMatch(/lab/i)
  })

  it.each([
    ['a pipe', {}],
    ['TERM=dumb', { TERM: 'dumb' }],
    ['CI', { CI: '1', TERM: 'xterm' }],
    ['FORCE_COLOR unset, NO_COLOR', { NO_COLOR: '1' }],
  ])('prints plain lines without secrets and escape sequences: %s', async (_what, more) => {
    const { code, stdout } = await runProgram(flow, { env: cleanEnv(home.path, more) })
    expect(code).toBe(0)
    expect(stdout).toMatch(/granted/)
    expect(stdout).not.toMatch(/\x1b|wonderland|demo-secret|eyJ[\w-]{20,}\.eyJ/)
    expect(stdout.split('\n').length).toBeGreaterThan(names.length)
  })

  it('shows tokens when they are asked for', async () => {
    const { stdout } = await runProgram([...flow, '--plain', '--show-secrets'], { env: cleanEnv(home.path) })
    expect(stdout).toMatch(/eyJ[\w-]{20,}\.eyJ/)
  })

  it('ends quietly when its reader has seen enough', async () => {
    const line = `'${process.execPath}' '${launcher}' ${flow.join(' ')} --json | head -n 1`
    const { code, stdout, stderr } = await run('sh', ['-c', line], { env: cleanEnv(home.path) })
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toMatchObject([{ name: 'authorization_request' }])
    expect(stderr).not.toMatch(/EPIPE|Error|at /)
  })
})

describe('flow code beside a running serve', () => {
  const lab = sharedLab()

  it('uses it, and its token verifies against the published keys', async () => {
    const { code, stdout } = await runProgram([...flow, '--json'], { env: lab.env })
    expect(code).toBe(0)
    const { tokens } = jsonLines(stdout).at(-1) as { tokens: { access_token: string } }
    const issuer = lab.ready.urls.authorization
    const ca = readFileSync(lab.ready.ca, 'utf8')
    const document = await ask(`${issuer}/.well-known/openid-configuration`, { ca })
    const { jwks_uri: uri } = JSON.parse(document.body) as { jwks_uri: string }
    const keys = JSON.parse((await ask(uri, { ca })).body) as JSONWebKeySet
    const { payload } = await jwtVerify(tokens.access_token, createLocalJWKSet(keys), {
      issuer,
      audience: 'demo',
    })
    expect(payload).toMatchObject({ sub: 'alice', exp: payload.iat! + 3600, nbf: payload.iat! - 30 })
  })

  it('is reported in the events, without codes and tokens', async () => {
    expect((await lab.events()).some(({ type }) => String(type).startsWith('code.'))).toBe(true)
    const { tokens } = jsonLines((await runProgram([...flow, '--json'], { env: lab.env })).stdout).at(-1) as {
      tokens: { access_token: string }
    }
    const events = await lab.events()
    expect(JSON.stringify(events)).not.toContain(tokens.access_token)
    expect(JSON.stringify(events)).not.toMatch(/wonderland|demo-secret/)
    for (const each of events.slice(1)) {
      expect(each).toMatchObject({ type: expect.stringMatching(/^[a-z_.]+$/), at: expect.any(String) })
    }
  })

  it('starts a lab of its own when it has ended', async () => {
    await lab.stop()
    const { code, stdout } = await runProgram([...flow, '--json'], { env: lab.env })
    expect(code).toBe(0)
    expect(stdout).not.toContain(`"${lab.ready.urls.authorization}`)
  })
})

describe('serve', () => {
  it('prints lines to paste on a pipe', async () => {
    const running = startProgram(['serve', '--port', '0', '--http-port', '0'], { env: cleanEnv(home.path) })
    const said = () => running.stdout() + running.stderr()
    await until(
      () => (/curl --cacert \S+ https:\/\/localhost:\d+/.test(said()) ? true : undefined),
      () => said(),
    )
    expect(said()).toMatch(/NODE_EXTRA_CA_CERTS=\S+\.pem/)
    expect(said()).toMatch(/oauth-lab flow code --client demo/)
    expect(said()).not.toContain('\x1b')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(143)
  })
})
