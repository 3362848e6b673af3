import { createHash, randomBytes } from 'node:crypto'
import { EmbeddedJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { presenting } from '../../../src/flows/steps/present-token.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'
import { type HeaderList, type HttpRequest, header } from '../../../src/protocol/http/message.js'
import { lastingDpopKey, makeLastingDpopKey } from '../../../src/protocol/tokens/dpop.js'

const ports = { now: Date.now, random: (length: number) => randomBytes(length) }
const request = (url = 'https://api.test/a?b=1'): HttpRequest => ({
  method: 'PUT',
  url,
  headers: [['accept', '*/*']],
  body: new Uint8Array(),
})

/** An API that records requests and answers with the next of `answers`. */
function api(...answers: { status: number; headers?: HeaderList }[]): { seen: HttpRequest[]; send: Send } {
  const seen: HttpRequest[] = []
  return {
    seen,
    send: async sent => {
      const { status, headers = [] } = answers[Math.min(seen.length, answers.length - 1)]!
      seen.push(sent)
      return { request: sent, response: { status, headers, body: '' } } as unknown as Exchange
    },
  }
}

const asksForNonce = (nonce: string) => ({
  status: 401,
  headers: [
    ['www-authenticate', 'DPoP error="use_dpop_nonce"'],
    ['dpop-nonce', nonce],
  ] as HeaderList,
})

describe('presenting', () => {
  it('sends a bearer token as it is, and does not try again', async () => {
    const { seen, send } = api(asksForNonce('n1'))
    await presenting({ accessToken: 'at' }, ports)(send)(request())
    expect(seen).toHaveLength(1)
    expect(header(seen[0]!, 'authorization')).toBe('Bearer at')
    expect(header(seen[0]!, 'dpop')).toBeUndefined()
  })

  it('proves the key for each request, with the nonce of the server (RFC 9449 §4.2, §9)', async () => {
    const key = await lastingDpopKey(makeLastingDpopKey())
    const { seen, send } = api(
      asksForNonce('n1'),
      { status: 200, headers: [['DPoP-Nonce', 'n2']] },
      { status: 200 },
    )
    const ask = presenting({ accessToken: 'at', key }, ports)(send)
    expect((await ask(request())).response?.status).toBe(200)
    await ask(request())
    await ask(request('https://other.test/'))
    const proofs = seen.map(each => header(each, 'dpop') ?? '')
    const read = await Promise.all(proofs.map(proof => jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' })))
    expect(read.map(({ payload }) => payload.nonce)).toEqual([undefined, 'n1', 'n2', undefined])
    expect(new Set(read.map(({ payload }) => payload.jti)).size).toBe(4)
    const ath = createHash('sha256').update('at').digest('base64url')
    expect(read[0]?.payload).toMatchObject({ htm: 'PUT', htu: 'https://api.test/a', ath })
    expect(seen.every(each => header(each, 'authorization') === 'DPoP at')).toBe(true)
  })

  it('tries once more, and not for ever', async () => {
    const key = await lastingDpopKey(makeLastingDpopKey())
    const { seen, send } = api(asksForNonce('n'))
    await presenting({ accessToken: 'at', key }, ports)(send)(request())
    expect(seen).toHaveLength(2)
  })
})

it('a lasting key is the same after it was read, and no key on another curve', async () => {
  const jwk = makeLastingDpopKey()
  const [first, second] = await Promise.all([lastingDpopKey(jwk), lastingDpopKey({ ...jwk })])
  expect(first.jkt).toBe(second.jkt)
  expect(first.publicJwk).not.toHaveProperty('d')
  await expect(lastingDpopKey({ kty: 'EC' })).rejects.toThrow()
})
