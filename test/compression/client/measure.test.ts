import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    expect(await ask(`${plain}/kb/2`)).toMatchObject({ status: 200, bytes: { body: 2048 } })
    expect(await ask(`${secure}/kb/2`, { method: 'HEAD' })).toMatchObject({ status: 200, bytes: { body: 0 } })
    expect(await ask(`${secure}/kb/2`, { httpVersion: '1.0' })).toMatchObject({ bytes: { body: 2048 } })
  })

  it('trusts no authority beyond its own', async () => {
    await expect(measure({ method: 'GET', url: `${secure}/kb/2`, headers: [] })).rejects.toMatchObject({
      kind: 'transport',
      message: expect.stringContaining('signed by an unknown authority'),
    })
  })
})

describe('measure with a faulty server', () => {
  /** A server that answers every connection with these bytes, or never. */
  async function against(reply: string | undefined, use: (url: string) => Promise<void>): Promise<void> {
    const server = net.createServer(socket => {
      socket.on('error', () => {})
      if (reply !== undefined) socket.end(reply)
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as net.AddressInfo
    try {
      await use(`http://127.0.0.1:${port}/`)
    } finally {
      server.close()
    }
  }

  it.each([
    ['', 'cannot be read'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 'cut in the middle'],
    ['220 ready\r\n\r\n', 'not an answer in HTTP/1'],
  ])('reports %j', async (reply, message) => {
    await against(reply, async url => {
      await expect(measure({ method: 'GET', url, headers: [] })).rejects.toMatchObject({
        kind: 'transport',
        message: expect.stringContaining(message),
      })
    })
  })

  it('gives up on silence', async () => {
    await against(undefined, async url => {
      await expect(measure({ method: 'GET', url, headers: [] }, { timeoutMs: 50 })).rejects.toMatchObject({
        kind: 'timeout',
      })
    })
  })

  it('reports a refused connection', async () => {
    await expect(measure({ method: 'GET', url: 'http://127.0.0.1:1/', headers: [] })).rejects.toMatchObject({
      kind: 'transport',
    })
  })
})
