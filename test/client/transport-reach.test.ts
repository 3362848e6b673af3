import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../src/client/transport.js'
import type { HttpRequest } from '../../src/protocol/http/message.js'
import { listen, type TestCertificate, testCertificate } from './support/tls-server.js'

let certificate: TestCertificate
const cleanups: (() => Promise<void>)[] = []
beforeAll(async () => {
  certificate = await testCertificate()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
afterAll(() => expect(cleanups).toEqual([]))

/** A server that keeps the requests it gets. */
async function serve() {
  const seen: IncomingMessage[] = []
  const server = await listen((request, response) => {
    seen.push(request)
    response.end('ok')
  }, certificate)
  cleanups.push(server.close)
  return { seen, origin: server.origin, port: Number(new URL(server.origin).port) }
}

function transport(options: Parameters<typeof createTransport>[0]) {
  const made = createTransport({ env: {}, ...options })
  cleanups.push(async () => made.close())
  return made
}

const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: [], body: new Uint8Array() })

describe('fields that a person adds', () => {
  it('go to the origins of the server alone, and are recorded without their values', async () => {
    const [own, other] = [await serve(), await serve()]
    const headers = [['X-Api-Key', 'hush']] as const
    const extraHeaders = { headers, origins: new Set([own.origin]) }
    const { send } = transport({ caPem: certificate.cert, extraHeaders })
    const exchange = await send(get(`${own.origin}/a?b`))
    await send(get(`${other.origin}/a`))
    expect(own.seen[0]?.headers['x-api-key']).toBe('hush')
    expect(other.seen[0]?.headers).not.toHaveProperty('x-api-key')
    expect(exchange.request.headers).toContainEqual(['X-Api-Key', '(added by -H)'])
    expect(JSON.stringify(exchange)).not.toContain('hush')
  })
})

describe('addresses that a person names', () => {
  it('take the place of a lookup, for the named host and port alone', async () => {
    const { origin, port, seen } = await serve()
    const resolve = (host: string, at: number) =>
      host === 'localhost' && at === port
        ? [new URL(origin).hostname === '[::1]' ? '::1' : '127.0.0.1']
        : undefined
    const fails = () => expect.unreachable() as never
    const { send } = transport({ caPem: certificate.cert, resolve, lookup: fails })
    await send(get(`https://localhost:${port}/`))
    expect(seen[0]?.headers.host).toBe(`localhost:${port}`)
  })

  it('are checked by the name in the address, and not by theirs', async () => {
    const { port } = await serve()
    const resolve = () => ['127.0.0.1']
    const strict = transport({ caPem: certificate.cert, resolve })
    await expect(strict.send(get(`https://id.example:${port}/`))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    const insecure = transport({ resolve, insecure: true })
    expect((await insecure.send(get(`https://id.example:${port}/`))).response?.status).toBe(200)
  })

  it('are tried one after the other', async () => {
    const { port, seen } = await serve()
    const { send } = transport({ resolve: () => ['127.255.255.1', '127.0.0.1'], insecure: true })
    await send(get(`https://id.example:${port}/`))
    expect(seen).toHaveLength(1)
  })
})
