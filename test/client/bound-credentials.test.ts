import { expect, it } from 'vitest'
import { bound } from '../../src/client/bound-credentials.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'
import { bytes, type Header, type HttpRequest } from '../../src/protocol/http/message.js'
import { basicHeader } from '../../src/protocol/oauth/client-auth.js'

const SECRET = 'a+b/c d%0123456789'
const FORM: Header = ['content-type', 'application/x-www-form-urlencoded']
const form = (name: string, value: string) => new URLSearchParams([[name, value]]).toString()

/** Sends a request of a client whose secret is for id.example. Returns the number of requests that left. */
async function sent(request: Partial<HttpRequest>): Promise<number> {
  let left = 0
  const network = async () => {
    left += 1
    return {} as Exchange
  }
  const origins = new Set(['https://id.example'])
  const send = bound(network, [{ what: 'the secret of client web', value: SECRET, origins }])
  await send({ method: 'POST', url: 'https://id.example/token', headers: [], body: bytes(''), ...request })
  return left
}

const CARRIED: readonly [string, Partial<HttpRequest>][] = [
  ['Basic', { headers: [basicHeader('web', SECRET)] }],
  ['Basic that is not form-encoded', { headers: [['authorization', `Basic ${btoa(`web:${SECRET}`)}`]] }],
  ['Bearer', { headers: [['Authorization', `Bearer ${SECRET}`]] }],
  ['DPoP', { headers: [['authorization', `DPoP ${SECRET}`]] }],
  ['a header of its own', { headers: [['x-auth-key', SECRET]] }],
  ['a form', { headers: [FORM], body: bytes(form('client_secret', SECRET)) }],
]

const ELSEWHERE = [
  'https://evil.example',
  'http://id.example',
  'https://id.example:8443',
  'https://id.example.evil',
]

it.each(CARRIED)('goes to its own origin, and to no other one: %s', async (_, request) => {
  expect(await sent({ ...request, url: 'https://ID.example:443/any' })).toBe(1)
  for (const origin of ELSEWHERE) {
    await expect(sent({ ...request, url: `${origin}/token` })).rejects.toMatchObject({
      code: 'sent_elsewhere',
      description: `the secret of client web is for https://id.example, and the request would take it to ${origin}; nothing was sent`,
    })
  }
})

it('is found in a query', async () => {
  await expect(sent({ url: `https://evil.example/?${form('token', SECRET)}` })).rejects.toThrow(
    'sent_elsewhere',
  )
})

it.each<[string, Partial<HttpRequest>]>([
  ['another secret', { headers: [basicHeader('web', 'other')] }],
  ['a parameter that holds no credential', { headers: [FORM], body: bytes(form('state', SECRET)) }],
  ['nothing', {}],
])('holds up no request with %s', async (_, request) => {
  expect(await sent({ ...request, url: 'https://evil.example/' })).toBe(1)
})
