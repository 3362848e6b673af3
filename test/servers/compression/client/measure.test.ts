import { constants } from 'node:crypto'
import net from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mounts, openMounts } from '../../../../src/lab/listening/mounts.js'
import { textResponse } from '../../../../src/protocol/http/message.js'
import type { MeasuredRequest } from '../../../../src/servers/compression/client/measure.js'
import { measure } from '../../../../src/servers/compression/client/measure.js'
import { withPayloads } from '../../../../src/servers/compression/payload.js'
import { sharedFolder } from '../../../support/shared.js'

const { path: home } = sharedFolder()
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
afterAll(() => mounts.stop())

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
    expect(answer.tls!.overhead! % 22).toBe(0)
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
    const untrusted = measure({ method: 'GET', url: `${secure}/kb/2`, headers: [] })
    const message = expect.stringContaining('signed by an unknown authority')
    await expect(untrusted).rejects.toMatchObject({ kind: 'transport', message })
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
  /** Measures an answer of a server that writes it after 20 ms, and then closes the connection or keeps it. */
  async function measured(
    answer: string,
    closes: boolean,
    options: tls.TlsOptions = {},
    request: Partial<MeasuredRequest> = {},
  ) {
    const names: string[] = []
    let count = 0
    const { certPem: cert, keyPem: key, caPem } = mounts.certificates
    const SNICallback = (name: string, done: (error: null) => void) => {
      names.push(name)
      done(null)
    }
    const server = tls.createServer({ cert, key, SNICallback, ...options }, socket => {
      socket.on('error', () => {})
      socket.on('data', () => {
        count += 1
        setTimeout(() => (closes ? socket.end(answer) : socket.write(answer)), 20)
      })
    })
    let result: Awaited<ReturnType<typeof measure>> | undefined
    await listening(server, '127.0.0.1', async port => {
      const url = `https://localhost:${port}/`
      result = await measure({ method: 'GET', url, headers: [], ...request }, { caPem })
    })
    expect(names).toEqual(['localhost'])
    expect(count).toBe(1)
    // From sending to the last byte.
    expect(result!.ms).toBeGreaterThanOrEqual(15)
    expect(result!.ms).toBeLessThan(10_000)
    return result!
  }

  const fixed = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'
  const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi'
  const letters = 'a'.repeat(40_000)

  it.each([
    ['on a connection that stays open', fixed, false],
    ['when the connection closes', fixed, true],
    ['when the end of the connection ends the body', closing, true],
    ['of HTTP/1.0', fixed.replace('1.1', '1.0'), true],
  ] as const)('counts one record of an answer, without session tickets, %s', async (_, answer, closes) => {
    const { tls: counted, body } = await measured(answer, closes)
    expect(String(body)).toBe('hi')
    expect(counted).toMatchObject({ protocol: 'TLSv1.3', overhead: 22 })
  })

  it('counts one record for an answer to a request that may be sent once only', async () => {
    expect((await measured(fixed, false, {}, { method: 'POST' })).tls!.overhead).toBe(22)
    expect((await measured(fixed, true, {}, { httpVersion: '1.0' })).tls!.overhead).toBe(22)
  })

  it('counts the records of a large answer', async () => {
    const { tls: counted } = await measured(closing.replace('hi', letters), true)
    expect(counted!.overhead).toBe(3 * 22)
  })

  it('counts session tickets with the handshake', async () => {
    const without = await measured(fixed, true, { secureOptions: constants.SSL_OP_NO_TICKET })
    const { tls: counted } = await measured(fixed, true)
    expect(without.tls!.overhead).toBe(22)
    expect(counted!.handshake.received).toBeGreaterThan(without.tls!.handshake.received)
  })

  it('counts explicit nonces of TLS 1.2', async () => {
    const ciphers = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256'
    const { tls: counted } = await measured(fixed, true, { maxVersion: 'TLSv1.2', ciphers })
    expect(counted).toMatchObject({ protocol: 'TLSv1.2', overhead: 29 })
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
      const error = { kind: 'transport', code: 'EBADMSG', message: expect.stringContaining(message) }
      await expect(measure({ method: 'GET', url, headers: [] })).rejects.toMatchObject(error)
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
      const error = { kind: 'timeout', message: expect.stringContaining('within 0.05 s') }
      await expect(measure(request, { timeoutMs: 50 })).rejects.toMatchObject(error)
    })
  })

  it.each(['/a b', '/a\nb', '/\u010a', '/a\r\nX: 1'])('sends no request for %j', async path => {
    const request = { method: 'GET', url: `http://127.0.0.1:1${path}`, headers: [] }
    await expect(measure(request)).rejects.toMatchObject({ kind: 'usage' })
  })

  it('sends no field that would end its line', async () => {
    const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: [['X', 'a\nb'] as const] }
    await expect(measure(request)).rejects.toMatchObject({ kind: 'usage' })
  })

  it('reports a refused connection', async () => {
    const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: [] }
    await expect(measure(request)).rejects.toMatchObject({ kind: 'transport' })
  })
})
