import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere, type Said } from '../../support/in-process.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

const folder = sharedFolder()
const lab = sharedLab()
const closed = sharedLab(() => {
  const file = join(folder.path, 'lab.json')
  const registration_tokens = ['initial-token-0123456789abcdef']
  writeFileSync(file, JSON.stringify({ registration: 'token', registration_tokens }))
  return ['--config', file]
})

const oauthLab = (args: readonly string[], input?: string, at = lab): Promise<Said> =>
  runHere(args, { env: at.env, ...(input !== undefined && { input }) })
const files = () => readdirSync(join(lab.env.OAUTH_LAB_HOME ?? '', 'registrations'))

describe('register', () => {
  it('registers a client, which is then read, changed and deleted', async () => {
    const args = ['register', '--redirect-uri', 'http://127.0.0.1/callback', '--name', 'Mine']
    const made = await oauthLab([...args, '--json'])
    expect(made.code).toBe(0)
    const { client, file } = JSON.parse(made.stdout) as { client: Record<string, unknown>; file: string }
    const id = String(client.client_id)
    expect(client).toMatchObject({ client_name: 'Mine', redirect_uris: ['http://127.0.0.1/callback'] })
    expect(client).not.toHaveProperty('registration_access_token')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
    const flow = ['flow', 'code', '--issuer', lab.ready.urls.authorization, '--client-id', id, '-o', 'token']
    const env = { ...lab.env, OAUTH_LAB_CLIENT_SECRET: String(client.client_secret) }
    expect(await runHere([...flow, '--user', 'alice:wonderland'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^eyJ/),
    })

    const shown = await oauthLab(['register', 'read', id])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('•••••••••') })
    expect(shown.stdout + shown.stderr).not.toContain(token)
    const changed = await oauthLab(['register', 'update', id, '--name', 'Ours', '--json'])
    expect(JSON.parse(changed.stdout)).toMatchObject({
      client: { client_name: 'Ours', redirect_uris: ['http://127.0.0.1/callback'] },
    })
    const replaced = await oauthLab(
      ['register', 'update', id, '-', '--json'],
      '{"redirect_uris":["http://[::1]/cb"]}',
    )
    expect(JSON.parse(replaced.stdout)).toMatchObject({ client: { redirect_uris: ['http://[::1]/cb'] } })
    expect(JSON.parse(replaced.stdout)).not.toHaveProperty('client.client_name')
    expect(await oauthLab(['register', 'delete', id])).toMatchObject({
      code: 0,
      stdout: `✓ deleted  ${id}\n`,
    })
    expect(files()).toEqual([])
    expect(await oauthLab(['register', 'read', id])).toMatchObject({ code: 2, stdout: '' })
  })

  it('shows an initial access token where the server asks for one', async () => {
    const args = ['register', '--redirect-uri', 'http://127.0.0.1/callback', '--json']
    const without = await oauthLab(args, undefined, closed)
    expect(without.code).toBe(1)
    expect(JSON.parse(without.stdout)).toHaveProperty('error')
    const file = join(folder.path, 'token.txt')
    writeFileSync(file, 'initial-token-0123456789abcdef\n')
    expect(await oauthLab([...args, '--initial-token-file', file], undefined, closed)).toMatchObject({
      code: 0,
    })
  })

  it.each([
    [['register'], undefined, 2, 'nothing is known'],
    [['register', '-'], 'no json', 2, 'stdin holds no JSON'],
    [['register', '-'], '[]', 2, 'a JSON object'],
    [['register', '--redirect-uri', 'https://a.test/#x'], undefined, 1, 'invalid_redirect_uri'],
    [['register', 'update', 'nobody'], undefined, 2, 'nothing is to change'],
    [['register', 'delete', '../../x'], undefined, 2, 'no registration of client'],
    [
      ['register', '--redirect-uri', 'https://a.test/', '--initial-token-file', '/no/such'],
      undefined,
      2,
      'cannot read',
    ],
  ])('%j of %j ends with %d: %s', async (args, input, code, text) => {
    const said = await oauthLab(args, input)
    expect(said).toMatchObject({ code, stdout: '' })
    expect(said.stderr).toContain(text)
  })
})

describe('logout', () => {
  it('prints the address with the ID token that is kept', async () => {
    const bare = await oauthLab(['logout'])
    expect(bare.stdout).toBe(`${lab.ready.urls.authorization}/end-session?client_id=demo\n`)
    expect(bare.stderr).toContain('asks the person first')
    await oauthLab(['call', '/resource', '--scope', 'openid records:read'])
    const { code, stdout } = await oauthLab([
      ...'logout --json --post-logout-redirect-uri http://127.0.0.1:8000/bye --state'.split(' '),
      'x y',
    ])
    expect(code).toBe(0)
    const { url, parameters } = JSON.parse(stdout) as { url: string; parameters: Record<string, string> }
    expect(parameters).toMatchObject({
      id_token_hint: expect.stringMatching(/^eyJ/),
      client_id: 'demo',
      state: 'x y',
    })
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual(parameters)
    const without = await oauthLab(['logout', '--no-hint'])
    expect(without.stdout).not.toContain('id_token_hint')
  })
})

describe('a lab file without the client demo', () => {
  it('is no obstacle: nobody registers, and nobody reads metadata', async () => {
    const file = join(folder.path, 'web.json')
    writeFileSync(file, JSON.stringify({ clients: [] }))
    const made = await oauthLab(['register', '--redirect-uri', 'https://a.example/cb', '--config', file])
    expect(made, made.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('registered') })
    const found = await oauthLab(['discover', '--config', file])
    expect(found, found.stderr).toMatchObject({ code: 0 })
  })

  it('needs no client_id of a named server either', async () => {
    const file = join(folder.path, 'named.json')
    const servers = { lab: { issuer: lab.ready.urls.authorization } }
    writeFileSync(file, JSON.stringify({ servers }))
    const at = ['--at', 'lab', '--config', file, '--cacert', lab.ready.ca]
    expect(await oauthLab(['discover', ...at])).toMatchObject({ code: 0 })
    const made = await oauthLab(['register', '--redirect-uri', 'https://a.example/cb', '--json', ...at])
    expect(made, made.stderr).toMatchObject({ code: 0 })
    const { client } = JSON.parse(made.stdout) as { client: { client_id: string } }
    const { port } = new URL(lab.ready.urls.authorization)
    const elsewhere = ['--resolve', `localhost:${port}:127.0.0.2`, '--insecure']
    const lost = await oauthLab(['register', 'read', client.client_id, ...elsewhere])
    expect(lost).toMatchObject({ code: 3, stderr: expect.stringContaining('checks no certificate') })
  })
})
