import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../../support/https.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, launcher, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const folder = temporaryFolder()
let provider: OtherIssuer
let env: Record<string, string>
let ca = ''

beforeAll(async () => {
  env = cleanEnv(folder.path)
  const { stdout } = await runProgram(['ca', 'path'], { env })
  ca = readFileSync(stdout.trim(), 'utf8')
  provider = await startIssuer('oidc-provider-endpoints.js', [join(dirname(stdout.trim()), 'leaf.pem')], env)
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

const secret = (id: string) => `${id}-secret-0123456789abcdef0123456789`

/** Runs a command at oidc-provider as one of its clients. */
const oauthLab = (client: string, args: readonly string[], input?: string) =>
  runProgram([...args, '--issuer', provider.issuer, '--client-id', client], {
    env: { ...env, OAUTH_LAB_CLIENT_SECRET: secret(client) },
    limit: 60_000,
    ...(input !== undefined && { input }),
  })

async function token(client: string): Promise<string> {
  const flow = ['flow', 'code', '--user', 'alice:x', '--scope', 'openid profile', '-o', 'token']
  const { code, stdout, stderr } = await oauthLab(client, flow)
  expect(code, stderr).toBe(0)
  return stdout.trim()
}

describeWith([rigs], 'the endpoints of oidc-provider', () => {
  it('introspect reads what openid-client reads', async () => {
    const bare = await token('app')
    const { code, stdout } = await oauthLab('app', ['introspect', '-', '--json'], bare)
    expect(code).toBe(0)
    const client = await import('openid-client')
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const server = await client.discovery(new URL(provider.issuer), 'app', secret('app'))
      const theirs = await client.tokenIntrospection(server, bare)
      expect((JSON.parse(stdout) as { claims: object }).claims).toEqual(theirs)
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  it('a client that signs with its secret logs in, and nobody else in its name', async () => {
    const flow = ['flow', 'code', '--user', 'alice:x', '--scope', 'openid', '--auth', 'client_secret_jwt']
    const { code, stdout, stderr } = await oauthLab('shared', [...flow, '-o', 'token'])
    expect([code, stderr], stdout).toEqual([0, expect.any(String)])
    const asked = await oauthLab('shared', ['introspect', '-', '--auth', 'client_secret_jwt'], stdout.trim())
    expect(asked.code, asked.stderr).toBe(0)
    const forged = await oauthLab('shared', [...flow, '--tamper', 'altered-client-assertion', '--json'])
    expect(forged.code, forged.stderr).toBe(0)
    expect(jsonLines(forged.stdout).at(-1)).toMatchObject({ outcome: 'refused' })
  })

  it('signed answers of introspection and userinfo are verified', async () => {
    const bare = await token('signed')
    const asked = await oauthLab('signed', ['introspect', '-', '--signed', '--json'], bare)
    expect(asked.code, asked.stderr).toBe(0)
    expect(JSON.parse(asked.stdout)).toMatchObject({
      active: true,
      signed: { typ: 'token-introspection+jwt', alg: 'RS256' },
      claims: { sub: 'alice', client_id: 'signed' },
    })
    const person = await oauthLab('signed', ['userinfo', '-', '--subject', 'alice', '--json'], bare)
    expect(person.code, person.stderr).toBe(0)
    expect(JSON.parse(person.stdout)).toMatchObject({
      sub: 'alice',
      signed: true,
      claims: { name: 'alice of the rig' },
    })
  })

  it('a revoked token is active no more', async () => {
    const bare = await token('app')
    expect(await oauthLab('app', ['revoke', '-', '--hint', 'access_token'], bare)).toMatchObject({ code: 0 })
    expect(await oauthLab('app', ['introspect', '-'], bare)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^✗ not active/),
    })
    expect(await oauthLab('app', ['userinfo', '-'], bare)).toMatchObject({ code: 1, stdout: '' })
  })

  it('discover finds both of its documents, which agree', async () => {
    const { code, stdout } = await runProgram(['discover', provider.issuer, '--json'], { env })
    const { documents, differences } = JSON.parse(stdout) as {
      documents: { status: number }[]
      differences: object[]
    }
    expect({ code, statuses: documents.map(({ status }) => status), differences }).toEqual({
      code: 0,
      statuses: [200, 200],
      differences: [],
    })
  })

  it('call sends the nonce that each proof needs there, and uses the kept key again', async () => {
    const args = ['call', `${provider.issuer}/me`, '--user', 'alice:x', '--scope', 'openid profile', '--dpop']
    const first = await oauthLab('app', args)
    expect(first.code, first.stderr).toBe(0)
    expect(JSON.parse(first.stdout)).toMatchObject({ sub: 'alice' })
    const second = await oauthLab('app', args)
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('Uses the kept token') })
  })

  it('register shows its initial access token, and manages the client with tokens that rotate', async () => {
    const file = join(folder.path, 'initial.txt')
    writeFileSync(file, 'initial-token-of-the-rig\n')
    const at = ['--issuer', provider.issuer]
    const args = ['register', '--redirect-uri', 'https://app.example/cb', '--json', ...at]
    expect(await runProgram(args, { env })).toMatchObject({ code: 1 })
    const made = await runProgram([...args, '--initial-token-file', file], { env })
    expect(made.code, made.stderr).toBe(0)
    const id = (JSON.parse(made.stdout) as { client: { client_id: string } }).client.client_id
    // The server makes up the name, which may begin with a dash.
    for (const name of ['One', 'Two']) {
      const changed = await runProgram(['register', 'update', '--name', name, '--json', '--', id], { env })
      expect(changed.code, changed.stderr).toBe(0)
      expect(JSON.parse(changed.stdout)).toMatchObject({ client: { client_name: name } })
    }
    expect(await runProgram(['register', 'read', '--', id], { env })).toMatchObject({ code: 0 })
    expect(await runProgram(['register', 'delete', ...at, '--', id], { env })).toMatchObject({ code: 0 })
  })

  it('logout prints an address that it understands', async () => {
    const { code, stdout } = await oauthLab('app', ['logout'])
    expect(code).toBe(0)
    const { status, body } = await ask(stdout.trim(), { ca })
    expect({ status, isForm: body.includes('<form') }).toEqual({ status: 200, isForm: true })
  })
})

