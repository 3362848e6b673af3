import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'

const folder = temporaryFolder()
const SCRIPT_DRAWN = '<!doctype html><div id="root"></div><script src="/app.js"></script>'
const REGISTERED = /^http:\/\/127\.0\.0\.1:\d+\/callback$/

/** An issuer whose login page a script draws. Only a browser, which has a cookie, gets further. */
function scriptDrawn(isStrict: boolean) {
  const codes = new Set<string>()
  const server = createServer(async (request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const url = new URL(request.url ?? '/', origin)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['read'],
      })
    }
    if (url.pathname === '/token') {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk as Uint8Array)
      const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? ''
      if (!codes.delete(code)) return json(400, { error: 'invalid_grant' })
      return json(200, { access_token: 'opaque', token_type: 'Bearer', expires_in: 300 })
    }
    if (url.pathname !== '/authorize') return json(404, {})
    const html = (status: number, page: string) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(page)
    if (request.headers.cookie === undefined) return html(200, SCRIPT_DRAWN)
    const to = url.searchParams.get('redirect_uri') ?? ''
    if (isStrict && !REGISTERED.test(to)) return html(200, SCRIPT_DRAWN)
    const code = `a-code-that-nobody-can-guess-${codes.size}-${Math.random()}`
    codes.add(code)
    const answer = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' })
    return response.writeHead(302, { location: `${to}${to.includes('?') ? '&' : '?'}${answer}` }).end()
  })
  return server
}

const strict = scriptDrawn(true)
let issuer: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  await new Promise<void>(resolve => strict.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`
  // A browser with a session: it follows the redirect to the client.
  const browser = join(folder.path, 'browser.mjs')
  writeFileSync(browser, "await fetch(process.argv[2], { headers: { cookie: 'session=1' } })\n")
  env = { ...cleanEnv(folder.path), BROWSER: `${process.execPath} ${browser}`, CI: '' }
})
afterAll(async () => {
  strict.closeAllConnections()
  await new Promise(resolve => strict.close(resolve))
  folder.remove()
})

const client = ['--client-id', 'web']

describe('a login page that a script draws', () => {
  it('is finished in the person’s own browser, so that the doctor tries what needs a token', async () => {
    const args = ['doctor', issuer, ...client, '--only', 'token', '--json']
    const alone = await runProgram(args, { env })
    expect(alone.code).toBe(3)
    const { code, stdout, stderr } = await runProgram([...args, '--browser'], { env, limit: 120_000 })
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    const result = (name: string) => findings.find(each => each.name === name)?.result
    expect([result('honest-flow'), result('reuse-code'), result('guessed-code')]).toEqual([
      'pass',
      'pass',
      'pass',
    ])
    expect([result('wrong-verifier'), code]).toEqual(['fault', 1])
    expect(stderr).toContain(`Open this address to log in:  ${issuer}/authorize?`)
  }, 120_000)

  it('a wrong request that the browser brings back to the client was not refused', async () => {
    const args = ['flow', 'code', '--issuer', issuer, ...client, '--json', '--browser']
    const stripped = await runProgram([...args, '--tamper', 'no-challenge'], { env })
    expect([stripped.code, jsonLines(stripped.stdout).at(-1)]).toMatchObject([
      1,
      { outcome: 'granted', expected: false, tamper: { move: 'no-challenge' } },
    ])
    expect(stripped.stderr).toContain('A wrong request, which leaves the code_challenge out')
  })

  it('has no known end where no answer comes back', async () => {
    const args = ['flow', 'code', '--issuer', issuer, ...client, '--json', '--browser', '--timeout', '2s']
    const lured = await runProgram([...args, '--tamper', 'unregistered-redirect-uri'], { env })
    expect([lured.code, jsonLines(lured.stdout).at(-1)]).toMatchObject([
      3,
      { outcome: 'failed', expected: false, error: { error: 'unreadable_page' } },
    ])
  })
})
