// npx vitest run examples/vitest.test.ts
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Lab, startLab } from 'oauth-lab'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNotesApi } from './notes-api.js'

let lab: Lab
let api: Server
let notes: string

beforeAll(async () => {
  lab = await startLab({
    config: {
      clients: [
        {
          client_id: 'notes',
          client_secret: 'a-secret-that-only-tests-know',
          redirect_uris: ['https://notes.example/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
    },
  })
  api = createNotesApi({ issuer: lab.issuer, fetch: lab.fetch }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  notes = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`
})

afterAll(async () => {
  api.close()
  await lab.stop()
})

const getNotes = (token: string) => fetch(notes, { headers: { authorization: `Bearer ${token}` } })

describe('the notes API', () => {
  it('knows whoever was added while the lab runs', async () => {
    await lab.addUser({ username: 'dora', password: 'explorer' })
    const tokens = await lab.login({ client: 'notes', user: 'dora', scope: 'openid' })
    const answer = await getNotes(tokens.access_token)
    expect(await answer.json()).toEqual({ notesOf: 'dora' })
    expect(lab.events.past('userinfo.answered').at(-1)).toMatchObject({ username: 'dora' })
  })

  it('says 502 while the authorization server is down', async () => {
    const { access_token: token } = await lab.login({ scope: 'openid' })
    const repair = lab.fail('userinfo', 'server_error', { times: Number.POSITIVE_INFINITY })
    expect((await getNotes(token)).status).toBe(502)
    repair()
    expect((await getNotes(token)).status).toBe(200)
  })
})
