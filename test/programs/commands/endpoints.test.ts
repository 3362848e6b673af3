import { describe, expect, it } from 'vitest'
import { runHere, type Said } from '../../support/in-process.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab()

const oauthLab = (
  args: readonly string[],
  input?: string,
  more: Record<string, string> = {},
): Promise<Said> => runHere(args, { env: { ...lab.env, ...more }, ...(input !== undefined && { input }) })

const token = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout } = await oauthLab(['flow', 'code', '-o', 'token', '--scope', 'openid,email', ...args])
  expect(code).toBe(0)
  return stdout.trim()
}

/** The server as any other one. */
const elsewhere = () => ['--issuer', lab.ready.urls.authorization, '--client-id', 'demo']
const secret = { OAUTH_LAB_CLIENT_SECRET: 'demo-secret-0123456789abcdef0123456789' }

describe('flow -o token', () => {
  it('prints the bare token on stdout, and the steps on stderr', async () => {
    const { stdout, stderr } = await oauthLab(['flow', 'code', '-o', 'token'])
    expect(stdout).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(stderr).toContain('POST /token')
    expect(stderr).not.toContain(stdout.trim())
  })

  it('prints nothing of a flow that is refused', async () => {
    const { code, stdout } = await oauthLab(['flow', 'code', '-o', 'token', '--scope', 'no-such-scope'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

describe('introspect, userinfo and revoke', () => {
  it('follow a token from its first to its last day', async () => {
    const bare = await token()
    const active = await oauthLab(['introspect'], `Bearer ${bare}\n`)
    expect(active.stdout).toMatch(/^✓ active\n\nAnswer\n/)
    expect(active.stdout).toMatch(/^ {2}exp +\d+ +expires: .*, in 59 min \d+ s$/m)
    const { stdout: json } = await oauthLab(['introspect', bare, '--json'])
    expect(JSON.parse(json)).toMatchObject({
      active: true,
      claims: { active: true, sub: 'alice', client_id: 'demo' },
    })
    const person = await oauthLab(['userinfo', '-', '--json'], bare)
    expect(JSON.parse(person.stdout)).toMatchObject({ sub: 'alice', claims: { email: 'alice@example.com' } })
    expect(await oauthLab(['revoke', bare])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ revoked/),
    })
    const ended = await oauthLab(['introspect', bare, '--json'])
    expect(ended.code).toBe(1)
    expect(JSON.parse(ended.stdout)).toMatchObject({ active: false, claims: { active: false } })
    const refused = await oauthLab(['userinfo', bare])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('the token was revoked')
  })

  it('take another server by its issuer, and a secret of the environment', async () => {
    const bare = await token()
    const args = ['introspect', bare, '--json', '--signed', ...elsewhere()]
    const { code, stdout } = await oauthLab(args, undefined, secret)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      active: true,
      signed: { typ: 'token-introspection+jwt' },
      checks: expect.arrayContaining([expect.objectContaining({ name: 'signature', ok: true })]),
    })
    const wrong = await oauthLab([...args], undefined, { OAUTH_LAB_CLIENT_SECRET: 'wrong' })
    expect(wrong.code).toBe(1)
    expect(JSON.parse(wrong.stdout)).toMatchObject({ error: 'invalid_client' })
  })

  it('compare the subject that is named', async () => {
    const bare = await token()
    expect(await oauthLab(['userinfo', bare, '--subject', 'alice'])).toMatchObject({ code: 0 })
    expect(await oauthLab(['userinfo', bare, '--subject', 'alice', '--post'])).toMatchObject({ code: 0 })
    const posts = (await lab.events()).filter(each => each.path === '/userinfo' && each.method === 'POST')
    expect(posts).toHaveLength(1)
    const other = await oauthLab(['userinfo', bare, '--subject', 'bob'])
    expect(other).toMatchObject({ code: 1, stdout: '' })
    expect(other.stderr).toContain('userinfo is about alice')
  })

  it.each([
    [['introspect'], '', 2, 'the token is empty'],
    [['introspect', 'two words'], undefined, 2, 'a token is one word'],
    [
      ['introspect', '-', '--client-secret-stdin', '--issuer', 'https://x.test', '--client-id', 'x'],
      'x',
      2,
      'both read stdin',
    ],
    [['introspect', 'x', '--client', 'demo-spa'], undefined, 1, 'invalid_client'],
    [['introspect', 'x', '--param', 'token:token=y'], undefined, 2, 'has already'],
    [['introspect', 'x', '--client', 'nobody'], undefined, 2, 'nobody'],
    [['userinfo', 'ü'], undefined, 2, 'no access token'],
    [['revoke', 'x', '--issuer', 'http://id.example', '--client-id', 'x'], undefined, 2, 'no TLS'],
  ] as const)('%j of %j ends with %d: %s', async (args, input, code, text) => {
    const said = await oauthLab(args, input)
    expect(said).toMatchObject({ code, stdout: '' })
    expect(said.stderr).toContain(text)
  })
})

describe('discover', () => {
  it('shows both documents of the lab, which agree', async () => {
    const { code, stdout } = await oauthLab(['discover'])
    expect(code).toBe(0)
    expect(stdout).toContain('The same in both')
    expect(stdout).not.toContain('Different')
    const { urls } = lab.ready
    const json = await oauthLab([
      'discover',
      `${urls.authorization}/.well-known/openid-configuration`,
      '--json',
    ])
    expect(JSON.parse(json.stdout)).toMatchObject({
      issuer: urls.authorization,
      documents: [{ status: 200 }, { status: 200 }],
      differences: [],
    })
  })

  it('of a server without documents is refused', async () => {
    const { code, stdout } = await oauthLab(['discover', lab.ready.urls.resource])
    expect(code).toBe(1)
    expect(stdout).toContain('answered 404')
  })
})
