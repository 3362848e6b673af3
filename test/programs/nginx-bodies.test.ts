import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../src/lab/listening/listen.js'
import { type HeaderList, header, headerValues } from '../../src/protocol/http/message.js'
import { measure, openAnswer } from '../../src/servers/compression/client/measure.js'
import { createProxySite } from '../../src/servers/compression/client/proxy-site.js'
import { MODE_SETTINGS, nginxConf, type ProxyMode } from '../../src/servers/compression/proxy/modes.js'
import { recordingBus } from '../support/ask.js'
import { freePorts } from '../support/free-ports.js'
import { temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { type Nginx, serverBlock, startNginx } from './nginx.js'

const file = (name: string) => readFileSync(join(import.meta.dirname, '../..', name))
const text = file('docs/reference/commands.md').subarray(0, 27_000)

interface Body {
  readonly type: string
  readonly body: Uint8Array
  readonly headers?: HeaderList
}

/** Bodies as the web has them: a long and a short text, JSON, an image in SVG, and what is compressed already. */
const bodies: Readonly<Record<string, Body>> = {
  text: { type: 'text/plain; charset=utf-8', body: text },
  short: { type: 'text/plain', body: text.subarray(0, 400) },
  json: { type: 'application/json', body: file('fixtures/lab.json') },
  svg: { type: 'image/svg+xml', body: file('docs/flow-code.svg') },
  png: { type: 'image/png', body: gzipSync(text) },
  zip: { type: 'application/zip', body: gzipSync(text) },
  'in-gzip': { type: 'text/plain', body: gzipSync(text), headers: [['Content-Encoding', 'gzip']] },
  'in-br': { type: 'text/plain', body: brotliCompressSync(text), headers: [['Content-Encoding', 'br']] },
  empty: { type: 'text/plain', body: new Uint8Array() },
  'empty-json': { type: 'application/json', body: new Uint8Array() },
}

const MODES = ['default', 'gunzip', 'gzip', 'gzip-vary', 'ingress'] as const satisfies readonly ProxyMode[]
/** The largest difference in the length of gzip: Node.js has the zlib of Chromium, which finds other matches. */
const SHARE = 0.05

/** Milliseconds between the events of the stream, and their number. */
const PAUSE = 250
const EVENTS = 6

/** Serves the bodies by name, `/chunked/NAME` without Content-Length, and `/events` and `/lines`, which take their time. */
async function startUpstream(): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const [, first = '', second] = (request.url ?? '/').split('/')
    if (first === 'events' || first === 'lines') {
      response.writeHead(200, { 'Content-Type': first === 'events' ? 'text/event-stream' : 'text/plain' })
      for (let n = 0; n < EVENTS; n++) {
        response.write(`data: ${n} ${'x'.repeat(200)}\n\n`)
        await delay(PAUSE)
      }
      response.end()
      return
    }
    const { type, body, headers = [] } = bodies[second ?? first] ?? bodies.text!
    const length = second === undefined ? ['Content-Length', String(body.length)] : []
    response.writeHead(200, ['Content-Type', type, 'ETag', '"v1"', ...headers.flat(), ...length]).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describeWith(['nginx'], 'the proxy beside nginx, with bodies of the web', () => {
  const folder = temporaryFolder()
  const stops: (() => unknown)[] = []
  const pairs = new Map<ProxyMode, { ours: string; theirs: string }>()
  let nginx: Nginx

  beforeAll(async () => {
    const ports = await freePorts(MODES.length)
    const { url: upstream, server } = await startUpstream()
    stops.push(() => server.close())
    const blocks: string[] = []
    for (const [i, mode] of MODES.entries()) {
      const settings = MODE_SETTINGS[mode]
      blocks.push(serverBlock(nginxConf(settings, { port: ports[i]!, upstream })))
      const { baseUrl, stop } = await listen({
        hosts: ['127.0.0.1'],
        port: 0,
        portOption: '--port',
        bodyLimit: 1000,
        home: folder.path,
        baseUrl: port => `http://127.0.0.1:${port}`,
        site: () => createProxySite({ upstream, settings: () => settings }),
        events: recordingBus(),
        crashed: error => console.error(error),
      })
      stops.push(stop)
      pairs.set(mode, { ours: baseUrl, theirs: `http://127.0.0.1:${ports[i]}` })
    }
    nginx = await startNginx(folder.path, blocks, ports[0]!)
  })
  afterAll(async () => {
    await nginx?.stop()
    for (const stop of stops) await stop()
    folder.remove()
  })

  const get = (url: string, offer: string | undefined) =>
    measure({ method: 'GET', url, headers: offer === undefined ? [] : [['Accept-Encoding', offer]] })

  /** The parts in which both must agree: status, fields, and the body without its gzip. */
  function common(answer: Awaited<ReturnType<typeof get>>): unknown[] {
    const names = ['content-encoding', 'vary', 'content-type', 'etag', 'accept-ranges']
    const coded = header(answer, 'content-encoding') === 'gzip'
    const body = Buffer.from(coded ? gunzipSync(answer.body) : answer.body).toString('base64')
    return [answer.status, ...names.map(name => headerValues(answer, name)), body]
  }

  it.each(MODES)('mode %s has the same answers, and gzip of almost the same length', async mode => {
    const { ours, theirs } = pairs.get(mode)!
    for (const path of Object.keys(bodies).flatMap(name => [`/${name}`, `/chunked/${name}`])) {
      for (const offer of [undefined, 'gzip', 'br']) {
        const [own, real] = await Promise.all([ours, theirs].map(base => get(base + path, offer)))
        const asked = `${path} offered ${offer}`
        expect([asked, ...common(own!)]).toEqual([asked, ...common(real!)])
        const difference = Math.abs(own!.body.length - real!.body.length)
        expect(difference, asked).toBeLessThanOrEqual(Math.max(4, SHARE * real!.body.length))
      }
    }
  })

  /** Milliseconds until the first piece of the body, and until the end. */
  async function stream(url: string, offer: HeaderList): Promise<{ first: number; last: number }> {
    const started = performance.now()
    const { body } = await openAnswer({ method: 'GET', url, headers: offer }, {})
    let first: number | undefined
    for await (const piece of body) {
      if (piece.length > 0) first ??= performance.now() - started
    }
    return { first: first ?? Number.POSITIVE_INFINITY, last: performance.now() - started }
  }

  it.each([
    ['/events', 'passes'],
    ['/lines', 'is compressed'],
  ])('a stream of %s, which %s, begins no later than in nginx', async path => {
    const figures = new Map<string, { first: number; last: number }>()
    for (const [name, base] of Object.entries(pairs.get('gzip')!)) {
      figures.set(name, await stream(base + path, [['Accept-Encoding', 'gzip']]))
    }
    const [ours, theirs] = [figures.get('ours')!, figures.get('theirs')!]
    const ms = ({ first, last }: typeof ours) => `${Math.round(first)} of ${Math.round(last)} ms`
    console.log(`first byte of ${path}: ${ms(ours)}, nginx ${ms(theirs)}`)
    expect(ours.last).toBeGreaterThan(EVENTS * PAUSE * 0.9)
    expect(ours.first).toBeLessThan(theirs.first + PAUSE)
  })
})
