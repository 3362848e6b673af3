import { expect, it } from 'vitest'
import { bytes, type Header } from '../../../src/protocol/http/message.js'
import { otherTokenPlaces } from '../../../src/protocol/oauth/bearer.js'

const form: Header = ['content-type', 'application/x-www-form-urlencoded;charset=UTF-8']
const json: Header = ['content-type', 'application/json']

it.each([
  // RFC 6750 §2.2, §2.3
  ['/resource', [form], 'access_token=mF_9.B5f-4.1JqM', ['the form body']],
  ['/resource?access_token=mF_9.B5f-4.1JqM', [], '', ['the query']],
  ['/resource?a=1&access_token=x', [form], 'a=1&access_token=x', ['the query', 'the form body']],
  ['/resource', [json], 'access_token=x', []],
  ['/resource', [], 'access_token=x', []],
  ['/resource?access%5Ftoken=x', [], '', ['the query']],
  ['/resource?access_token', [], '', ['the query']],
  ['/resource?broken=%zz&access_token=x', [], '', ['the query']],
  ['/resource?access%5Ftoken=x&broken=%zz', [], '', []],
  ['/resource?my_access_token=x&access_token2=y', [form], 'q=access_token=x', []],
  ['/access_token=x', [form], '', []],
] as const)('%s, headers %j and body %j hold tokens in %j', (target, headers, body, places) => {
  const request = { method: 'POST', url: `https://h${target}`, headers, body: bytes(body) }
  expect(otherTokenPlaces(request).map(({ place }) => place)).toEqual(places)
})

it('names the rule of each place', () => {
  const request = {
    method: 'POST',
    url: 'https://h/?access_token=x',
    headers: [form],
    body: bytes('access_token=x'),
  }
  expect(otherTokenPlaces(request).map(({ rule }) => rule)).toEqual(['RFC 6750 §2.3', 'RFC 6750 §2.2'])
})
