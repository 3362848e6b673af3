import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../client/support/tls-server.js'
import { ends } from '../../commands/support.js'
import { runHere, type Said } from '../../support/in-process.js'
import { launcher, runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

const folder = sharedFolder()
let base = ''
/** The requests that the API received. */
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void

/** Tokens end so soon that every command refreshes them: call renews a token half a minute before its end. */
const LAB_FILE = JSON.stringify({ lifetimes: { access_token: '20s' } })

const lab = sharedLab(() => {
  const file = join(folder.path, 'lab.json')
  writeFileSync(file, LAB_FILE)
  return ['--config', file]
})
beforeAll(async () => {
  const { origin, close } = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks) })
    answer(request, response)
  })
  base = origin
  return close
})
beforeEach(() => {
  seen = []
  answer = (_, response) => response.end('ok')
})

const oauthLab = (args: readonly string[], input?: string): Promise<Said> =>
  runHere(args, { env: lab.env, ...(input !== undefined && { input }) })
const kept = () =>
  readdirSync(join(lab.env.OAUTH_LAB_HOME ?? '', 'tokens')).filter(name => name.endsWith('.json'))

describe('call', () => {
  it('gets a token, keeps it, and refreshes it before it ends', async () => {
    const first = await oauthLab(['call', '/resource', '--scope', 'records:read'])
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{"sub":"alice"/) })
    expect(first.stderr).toMatch(/Got a token of demo for alice, by flow code/)
    const second = await oauthLab(['call', '/resource', '--scope', 'records:read'])
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('Refreshed the token of demo') })
    expect(kept()).toHaveLength(1)
    const text = readFileSync(join(lab.env.OAUTH_LAB_HOME ?? '', 'tokens', kept()[0]!), 'utf8')
    expect(text).toContain('"refreshToken"')
    const token = (JSON.parse(text) as { accessToken: string }).accessToken
    for (const args of [
      ['token', 'list'],
      ['token', 'list', '--json'],
      ['token', 'show'],
      ['token', 'show', '--json'],
    ]) {
      const { code, stdout, stderr } = await oauthLab(args)
      expect({ code, leaks: (stdout + stderr).includes(token) }).toEqual({ code: 0, leaks: false })
    }
    const bare = await oauthLab(['token', 'show', '-o', 'token'])
    expect(bare.stdout).toBe(`${token}\n`)
    expect((await oauthLab(['token', 'forget', '--all'])).stdout).toMatch(/^Forgot [0-9a-f]{16}\.\n$/)
    expect(kept()).toEqual([])
    const none = await oauthLab(['token', 'list'])
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('oauth-lab serve') })
  })

  it('refreshes once for two processes that ask at the same time', async () => {
    const args = ['call', `${base}/`, '--scope', 'records:read', '--user', 'bob']
    expect((await oauthLab(args)).code).toBe(0)
    const said = await Promise.all([1, 2].map(() => runProgram(args, { env: lab.env })))
    expect(said.map(({ code }) => code)).toEqual([0, 0])
    expect(said.filter(({ stderr }) => stderr.includes('Got a token'))).toEqual([])
    expect(seen.map(({ headers }) => /^Bearer eyJ/.test(headers.authorization ?? ''))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('binds a token to a key that is kept with it', async () => {
    const args = ['call', '/resource', '--scope', 'records:read', '--dpop']
    const jkt = async () => {
      const { stdout } = await oauthLab(args)
      return (JSON.parse(stdout) as { cnf: { jkt: string } }).cnf.jkt
    }
    expect(await jkt()).toBe(await jkt())
  })

  it('prints the body as it came, and sends one as it is', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0xc3, 0x28, 10])
    answer = (_, response) => response.setHeader('content-encoding', 'identity').end(bytes)
    const file = join(folder.path, 'body.bin')
    writeFileSync(file, bytes)
    const { code } = await runProgram(
      ['call', `${base}/x`, '-X', 'PUT', '-d', `@${file}`, '--client', 'demo-service', '--json'],
      { env: lab.env },
    )
    expect(code).toBe(0)
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/x', body: bytes })
    const raw = await promisify(execFile)(
      process.execPath,
      [launcher, 'call', `${base}/x`, '--client', 'demo-service'],
      { env: lab.env, encoding: 'buffer' },
    )
    expect(raw.stdout).toEqual(bytes)
  })

  it('takes the body from stdin, and fields of the person', async () => {
    const { code } = await oauthLab(
      ['call', `${base}/`, '-d', '-', '-H', 'X-Note: hi', '--client', 'demo-service'],
      '{"a":1}',
    )
    expect(code).toBe(0)
    expect(seen[0]).toMatchObject({ method: 'POST', body: Buffer.from('{"a":1}') })
    expect(seen[0]?.headers).toMatchObject({ 'x-note': 'hi', 'content-type': 'application/json' })
  })

  it('explains a refusal on stderr, and leaves the body on stdout', async () => {
    const { code, stdout, stderr } = await oauthLab(['call', '/records', '--scope', 'openid', '-i'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(stdout).toContain('"error":"insufficient_scope"')
    expect(stderr).toContain("ask for the scope it needs: --scope 'records:read'")
  })

  it('explains the refusal of a token that it just got, and gets no other one', async () => {
    const args = ['call', `${base}/`, '--client', 'demo-service', '--scope', 'records:read']
    answer = (_, response) => {
      if (seen.length > 1) return response.end('ok')
      return response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end('no')
    }
    const fresh = await oauthLab(args)
    expect(fresh).toMatchObject({ code: 1, stdout: 'no' })
    expect(fresh.stderr).toContain('invalid_token')
    expect(seen).toHaveLength(1)
  })

  it.each(['https://evil.test/', '//evil.test/', 'http://localhost:1/'])(
    'sends no token on to %s, with -L either',
    async location => {
      answer = (_, response) => response.writeHead(302, { location }).end('moved')
      const { code, stdout, stderr } = await oauthLab(['call', `${base}/`, '-L', '--client', 'demo-service'])
      expect({ code, stdout, requests: seen.length }).toEqual({ code: 1, stdout: 'moved', requests: 1 })
      expect(stderr).toContain('another origin')
    },
  )

  it('follows redirects within the origin with -L alone', async () => {
    answer = (request, response) =>
      request.url === '/' ? response.writeHead(302, { location: '/there' }).end() : response.end('there')
    const plain = await oauthLab(['call', `${base}/`, '--client', 'demo-service'])
    expect(plain).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('-L follows it') })
    const followed = await oauthLab(['call', `${base}/`, '-L', '--client', 'demo-service'])
    expect(followed).toMatchObject({ code: 0, stdout: 'there' })
    expect(seen.map(({ url }) => url)).toEqual(['/', '/', '/there'])
  })

  it.each([
    [['http://api.test/'], 2, 'tokens go to https'],
    [['/x', '-H', 'Authorization: x'], 2, 'sends the token'],
    [['/x', '-d', '-', '--password-stdin'], 2, 'both read stdin'],
    [['/x', '--issuer', 'https://localhost:1', '--client-id', 'x'], 3, 'cannot reach'],
    [['/x', '--scope', 'no-such-scope'], 1, 'invalid_scope'],
    [['/x', '--client', 'demo-disabled'], 1, ''],
    [['/x', '--grant', 'client-credentials', '--user', 'bob'], 2, 'has no user'],
  ])('%j ends with %d: %s', async (args, code, text) => {
    const said = await oauthLab(['call', ...args])
    expect(said).toMatchObject({ code, stdout: '' })
    expect(said.stderr).toContain(text)
    expect(seen).toEqual([])
  })
})

describe('token', () => {
  it('is forgotten when it is revoked', async () => {
    await oauthLab(['token', 'forget', '--all'])
    await oauthLab(['call', `${base}/`, '--client', 'demo-service'])
    const { stdout } = await oauthLab(['token', 'show', '-o', 'token'])
    const said = await oauthLab(['revoke', '--client', 'demo-service'], stdout)
    expect(said).toMatchObject(ends(0, /Forgot the kept token [0-9a-f]{16}/))
    expect(kept()).toEqual([])
  })

  it.each([
    [['forget'], 'no token was named'],
    [['forget', '--all', 'x'], 'two sets'],
    [['forget', '../../x'], 'has the id'],
    [['show', 'zz'], 'has the id'],
  ])('%j is a wrong option: %s', async (args, text) => {
    await oauthLab(['call', `${base}/`, '--client', 'demo-service'])
    const said = await oauthLab(['token', ...args])
    expect(said).toMatchObject({ code: 2, stdout: '' })
    expect(said.stderr).toContain(text)
  })
})
