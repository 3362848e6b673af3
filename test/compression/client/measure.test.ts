import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MeasuredRequest, measure } from '../../../src/compression/client/measure.js'
import { withPayloads } from '../../../src/compression/payload.js'
import { textResponse } from '../../../src/http/message.js'
import { type Mounts, openMounts } from '../../../src/lab/mounts.js'

const home = mkdtempSync(join(tmpdir(), 'oauth-lab-measure-'))
let mounts: Mounts
let secure = ''
let plain = ''
beforeAll(async () => {
  mounts = await openMounts({ home, compression: true })
  const common = { port: 0, portOption: '--port', bodyLimit: 1000 }
  const site = () => withPayloads({ name: 'payload', handle: async () => textResponse(404, '') })
  secure = (await mounts.mount({ ...common, site })).baseUrl
  plain = (await mounts.mount({ ...common, site, scheme: 'http' })).baseUrl
})
afterAll(async () => {
  await mounts.stop()
  rmSync(home, { recursive: true })
})

const ask = (url: string, more: Partial<MeasuredRequest> = {}) =>
  measure({ method: 'GET', url, headers: [], ...more }, { caPem: mounts.certificates.caPem })

describe('measure', () => {
  it('counts the body as it travels, and what TLS adds to it', async () => {
    const answer = await ask(`${secure}/kb/2`, { headers: [['Accept-Encoding', 'gzip']] })
    expect(answer.bytes).toMatchObject({ body: 48, framing: 0 })
    // One record of TLS 1.3: 5 bytes of header, 1 of type, 16 of tag.
    expect(answer.tls).toMatchObject({ protocol: 'TLSv1.3', overhead: 22 })
    expect(answer.tls!.handshake.received).toBeGreaterThan(500)
  })

  it('counts the records of a larger body', async () => {
    const answer = await ask(`${secure}/kb/200`)
    expect(answer.bytes.body).toBe(204_800)
    expect(answer.tls!.overhead % 22).toBe(0)
    expect(answer.tls!.overhead).toBeGreaterThanOrEqual(13 * 22)
  })

  it('speaks plain HTTP, HEAD and HTTP/1.0', async () => {
    const answer = await ask(`${plain}/kb/2`)
    expect(answer).toMatchObject({ status: 200, bytes: { body: 2048 } })
    expect(answer).not.toHaveProperty('tls')
    expect(await ask(`${secure}/kb/2`, { method: 'HEAD' })).toMatchObject({ status: 200, bytes: { body: 0 } })
    expect(await ask(`${secure}/kb/2`, { httpVersion: '1.0' })).toMatchObject({ bytes: { body: 2048 } })
  })

  it('trusts the lab only with its certificate', async () => {
    await expect(measure({ method: 'GET', url: `${secure}/kb/2`, headers: [] })).rejects.toMatchObject({
      kind: 'transport',
      message: expect.stringContaining('signed by an unknown authority'),
    })
  })
})

/** Listens on a free port of `host` while `use` runs. */
async function listening(
  server: net.Server,
  host: string,
  use: (port: number) => Promise<void>,
): Promise<void> {
  await new Promise<void>(done => server.listen(0, host, done))
  try {
    await use((server.address() as net.AddressInfo).port)
  } finally {
    server.close()
  }
}

