import { generateKeyPairSync } from 'node:crypto'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

/** The members of a line that the tests read. */
interface Line {
  readonly name?: string
  readonly note?: string
  readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
  readonly exchange?: { readonly request: { readonly method: string; readonly url: string } }
  readonly outcome?: string
  readonly logged_out?: boolean
  readonly error?: { readonly error: string; readonly hints?: readonly string[] }
}

const folder = temporaryFolder()
let provider: OtherIssuer
let env: Record<string, string>
let port: number

beforeAll(async () => {
  env = cleanEnv(folder.path)
  port = await freePort()
  const { stdout } = await runProgram(['ca', 'path'], { env })
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
  const pem = join(dirname(stdout.trim()), 'leaf.pem')
  provider = await startIssuer('oidc-provider-people.js', [pem, jwk, '', String(port)], env)
})
afterAll(async () => {
  await provider.stop()
  folder.remove()
})

async function logout(...more: string[]) {
  const { code, stdout } = await runProgram(
    [
      ...['flow', 'logout', '--issuer', provider.issuer, '--client-id', 'leaver', '--json'],
      ...['--user', 'alice:wonderland', '--redirect-uri', `http://127.0.0.1:${port}/callback`],
      ...more,
    ],
    { env: { ...env, OAUTH_LAB_CLIENT_SECRET: 'leaver-secret-0123456789abcdef0123456789' }, limit: 60_000 },
  )
  const lines = jsonLines(stdout) as unknown as readonly Line[]
  const of = (name: string) => lines.filter(each => each.name === name)
  const check = (step: string, name: string) =>
    of(step)
      .flatMap(({ checks = [] }) => checks)
      .find(each => each.name === name)
  return { code, of, check, last: lines.at(-1)!, names: lines.map(({ name }) => name) }
}

const back = (path = 'bye') => ['--post-logout-redirect-uri', `http://127.0.0.1:${port}/${path}`]

describeWith([rigs], 'flow logout against oidc-provider, which asks before each logout', () => {
  it.each<[string, readonly string[]]>([
    ['by GET', []],
    ['by POST', ['--logout-method', 'post']],
    ['without an ID token', ['--no-hint']],
  ])('logs out %s: the session is alive before, and ended after', async (_, more) => {
    const { code, of, check, last } = await logout(...back(), ...more)
    expect({ code, last }).toMatchObject({ code: 0, last: { outcome: 'granted', logged_out: true } })
    expect(check('session_check', 'session')).toMatchObject({ ok: true })
    expect(of('logout_request').at(-1)?.note).toMatch(/presses “Yes, sign me out”/)
    expect(of('logout_confirmation')[0]?.exchange?.request.method).toBe('POST')
    expect(check('logout_response', 'state')).toMatchObject({ ok: true })
    expect(check('ended_session_check', 'session_ended')).toMatchObject({
      ok: true,
      detail: 'login_required',
    })
    expect(of('surviving_token_request')).toHaveLength(1)
  })

  it('ends at a page of the server without a return address', async () => {
    const { code, names, check } = await logout()
    expect(code).toBe(0)
    expect(names).not.toContain('logout_response')
    expect(check('ended_session_check', 'session_ended')).toMatchObject({ ok: true })
  })

  it('shows its refusal of another return address, and how to go on', async () => {
    const { code, names, last } = await logout(...back('elsewhere'))
    expect(code).toBe(1)
    expect(names).toContain('logout_request')
    expect(last.error?.hints?.join('\n')).toMatch(/register .*elsewhere for client leaver.* at the server/)
  })
})