describeWith(['curl', rigs], 'call beside curl', () => {
  let api: Server
  let base = ''
  let seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = []
  beforeAll(async () => {
    api = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method, url, headers } = request
      seen.push({
        ...(method && { method }),
        ...(url && { url }),
        headers,
        body: Buffer.concat(chunks).toString('latin1'),
      })
      response.writeHead(207, { 'x-one': '1' }).end(Buffer.from([0, 255, 10, 13, 10, 0xe2, 0x82]))
    })
    await new Promise<void>(done => api.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  })
  afterAll(() => void api.close())

  it.each([
    [[]],
    [['-X', 'DELETE']],
    [['-d', 'a=1', '-d', 'b=2']],
    [['-X', 'PUT', '-d', '{"a":1}', '-H', 'Content-Type: application/json', '-H', 'X-Note: hi']],
    [['-H', 'Accept: text/csv']],
  ])('with %j sends and prints the same', async args => {
    const target = [
      '--issuer',
      provider.issuer,
      '--client-id',
      'app',
      '--user',
      'alice:x',
      '--scope',
      'openid',
    ]
    const own = { env: { ...env, OAUTH_LAB_CLIENT_SECRET: secret('app') }, encoding: 'buffer' } as const
    const run = promisify(execFile)
    seen = []
    const ours = await run(process.execPath, [launcher, 'call', `${base}/a?b=%20c`, ...args, ...target], own)
    const bearer = seen[0]?.headers.authorization ?? ''
    const theirs = await run(
      'curl',
      ['-sS', '--noproxy', '*', `${base}/a?b=%20c`, ...args, '-H', `Authorization: ${bearer}`],
      own,
    )
    expect(ours.stdout).toEqual(theirs.stdout)
    const [here, there] = seen.map(({ headers, ...rest }) => {
      const { connection: _c, 'user-agent': _u, 'content-length': _l, host: _h, ...others } = headers
      return { ...rest, headers: others }
    })
    expect(bearer).toMatch(/^Bearer \S+$/)
    expect(here).toEqual(there)
  })
})
