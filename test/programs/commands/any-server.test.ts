import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ends, refused } from '../../commands/support.js'
import { cleanEnv, jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

// The lab stands for a server that publishes nothing: its addresses are named, and its documents are not asked.
const folder = sharedFolder()
const env = cleanEnv(folder.path)
const lab = sharedLab()
let config = ''
const at = (name: string) => join(folder.path, name)
const secret = 'demo-secret-0123456789abcdef0123456789'

beforeAll(() => {
  const { authorization: base } = lab.ready.urls
  cpSync(lab.ready.ca, at('ca.pem'))
  writeFileSync(at('secret.txt'), `${secret}\n`)
  const client = { client_id: 'demo', client_secret_file: 'secret.txt', ca_file: 'ca.pem' }
  const endpoints = { authorization_endpoint: `${base}/authorization`, token_endpoint: `${base}/token` }
  config = at('lab.json')
  const servers = {
    bare: { ...client, ...endpoints },
    keyed: {
      ...client,
      ...endpoints,
      issuer: base,
      jwks_uri: `${base}/.well-known/jwks.json`,
      scope: 'openid',
    },
    published: { ...client, issuer: base },
    fronted: { ...client, issuer: base, headers: { 'X-Api-Key': 'hush', 'X-Two': 'two' } },
    keyless: { ...client, token_endpoint: `${base}/token` },
  }
  writeFileSync(config, JSON.stringify({ servers }))
})

const run = (...args: string[]) => runProgram([...args, '--config', config], { env })
const login = ['--user', 'alice:wonderland']
const requests = (lines: ReturnType<typeof jsonLines>) =>
  lines.flatMap(line => {
    const { exchange } = line as { exchange?: { request: { url: string } } }
    return exchange ? [exchange.request.url.split('?')[0]] : []
  })

describe('a server without discovery, named in the lab file', () => {
  it('serves a flow by its endpoints alone, and the client says what it cannot check', async () => {
    const { code, stdout, stderr } = await run('flow', 'code', '--at', 'bare', ...login, '--json')
    expect(code, stderr).toBe(0)
    const lines = jsonLines(stdout)
    expect(lines[0]).toMatchObject({ name: 'given_metadata', note: 'not known: issuer, keys, pkce' })
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted' })
    expect(requests(lines).filter(url => url?.includes('.well-known'))).toEqual([])
    expect(stdout + stderr).not.toContain('Started a lab')
  })

  it('has its tokens verified with the keys and the issuer that are named', async () => {
    const { code, stdout, stderr } = await run('flow', 'code', '--at', 'keyed', ...login, '--json')
    expect(code, stderr).toBe(0)
    const step = jsonLines(stdout).find(({ name }) => name === 'keys_request')
    expect(step).toMatchObject({ note: expect.stringContaining('id token verified') })
    const tokens = jsonLines(stdout).at(-1) as unknown as { tokens: Record<string, string> }
    const idToken = tokens.tokens.id_token!
    for (const name of ['keyed', 'published']) {
      const verified = await run('jwt', 'verify', idToken, '--at', name, '--audience', 'demo')
      expect({ name, code: verified.code, stderr: verified.stderr }).toEqual({ name, code: 0, stderr: '' })
      expect(verified.stdout).not.toContain('issuer was not checked')
    }
    expect(await run('jwt', 'verify', idToken, '--at', 'keyless')).toMatchObject(ends(2, 'names no keys'))
  })

  it.each([
    [['--at', 'publishd'], 'Did you mean published?'],
    [['--at', 'bare', '--issuer', 'https://id.example'], 'cannot be used with'],
    [['--at', 'keyless'], 'needs the authorization_endpoint'],
    [['--jwks', 'https://id.example/k', '--client-id', 'x'], 'nothing says where the server is'],
    [['--token-endpoint', 'https://id.example/t'], 'needs a client that the server knows'],
  ])('flow code %j is refused with the next move', async (args, message) => {
    expect(await run('flow', 'code', ...args)).toMatchObject(refused(message))
  })

  it('is reached at another address, with a field of a person, and without a check of its certificate', async () => {
    const { port } = new URL(lab.ready.urls.authorization)
    const args = [
      ...['flow', 'client-credentials', '--token-endpoint', `https://localhost.:${port}/token`],
      ...['--client-id', 'demo', '--client-secret-file', at('secret.txt'), '--json'],
    ]
    const reach = ['--resolve', `localhost.:${port}:127.0.0.1`, '--insecure', '-H', 'X-Api-Key: hush']
    const { code, stdout, stderr } = await run(...args, ...reach)
    expect(stderr).toContain(
      `warning: --insecure: this run checks no certificate, that of localhost.:${port}`,
    )
    expect(stderr).toContain('the secret of client demo')
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout).toContain('["X-Api-Key","(added by -H)"]')
    expect(stdout + stderr).not.toContain('hush')
    const strict = await run(...args, '--resolve', `localhost.:${port}:127.0.0.1`)
    expect(strict.code).toBe(3)
  })

  it('is examined by the doctor under its name', async () => {
    const { code, stdout, stderr } = await run(
      ...['doctor', '--at', 'published', ...login, '--only', 'discovery', '--json'],
    )
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ issuer: lab.ready.urls.authorization, client_id: 'demo' })
    const both = await run('doctor', 'https://id.example', '--at', 'published')
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('are two servers') })
  })
})

