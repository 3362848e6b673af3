import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Cloudflare from 'cloudflare7'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTransport } from '../../../src/client/transport.js'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../src/lab/model.js'
import { labFetch } from '../../../src/session/api/fetch.js'
import { email, key, token, zone } from '../../servers/cloudflare/support.js'
import { describeWith, rigs } from '../../support/requires.js'

let lab: Lab
const home = mkdtempSync(join(tmpdir(), 'oauth-lab-dns-'))
beforeAll(async () => {
  lab = await startLab({ config: await loadLabConfig(null), home, ports: { authorization: 0, dns: 0 } })
})
afterAll(async () => {
  await lab.stop()
  rmSync(home, { recursive: true })
})

const sdks = [
  ['4', async () => (await import('cloudflare4')).default],
  ['7', async () => (await import('cloudflare7')).default],
] as const
const credentials = [
  ['key and e-mail', { apiKey: key, apiEmail: email }],
  ['a token', { apiToken: token }],
] as const
const runs = sdks.flatMap(([version, load]) =>
  credentials.map(([how, sent]) => ({ version, how, load, sent })),
)

describeWith([rigs], 'npm cloudflare', () => {
  it.each(runs)('$version lists, pages, creates, edits and deletes with $how', async ({ load, sent }) => {
    const Sdk = await load()
    const { send, close } = createTransport({ caPem: lab.caPem })
    onTestFinished(close)
    // Each version declares fetch with types of its own.
    const fetch = labFetch(async () => send) as never
    const client = new Sdk({ baseURL: lab.urls.dns!, ...sent, fetch, maxRetries: 0 }) as Cloudflare
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
  })
})
