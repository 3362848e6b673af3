import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createTransport } from '../../src/client/transport.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Serves a stream that never ends. @returns its address */
async function endless(type: string): Promise<string> {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type })
    response.write('data: first\n\n')
    response.write('data: answer\n\n')
  })
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const get = (url: string) => ({ method: 'GET', url, headers: [], body: new Uint8Array() })

it('ends a stream of events where its reader has enough', async () => {
  const transport = createTransport({ timeoutMs: 10_000, env: {} })
  const url = await endless('text/event-stream; charset=utf-8')
  const { response } = await transport.send(get(url), { enough: events => events.includes('answer') })
  expect(response?.body).toContain('data: answer')
  // The connection is gone, and the next request opens another one.
  const again = await transport.send(get(url), { enough: events => events.includes('first') })
  expect(again.response?.status).toBe(200)
  transport.close()
})

it('waits for the end of any other response', async () => {
  const transport = createTransport({ timeoutMs: 300, env: {} })
  const url = await endless('text/plain')
  await expect(transport.send(get(url), { enough: () => true })).rejects.toThrow(/no answer from/)
  transport.close()
})
