import net from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import { type Listener, type ListenOptions, listen, type Waits } from '../../../src/lab/listening/listen.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'
import { text, textResponse } from '../../../src/protocol/http/message.js'
import type { Handle } from '../../../src/protocol/http/site.js'
import { recordingBus } from '../../support/ask.js'
import { ask } from '../../support/https.js'
import { type Attacker, attacker, dribble } from './support.js'

/** Those of a lab are in seconds; here nobody waits so long. */
const waits: Waits = { headers: 150, request: 300, check: 40, handshake: 150 }

const home = memoryState()
let listeners: Listener[] = []
let crashes: unknown[] = []
let handled = 0
beforeEach(() => {
  crashes = []
  handled = 0
})
afterEach(async () => {
  await Promise.all(listeners.map(each => each.stop()))
  listeners = []
  expect(crashes).toEqual([])
})

const echo: Handle = async request => {
  handled++
  return textResponse(200, text(request.body))
}

async function serve(options: Partial<ListenOptions> = {}): Promise<number> {
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home,
    bodyLimit: 64 * 1024,
    events: recordingBus(),
    crashed: error => crashes.push(error),
    baseUrl: port => `https://localhost:${port}`,
    site: () => ({ name: 'test', handle: echo }),
    waits,
    ...options,
  })
  listeners.push(listener)
  return listener.port
}

async function answers(port: number): Promise<void> {
  const { status, body } = await ask(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'here' })
  expect([status, body]).toEqual([200, 'here'])
}

const head = 'POST / HTTP/1.1\r\nHost: x\r\n'

describe('a request that never comes to its end', () => {
  it.each([
    ['headers', ['POST / HT', 'TP/1.1\r\n', 'Host: x\r\n', 'x: y\r\n']],
    ['a header line', ['POST / HTTP/1.1\r\nHost: ', 'x']],
    ['a target', ['POST /', 'x']],
    ['a body of known length', [`${head}Content-Length: 60000\r\n\r\n`, 'x']],
    ['chunks of a body', [`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n']],
    ['the length of a chunk', [`${head}Transfer-Encoding: chunked\r\n\r\n`, '0']],
    ['trailers', [`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n']],
  ])('is cut while %s arrives slowly', async (_, pieces) => {
    const port = await serve()
    const slow = await Promise.all(Array.from({ length: 20 }, () => attacker(port)))
    for (const each of slow) dribble(each, pieces, 10)
    await answers(port)
    for (const each of slow) expect(await each.ended).toMatch(/^$|^HTTP\/1\.1 (408|400|431) /)
    // Nothing of them ever reached the site.
    expect(handled).toBe(1)
    await answers(port)
  })

  it('is cut when its TLS handshake does not begin', async () => {
    const port = await serve({ tls: await ensureCertificates(home) })
    const silent = await attacker(port)
    const slow = await attacker(port)
    dribble(slow, ['\x16\x03\x01\x02\x00\x01', '\x00'], 20)
    expect(await Promise.all([silent.ended, slow.ended])).toEqual(['', ''])
  })
})

describe('floods', () => {
  it.each([
    ['more headers than are read', 'x: y\r\n'.repeat(101)],
    ['a thousand headers', 'x: y\r\n'.repeat(1000)],
    ['a header of a megabyte', `x: ${'y'.repeat(1024 * 1024)}\r\n`],
    ['a megabyte of headers', `x: ${'y'.repeat(1000)}\r\n`.repeat(1024)],
    ['a cookie of 20 kB', `Cookie: ${'a=b; '.repeat(4000)}\r\n`],
  ])('of headers are 431: %s', async (_, headers) => {
    const port = await serve()
    const flood = await attacker(port)
    flood.socket.write(`${head}Connection: close\r\n${headers}\r\n`)
    // Who still sends when the answer comes may miss it.
    expect(await flood.ended).toMatch(headers.length > 100_000 ? /^$|^HTTP\/1\.1 431 / : /^HTTP\/1\.1 431 /)
    expect(handled).toBe(0)
    await answers(port)
  })

  it('of requests on one connection are answered in order', async () => {
    const port = await serve()
    const flood = await attacker(port)
    const numbers = Array.from({ length: 500 }, (_, index) => String(1000 + index))
    flood.socket.write(numbers.map(each => `${head}Content-Length: 4\r\n\r\n${each}`).join(''))
    flood.socket.write(`${head}Connection: close\r\n\r\n`)
    const bodies = [...(await flood.ended).matchAll(/\r\n\r\n(\d{4})/g)].map(([, body]) => body)
    expect(bodies).toEqual(numbers)
  })
})

describe('a connection closed by half', () => {
  it('gets its answer, and then the server closes its half', async () => {
    const port = await serve()
    const half = await attacker(port)
    half.socket.end(`${head}Content-Length: 4\r\n\r\nwhat`)
    expect(await half.ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nwhat$/)
  })

  it.each([
    ['before anything was asked', ''],
    ['in the headers', 'POST / HTTP/1.1\r\nHo'],
    ['in the body', `${head}Content-Length: 100\r\n\r\nhalf`],
    ['in a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n64\r\nhalf`],
  ])('%s is closed by both, and nothing is done', async (_, sent) => {
    const port = await serve()
    const half = await attacker(port)
    half.socket.end(sent)
    expect(await half.ended).toMatch(/^$|^HTTP\/1\.1 400 /)
    expect(handled).toBe(0)
    await answers(port)
  })
})

/** Both ends are in this process: as many as its limit of open files allows. */
function idleConnections(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files: { soft: number | 'unlimited' } }
  }
  const files = Number(userLimits?.open_files.soft)
  return Number.isNaN(files) ? 2000 : Math.min(2000, Math.floor((files - 200) / 200) * 100)
}

const count = idleConnections()

describe(`${count} idle connections`, () => {
  it('leave the listener answering, and are closed when it stops', async () => {
    // As a lab has it: they are not cut while the test looks at them.
    const port = await serve({ waits: { headers: 15_000, request: 25_000, check: 2000, handshake: 10_000 } })
    const idle: Attacker[] = []
    while (idle.length < count) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, () => attacker(port)))))
    }
    // Half of them have begun, and go on no further.
    for (const [index, { socket }] of idle.entries()) if (index % 2) socket.write('POST / HTTP/1.1\r\nHo')
    await answers(port)
    expect(idle.filter(({ socket }) => socket.destroyed)).toEqual([])
    await listeners.pop()?.stop()
    await Promise.all(idle.map(each => each.ended))
    await expect(refused(port)).resolves.toBe('ECONNREFUSED')
  })
})

function refused(port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    net
      .connect(port, '127.0.0.1')
      .once('connect', () => resolve(undefined))
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
