import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { jsonLines, launcher, runProgram, start, until } from '../../support/program.js'

const { oauthLab, env, home, written: program } = programInHome()

/** A login of a program with itself: its redirect, the callback, and a token request, whose answer is given. */
const login = (wrong: string) => `
  const http = require('node:http')
  const server = http.createServer((request, response) => {
    if (request.url === '/token') return response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ access_token: 'secret-token-0123456789', token_type: 'Bearer' }))
    response.end('hello')
  }).listen(0, '127.0.0.1', async () => {
    const origin = 'http://127.0.0.1:' + server.address().port
    const challenge = require('node:crypto').createHash('sha256').update('v'.repeat(43)).digest('base64url')
    const asked = new URLSearchParams({ response_type: 'code', client_id: 'web', redirect_uri: origin + '/cb', state: 'state-1', nonce: 'n', code_challenge: challenge, code_challenge_method: 'S256' })
    await fetch(origin + '/authorize?' + asked)
    await fetch(origin + '/cb?code=code-1&state=' + ${wrong === 'state' ? "'other'" : "'state-1'"})
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'web', code: 'code-1', redirect_uri: origin + '/cb', code_verifier: 'v'.repeat(43), password: 'wonderland' })
    await new Promise(done => http.request(origin + '/token', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, answer => answer.resume().on('end', done)).end(String(body)))
    console.log('out of the program')
    console.error('its errors')
    process.exit(Number(process.argv[1] ?? 0))
  })`

/** An expression: a token request to a port where nobody listens, as a promise of its end. */
const refused = `import('node:http').then(({ request }) => new Promise(done => request('http://127.0.0.1:65533/token', {
  method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }).on('error', done).end('grant_type=client_credentials')))`

