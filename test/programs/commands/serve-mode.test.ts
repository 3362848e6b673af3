import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { encodeForm } from '../../../src/protocol/http/form.js'
import { programInHome } from '../../commands/support.js'
import { freePort } from '../../support/free-ports.js'
import { ask } from '../../support/https.js'
import { runProgram, startProgram, until } from '../../support/program.js'
import { type LabReady, withoutLabLine } from '../../support/serve.js'
import { testLab } from '../../support/shared.js'

const { env, oauthLab } = programInHome()

async function running(...args: string[]) {
  const lab = await testLab(args)
  const ca = readFileSync(lab.ready.ca, 'utf8')
  const { authorization } = lab.ready.urls
  const get = (path: string) => ask(`${authorization}${path}`, { ca })
  const post = (path: string, form: Record<string, string>) =>
    ask(`${authorization}${path}`, {
      ca,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeForm(Object.entries(form)),
    })
  return { lab, get, post }
}

const request = encodeForm(
  Object.entries({ response_type: 'code', client_id: 'demo', redirect_uri: 'http://127.0.0.1/callback' }),
)

describe('serve --explain', () => {
  it.each([
    ['login-only', '/token'],
    ['shared-secret', 'HS256'],
    ['key-pair', 'PEM'],
  ])('prints the differences of %s with their reasons, and exits', async (stage, fact) => {
    const { code, stdout, stderr } = await oauthLab('serve', '--stage', stage, '--explain')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`The stage ${stage} does otherwise`)
    for (const word of [fact, 'here ', 'otherwise ', 'why ']) expect(stdout).toContain(word)
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(88)
  })

  it('reports that the default has no differences, and lists those of the reference', async () => {
    expect((await oauthLab('serve', '--explain')).stdout).toContain('leaves nothing out')
    const { stdout } = await oauthLab('serve', '--profile', 'reference', '--explain', '--json')
    const { stage, profile, differences } = JSON.parse(stdout)
    expect([stage, profile]).toEqual(['published-keys', 'reference'])
    expect(differences.map((each: { point: string }) => each.point)).toContain('unit of nbf, iat and exp')
  })
})

describe('serve', () => {
  it('--stage login-only has no token endpoint yet', async () => {
    const { lab, get, post } = await running('--stage', 'login-only')
    expect((await post('/token', {})).status).toBe(500)
    expect((await get('/.well-known/jwks.json')).status).toBe(404)
    expect((await get(`/authorization?${request}`)).status).toBe(200)
    expect(lab.stderr()).toContain('--stage login-only --explain')
  })

  it('--profile reference warns loudly', async () => {
    const { lab, get } = await running('--profile', 'reference')
    expect(lab.stderr()).toMatch(/!{20}\n!! Profile reference: this server redirects anywhere/)
    expect((await get('/')).body).toContain('Profile reference')
  })

  it('--fail answers as asked, and says so in an event', async () => {
    const { lab, get, post } = await running(
      ...['--fail', 'token:invalid_grant:once', '--fail', 'authorization:temporarily_unavailable'],
    )
    const refused = await post('/token', { grant_type: 'nonsense' })
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([400, 'invalid_grant'])
    expect(JSON.parse((await post('/token', { grant_type: 'nonsense' })).body).error).toBe(
      'unsupported_grant_type',
    )
    for (let i = 0; i < 2; i++) {
      const redirected = await get(`/authorization?${request}`)
      expect(String(redirected.headers.location)).toMatch(/^http:\/\/127.*error=temporarily_unavailable/)
    }
    await lab.stop()
    const found = (await lab.events()).filter(each => each.type === 'fault.injected')
    expect(found.map(({ endpoint, error, left }) => [endpoint, error, left])).toEqual([
      ['token', 'invalid_grant', 0],
      ['authorization', 'temporarily_unavailable', 'always'],
      ['authorization', 'temporarily_unavailable', 'always'],
    ])
  })

  it('--now sets the clock, which runs on; a flow of another program agrees with it', async () => {
    const { lab, get } = await running('--now', '2030-01-01T12:00:00Z')
    const { headers } = await get('/')
    expect(headers.date).toMatch(/^Tue, 01 Jan 2030 12:0\d:\d\d GMT$/)
    const flow = await runProgram(['flow', 'code', '--scope', 'openid', '--json'], { env: lab.env })
    expect([flow.code, withoutLabLine(flow.stderr)]).toEqual([0, ''])
    await lab.stop()
    expect((await lab.events()).at(-1)?.at).toMatch(/^2030-01-01T12:0/)
  })
})

/** The bytes that come back for a request. */
async function rawAnswer(url: URL, ca: string, lines: readonly string[], body = ''): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(url.port), ca, servername: 'localhost' })
  socket.setEncoding('utf8')
  let answer = ''
  socket.on('data', (chunk: string) => {
    answer += chunk
  })
  const head = [
    ...lines,
    `host: ${url.host}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'end')
  return answer
}

/** One whole login with openid, from a lab that was started anew: every byte of its answers and its events. */
async function transcript(port: number): Promise<string> {
  const args = ['--port', String(port), '--http-port', '0', '--seed', '7', '--now', '1893456000']
  const program = startProgram(['serve', '--json', ...args], { env: env() })
  try {
    const line = await until(
      () => (program.stdout().includes('\n') ? program.stdout().split('\n', 1)[0] : undefined),
      program.stderr,
    )
    const { urls, ca: file } = JSON.parse(line) as LabReady
    const [url, ca] = [new URL(urls.authorization), readFileSync(file, 'utf8')]
    const form = 'content-type: application/x-www-form-urlencoded'
    const target = `/authorization?${request}&scope=openid&state=x&nonce=y`
    const answers: string[] = []
    const send = async (lines: readonly string[], body = '') => {
      const answer = await rawAnswer(url, ca, lines, body)
      answers.push(answer)
      return answer
    }
    await send(['GET /.well-known/jwks.json HTTP/1.1'])
    const page = await send([`GET ${target} HTTP/1.1`])
    const cookie = /^set-cookie: ([^;]*)/im.exec(page)?.[1]
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1]
    const landed = await send(
      [`POST ${target} HTTP/1.1`, form, `cookie: ${cookie}`],
      encodeForm(Object.entries({ username: 'alice', password: 'wonderland', csrf })),
    )
    const code = /[?&]code=([\w-]+)/.exec(landed)?.[1]
    const tokens = await send(
      ['POST /token HTTP/1.1', form],
      encodeForm(
        Object.entries({
          grant_type: 'authorization_code',
          code,
          redirect_uri: 'http://127.0.0.1/callback',
          client_id: 'demo',
          client_secret: 'demo-secret-0123456789abcdef0123456789',
        }),
      ),
    )
    const token = /"access_token":"([^"]+)"/.exec(tokens)?.[1]
    const claims = await send(['GET /userinfo HTTP/1.1', `authorization: Bearer ${token}`])
    expect(claims).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    const events = await until(
      () => (/"path":"\/userinfo"/.test(program.stdout()) ? program.stdout() : undefined),
      program.stdout,
    )
    return [...answers, events.slice(events.indexOf('\n') + 1)].join('\n')
  } finally {
    program.child.kill()
    await program.ended
  }
}

describe('serve --seed --now', () => {
  it('gives the same bytes and the same events twice', async () => {
    const port = await freePort()
    const first = await transcript(port)
    expect(first).toContain('"id_token"')
    expect(first).toContain('date: Tue, 01 Jan 2030 00:00:00 GMT')
    expect(await transcript(port)).toBe(first)
  })
})
