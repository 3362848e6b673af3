import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectProxy } from '../client/support/connect-proxy.js'
import { listen, testCertificate } from '../client/support/tls-server.js'
import { cleanEnv, runProgram, startProgram, temporaryFolder } from '../support/program.js'

// A server that only the proxy knows, with a certificate that only NODE_EXTRA_CA_CERTS vouches for. The state folder has the
// lab's CA, as after the first run of any lab.

const home = temporaryFolder()
const extra = join(home.path, 'company.pem')
const asked: string[] = []
const closing: (() => Promise<void>)[] = []
let proxied: string[] = []
let port = ''
let proxyPort = 0

beforeAll(async () => {
  const certificate = await testCertificate(['server.test', 'localhost'])
  writeFileSync(extra, certificate.cert)
  writeFileSync(join(home.path, 'token'), 'secret-token')
  const { origin, close } = await listen((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }, certificate)
  port = new URL(origin).port
  const proxy = await connectProxy()
  proxied = proxy.asked
  proxyPort = proxy.port
  closing.push(close, proxy.close)
  await runProgram(['ca', 'path'], { env: cleanEnv(home.path) })
})
afterAll(async () => {
  for (const close of closing) await close()
  home.remove()
})

const environment = (certificates = extra) =>
  cleanEnv(home.path, {
    NODE_EXTRA_CA_CERTS: certificates,
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
  })

const commands: readonly (readonly [string, (server: string) => string[]])[] = [
  ['flow --issuer', server => ['flow', 'client-credentials', '--issuer', server, '--client-id', 'me']],
  ['flow --server', server => ['flow', 'client-credentials', '--server', server]],
  ['doctor', server => ['doctor', server, '--client-id', 'me']],
  ['jwt verify', server => ['jwt', 'verify', 'eyJhbGciOiJSUzI1NiJ9.e30.AA', '--issuer', server]],
  ['k8s', server => ['k8s', 'whoami', '--cluster', server]],
  ['cf', server => ['cf', 'verify', '--api-url', server, '--token-file', join(home.path, 'token')]],
  ['cf events --webhook', server => ['cf', 'events', '--since', '24h', '--webhook', `${server}/hook`]],
]

describe.each(commands)('oauth-lab %s', (_, args) => {
  it('honours NODE_EXTRA_CA_CERTS and HTTPS_PROXY whatever the state folder holds', async () => {
    const [before, tunnels] = [asked.length, proxied.length]
    const command = args(`https://server.test:${port}`)
    const { stderr, stdout } = await runProgram(command, { env: environment() })
    expect(asked.length, stdout + stderr).toBeGreaterThan(before)
    expect(proxied.length).toBeGreaterThan(tunnels)
  })
})

it('oauth-lab resource fetches keys by the same rules', async () => {
  const before = asked.length
  const server = `https://server.test:${port}`
  const program = startProgram(['resource', '--issuer', server, '--audience', 'me', '--port', '0'], {
    env: environment(),
  })
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(before)
  program.child.kill('SIGTERM')
  await program.ended
})

it('a server of this machine may have a certificate of another CA than the lab’s', async () => {
  const before = asked.length
  const { stderr } = await runProgram(['k8s', 'whoami', '--cluster', `https://localhost:${port}`], {
    env: environment(),
  })
  expect(asked.length, stderr).toBeGreaterThan(before)
})

it('oauth-lab compress get, which measures its own connection, honours NODE_EXTRA_CA_CERTS too', async () => {
  const before = asked.length
  const { stderr } = await runProgram(['compress', 'get', `https://localhost:${port}/x`], {
    env: environment(),
  })
  expect(asked.length, stderr).toBeGreaterThan(before)
})

it('without either, the command says what is missing', async () => {
  const server = `https://server.test:${port}`
  const command = ['k8s', 'whoami', '--cluster', server]
  const proxy = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` }
  const direct = await runProgram(command, { env: cleanEnv(home.path, { NODE_EXTRA_CA_CERTS: extra }) })
  expect([direct.code, direct.stderr]).toEqual([3, expect.stringContaining('cannot reach')])
  const foreign = await runProgram(command, { env: cleanEnv(home.path, proxy) })
  expect([foreign.code, foreign.stderr]).toEqual([
    3,
    expect.stringContaining('signed by an unknown authority'),
  ])
})

it('a bad file in NODE_EXTRA_CA_CERTS is one warning', async () => {
  const command = ['k8s', 'whoami', '--cluster', `https://server.test:${port}`]
  const { stderr } = await runProgram(command, { env: environment(join(home.path, 'missing.pem')) })
  expect(stderr.match(/missing\.pem/g)).toHaveLength(1)
  expect(stderr).toMatch(/^Warning: Ignoring extra certs from /m)
})
