import { expect, it } from 'vitest'
import type { HttpResponse } from '../../../../src/protocol/http/message.js'
import { codingsOf } from '../../../../src/servers/compression/proxy/proxy.js'

const answer = (body: Uint8Array, ...codings: string[]): HttpResponse => ({
  status: 200,
  headers: codings.map(value => ['Content-Encoding', value] as const),
  body,
})
const letters = Buffer.from('a'.repeat(300))
it.each([
  [[], []],
  [[''], []],
  [['identity'], []],
  [['GZip'], ['gzip']],
  [['gzip,br'], ['gzip', 'br']],
  [[' gzip , , Identity, br '], ['gzip', 'br']],
  [
    ['gzip', 'br'],
    ['gzip', 'br'],
  ],
])('codingsOf reads %j as %j', (lines, expected) => {
  expect(codingsOf(answer(letters, ...lines))).toEqual(expected)
})
