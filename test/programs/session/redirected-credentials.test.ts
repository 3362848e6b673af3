import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import { runHere } from '../../support/in-process.js'
import { cleanEnv, temporaryFolder } from '../../support/program.js'

const SECRET = 'very-secret-0123456789abcdef'
const PASSWORD = 'wonderland-0123456789'
const TOKEN = 'given-token-0123456789abcdef'
const ISSUED = 'issued-token-0123456789abcdef'

const folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)
const servers: Server[] = []
/** Everything that reached the other origin. */
let leaked: string[] = []
/** The requests with a credential that reached the server they are for. */
let arrived = 0
let honest = ''
let hostile = ''

type Answer = { readonly status: number; readonly body?: object; readonly location?: string }

beforeAll(async () => {
  const { certPem, keyPem, caPem } = await ensureCertificates(memoryState())
  writeFileSync(at('ca.pem'), caPem)
  for (const [name, text] of Object.entries({ secret: SECRET, token: TOKEN })) writeFileSync(at(name), text)

  async function listenWith(host: string, answer: (path: string, asked: string) => Answer): Promise<string> {
    const server = createServer({ cert: certPem, key: keyPem }, async (request, response) => {
      const body = (await request.toArray()).join('')
      const basic = /^Basic (.*)/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const asked = `${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n${atob(basic)}\n${body}`
      const {
        status,
        body: json,
        location,
      } = answer(new URL(request.url ?? '/', 'https://x').pathname, asked)
      response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
      response.end(json && JSON.stringify(json))
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `https://${host}:${(server.address() as AddressInfo).port}`
  }

  hostile = await listenWith('127.0.0.1', (path, asked) => {
    if (path.startsWith('/.well-known/')) return { status: 200, body: metadata(hostile) }
    leaked.push(asked)
    return { status: 200, body: { access_token: 'x', token_type: 'Bearer' } }
  })
  honest = await listenWith('localhost', (path, asked) => {
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return { status: 200, body: { resource: `${honest}/mcp`, authorization_servers: [hostile] } }
    if (path.startsWith('/.well-known/')) return { status: 200, body: metadata(honest) }
    if ([SECRET, PASSWORD, TOKEN, ISSUED].some(each => asked.includes(each))) arrived += 1
    if (path === '/issues') return { status: 200, body: { access_token: ISSUED, token_type: 'Bearer' } }
    return { status: path === '/mcp' ? 401 : 307, location: `${hostile}${path}` }
  })
})
afterAll(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  folder.remove()
})
beforeEach(() => {
  leaked = []
  arrived = 0
})

const metadata = (issuer: string) => ({
  issuer,
  ...Object.fromEntries(
    ['token', 'revocation', 'introspection', 'userinfo', 'device_authorization'].map(name => [
      `${name}_endpoint`,
      `${issuer}/${name}`,
    ]),
  ),
  authorization_endpoint: `${issuer}/authorization`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
})

const client = () => ['--issuer', honest, '--client-id', 'web', '--client-secret-file', at('secret')]
const issuing = () => ['--token-endpoint', `${honest}/issues`, ...client()]

it.each<[string, () => readonly string[], string?]>([
  ['the secret of flow client-credentials', () => ['flow', 'client-credentials', ...client()]],
  ['the secret of flow device', () => ['flow', 'device', ...client(), '--user', `alice:${PASSWORD}`]],
  ['a password', () => ['flow', 'password', ...client(), '--user', 'alice', '--password-stdin'], PASSWORD],
  ['a refresh token', () => ['flow', 'refresh', ...client(), '--refresh-token', '-'], TOKEN],
  ['a token of an exchange', () => ['flow', 'token-exchange', ...client(), '--subject-token', '-'], TOKEN],
  ['a token of introspect', () => ['introspect', ...client(), '-'], TOKEN],
  ['a token of revoke', () => ['revoke', ...client(), '-'], TOKEN],
  ['a token of userinfo', () => ['userinfo', ...client(), '-'], TOKEN],
  ['the secret of call', () => ['call', `${honest}/api`, ...client()]],
  ['the token of call', () => ['call', `${honest}/api`, '-L', ...issuing()]],
  [
    'a token of k8s',
    () => ['k8s', 'whoami', '--cluster', honest, '--bearer-file', at('token'), '--cacert', at('ca.pem')],
  ],
  ['a token of cf', () => ['cf', 'zones', '--api-url', `${honest}/client/v4`, '--token-file', at('token')]],
])('%s stays where it was sent when that server redirects elsewhere', async (_, args, input) => {
  const { stderr } = await here(args(), input)
  expect(arrived, stderr).toBeGreaterThan(0)
  expect(leaked).toEqual([])
})

it('flow mcp takes a secret to a server that the MCP server names only when the person names it too', async () => {
  const mcp = ['flow', 'mcp', `${honest}/mcp`, '--client-id', 'web', '--client-secret-file', at('secret')]
  const flow = [...mcp, '--grant', 'client_credentials', '--plain']
  const { code, stdout, stderr } = await here(flow)
  expect(code).toBe(1)
  expect(`${stdout}${stderr}`).toContain(`the secret of client web is for ${honest}`)
  expect(`${stdout}${stderr}`).toContain('--issuer URL')
  expect(leaked).toEqual([])
  await here([...flow, '--issuer', hostile])
  expect(leaked.join('\n')).toContain(SECRET)
})

function here(args: readonly string[], input?: string) {
  const env = cleanEnv(folder.path)
  return runHere([...args, '--cacert', at('ca.pem')], { env, ...(input !== undefined && { input }) })
}
