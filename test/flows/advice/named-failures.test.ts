import { expect, it } from 'vitest'
import { namedFailures } from '../../../src/flows/advice/named-failures.js'
import { TimeoutError, TransportError, UsageError } from '../../../src/protocol/errors.js'
import type { HttpRequest } from '../../../src/protocol/http/message.js'

const request: HttpRequest = {
  method: 'POST',
  url: 'https://id.test/token?secret=x',
  headers: [],
  body: new Uint8Array(),
}

const failing = (error: Error) => namedFailures(() => Promise.reject(error))(request).catch(thrown => thrown)

it('names the request that a server died in, and keeps its query out', async () => {
  const cut = new TransportError('https://id.test closed the connection', 'ECONNRESET', ['Start it'])
  const error = await failing(cut)
  expect(error).toBeInstanceOf(TransportError)
  expect(error).toMatchObject({
    message: 'https://id.test closed the connection, at POST /token',
    code: 'ECONNRESET',
    hints: ['Start it'],
  })
})

it('names the request that took too long', async () => {
  const error = await failing(new TimeoutError('no answer within 1 s', ['Wait longer']))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error).toMatchObject({ message: 'no answer within 1 s, at POST /token', hints: ['Wait longer'] })
})

it('leaves other errors alone', async () => {
  const error = new UsageError('a wrong option')
  expect(await failing(error)).toBe(error)
})
