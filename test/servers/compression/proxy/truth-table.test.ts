import { describe, expect, it } from 'vitest'
import {
  type HttpRequest,
  header,
  headerValues,
  textResponse,
} from '../../../../src/protocol/http/message.js'
import { createCompressResponse } from '../../../../src/servers/compression/compress-response.js'
import { withPayloads } from '../../../../src/servers/compression/payload.js'
import { MODE_SETTINGS, type ProxyMode } from '../../../../src/servers/compression/proxy/modes.js'
import { upstreamRequest } from '../../../../src/servers/compression/proxy/proxy.js'
import { recordingSite } from '../../../support/ask.js'
import { proxyAnswer } from './answer.js'

/** A server behind the proxy, which sends Content-Length. */
function upstream(compressing: boolean) {
  const { handle } = recordingSite(
    withPayloads({ name: 'upstream', handle: async () => textResponse(404, '') }),
  )
  const compress = createCompressResponse()
  return async (request: HttpRequest) => {
    const raw = await handle(request)
    const answer = compressing ? await compress(request, raw) : raw
    const length = ['content-length', String(answer.body.length)] as const
    return { ...answer, headers: [...answer.headers, length] }
  }
}

const raw = upstream(false)
const compressing = upstream(true)

type Client = Partial<Pick<HttpRequest, 'httpVersion' | 'headers'>>
const offers = (value: string): Client => ({ headers: [['Accept-Encoding', value]] })

const clients: Readonly<Record<string, Client>> = {
  nothing: {},
  identity: offers('identity'),
  deflate: offers('deflate'),
  'gzip;q=0': offers('gzip;q=0'),
  empty: offers(''),
  gzip: offers('gzip'),
  br: offers('br'),
  'gzip, br': offers('gzip, br'),
  'br;q=1.0, gzip;q=0.5': offers('br;q=1.0, gzip;q=0.5'),
  '*': offers('*'),
  'HTTP/1.0 gzip': { ...offers('gzip'), httpVersion: '1.0' },
  'Via gzip': { headers: [['Via', '1.1 other'], ...offers('gzip').headers!] },
}

/** Describes an answer: its coding, its body bytes, and a V for each Vary field. */
async function through(
  mode: ProxyMode,
  from: typeof raw,
  client: Client,
  { kb = 2, method = 'GET' } = {},
): Promise<string> {
  const settings = MODE_SETTINGS[mode]
  const request: HttpRequest = {
    method,
    url: `http://proxy/kb/${kb}`,
    headers: client.headers ?? [],
    httpVersion: client.httpVersion ?? '1.1',
    body: new Uint8Array(),
  }
  const asked = upstreamRequest(settings, request, 'https://localhost:8443', `/kb/${kb}`)
  const { answer } = await proxyAnswer(settings, request, await from(asked))
  const coding = header(answer, 'content-encoding') ?? 'raw'
  return `${coding} ${answer.body.length}${' V'.repeat(headerValues(answer, 'vary').length)}`
}

// Measured on nginx 1.22.1, kb=2.
const none = ['raw 2048', 'raw 2048 V', 'gzip 48 V', 'raw 2048 V', 'raw 2048 V', 'raw 2048', 'raw 2048 V']
const either = ['raw 2048', 'br 22 V', 'gzip 48 V', 'gzip 48 V', 'br 22 V', 'gzip 41', 'br 22 V']
const old = ['raw 2048', 'gzip 48 V', 'gzip 48 V', 'raw 2048 V', 'raw 2048 V', 'raw 2048', 'gzip 48 V']
const columns = [
  ['default', raw],
  ['default', compressing],
  ['force', compressing],
  ['force-gunzip', compressing],
  ['gunzip', compressing],
  ['gzip', raw],
  ['gzip', compressing],
] as const
const table: Readonly<Record<string, readonly string[]>> = {
  nothing: none,
  identity: none,
  deflate: none,
  'gzip;q=0': none,
  empty: none,
  gzip: ['raw 2048', 'gzip 48 V', 'gzip 48 V', 'gzip 48 V', 'gzip 48 V', 'gzip 41', 'gzip 48 V'],
  br: ['raw 2048', 'br 22 V', 'gzip 48 V', 'raw 2048 V', 'br 22 V', 'raw 2048', 'br 22 V'],
  'gzip, br': either,
  'br;q=1.0, gzip;q=0.5': either,
  '*': ['raw 2048', 'br 22 V', 'gzip 48 V', 'raw 2048 V', 'br 22 V', 'raw 2048', 'br 22 V'],
  'HTTP/1.0 gzip': old,
  'Via gzip': old,
}

describe('the proxy answers as nginx does', () => {
  it.each(Object.keys(table))('to a client that offers %s', async client => {
    const row: string[] = []
    for (const [mode, from] of columns) row.push(await through(mode, from, clients[client]!))
    expect(row).toEqual(table[client])
  })

  it.each([
    ['gzip', 1, 'gzip 31'],
    ['gzip', 200, 'gzip 929'],
    ['ingress', 2, 'gzip 41 V'],
    ['ingress', 200, 'gzip 929 V'],
    ['gzip-strip', 2, 'gzip 41'],
  ] as const)('in mode %s compresses kb=%i itself', async (mode, kb, expected) => {
    expect(await through(mode, raw, clients.gzip!, { kb })).toBe(expected)
  })

  it('compresses for a compressing upstream only when it removes Accept-Encoding', async () => {
    expect(await through('gzip-strip', compressing, clients.gzip!)).toBe('gzip 41 V')
    expect(await through('gzip', compressing, clients.gzip!)).toBe('gzip 48 V')
  })

  it('has Vary twice with gzip_vary when the upstream sends it, and once otherwise', async () => {
    expect(await through('gzip-vary', compressing, clients.nothing!)).toBe('raw 2048 V V')
    expect(await through('gzip-vary', raw, clients.nothing!)).toBe('raw 2048 V')
  })

  it('compresses behind another proxy in mode ingress', async () => {
    expect(await through('ingress', raw, clients['Via gzip']!)).toBe('gzip 41 V')
  })

  it('answers HEAD with the header fields of GET', async () => {
    expect(await through('gzip', raw, clients.gzip!, { method: 'HEAD' })).toMatch(/^gzip /)
    expect(await through('gzip', raw, clients.nothing!, { method: 'HEAD' })).toMatch(/^raw /)
  })
})
