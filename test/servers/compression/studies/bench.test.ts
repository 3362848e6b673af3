import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BenchPorts, openBench } from '../../../../src/servers/compression/studies/bench.js'
import type { CaseSetting } from '../../../../src/servers/compression/studies/cases.js'
import { recordingSite } from '../../../support/ask.js'
import { askOf, type SentRequest, weighed } from './weighed.js'

const body = 'a'.repeat(500)
const zipped = gzipSync(body)

/** Answers in gzip when a request names it. */
const server = createServer(({ headers }, response) => {
  const gzip = headers['accept-encoding']?.includes('gzip')
  response.writeHead(200, {
    'Content-Type': 'text/plain',
    Vary: 'Accept-Encoding',
    ...(gzip && { 'Content-Encoding': 'gzip' }),
  })
  response.end(gzip ? zipped : body)
})
let url = ''
beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** A bench whose proxy is called without a socket, and the requests that its clients sent. */
async function bench(more: Partial<BenchPorts> = {}) {
  const sent: SentRequest[] = []
  let toProxy: BenchPorts['askProxy'] | undefined
  const measure = await openBench({
    server: url,
    timeoutMs: 5000,
    mount: async site => {
      toProxy = askOf(recordingSite(site).handle, sent)
      return 'http://proxy'
    },
    askServer: async (to, asked) => {
      sent.push({ url: to, ...asked })
      return weighed({ contentEncoding: 'gzip', vary: 'Accept-Encoding', status: 203 })
    },
    askProxy: (to, asked) => toProxy!(to, asked),
    ...more,
  })
  return { measure, sent }
}

const setting = (mode: CaseSetting['mode'], offer: string | null): CaseSetting => ({
  name: 'X',
  title: 'a case',
  mode,
  offer,
})

describe('openBench', () => {
  it('measures the server without a proxy', async () => {
    const { measure, sent } = await bench()
    expect(await measure(setting(null, 'gzip'), '/a')).toEqual({
      ...setting(null, 'gzip'),
      path: '/a',
      status: 203,
      hops: [
        {
          from: 'server',
          to: 'client',
          offer: 'gzip',
          coding: 'gzip',
          wireBytes: 100,
          vary: 'Accept-Encoding',
        },
      ],
      bodyBytes: 100,
      headBytes: 55,
      asked: 'asked',
      why: expect.arrayContaining([expect.stringContaining('The server sent gzip')]),
    })
    expect(sent).toEqual([{ url: `${url}/a`, offer: 'gzip' }])
  })

  it('measures both hops through the proxy in its mode', async () => {
    const { measure, sent } = await bench()
    const hop = { from: 'proxy', to: 'client', offer: null, vary: 'Accept-Encoding' }
    const up = { from: 'server', to: 'proxy', offer: 'gzip', vary: 'Accept-Encoding' }
    const gzip = { coding: 'gzip', wireBytes: zipped.length }
    const identity = { coding: 'identity', wireBytes: 500 }
    // Cases that begin together are measured one after another, each in its own mode.
    const [forced, decoded, plain] = await Promise.all([
      measure(setting('force', null), '/b?c'),
      measure(setting('force-gunzip', null), '/b'),
      measure(setting('default', null), '/b'),
    ])
    expect(forced).toMatchObject({
      path: '/b?c',
      status: 200,
      hops: [
        { ...up, ...gzip },
        { ...hop, ...gzip },
      ],
      bodyBytes: 500,
      headBytes: 50,
      asked: 'not asked',
    })
    expect(forced.why.join(' ')).toContain('asked the server for gzip')
    expect(decoded).toMatchObject({
      hops: [
        { ...up, ...gzip },
        { ...hop, ...identity },
      ],
      asked: 'asked',
    })
    expect(plain).toMatchObject({
      hops: [
        { ...up, offer: null, ...identity },
        { ...hop, ...identity },
      ],
    })
    expect(sent.map(each => each.url)).toEqual(['http://proxy/b?c', 'http://proxy/b', 'http://proxy/b'])
    expect(sent.every(({ offer }) => offer === null)).toBe(true)
  })

  it('explains only the failure when the server does not answer', async () => {
    const { measure } = await bench({ server: 'http://127.0.0.1:1' })
    const failed = await measure(setting('default', 'gzip'), '/')
    expect(failed.status).toBe(502)
    expect(failed.hops.map(({ from, to }) => [from, to])).toEqual([['proxy', 'client']])
    expect(failed.why).toEqual([expect.stringContaining('cannot reach http://127.0.0.1:1')])
  })

  it('measures the next case after a failed one, without its exchange', async () => {
    const failure = new Error('no answer')
    const { measure } = await bench({ askServer: async () => Promise.reject(failure) })
    await measure(setting('default', null), '/')
    await expect(measure(setting(null, null), '/')).rejects.toBe(failure)
    const direct = await bench()
    await direct.measure(setting('gzip', 'gzip'), '/')
    expect((await direct.measure(setting(null, null), '/')).why.join(' ')).not.toContain('proxy')
    expect((await measure(setting('default', null), '/')).status).toBe(200)
  })
})
