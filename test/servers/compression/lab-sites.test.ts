import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../src/lab/model.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import { type HeaderList, header, text } from '../../../src/protocol/http/message.js'
import { weigh } from '../../../src/servers/compression/client/ask.js'
import { csrfOf } from '../../../src/servers/compression/studies/breach.js'
import { brokenRule } from '../../../src/servers/compression/studies/verdict.js'

const home = memoryState()
let lab: Lab
beforeAll(async () => {
  const config = { ...(await loadLabConfig(undefined)), compression: true }
  const ports = { authorization: 0, http: 0, resource: 0, cluster: 0, dns: 0 }
  lab = await startLab({ config, home, ports })
})
afterAll(async () => {
  await lab.stop()
  home.remove()
})

type Site = 'authorization' | 'http' | 'resource' | 'cluster' | 'dns'
const ask = (site: Site, path: string, offer: string | null, headers: HeaderList = [], body?: string) =>
  weigh(
    {
      method: body === undefined ? 'GET' : 'POST',
      url: lab.urls[site] + path,
      headers: [...headers, ...(offer === null ? [] : [['Accept-Encoding', offer] as const])],
      ...(body !== undefined && { body: Buffer.from(body) }),
    },
    { caPem: lab.caPem },
  )

const login =
  '/authorization?response_type=code&client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback'
const bearer = (token: string): HeaderList => [['Authorization', `Bearer ${token}`]]
const admin = bearer('lab-admin-token')
const api = bearer('labtoken00000000000000000000000000000001')
const form: HeaderList = [
  ['Authorization', `Basic ${btoa('demo:demo-secret-0123456789abcdef0123456789')}`],
  ['Content-Type', 'application/x-www-form-urlencoded'],
]

describe('a lab that compresses', () => {
  it.each<[Site, string, HeaderList?, string?]>([
    ['authorization', '/'],
    ['authorization', '/kb/2'],
    ['authorization', login],
    ['authorization', '/.well-known/openid-configuration'],
    ['authorization', '/token', form, 'grant_type=client_credentials'],
    ['authorization', '/token', form, 'grant_type=nothing'],
    ['authorization', '/nowhere'],
    ['resource', '/'],
    ['resource', '/resource'],
    ['cluster', '/.well-known/openid-configuration'],
    ['cluster', '/api/v1/namespaces/default/serviceaccounts', admin],
    ['cluster', '/api/v1/namespaces/default/serviceaccounts'],
    ['dns', '/zones', api],
    ['dns', '/zones'],
    ['dns', '/zones/1ab00000000000000000000000000001/dns_records', api],
    ['dns', '/zones/1ab00000000000000000000000000001/dns_records/export', api],
  ])('answers %s %s in the coding that is asked for', async (site, path, headers, body) => {
    for (const [offer, coding] of [
      [null, null],
      ['identity, *;q=0', null],
      ['gzip', 'gzip'],
      ['br', 'br'],
    ] as const) {
      const answer = await ask(site, path, offer, headers, body)
      expect(answer.contentEncoding).toBe(coding)
      expect(answer.vary).toContain('Accept-Encoding')
      expect(answer.content?.length).toBeGreaterThan(0)
      expect(brokenRule(offer, { ...answer, status: 200 })).toBeUndefined()
    }
  })

  it('answers raw in plain HTTP', async () => {
    expect((await ask('http', '/kb/2', 'gzip')).contentEncoding).toBeNull()
  })

  it('has another csrf value on every page, even for the same browser', async () => {
    const first = await ask('authorization', login, 'gzip')
    const cookie = header(first, 'set-cookie')!.split(';', 1)[0]!
    const second = await ask('authorization', login, 'gzip', [['Cookie', cookie]])
    expect(header(second, 'set-cookie')).toBeUndefined()
    const values = [first, second].map(({ content }) => csrfOf(text(content!)))
    expect(values[0]).toMatch(/^[\w-]{86}$/)
    expect(values[1]).toMatch(/^[\w-]{86}$/)
    expect(values[1]).not.toBe(values[0])
  })

  it.each(['-1', '..', '%2e%2e%2f', '%00', '%E2%82%AC', '2;a', '%'])(
    'refuses /kb/%s with a 4xx status',
    async kb => {
      const { status, content } = await ask('authorization', `/kb/${kb}`, 'gzip')
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(content?.length).toBeGreaterThan(5)
    },
  )

  it.each([
    ...['gzip;q=', ';;;', 'gzip;q=1e9', '"gzip"', 'gz\xefp', '*;q=0.0000', 'gzip;q=0.5;q=0', ',', '=', 'q=1'],
    ...['x'.repeat(8000), 'a,'.repeat(4000), `${'a;'.repeat(4000)}`, 'gzip;q=0', '*;q=0', 'identity;q=0'],
  ])('answers raw to the odd offer %.20j', async offer => {
    expect(await ask('authorization', '/kb/2', offer)).toMatchObject({
      status: 200,
      contentEncoding: null,
      bytes: { coded: 2048 },
    })
  })
})
