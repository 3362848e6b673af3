import { channel } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { type Listener, listen } from '../../../src/lab/listening/listen.js'
import { createBus } from '../../../src/protocol/events.js'
import { textResponse } from '../../../src/protocol/http/message.js'

const ONE = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** More than the system keeps for a connection that nobody reads. */
const LONG = Buffer.from(Uint32Array.from({ length: 8_000_000 }, (_, i) => i).buffer)

/** A listener whose answers are counted while they are made. @param held the first requests, which get no answer */
async function counting(body: Uint8Array = Buffer.alloc(1000, 'x'), held = 0) {
  const answer = { ...textResponse(200, ''), body }
  const made = { now: 0, most: 0, all: 0 }
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home: '/nowhere',
    bodyLimit: 1000,
    events: createBus(Date.now),
    crashed: error => {
      throw error
    },
    baseUrl: port => `http://127.0.0.1:${port}`,
    site: () => ({
      name: 'counting',
      async handle() {
        made.now += 1
        made.all += 1
        made.most = Math.max(made.most, made.now)
        await new Promise(resolve => made.all > held && setImmediate(resolve))
        made.now -= 1
        return answer
      },
    }),
  })
  return { made, listener }
}

/** Ends connections, and the listener once it noticed. */
async function left(sockets: readonly Socket[], listener: Listener): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await (await fetch(listener.baseUrl)).arrayBuffer()
  await listener.stop()
}

it('answers pipelined requests in their order, one at a time', async () => {
  const { made, listener } = await counting()
  const socket = connect(listener.port, '127.0.0.1')
  let answers = 0
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('data', chunk => {
      answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1
      if (answers === 300) resolve()
    })
    socket.write(ONE.repeat(300))
  })
  expect(made).toEqual({ now: 0, most: 1, all: 300 })
  socket.destroy()
  await listener.stop()
})

it('does no work for clients that read nothing, and cuts one that sends thousands of requests at once', async () => {
  const { made, listener } = await counting()
  const sockets = Array.from({ length: 8 }, () => connect(listener.port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.pause().on('error', () => {})
    socket.write(ONE.repeat(800))
  }
  const greedy = connect(listener.port, '127.0.0.1').on('error', () => {})
  greedy.resume().write(ONE.repeat(20_000))
  await new Promise(resolve => greedy.on('close', resolve))
  expect(made.all).toBeLessThan(10_000)
  const { status } = await fetch(`${listener.baseUrl}/`)
  expect(status).toBe(200)
  await left(sockets, listener)
})

it('serves a first request, although other connections have as many waiting as all may have', async () => {
  const { made, listener } = await counting(undefined, 250)
  const sockets = Array.from({ length: 250 }, () => connect(listener.port, '127.0.0.1'))
  for (const socket of sockets) socket.on('error', () => {}).write(ONE.repeat(17))
  while (made.all < 250) await new Promise(resolve => setTimeout(resolve, 10))
  const { status } = await fetch(`${listener.baseUrl}/`)
  expect(status).toBe(200)
  await left(sockets, listener)
})

it('hands over a long answer at the pace of its client, and whole', async () => {
  const { listener } = await counting(LONG)
  let served: Socket | undefined
  const started = channel('http.server.request.start')
  const notice = (message: unknown) => {
    served = (message as { socket: Socket }).socket
  }
  started.subscribe(notice)
  const slow = connect(listener.port, '127.0.0.1').pause()
  slow.write(ONE)
  while (served === undefined || served.writableLength === 0)
    await new Promise(resolve => setTimeout(resolve, 10))
  expect(served.writableLength).toBeLessThan(256 * 1024)
  const chunks: Buffer[] = []
  let length = 0
  slow.on('data', chunk => {
    length += chunk.length
    chunks.push(chunk)
  })
  slow.resume()
  while (length < LONG.length) await new Promise(resolve => setTimeout(resolve, 10))
  expect(Buffer.concat(chunks).subarray(-LONG.length).equals(LONG)).toBe(true)
  started.unsubscribe(notice)
  slow.destroy()
  await listener.stop()
})
