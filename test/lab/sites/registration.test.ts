import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { registrationSettings, startLab } from '../../../src/lab/lab.js'
import { labConfigFrom } from '../../../src/lab/lab-file/config.js'
import { withOverrides } from '../../../src/lab/lab-file/overrides.js'
import { ask } from '../../support/https.js'
import { rsaPair } from '../../support/rsa-keys.js'
import { sharedFolder } from '../../support/shared.js'

const TOKEN = 'initial-access-token-0123456789'
const { path: folder } = sharedFolder()

async function modeOf(own: unknown, host?: string): Promise<string> {
  return (await registrationSettings(await labConfigFrom(own, 'file'), host))?.mode ?? 'off'
}

describe('registration of a lab', () => {
  it.each([
    ['this computer', {}, undefined, 'open'],
    ['loopback', {}, '127.0.0.1', 'open'],
    ['a lab that others reach', {}, '0.0.0.0', 'off'],
    ['a lab that others reach, by its file', { registration: 'open' }, '0.0.0.0', 'open'],
    ['off by its file', { registration: 'off' }, undefined, 'off'],
    ['tokens', { registration: 'token', registration_tokens: [TOKEN] }, undefined, 'token'],
    ['the profile reference', { profile: 'reference', registration: 'open' }, undefined, 'off'],
    ['an early stage', { stage: 'key-pair', registration: 'open' }, undefined, 'off'],
  ])('at %s', async (_, own, host, mode) => expect(await modeOf(own, host)).toBe(mode))

  it('can be chosen for one run', async () => {
    const config = await labConfigFrom({}, 'file')
    const flags = { publicDiscovery: true, anonymous: true }
    const chosen = withOverrides(config, { ...flags, registration: 'off' }, {})
    expect(await registrationSettings(chosen, undefined)).toBeUndefined()
    expect(() => withOverrides(config, { ...flags, registration: 'token' }, {})).toThrow(
      '--registration token needs registration_tokens in the lab file',
    )
  })

  it.each([
    ['token without tokens', { registration: 'token' }, 'token needs registration_tokens'],
    ['a short token', { registration_tokens: ['short'] }, 'a token has 16 or more letters'],
    ['another word', { registration: 'closed' }, 'off, token, open'],
    ['a statement issuer without keys', { software_statement_issuers: [{ issuer: 'x' }] }, 'jwks_file'],
  ])('refuses %s', (_, own, message) => expect(labConfigFrom(own, 'file')).rejects.toThrow(message))

  it('reads the keys of software statements, and refuses private ones', async () => {
    const file = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(content))
      return join(folder, name)
    }
    const { privateKey, publicKey } = rsaPair(2)
    const issuers = (jwks_file: string) => ({
      software_statement_issuers: [{ issuer: 'https://d.example', jwks_file }],
    })
    const keys = [publicKey.export({ format: 'jwk' })]
    const config = await labConfigFrom(issuers(file('public.json', { keys })), 'file')
    const settings = await registrationSettings(config, undefined)
    expect(settings?.statementIssuers).toEqual([{ issuer: 'https://d.example', jwks: { keys } }])
    const secret = issuers(file('private.json', { keys: [privateKey.export({ format: 'jwk' })] }))
    await expect(registrationSettings(await labConfigFrom(secret, 'file'), undefined)).rejects.toThrow(
      'is a secret',
    )
  })
})

describe('a client that registered itself at a running lab', () => {
  it('gets tokens that the resource server accepts, until the lab removes it', async () => {
    const config = await labConfigFrom({ resource: { introspection: true } }, 'file')
    const lab = await startLab({
      config,
      home: join(folder, 'home'),
      ports: { authorization: 0, resource: 0 },
    })
    try {
      const events: string[] = []
      lab.events.subscribe(each => events.push(each.type))
      const { authorization: issuer, resource } = lab.urls
      const question = { ca: lab.caPem, method: 'POST' }
      const body = JSON.stringify({ grant_types: ['client_credentials'], scope: 'records:read' })
      const json = { 'content-type': 'application/json' }
      const answered = await ask(`${issuer}/register`, { ...question, headers: json, body })
      expect(answered.status).toBe(201)
      const { client_id: id, client_secret: secret } = JSON.parse(answered.body)
      const form = {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      }
      const token = () =>
        ask(`${issuer}/token`, { ...question, headers: form, body: 'grant_type=client_credentials' })
      const { access_token: bearer } = JSON.parse((await token()).body)
      const opened = () =>
        ask(`${resource}/records`, { ca: lab.caPem, headers: { authorization: `Bearer ${bearer}` } })
      expect((await opened()).status).toBe(200)
      expect([lab.removeClient('demo'), lab.removeClient(id), lab.removeClient(id)]).toEqual([
        false,
        true,
        false,
      ])
      expect((await token()).status).toBe(401)
      expect((await opened()).status).toBe(401)
      expect(events.filter(each => each.startsWith('client.'))).toEqual([
        'client.registered',
        'client.deleted',
      ])
    } finally {
      await lab.stop()
    }
  })
})
