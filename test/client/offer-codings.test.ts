import { expect, it } from 'vitest'
import { offerCodings } from '../../src/client/offer-codings.js'
import type { HttpRequest } from '../../src/protocol/http/message.js'

const request = (...headers: HttpRequest['headers']): HttpRequest => {
  return { method: 'GET', url: 'https://lab.example/', headers, body: new Uint8Array() }
}

it('adds Accept-Encoding, unless the request already has it', async () => {
  const sent: HttpRequest[] = []
  const send = offerCodings(async each => {
    sent.push(each)
    throw new Error('not sent')
  })
  for (const each of [request(['accept', 'text/html']), request(['Accept-Encoding', ''])]) {
    await expect(send(each)).rejects.toThrow('not sent')
  }
  expect(sent.map(({ headers }) => headers)).toEqual([
    [
      ['accept', 'text/html'],
      ['accept-encoding', 'gzip, deflate, br'],
    ],
    [['Accept-Encoding', '']],
  ])
})
