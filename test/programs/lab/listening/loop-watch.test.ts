import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type Listener, listen } from '../../../../src/lab/listening/listen.js'
import { type LoopWatch, watchLoop } from '../../../../src/lab/listening/loop-watch.js'
import type { NewEvent } from '../../../../src/protocol/events.js'
import { textResponse } from '../../../../src/protocol/http/message.js'
import { recordingBus } from '../../../support/ask.js'
import { temporaryFolder, until } from '../../../support/program.js'

const home = temporaryFolder()
let listener: Listener
let loop: LoopWatch
afterEach(async () => {
  loop.stop()
  await listener.stop()
  home.remove()
})

/** Computes for so many milliseconds of the processor. */
function compute(ms: number): void {
  const { user } = process.cpuUsage()
  while ((process.cpuUsage().user - user) / 1000 < ms);
}

it('names the request that held the event loop, its secrets cut', { timeout: 90_000 }, async () => {
  const events: NewEvent[] = []
  const bus = recordingBus(events)
  loop = watchLoop(bus.publish)
  listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home: home.path,
    bodyLimit: 1000,
    events: bus,
    loop,
    crashed: () => {},
    baseUrl: port => `http://localhost:${port}`,
    site: () => ({
      name: 'test',
      async handle({ url }) {
        if (url.includes('slow')) compute(1600)
        return textResponse(200, 'done')
      },
    }),
  })
  const blocked = () => events.filter(({ type }) => type === 'loop.blocked')
  const ask = (path: string) => fetch(`http://127.0.0.1:${listener.port}${path}`)
  await delay(300)
  await ask('/quick')
  expect(blocked()).toEqual([])
  await delay(300)
  await ask('/slow?code=abcdefghijklmnopqrstuvwxyz')
  const event: NewEvent = await until(
    () => blocked()[0],
    () => `no loop.blocked: ${JSON.stringify(events)}`,
  )
  const request = events.find(({ path }) => String(path).startsWith('/slow'))?.request
  expect(event).toMatchObject({
    request,
    requests: [request],
    paths: [expect.stringMatching(/^GET \/slow\?code=abcd….*$/)],
  })
  expect(event.ms).toBeGreaterThan(1000)
})
