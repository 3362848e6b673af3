import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/https.js'
import { cleanEnv, type Ended, jsonLines, runProgram, startProgram, until } from '../support/program.js'
import { sharedFolder, sharedLab, testLab } from '../support/shared.js'

const home = sharedFolder()
const env = cleanEnv(home.path)
const flow = ['flow', 'code', '--client', 'demo']

/** Never a stack trace, never Node's own report of a crash. */
function expectCalm({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toMatch(
    /^\s+at .*[:(]|node:internal|UnhandledPromise|Node\.js v\d|DeprecationWarning/m,
  )
}

it('a server that never answers ends the command with exit 124 after its timeout', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  const sockets: { destroy(): void }[] = []
  silent.on('connection', socket => sockets.push(socket))
  try {
    const ended = await runProgram([...flow, '--server', `https://127.0.0.1:${port}`, '--timeout', '1s'], {
      env,
    })
    expect(ended.code).toBe(124)
    expectCalm(ended)
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

describe('beside a running lab', () => {
  const lab = sharedLab()
  let ca: string
  beforeAll(async () => {
    ca = readFileSync(lab.ready.ca, 'utf8')
  })
  const url = (path: string) => `${lab.ready.urls.authorization}${path}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('a foreign certificate says how to trust it, and exits 3', async () => {
    const ended = await runProgram([...flow, '--server', lab.ready.urls.authorization], { env })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain('--cacert')
    expectCalm(ended)
    const trusted = await runProgram(
      [...flow, '--server', lab.ready.urls.authorization, '--cacert', lab.ready.ca, '--json'],
      { env },
    )
    expect(trusted).toMatchObject({ code: 0 })
  })

  it('a wrong password is refused: the form comes back, no code', async () => {
    const ended = await runProgram([...flow, '--user', 'alice:wrong', '--json'], { env: lab.env })
    expect(ended.code).toBe(1)
    const lines = jsonLines(ended.stdout)
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', outcome: 'refused' })
    const login = lines.find(each => each.name === 'login') as { exchange: { response: { status: number } } }
    expect(login.exchange.response.status).toBeGreaterThanOrEqual(200)
    expect(login.exchange.response.status).not.toBe(302)
    expect(JSON.stringify(await lab.events())).not.toContain('alice:wrong')
    expectCalm(ended)
  })

  it('a form of 1 MB is 413, in the format of each endpoint', async () => {
    const body = `grant_type=authorization_code&code=${'a'.repeat(1024 * 1024)}`
    const token = await ask(url('/token'), { ca, method: 'POST', headers: form, body })
    expect(token.status).toBe(413)
    expect(token.headers['content-type']).toBe('application/json;charset=UTF-8')
    expect(JSON.parse(token.body)).toMatchObject({ error: 'invalid_request' })
    const login = await ask(url('/authorization'), { ca, method: 'POST', headers: form, body })
    expect(login.status).toBe(413)
  })

  it('bad percent-encoding is 400', async () => {
    const token = await ask(url('/token'), { ca, method: 'POST', headers: form, body: 'grant_type=%zz' })
    expect(token.status).toBe(400)
    expect(JSON.parse(token.body)).toMatchObject({ error: 'invalid_request' })
    const page = await ask(url('/authorization?client_id=demo&state=%'), { ca })
    expect(page.status).toBe(400)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers.location).toBeUndefined()
  })

  it('hostile text stays text: in pages, in headers, on the terminal', async () => {
    const plain = startProgram(['serve', '--plain', '--port', '0', '--http-port', '0'], {
      env: cleanEnv(temporaryHome.path),
    })
    const said = () => plain.stdout() + plain.stderr()
    const base = await until(
      () => /https:\/\/localhost:\d+/.exec(said())?.[0],
      () => said(),
    )
    const authority = readFileSync(/\/\S+\.pem/.exec(said())?.[0] ?? '', 'utf8')
    const hostile = encodeURIComponent(
      '\x1b]0;owned\x07\x1b[2J"><script>alert(1)</script>\r\nset-cookie: a=b\u202e',
    )
    const query = (more: string) =>
      `response_type=code&client_id=demo&redirect_uri=${encodeURIComponent('http://127.0.0.1:7000/callback')}&${more}`
    const form = await ask(`${base}/authorization?${query(`scope=records:read&state=${hostile}`)}`, {
      ca: authority,
    })
    expect(form.status).toBe(200)
    expect(form.body).not.toContain('<script>')
    const scope = await ask(`${base}/authorization?${query(`scope=${hostile}&state=${hostile}`)}`, {
      ca: authority,
    })
    expect(scope.status).toBe(302)
    const landed = new URL(String(scope.headers.location))
    expect(landed.searchParams.get('error')).toBe('invalid_scope')
    expect(encodeURIComponent(landed.searchParams.get('state') ?? '')).toBe(hostile)
    const client = await ask(`${base}/authorization?client_id=${hostile}`, { ca: authority })
    expect(client.status).toBe(400)
    expect(client.body).not.toContain('<script>')
    plain.child.kill('SIGTERM')
    await plain.ended
    expect(said()).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202e]/)
  })

  it('Ctrl-C while it waits for the browser exits 130, SIGTERM 143', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const waiting = startProgram([...flow, '--browser', '--no-open'], { env: lab.env })
      const said = () => waiting.stdout() + waiting.stderr()
      await until(
        () => (/https:\/\/localhost:\d+\/authorization\?/.test(said()) ? true : undefined),
        () => said(),
      )
      waiting.child.kill(signal)
      const ended = await waiting.ended
      expect(ended).toMatchObject({ code, signal: null })
      expectCalm(ended)
    }
  })

  it('a lab that stops while a flow waits is exit 3', async () => {
    const gone = await testLab()
    const waiting = startProgram([...flow, '--browser', '--no-open', '--json'], { env: gone.env })
    const said = () => waiting.stdout() + waiting.stderr()
    const authorization = await until(
      () => /https:\/\/localhost:\d+\/authorization\?[^\s"]+/.exec(said())?.[0],
      () => said(),
    )
    await gone.stop('SIGKILL')
    const request = new URL(authorization).searchParams
    const answer = new URLSearchParams({
      code: 'x',
      state: request.get('state') ?? '',
      iss: gone.ready.urls.authorization,
    })
    await ask(`${request.get('redirect_uri')}?${answer}`)
    const ended = await waiting.ended
    expect(ended.code).toBe(3)
    expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ outcome: 'failed' })
    expectCalm(ended)
  })
})

const temporaryHome = sharedFolder()
