import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateSigningKeys } from '../../../src/lab/keys/signing-keys.js'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab, LabOptions } from '../../../src/lab/model.js'
import type { LabEvent } from '../../../src/protocol/events.js'
import { encodeForm } from '../../../src/protocol/http/form.js'
import { bytes } from '../../../src/protocol/http/message.js'
import { macAuthorization } from '../../../src/protocol/oauth/mac.js'
import { ask } from '../../support/https.js'
import { temporaryFolder } from '../../support/program.js'

let folder = temporaryFolder()
let lab: Lab | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await lab?.stop()
  lab = undefined
  folder.remove()
})

type Form = Readonly<Record<string, string>>

const basic = `Basic ${Buffer.from('demo:demo-secret-0123456789abcdef0123456789').toString('base64')}`

/** A lab on free ports, its clock to be moved, and short ways to talk to it over TLS. */
async function start(changed: Partial<LabOptions['config']> = {}, file: string | null = null) {
  const clock = { ahead: 0 }
  const made = await startLab({
    config: { ...(await loadLabConfig(file)), ...changed },
    home: folder.path,
    ports: { authorization: 0, resource: 0 },
    now: () => Date.now() + clock.ahead,
  })
  lab = made
  const events: LabEvent[] = []
  made.events.subscribe(event => events.push(event))
  const { caPem: ca } = made
  const { authorization, resource = '' } = made.urls
  const post = async (path: string, form: Form) => {
    const headers = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' }
    const body = encodeForm(Object.entries(form))
    return ask(`${authorization}${path}`, { ca, method: 'POST', headers, body })
  }
  const issue = async (form: Form = {}): Promise<Record<string, string>> => {
    const { status, body } = await post('/token', { grant_type: 'client_credentials', ...form })
    expect(status, body).toBe(200)
    return JSON.parse(body)
  }
  const tokenFor = async (form: Form = {}) => String((await issue(form)).access_token)
  const call = async (authorizationHeader: string | undefined, path = '/resource', body?: string) => {
    const answer = await ask(`${resource}${path}`, {
      ca,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(authorizationHeader !== undefined && { authorization: authorizationHeader }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> }
  }
  const present = (token: string, path?: string, body?: string) => call(`Bearer ${token}`, path, body)
  return { lab: made, clock, events, post, issue, tokenFor, call, present, resource, authorization }
}

describe('the resource server of a lab, over TLS', () => {
  it('cannot know that a JWT was revoked: that only the authorization server does', async () => {
    const { tokenFor, present, post } = await start()
    const token = await tokenFor()
    expect((await post('/revocation', { token })).status).toBe(200)
    expect(JSON.parse((await post('/introspection', { token })).body)).toEqual({ active: false })
    expect((await present(token)).status).toBe(200)
  })

  it('accepts tokens of a new key at once, and of the old one while it is published', async () => {
    const { tokenFor, present, events } = await start()
    const old = await tokenFor()
    expect((await present(old)).status).toBe(200)
    await rotateSigningKeys(folder.path, { tokenLifetime: 3_600_000 })
    const fresh = await tokenFor()
    expect((await present(fresh)).status).toBe(200)
    expect((await present(old)).status).toBe(200)
    const fetches = events.filter(each => each.type === 'keys.fetched').map(each => each.reason)
    expect(fetches).toEqual(['first', 'unknown_kid'])
  })

  it('takes audiences and paths from the lab file', async () => {
    const file = join(folder.path, 'lab.yaml')
    writeFileSync(
      file,
      'resource: { audiences: [api], routes: [{ path: /notes, scope: "records:write" }] }\n',
    )
    const { tokenFor, present } = await start({}, file)
    expect((await present(await tokenFor())).json.error_description).toContain(
      'aud: demo, accepted here: api',
    )
    expect((await present('x', '/notes')).status).toBe(401)
  })
})

describe('a token of type mac', () => {
  it('signs requests that the resource server accepts, once for each nonce, until it is revoked', async () => {
    const { issue, call, present, post, resource } = await start()
    const tokens = await issue({ token_type: 'mac', scope: 'records:write' })
    expect(tokens).toMatchObject({ token_type: 'mac', mac_algorithm: 'hmac-sha-256' })
    const credentials = {
      id: String(tokens.access_token),
      key: String(tokens.mac_key),
      algorithm: 'hmac-sha-256' as const,
    }
    const signed = (nonce: string, path: string, body = '') =>
      macAuthorization(
        {
          method: body === '' ? 'GET' : 'POST',
          url: resource + path,
          body: bytes(body),
          headers: [['host', new URL(resource).host]],
        },
        credentials,
        { nonce },
      )
    const once = signed('0:a', '/resource')
    expect((await call(once)).json).toMatchObject({ sub: 'demo', decided: { scheme: 'MAC' } })
    expect((await call(once)).json.error_description).toBe('nonce: it was used before')
    expect((await call(signed('0:b', '/records', '[1]'), '/records', '[1]')).status).toBe(201)
    expect((await call(signed('0:c', '/records', '[1]'), '/records', '[2]')).status).toBe(401)
    expect((await present(credentials.id)).status).toBe(401)
    expect((await post('/revocation', { token: credentials.id })).status).toBe(200)
    expect((await call(signed('0:d', '/resource'))).status).toBe(401)
  })
})

describe('where no keys are published', () => {
  it('shared-secret: the resource server has the secret', async () => {
    const { tokenFor, present, events } = await start({ stage: 'shared-secret' })
    const { status, json } = await present(await tokenFor())
    expect([status, JSON.stringify(json)]).toEqual([200, expect.stringContaining('HS256')])
    expect(events.filter(each => each.type.startsWith('keys.'))).toEqual([])
  })

  it('key-pair: after a rotation it accepts both public keys, and no third one', async () => {
    const { tokenFor, present } = await start({ stage: 'key-pair' })
    const old = await tokenFor()
    expect((await present(old)).status).toBe(200)
    await rotateSigningKeys(folder.path, { tokenLifetime: 3_600_000 })
    expect((await present(await tokenFor())).status).toBe(200)
    expect((await present(old)).status).toBe(200)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const [head, claims] = old.split('.')
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), privateKey).toString('base64url')
    expect((await present(`${head}.${claims}.${signature}`)).json.error_description).toContain('signature: ')
  })

  it('login-only: it listens, and has nothing to verify with', async () => {
    const { call, present } = await start({ stage: 'login-only' })
    expect((await call(undefined, '/public')).status).toBe(200)
    const { status, json, headers } = await present('eyJhbGciOiJSUzI1NiJ9.e30.c2ln')
    expect([status, json.error]).toEqual([503, 'temporarily_unavailable'])
    expect(headers['retry-after']).toBe('2')
  })
})