describe('oauth-lab record', () => {
  it('leaves stdout and the exit code to the program, and writes a file for its owner that explain reads', async () => {
    const { code, stdout, stderr } = await oauthLab(
      ...'record -o a.har -- node -e'.split(' '),
      login('state'),
      '5',
    )
    expect([code, stdout]).toEqual([5, 'out of the program\n'])
    expect(stderr).toContain('its errors\n')
    expect(stderr).toMatch(
      /oauth-lab: 127\.0\.0\.1:\d+ {2}POST \/token {2}code code_verifier password → 200 {2}access_token\n/,
    )
    expect(stderr).toContain('It holds codes, tokens and secrets, and only you can read it.')
    expect(stderr).toMatch(
      /The callback came back with another state than the authorization request sent.* Next: {2}oauth-lab explain a\.har\n$/,
    )
    for (const secret of ['secret-token', 'wonderland']) expect(stderr).not.toContain(secret)
    const file = join(home(), 'a.har')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('secret-token')
    expect(readFileSync(file, 'utf8')).not.toContain('wonderland')
    const explained = await oauthLab('explain', 'a.har', '--json')
    const findings = jsonLines(explained.stdout).filter(({ type }) => type === 'finding')
    expect(findings.map(({ name }) => name)).toContain('state-differs')
  })

  it('prints JSON lines on stderr, masked, and whole with --show-secrets', async () => {
    const { stdout, stderr } = await oauthLab(...'record --json -o b.har -- node -e'.split(' '), login(''))
    const lines = jsonLines(stderr.replace('its errors\n', ''))
    expect(stdout).toBe('out of the program\n')
    expect(lines.map(({ type, name }) => name ?? type)).toEqual([
      'recording.started',
      'authorization_request',
      'authorization_request',
      'authorization_response',
      'authorization_response',
      'token_request',
      'token_request',
      'recorded',
    ])
    expect(lines.at(-1)).toMatchObject({ file: 'b.har', exchanges: 3, flows: 1 })
    expect(stderr).not.toContain('secret-token-0123456789')
    const played = await runProgram(['play', '-', '--plain'], { env: env(), input: stderr })
    expect(played.code, played.stderr).toBe(0)
    expect(played.stdout).toMatch(/ POST .*\/token /)
    expect(played.stdout).not.toContain('code=')
    const shown = await oauthLab(...'record --json --show-secrets -o b.har -- node -e'.split(' '), login(''))
    expect(shown.stderr).toContain('secret-token-0123456789')
    expect(shown.stderr).not.toContain('wonderland')
  })

  it('writes login.har, and keeps one that is there', async () => {
    await oauthLab('record', '--', 'node', '-e', login(''))
    await oauthLab('record', '--', 'node', '-e', login(''))
    expect(readdirSync(home()).filter(name => /^login/.test(name))).toEqual(['login-2.har', 'login.har'])
  })

  it('makes a file that others could read private', async () => {
    const file = join(home(), 'public.har')
    writeFileSync(file, 'old', { mode: 0o644 })
    await oauthLab('record', '-o', file, '--', 'node', '-e', login(''))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(() => JSON.parse(readFileSync(file, 'utf8'))).not.toThrow()
  })

  it('hands on the environment as it is, stdin, and a child of a child', async () => {
    const inner = program('inner.mjs', `await ${refused}`)
    const text = `process.stdin.on('data', data => {
      console.log([process.env.NODE_ENV, process.env.FORCE_COLOR, String(data)].join())
      require('node:child_process').execFileSync('node', [${JSON.stringify(inner)}])
    })`
    const running = start(process.execPath, [launcher, 'record', '-o', 'c.har', '--', 'node', '-e', text], {
      env: env(),
      input: 'typed',
    })
    const { code, stdout, stderr } = await running.ended
    expect([code, stdout]).toEqual([0, ',,typed\n'])
    expect(stderr).toContain('127.0.0.1:65533  POST /token → no answer')
  })

  it('writes no file where nothing was seen, and leaves one that was there', async () => {
    const kept = program('kept.har', 'kept')
    const { code, stderr } = await oauthLab('record', '-o', kept, '--', 'node', '-e', '0')
    expect([code, readFileSync(kept, 'utf8')]).toEqual([0, 'kept'])
    expect(stderr).toBe(
      'oauth-lab: no exchange of OAuth, OpenID Connect or SAML was seen, so nothing was written.\n',
    )
    await oauthLab('record', '-o', 'nothing.har', '--', 'node', '-e', '0')
    expect(readdirSync(home())).not.toContain('nothing.har')
  })

  it.each([
    [
      'a program that is not there',
      127,
      ['--', 'no-such-program'],
      /^oauth-lab: cannot start no-such-program: there is no such program\n {2}Check its name and PATH/,
    ],
    [
      'a file that is no program',
      126,
      ['--', '/'],
      /^oauth-lab: cannot start \/: you have no permission\n {2}Check its name and PATH/,
    ],
  ] as const)('%s: exit code %i', async (_name, code, args, message) => {
    const ended = await oauthLab('record', ...args)
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    expect(ended.stderr).toMatch(message)
    expect(readdirSync(home())).not.toContain('a.har.tmp')
  })

  const waiting = (handler: string) => `
    ${handler}
    setInterval(() => {}, 1000)
    ${refused}.then(() => console.log('ready'))`

  it.each([
    ['SIGTERM', '', 143],
    ['SIGINT', '', 130],
    ['SIGINT', "process.on('SIGINT', () => process.exit(9))", 9],
    ['SIGTERM', "process.on('SIGTERM', () => process.exit(0))", 0],
  ] as const)(
    'passes %s on (%s), ends as the program does, and keeps what was recorded',
    async (signal, handler, code) => {
      const file = `signal-${code}.har`
      const running = start(
        process.execPath,
        [launcher, 'record', '-o', file, '--', 'node', '-e', waiting(handler)],
        {
          env: env(),
        },
      )
      await until(() => (running.stdout().includes('ready') ? true : undefined), running.stderr)
      running.child.kill(signal)
      const ended = await running.ended
      expect([ended.code, ended.signal]).toEqual([code, null])
      expect(readFileSync(join(home(), file), 'utf8')).toContain('/token')
    },
  )

  it('that is killed does not break the program', async () => {
    const text = `
      console.log(process.pid)
      const ask = () => ${refused}
      process.stdin.on('end', async () => {
        for (let i = 0; i < 20; i++) await ask()
        require('node:fs').writeFileSync('survived', 'yes')
      }).resume()`
    const running = start(process.execPath, [launcher, 'record', '-o', 'k.har', '--', 'node', '-e', text], {
      env: env(),
      input: null,
    })
    await until(() => (running.stdout().includes('\n') ? true : undefined), running.stderr)
    running.child.kill('SIGKILL')
    running.child.stdin.end()
    await until(() => (readdirSync(home()).includes('survived') ? true : undefined), running.stderr)
  })
})
