import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../../../src/lab/listening/listen.js'
import { createBus } from '../../../src/protocol/events.js'
import { textResponse } from '../../../src/protocol/http/message.js'

const ONE = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A listener whose answers are counted while they are made. */
async function counting() {
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
        await new Promise(resolve => setImmediate(resolve))
        made.now -= 1
        return textResponse(200, 'x'.repeat(1000))
      },
    }),
  })
  return { made, listener }
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
  for (const socket of sockets) socket.destroy()
  await listener.stop()
})
