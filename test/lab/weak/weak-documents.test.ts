import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createClientDocuments } from '../../../src/lab/outgoing/client-sender.js'
import { fetchAnything } from '../../../src/lab/weak/weak-documents.js'

const ending: (() => void)[] = []
afterEach(() => {
  for (const end of ending.splice(0)) end()
})

/** A server of plain http on this computer, which counts its requests. */
async function serve(answer: RequestListener) {
  let hits = 0
  const server = createServer((request, response) => {
    hits += 1
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  ending.push(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, hits: () => hits }
}

const hosts = { 'backup.internal': '127.0.0.1', 'link.internal': '169.254.169.254' }
const weak = fetchAnything({ caPem: '', hosts })
const strict = createClientDocuments({ caPem: '', hosts, allowed: ['localhost'] })

it('reads a private address by its name, over plain http and at any port', async () => {
  const inner = await serve((_, response) => response.end('the key is under the rabbit'))
  const answer = await weak(`http://backup.internal:${inner.port}/`, 'application/json', 'metadata')
  expect([answer.body, inner.hits()]).toEqual(['the key is under the rabbit', 1])
})

it('follows redirects, to an address that the first answer names', async () => {
  const inner = await serve((_, response) => response.end('secret'))
  const location = `http://backup.internal:${inner.port}/`
  const outer = await serve((_, response) => response.writeHead(302, { location }).end())
  expect((await weak(outer.origin, '*/*', 'metadata')).body).toBe('secret')
  expect(inner.hits()).toBe(1)
})

it.each<[string, RequestListener, RegExp]>([
  ['redirects for ever', (_, response) => response.writeHead(302, { location: '/' }).end(), /more than 5/],
  ['answers 500', (_, response) => response.writeHead(500).end(), /answered 500/],
  ['redirects to nothing', (_, response) => response.writeHead(302).end(), /answered 302/],
  [
    'redirects to a file',
    (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /is not https/,
  ],
  ['never ends its answer', (_, response) => response.end('x'.repeat(64 * 1024 + 1)), /large|long/],
])('gives up on a server that %s', async (_, answer, problem) => {
  const { origin } = await serve(answer)
  await expect(weak(origin, '*/*', 'metadata')).rejects.toThrow(problem)
})

it.each(['backup.internal', 'link.internal'])(
  'is the only one to call %s: the strict fetch refuses the address behind the name',
  async name => {
    const inner = await serve((_, response) => response.end('{}'))
    const asked = strict(`https://${name}:${inner.port}/client.json`, '*/*', 'metadata')
    await expect(asked).rejects.toThrow(/is an address of a private network/)
    expect(inner.hits()).toBe(0)
  },
)
