import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DevToolsEvent, openDevTools } from '../../../src/client/capture/browser/devtools.js'

function pipes() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const events: DevToolsEvent[] = []
  const tools = openDevTools(input, output, event => events.push(event))
  return { input, output, events, tools }
}

it('sends commands with a zero byte behind each, and answers by their numbers', async () => {
  const { input, output, tools } = pipes()
  const first = tools.send('A', { x: 1 })
  const second = tools.send('B', {}, 'session')
  output.write('{"id":2,"result":{"n":2}}\0{"id":1,"error":{"message":"refused"}}\0')
  expect(await second).toEqual({ n: 2 })
  await expect(first).rejects.toThrow('refused')
  input.end()
  expect(Buffer.concat(await input.toArray()).toString()).toBe(
    '{"id":1,"method":"A","params":{"x":1}}\0{"id":2,"method":"B","params":{},"sessionId":"session"}\0',
  )
})

it('reads events, wherever the pipe cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), async (texts, step) => {
      const { output, events } = pipes()
      const all = Buffer.from(
        texts.map(text => `${JSON.stringify({ method: 'E', params: { text }, sessionId: 's' })}\0`).join(''),
      )
      for (let at = 0; at < all.length; at += step) output.write(all.subarray(at, at + step))
      await new Promise(resolve => setImmediate(resolve))
      expect(events).toEqual(texts.map(text => ({ method: 'E', params: { text }, session: 's' })))
    }),
    { numRuns: 30 },
  )
})

it.each([
  ['a browser that ends', (output: PassThrough) => output.destroy()],
  ['a text that is no JSON', (output: PassThrough) => output.write('{\0')],
] as const)('%s refuses what waits and what comes', async (_name, end) => {
  const { output, tools } = pipes()
  const waiting = tools.send('A')
  end(output)
  await expect(waiting).rejects.toThrow('the browser is gone')
  await expect(tools.send('B')).rejects.toThrow('the browser is gone')
})