describe('flow mcp on another way to its server', () => {
  it('adds fields for the MCP server alone, and checks no certificate where told', async () => {
    const { mcp } = lab.ready.urls
    const { port } = new URL(mcp)
    const other = mcp.replace('localhost', 'mcp.test')
    const reach = ['--resolve', `*:${port}:127.0.0.1`, '--insecure', '-H', 'X-Api-Key: hush']
    const { stdout, stderr } = await run('flow', 'mcp', other, ...reach, '--json')
    expect(stderr).toContain('warning: --insecure: this run checks no certificate, that of mcp.test')
    const [first] = jsonLines(stdout) as { exchange?: { request: { headers: string[][] } } }[]
    expect(first?.exchange?.request.headers).toContainEqual(['X-Api-Key', '(added by -H)'])
    expect(stdout).not.toContain('hush')
    // The metadata of the resource name another address than the one that was asked.
    expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: expect.stringMatching(/refused|failed/) })
  })
})

describe('the headers of a named server', () => {
  it('are sent with those of -H, to this server alone, and are no secret that is shown', async () => {
    const args = ['flow', 'client-credentials', '--at', 'fronted', '-H', 'X-Three: three', '--json']
    const { code, stdout, stderr } = await run(...args, '--resource', lab.ready.urls.resource)
    expect(code, stderr).toBe(0)
    const sent = (
      jsonLines(stdout) as { exchange?: { request: { url: string; headers: string[][] } } }[]
    ).flatMap(({ exchange }) => exchange?.request ?? [])
    const added = (part: string) =>
      sent.find(({ url }) => url.startsWith(part))?.headers.filter(([, value]) => value === '(added by -H)')
    expect(added(lab.ready.urls.authorization)?.map(([name]) => name)).toEqual([
      'X-Api-Key',
      'X-Two',
      'X-Three',
    ])
    expect(added(lab.ready.urls.resource)).toEqual([])
    const shown = await run('config', 'show')
    expect(shown.stdout).toContain('X-Api-Key')
    expect(stdout + stderr + shown.stdout).not.toContain('hush')
  })

  it.each([
    [{ 'x y': '1' }, 'no name of a header field'],
    [{ authorization: 'Bearer x' }, 'the client sets this field itself'],
    [{ 'x-a': 'a\nb' }, 'line ends'],
  ])('%j are an error of the file', async (headers, message) => {
    const file = at('wrong.json')
    writeFileSync(file, JSON.stringify({ servers: { a: { issuer: 'https://id.example', headers } } }))
    const checked = await runProgram(['config', 'check', '--config', file], { env })
    expect(checked).toMatchObject({ code: 2 })
    expect(checked.stdout + checked.stderr).toContain(message)
  })
})
