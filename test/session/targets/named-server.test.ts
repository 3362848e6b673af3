import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { maskedLabFile } from '../../../src/lab/lab-file/masked-lab-file.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { type NamedOptions, withNamedServer } from '../../../src/session/targets/named-server.js'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-servers-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function labFile(servers: object): string {
  const folder = join(home, 'project')
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'lab.json')
  writeFileSync(config, JSON.stringify({ servers }))
  return config
}

const options = (servers: object, typed: NamedOptions) =>
  withNamedServer(typed, { home, config: labFile(servers) })

const work = {
  issuer: 'https://id.example',
  client_id: 'web',
  client_secret_file: 'secret.txt',
  auth: 'client_secret_post',
  scope: 'openid',
  redirect_uri: 'http://127.0.0.1:7000/cb',
  introspection_endpoint: 'https://id.example/introspect',
} as const

describe('a server of the lab file', () => {
  it('stands for its options, with files beside the lab file', async () => {
    expect(await options({ work }, { at: 'work' })).toEqual({
      issuer: 'https://id.example',
      clientId: 'web',
      clientSecretFile: join(home, 'project', 'secret.txt'),
      auth: 'client_secret_post',
      scope: 'openid',
      redirectUri: 'http://127.0.0.1:7000/cb',
      endpoints: { introspection_endpoint: 'https://id.example/introspect' },
    })
  })

  it('comes after what was typed', async () => {
    const typed = { at: 'work', scope: 'email', clientSecretStdin: true } as const
    const found = await options({ work }, typed)
    expect(found).toMatchObject({ scope: 'email', clientSecretStdin: true, clientId: 'web' })
    expect(found).not.toHaveProperty('clientSecretFile')
  })

  it('keeps its secret and its key from another client', async () => {
    const server = { ...work, client_key_file: 'key.pem', cert_file: 'c.pem', cert_key_file: 'k.pem' }
    expect(await options({ work: server }, { at: 'work', clientId: 'other' })).toEqual({
      clientId: 'other',
      issuer: 'https://id.example',
      scope: 'openid',
      redirectUri: 'http://127.0.0.1:7000/cb',
      endpoints: { introspection_endpoint: 'https://id.example/introspect' },
    })
  })

  it('changes nothing where none is named', async () => {
    const typed = { clientId: 'web' }
    expect(await withNamedServer(typed, { home })).toBe(typed)
  })

  it.each([
    ['wrok', /--at "wrok" is no server.*Known servers: work\./, 'Did you mean work?'],
    ['constructor', /--at "constructor" is no server/, /Lab file in use:.*lab\.json/],
    ['__proto__', /is no server/, /Lab file in use/],
  ])('%s is none, and the message names the next move', async (at, message, hint) => {
    const failed = options({ work }, { at })
    await expect(failed).rejects.toThrow(message)
    await expect(failed).rejects.toMatchObject({
      hints: expect.arrayContaining([expect.stringMatching(hint)]),
    })
  })

  it('is written down by the message where the file has none', async () => {
    await expect(options({}, { at: 'work' })).rejects.toMatchObject({
      hints: expect.arrayContaining([expect.stringContaining('servers: { work: { issuer:')]),
    })
  })
})

describe('servers in a lab file', () => {
  it.each([
    [{ work: { client_id: 'web' } }, 'servers.work: it needs an issuer'],
    [{ work: { issuer: 'http://id.example' } }, 'http is for servers on this computer'],
    [{ work: { token_endpoint: 'token' } }, 'write an absolute https address'],
    [{ work: { ...work, client_secret: 's' } }, 'client_secret and client_secret_file are two secrets'],
    [{ work: { ...work, jwks_uri: 'https://a.example/', jwks_file: 'k' } }, 'two places for the keys'],
    [{ work: { ...work, cert_file: 'c.pem' } }, 'cert_file and cert_key_file belong together'],
    [{ work: { ...work, isuer: 'https://id.example' } }, 'isuer'],
    [{ 'a b': work }, 'the name of a server has letters'],
    [{ work: { ...work, auth: 'magic' } }, 'client_secret_basic'],
  ])('%j are refused', async (servers, problem) => {
    const error: unknown = await loadLabConfig(labFile(servers)).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(UsageError)
    const { message, hints } = error as UsageError
    expect([message, ...hints].join('\n')).toContain(problem)
  })

  it('take http for a server on this computer', async () => {
    const { servers } = await loadLabConfig(labFile({ mock: { issuer: 'http://localhost:8080' } }))
    expect([...servers.keys()]).toEqual(['mock'])
  })

  it('are shown without their secrets', async () => {
    const secret = { issuer: 'https://id.example', client_secret: 'hush' }
    const { effective } = await loadLabConfig(labFile({ work: secret }))
    const shown = JSON.stringify(maskedLabFile(effective, '***'))
    expect(shown).toContain('"client_secret":"***"')
    expect(shown).not.toContain('hush')
  })
})

describe('a lab file that was found in this folder, and not named', () => {
  const stranger = { issuer: 'https://evil.example', client_id: 'web' }
  const before = process.cwd()
  const found = (server: object) => {
    writeFileSync(
      join(home, 'oauth-lab.yaml'),
      JSON.stringify({ servers: { work: { ...stranger, ...server } } }),
    )
    process.chdir(home)
    return withNamedServer({ at: 'work' }, { home })
  }
  afterEach(() => {
    process.chdir(before)
    delete process.env.OAUTH_LAB_CLIENT_SECRET
  })

  it.each([
    ['client_key_file', { client_key_file: '../somebody/key.pem' }],
    ['client_secret_file', { client_secret_file: '/etc/hostname' }],
    ['cert_key_file', { cert_file: 'a.pem', cert_key_file: '/etc/hostname' }],
  ])('spends no %s from outside of its folder', async (member, server) => {
    await expect(found(server)).rejects.toThrow(new RegExp(`^${member} of work is .*nobody named it$`))
  })

  it('gets no secret of the environment', async () => {
    process.env.OAUTH_LAB_CLIENT_SECRET = 'of-another-server'
    await expect(found({})).rejects.toThrow(/OAUTH_LAB_CLIENT_SECRET would go to work/)
    expect(await found({ client_secret: 'its-own' })).toMatchObject({ clientSecret: 'its-own' })
    const config = join(home, 'oauth-lab.yaml')
    writeFileSync(config, JSON.stringify({ servers: { work: stranger } }))
    expect(await withNamedServer({ at: 'work' }, { home, config })).toMatchObject({ clientId: 'web' })
  })

  it('names files of its own folder', async () => {
    expect(await found({ client_key_file: 'keys/key.pem' })).toMatchObject({
      clientKey: join(process.cwd(), 'keys/key.pem'),
    })
  })
})
