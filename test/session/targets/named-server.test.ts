import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { maskedLabFile } from '../../../src/lab/lab-file/masked-lab-file.js'
import { recordRunningLab } from '../../../src/lab/state/running.js'
import { announceLab } from '../../../src/lab/state/seen-origins.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { clientSecret } from '../../../src/session/client/credentials.js'
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
  withNamedServer(typed, { home, config: labFile(servers), narrate: () => {} })

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
    expect(await withNamedServer(typed, { home, narrate: () => {} })).toBe(typed)
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
  const said: string[] = []
  const write = (content: object) => {
    const file = join(home, 'oauth-lab.yaml')
    writeFileSync(file, JSON.stringify(content))
    process.chdir(home)
    return file
  }
  const place = (config?: string) => ({
    home,
    narrate: (line: string) => void said.push(line),
    ...(config !== undefined && { config }),
  })
  const found = (server: object, typed: NamedOptions = {}) => {
    write({ servers: { work: { ...stranger, ...server } } })
    return withNamedServer<NamedOptions>({ at: 'work', ...typed }, place())
  }
  afterEach(() => {
    process.chdir(before)
    said.length = 0
  })

  it.each([
    ['a parent', { servers: { work: { ...stranger, client_key_file: '../somebody/key.pem' } } }],
    ['another folder', { servers: { work: { ...stranger, client_secret_file: '/etc/hostname' } } }],
    ['a link', { servers: { work: { ...stranger, client_secret_file: 'link/secret' } } }],
    ['a link to a link', { servers: { work: { ...stranger, ca_file: 'deep/link/new/ca.pem' } } }],
    ['a certificate', { servers: { work: { ...stranger, cert_file: 'a.pem', cert_key_file: '/a.pem' } } }],
    ['metadata', { servers: { work: { client_id: 'web', metadata_file: '../../m.json' } } }],
    ['keys', { servers: { work: { ...stranger, jwks_file: '/proc/self/environ' } } }],
    ['a signing key', { signing_key_file: '/etc/hostname' }],
    ['a key of an issuer', { assertion_issuers: [{ issuer: 'https://a.example', jwks_file: '../k' }] }],
    ['a statement', { software_statement_issuers: [{ issuer: 'https://a.example', jwks_file: '../k' }] }],
  ])('names no file outside of its folder: %s', async (_, content) => {
    const outside = mkdtempSync(join(tmpdir(), 'oauth-lab-outside-'))
    mkdirSync(join(home, 'deep'))
    symlinkSync(outside, join(home, 'link'))
    symlinkSync('../link', join(home, 'deep', 'link'))
    const file = write(content)
    await expect(loadLabConfig()).rejects.toThrow(/outside of its folder.*nobody named it$/)
    expect((await loadLabConfig(file)).found).toBe(false)
    rmSync(outside, { recursive: true })
  })

  it('names files of its own folder', async () => {
    mkdirSync(join(home, '..keys'))
    symlinkSync('..keys', join(home, 'keys'))
    expect(await found({ client_key_file: 'keys/key.pem' })).toMatchObject({
      clientKey: join(process.cwd(), 'keys/key.pem'),
    })
  })

  it.each<[string, object, NamedOptions]>([
    ['without a secret', {}, {}],
    ['with a secret of another client', { client_secret: 's' }, { clientId: 'other' }],
    ['with a key and another method', { client_key_file: 'k', auth: 'client_secret_post' }, {}],
  ])('gets no secret of the environment: %s', async (_, server, typed) => {
    const env = { OAUTH_LAB_CLIENT_SECRET: 'of-another-server' }
    await expect(clientSecret(await found(server, typed), env)).rejects.toThrow(
      /OAUTH_LAB_CLIENT_SECRET would go to a server that only/,
    )
  })

  it('gets its own secret, and with a key or a certificate none', async () => {
    const env = { OAUTH_LAB_CLIENT_SECRET: 'of-another-server' }
    expect(await clientSecret(await found({ client_secret: 'its-own' }), env)).toBe('its-own')
    expect(await clientSecret(await found({ client_key_file: 'k' }), env)).toBeUndefined()
    expect(await clientSecret(await found({ cert_file: 'c', cert_key_file: 'k' }), env)).toBeUndefined()
    const named = await withNamedServer<NamedOptions>({ at: 'work' }, place(join(home, 'oauth-lab.yaml')))
    expect(named).not.toHaveProperty('found')
    expect(await clientSecret(named, env)).toBe('of-another-server')
  })

  it('announces each new origin once, before anything is sent', async () => {
    writeFileSync(join(home, 'meta.json'), '{"token_endpoint":"https://b.example/token"}')
    const server = { metadata_file: 'meta.json', resource: 'https://c.example/api' }
    const first = await found({ ...server, introspection_endpoint: 'https://evil.example/i' })
    expect(said).toEqual([
      expect.stringContaining('new places: https://evil.example, https://b.example, https://c.example'),
    ])
    const second = await found({ ...server, revocation_endpoint: 'https://d.example/r' })
    expect(said.slice(1)).toEqual([expect.stringMatching(/new places: https:\/\/d\.example$/)])
    expect(second.found?.entry).not.toBe(first.found?.entry)
  })

  it('announces what the lab itself asks', async () => {
    write({
      clients: [
        { client_id: 'web', redirect_uris: ['https://a.example/cb'], jwks_uri: 'https://b.example/j' },
      ],
    })
    await announceLab(await loadLabConfig(), home, line => said.push(line))
    expect(said).toEqual([expect.stringMatching(/new places: https:\/\/b\.example$/)])
  })

  it('is remembered by the lab that it started', async () => {
    const file = write({ servers: { work: stranger } })
    process.chdir(before)
    const record = { pid: process.pid, startedAt: 1, urls: { authorization: 'https://localhost:1' }, ca: '' }
    await recordRunningLab(home, { ...record, config: file, found: true })
    expect(await withNamedServer<NamedOptions>({ at: 'work' }, place())).toMatchObject({ found: { file } })
  })
})
