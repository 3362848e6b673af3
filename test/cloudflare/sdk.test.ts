import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import Cloudflare4 from 'cloudflare4'
import Cloudflare7 from 'cloudflare7'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../src/lab/config.js'
import { startLab } from '../../src/lab/lab.js'
import type { Lab } from '../../src/lab/model.js'
import { email, key, token, zone } from './support.js'

let lab: Lab
const home = mkdtempSync(join(tmpdir(), 'oauth-lab-dns-'))
beforeAll(async () => {
  lab = await startLab({ config: await loadLabConfig(null), home, ports: { authorization: 0, dns: 0 } })
})
afterAll(async () => {
  await lab.stop()
  rmSync(home, { recursive: true })
})

describe.each([
  ['4', Cloudflare4],
  ['7', Cloudflare7],
] as const)('npm cloudflare %s', (_, Sdk) => {
  it.each([
    ['key and e-mail', { apiKey: key, apiEmail: email }],
    ['a token', { apiToken: token }],
  ])('lists, pages, creates, edits and deletes with %s', async (_, credentials) => {
    const dispatcher = new Agent({ connect: { ca: lab.caPem } })
    const fetch = ((url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher } as object)) as never
    const client = new Sdk({ baseURL: lab.urls.dns!, ...credentials, fetch, maxRetries: 0 }) as Cloudflare7
    const scope = { zone_id: zone }
    const before: string[] = []
    for await (const { id } of client.dns.records.list({ ...scope, per_page: 5 })) before.push(id!)
    expect(before).toHaveLength(16)
    const made = await client.dns.records.create({
      ...scope,
      type: 'A',
      name: 'sdk',
      content: '192.0.2.99',
      ttl: 60,
    })
    expect(made.name).toBe('sdk.example.com')
    const edited = await client.dns.records.edit(made.id!, {
      ...scope,
      type: 'A',
      name: 'sdk',
      content: '192.0.2.98',
      ttl: 60,
    })
    expect(edited.content).toBe('192.0.2.98')
    const found = await client.dns.records.list({ ...scope, type: 'A', name: { exact: 'sdk.example.com' } })
    expect(found.result.map(each => each.id)).toEqual([made.id])
    await expect(
      client.dns.records.create({ ...scope, type: 'A', name: 'sdk', content: '192.0.2.98', ttl: 60 }),
    ).rejects.toThrow(/81058/)
    expect(await client.dns.records.delete(made.id!, scope)).toMatchObject({ id: made.id })
    await dispatcher.close()
  })
})

it('answers a request of HTTP/1.0 that is padded with zeros', async () => {
  const { port } = new URL(lab.urls.dns!)
  const request = `GET /client/v4/zones HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = tls.connect({
      host: 'localhost',
      port: Number(port),
      servername: 'localhost',
      ca: lab.caPem,
    })
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('end', () => resolve(text)).once('error', reject)
    socket.write(request.padEnd(2500, '\0'))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).result).toHaveLength(2)
})