describe('a measured request', () => {
  /** Returns the bytes that `request` sends to a server. */
  async function sent(request: Partial<MeasuredRequest> & { path?: string }, host = '127.0.0.1') {
    const { path = '/', ...more } = request
    let asked = ''
    let measured = 0
    let port = 0
    const server = net.createServer(socket => {
      socket.once('data', chunk => {
        asked += chunk.toString('latin1')
        socket.end('HTTP/1.1 204 No Content\r\n\r\n')
      })
    })
    await listening(server, host, async free => {
      port = free
      const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`
      measured = (await measure({ method: 'GET', url, headers: [], ...more })).requestBytes
    })
    expect(measured).toBe(asked.length)
    return asked.replace(`:${port}`, ':PORT')
  }

  it('is sent as it is, with Host first', async () => {
    const headers = [['x-b', '\xe9'] as const, ['X-A', ''] as const]
    expect(await sent({ path: '/a%20b?c=%7e&d', headers })).toBe(
      'GET /a%20b?c=%7e&d HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nx-b: \xe9\r\nX-A: \r\n\r\n',
    )
  })

  it('has its method, its version and the length of its body', async () => {
    const body = Buffer.from('a=b')
    expect(await sent({ method: 'POST', httpVersion: '1.0', body })).toBe(
      'POST / HTTP/1.0\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 3\r\n\r\na=b',
    )
    expect(await sent({ body: new Uint8Array() })).toBe('GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n')
  })

  it('reaches an IPv6 address', async () => {
    expect(await sent({}, '::1')).toContain('\r\nHost: [::1]:PORT\r\n')
  })
})

describe('measure over TLS', () => {
  const answers = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n'

  /** Counts the requests of one measurement, at a server that answers each with `fields` after 20 ms. */
  async function requests(fields: string, request: Partial<MeasuredRequest> = {}, once = false) {
    const names: string[] = []
    let count = 0
    const body = request.method === 'HEAD' ? '' : 'hi'
    const { certPem: cert, keyPem: key, caPem } = mounts.certificates
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name)
      done(null)
    }
    const server = tls.createServer({ cert, key, SNICallback }, socket => {
      socket.on('error', () => {})
      socket.on('data', () => {
        count += 1
        setTimeout(() => socket.write(`${fields}\r\n${body}`), 20)
      })
    })
    let measured: Awaited<ReturnType<typeof measure>> | undefined
    await listening(server, '127.0.0.1', async port => {
      const url = `https://localhost:${port}/`
      measured = await measure({ method: 'GET', url, headers: [], ...request }, { caPem, once })
    })
    expect(names).toEqual(['localhost'])
    expect(String(measured!.body)).toBe(body)
    // From sending to the last byte, whichever request is measured.
    expect(measured!.ms).toBeGreaterThanOrEqual(15)
    expect(measured!.ms).toBeLessThan(10_000)
    expect(measured!.tls!.overhead).toBeGreaterThanOrEqual(22)
    return { count, overhead: measured!.tls!.overhead }
  }

  it('measures a second request on a connection that stays open', async () => {
    expect(await requests(answers)).toEqual({ count: 2, overhead: 22 })
    expect((await requests(`${answers}Connection: keep-alive\r\n`)).count).toBe(2)
    expect((await requests(answers, { method: 'HEAD' })).count).toBe(2)
  })

  it.each<[string, string, Partial<MeasuredRequest>, boolean]>([
    ['it is asked to', answers, {}, true],
    ['the server closes the connection', `${answers}connection: Upgrade, Close\r\n`, {}, false],
    ['the server speaks HTTP/1.0', answers.replace('1.1', '1.0'), {}, false],
    ['the request is in HTTP/1.0', answers, { httpVersion: '1.0' }, false],
    ['the method is not safe', answers, { method: 'POST' }, false],
  ])('sends one request when %s', async (_, fields, request, once) => {
    expect((await requests(fields, request, once)).count).toBe(1)
  })
})

describe('measure with a faulty server', () => {
  /** Answers every connection with these bytes, or never. */
  async function against(reply: string | undefined, use: (url: string) => Promise<void>): Promise<void> {
    const server = net.createServer(socket => {
      socket.on('error', () => {})
      if (reply !== undefined) socket.end(reply)
    })
    await listening(server, '127.0.0.1', port => use(`http://127.0.0.1:${port}/`))
  }

  it.each([
    ['', 'cannot be read'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'cut in the middle'],
    ['220 ready\r\n\r\n', 'not an answer in HTTP/1'],
  ])('reports %j', async (reply, message) => {
    await against(reply, async url => {
      await expect(measure({ method: 'GET', url, headers: [] })).rejects.toMatchObject({
        kind: 'transport',
        code: 'EBADMSG',
        message: expect.stringContaining(message),
      })
    })
  })

  it('limits the body', async () => {
    await against('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody', async url => {
      const request = { method: 'GET', url, headers: [] }
      expect(String((await measure(request, { limit: 4 })).body)).toBe('body')
      await expect(measure(request, { limit: 3 })).rejects.toMatchObject({ code: 'EBADMSG' })
    })
  })

  it.each(['http:', 'https:'])('ends the wait for a silent server over %s', async scheme => {
    await against(undefined, async url => {
      const request = { method: 'GET', url: url.replace('http:', scheme), headers: [] }
      await expect(measure(request, { timeoutMs: 50 })).rejects.toMatchObject({
        kind: 'timeout',
        message: expect.stringContaining('within 0.05 s'),
      })
    })
  })

  it('reports a refused connection', async () => {
    await expect(measure({ method: 'GET', url: 'http://127.0.0.1:1/', headers: [] })).rejects.toMatchObject({
      kind: 'transport',
    })
  })
})
