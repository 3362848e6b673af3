import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refused } from '../../commands/support.js'
import { freePort } from '../../support/free-ports.js'
import { cleanEnv, jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()
const env = cleanEnv(folder.path)

interface Line {
  readonly name?: string
  readonly note?: string
  readonly exchange?: { readonly response?: { readonly status: number } }
  readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
  readonly outcome?: string
  readonly error?: { readonly error: string }
  readonly tokens?: Readonly<Record<string, unknown>>
}

async function ciba(...args: readonly string[]) {
  const ended = await runProgram(['flow', 'ciba', '--json', ...args], { env, limit: 60_000 })
  const lines = jsonLines(ended.stdout) as unknown as Line[]
  return { ...ended, lines, last: lines.at(-1) }
}

describe('flow ciba at a lab', () => {
  it('lets alice compare the message and approve, then takes her ID token as a hint', async () => {
    const { code, lines, last } = await ciba('--login-hint', 'alice', '--binding-message', 'W4SCT')
    expect({ code, error: last?.error }).toEqual({ code: 0 })
    expect([...new Set(lines.flatMap(({ name }) => name ?? []))]).toEqual([
      ...['backchannel_authentication_request', 'poll_request', 'approval_page', 'approval'],
      ...['token_request', 'keys_request', 'userinfo_request', 'resource_request'],
    ])
    const compared = lines.flatMap(({ checks = [] }) => checks).find(({ name }) => name === 'binding_message')
    expect(compared).toMatchObject({ ok: true, detail: 'W4SCT' })
    expect(last).toMatchObject({ outcome: 'granted', tokens: { id_token: expect.any(String) } })
  }, 60_000)

  it('ends as the person and the server decide', async () => {
    const ends = await Promise.all([
      ciba('--login-hint', 'alice', '--deny'),
      ciba('--login-hint', 'nobody'),
      ciba('--requested-expiry', '6', '--ignore'),
    ])
    expect(ends.map(({ code, last }) => [code, last?.error?.error])).toEqual([
      [1, 'access_denied'],
      [1, 'unknown_user_id'],
      [1, 'expired_token'],
    ])
  }, 60_000)

  it('is pinged at the address that the client is registered with', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}/ping`
    const file = join(folder.path, 'lab.json')
    const client = {
      client_id: 'till',
      client_secret: 'till-secret-0123456789',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['urn:openid:params:grant-type:ciba'],
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: endpoint,
    }
    const users = [{ username: 'alice', password: 'wonderland' }]
    writeFileSync(file, JSON.stringify({ clients: [client], users }))
    const { code, lines, last, stderr } = await ciba('--config', file, '--client', 'till')
    expect({ code, error: last?.error }, stderr).toEqual({ code: 0 })
    const callback = lines.find(({ name }) => name === 'ping_callback')
    expect(callback?.exchange?.response?.status).toBe(204)
    expect(callback?.checks?.every(({ ok }) => ok)).toBe(true)
    expect(lines.filter(({ name }) => name === 'poll_request')).toEqual([])
  }, 60_000)

  it('--tamper moves the clock of the lab, and is refused as expected', async () => {
    const { code, last } = await ciba('--login-hint', 'alice', '--tamper', 'expired-auth-req-id')
    expect({ code, last }).toMatchObject({
      code: 0,
      last: { expected: true, error: { error: 'expired_token' } },
    })
  }, 60_000)

  it('refuses a hint that names nobody', async () => {
    expect(await ciba('--login-hint', ' ')).toMatchObject(refused('--login-hint names nobody'))
  })
})
