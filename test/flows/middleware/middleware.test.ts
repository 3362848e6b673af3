import { expect, it } from 'vitest'
import { type Middleware, outgoing } from '../../../src/flows/middleware/middleware.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'

/** Middleware that writes its name into a header of each request. */
const named =
  (name: string): Middleware =>
  next =>
  (request, options) =>
    next({ ...request, headers: [...request.headers, ['x-seen-by', name]] }, options)

it('tampering sees requests as the flow makes them, and changes them after the client and before the gate', async () => {
  const sent: string[] = []
  const network: Send = async ({ headers }) => {
    sent.push(headers.map(([, value]) => value).join(' '))
    return {} as Exchange
  }
  const { client, browser } = outgoing(network, {
    codings: named('codings'),
    gate: named('gate'),
    client: [named('dpop'), named('authentication')],
    tampering: { watch: named('watch'), change: named('change'), browse: named('browse') },
  })
  const request = { method: 'GET', url: 'https://lab.test/', headers: [], body: new Uint8Array() }
  await client(request)
  await browser(request)
  expect(sent).toEqual(['watch dpop authentication change gate codings', 'browse gate codings'])
})

it('shows the certificate of the client to no page', async () => {
  const sent: unknown[] = []
  const network: Send = async ({ identity }) => {
    sent.push(identity)
    return {} as Exchange
  }
  const { client, browser } = outgoing(network)
  const request = { method: 'GET', url: 'https://lab.test/', headers: [], body: new Uint8Array() }
  await client(request)
  await browser(request)
  expect(sent).toEqual([undefined, 'none'])
})
