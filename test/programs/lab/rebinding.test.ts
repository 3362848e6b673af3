import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClientDocuments } from '../../../src/lab/outgoing/client-sender.js'

/** The servers that names are looked up at, as `host:port`. */
const servers = vi.hoisted((): string[] => [])

// getaddrinfo asks the servers of the computer; these tests ask their own one by the DNS protocol.
vi.mock('node:dns', async original => {
  const dns = await original<typeof import('node:dns')>()
  const lookup = (
    host: string,
    _options: unknown,
    done: (error: Error | null, found: unknown[]) => void,
  ): void => {
    const resolver = new dns.Resolver()
    resolver.setServers(servers)
    resolver.resolve4(host, (error, found) =>
      done(
        error,
        (found ?? []).map(address => ({ address, family: 4 })),
      ),
    )
  }
  return { ...dns, lookup }
})

const PUBLIC = '8.8.4.4'
const PRIVATE = '10.0.0.1'

/** Returns an answer with addresses of the name in question (RFC 1035 §4.1). Nobody may keep it: its TTL is 0. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.fill(0, 8)
  const records = addresses.map(address =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, question, ...records])
}

let server: Socket
/** The answers of the server, the next one first. The last one stays. */
let answers: (readonly string[])[]
let queries: number
/** The addresses that connections were about to be opened to. */
let called: string[]

beforeEach(async () => {
  queries = 0
  called = []
  server = createSocket('udp4', (query, { port, address }) => {
    queries += 1
    const [next = []] = answers.length > 1 ? answers.splice(0, 1) : answers
    server.send(answerTo(query, next), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  servers.splice(0, 1, `127.0.0.1:${(server.address() as AddressInfo).port}`)
  const connect = tls.connect
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) => {
    const socket = connect(options)
    // The socket ends between the look-up and the connection, so no test calls another computer.
    socket.on('lookup', (error, address) => {
      if (error) return
      called.push(address)
      socket.destroy(new Error('the test ends here'))
    })
    return socket
  }) as typeof tls.connect)
})

afterEach(() => {
  vi.restoreAllMocks()
  server.close()
})

const fetched = () =>
  createClientDocuments({ caPem: '' })('https://rebinding.example/client', '*/*', 'metadata')

it('a connection goes to the address that was checked, whatever the next answer is', async () => {
  answers = [[PUBLIC], [PRIVATE]]
  await expect(fetched()).rejects.toMatchObject({ kind: 'network' })
  expect({ called, queries }).toEqual({ called: [PUBLIC], queries: 1 })
})

it('an address that turns private is refused at the next request', async () => {
  answers = [[PUBLIC], [PRIVATE]]
  await expect(fetched()).rejects.toMatchObject({ kind: 'network' })
  await expect(fetched()).rejects.toMatchObject({ kind: 'address' })
  expect({ called, queries }).toEqual({ called: [PUBLIC], queries: 2 })
})

it('a private address beside a public one is refused', async () => {
  answers = [[PUBLIC, PRIVATE]]
  await expect(fetched()).rejects.toMatchObject({ kind: 'address' })
  expect({ called, queries }).toEqual({ called: [], queries: 1 })
})
