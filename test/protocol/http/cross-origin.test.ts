import { describe, expect, it } from 'vitest'
import { type Header, header, textResponse } from '../../../src/protocol/http/message.js'
import { withCrossOrigin } from '../../../src/protocol/http/site.js'

const origin: Header = ['origin', 'https://app.example']
const wanted: Header = ['access-control-request-method', 'POST']

/** Sends a request to a server that answers every request 404. */
function send(path: string, method: string, headers: readonly Header[], paths?: ReadonlySet<string>) {
  const handle = withCrossOrigin(
    paths === undefined ? { methods: 'GET, POST' } : { methods: 'GET, POST', paths },
    async () => textResponse(404, 'no'),
  )
  const url = `https://server.example${path}`
  const request = { method, url, headers, body: new Uint8Array(), httpVersion: '1.1' }
  return handle({ id: 1, ...request }, { publish: () => {} })
}

describe('withCrossOrigin', () => {
  it('answers a preflight with the methods and with headers that no wildcard covers', async () => {
    const answer = await send('/token', 'OPTIONS', [origin, wanted])
    expect(answer.status).toBe(204)
    expect(header(answer, 'access-control-allow-origin')).toBe('*')
    expect(header(answer, 'access-control-allow-methods')).toBe('GET, POST')
    expect(header(answer, 'access-control-allow-headers')).toContain('Authorization')
    expect(header(answer, 'access-control-allow-credentials')).toBeUndefined()
  })

  it.each([
    ['an OPTIONS request without a method', 'OPTIONS', [origin]],
    ['an OPTIONS request without an origin', 'OPTIONS', [wanted]],
    ['any other request', 'POST', [origin, wanted]],
  ] as const)('passes %s to the server, and lets scripts read the answer', async (_, method, headers) => {
    const answer = await send('/token', method, headers)
    expect(answer.status).toBe(404)
    expect(header(answer, 'access-control-allow-origin')).toBe('*')
    expect(header(answer, 'access-control-expose-headers')).toContain('WWW-Authenticate')
  })

  it('leaves other paths alone when paths are named', async () => {
    const only = new Set(['/token'])
    expect((await send('/token?a=1', 'OPTIONS', [origin, wanted], only)).status).toBe(204)
    const page = await send('/authorization', 'OPTIONS', [origin, wanted], only)
    expect({ status: page.status, allowed: header(page, 'access-control-allow-origin') }).toEqual({
      status: 404,
      allowed: undefined,
    })
  })
})
