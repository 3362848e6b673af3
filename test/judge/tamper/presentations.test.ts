import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Presentable } from '../../../src/judge/tamper/move.js'
import { OTHER_AUDIENCE } from '../../../src/judge/tamper/moves/presentations.js'
import { type HttpRequest, header, text } from '../../../src/protocol/http/message.js'
import { macAuthorization } from '../../../src/protocol/oauth/mac.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { makeJwt, rsaKey } from '../../protocol/tokens/jwt-maker.js'
import { moveAt } from './named-move.js'

const key = rsaKey('k1')
const claims = { iss: 'https://lab.test', sub: 'alice', aud: 'demo' }
const accessToken = makeJwt(key, { kid: 'k1' }, claims)
const honest = decodeJwt(accessToken)
const what: Presentable = {
  endpoint: 'https://api.test/r',
  now: () => 1_767_355_200_000,
  tokens: { access_token: accessToken, id_token: 'the-id-token' },
  keys: { keys: [key.publicJwk] },
  mac: { id: 'id', key: 'secret', algorithm: 'hmac-sha-256' },
}

/** The request of a move, or why it cannot be made. */
async function shown(
  name: string,
  more: Partial<Presentable> = {},
): Promise<HttpRequest | { problem: string }> {
  return moveAt(name, 'userinfo_request').present({ ...what, ...more })
}
async function request(name: string, more: Partial<Presentable> = {}): Promise<HttpRequest> {
  const made = await shown(name, more)
  if ('problem' in made) throw new Error(made.problem)
  return made
}
const tokenIn = (made: HttpRequest) => /^Bearer (.+)$/.exec(header(made, 'authorization') ?? '')?.[1] ?? ''
const withToken = (token: string) => ({ tokens: { access_token: token } })

describe('a wrong presentation', () => {
  it('shows no token', async () => {
    const { headers, ...rest } = await request('no-token')
    expect(headers.map(([name]) => name)).toEqual(['accept'])
    expect(rest).toMatchObject({ method: 'GET', url: what.endpoint })
  })

  it.each(['expired-token', 'bound-token-as-bearer', 'replayed-proof'])(
    'shows the token itself: %s',
    async name => expect(tokenIn(await request(name))).toBe(accessToken),
  )

  it('shows the token in the address', async () => {
    const plain = await request('token-in-query')
    expect(plain.url).toBe(`https://api.test/r?access_token=${accessToken}`)
    expect(header(plain, 'authorization')).toBeUndefined()
    const query = await request('token-in-query', { endpoint: 'https://api.test/r?x=1' })
    expect(query.url).toBe(`https://api.test/r?x=1&access_token=${accessToken}`)
  })

  it('shows an id_token, where there is one', async () => {
    expect(tokenIn(await request('id-token-as-access-token'))).toBe('the-id-token')
    expect(await shown('id-token-as-access-token', withToken('x'))).toHaveProperty('problem')
  })

  it('shows another subject under the old signature, or a character changed', async () => {
    const altered = decodeJwt(tokenIn(await request('altered-token')))
    expect(altered.claims).toEqual({ ...claims, sub: 'oauth-lab-somebody-else' })
    expect([altered.parts[0], altered.parts[2]]).toEqual([honest.parts[0], honest.parts[2]])
    expect(tokenIn(await request('altered-token', withToken('opaque')))).toBe('opaAue')
    expect(tokenIn(await request('altered-token', withToken('AAAA')))).toBe('AABA')
  })

  it('shows a token that it signed itself, or not at all', async () => {
    const [head = '', body, signature] = tokenIn(await request('alg-none')).split('.')
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ ...honest.header, alg: 'none' })
    expect([body, signature]).toEqual([honest.parts[1], ''])
    const foreign = decodeJwt(tokenIn(await request('foreign-key')))
    expect([foreign.header, foreign.claims]).toEqual([honest.header, claims])
    const { header: own, parts } = decodeJwt(tokenIn(await request('embedded-key')))
    const carried = createPublicKey({ key: own.jwk as JsonWebKey, format: 'jwk' })
    const input = Buffer.from(parts.slice(0, 2).join('.'))
    expect(verify('sha256', input, carried, Buffer.from(parts[2], 'base64url'))).toBe(true)
    expect(own.jwk).not.toHaveProperty('d')
  })

  it('signs with the published RSA key of the token', async () => {
    const pem = createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    const signedBy = async (keys: Presentable['keys'], token = accessToken) => {
      const made = await shown('hmac-with-public-key', { ...withToken(token), ...(keys && { keys }) })
      if ('problem' in made) return made.problem
      const { header, parts } = decodeJwt(tokenIn(made))
      expect(header.alg).toBe('HS256')
      return createHmac('sha256', pem).update(`${parts[0]}.${parts[1]}`).digest('base64url') === parts[2]
    }
    const [ec, other] = [{ kty: 'EC', kid: 'k1' }, { ...rsaKey('k2').publicJwk }]
    expect(await signedBy({ keys: [ec, other, key.publicJwk] })).toBe(true)
    expect(await signedBy({ keys: [ec, other] })).toBe('no RSA key of the token is published')
    const broken = { kty: 'RSA', kid: 'k1' }
    expect(await signedBy({ keys: [broken] })).toBe('the published key cannot be read')
    const nameless = makeJwt(key, {}, claims)
    expect(await signedBy({ keys: [ec, key.publicJwk, other] }, nameless)).toBe(true)
  })

  it.each(['alg-none', 'hmac-with-public-key', 'foreign-key', 'embedded-key'])(
    'cannot forge an opaque token: %s',
    async name => {
      const problem = 'the access token is no JWT'
      for (const token of ['opaque', 'a.b.c'])
        expect(await shown(name, withToken(token))).toEqual({ problem })
    },
  )

  it.each<[aud: unknown, possible: boolean]>([
    [OTHER_AUDIENCE, true],
    [['demo', OTHER_AUDIENCE], true],
    ['demo', false],
    [['demo'], false],
    [undefined, false],
  ])('shows a token for another server, where one was issued: %j', async (aud, possible) => {
    const token = makeJwt(key, {}, { ...claims, aud })
    const made = await shown('other-audience', withToken(token))
    if (possible) expect(tokenIn(made as HttpRequest)).toBe(token)
    else expect(made).toHaveProperty('problem')
    expect(await shown('other-audience', withToken('opaque'))).toHaveProperty('problem')
  })
})

describe('a wrong MAC', () => {
  const bare: HttpRequest = { method: 'GET', url: what.endpoint, headers: [], body: new Uint8Array() }
  const right = (name: string) => macAuthorization(bare, what.mac!, { nonce: `0:${name}` })

  it.each(['replayed-mac', 'mac-of-another-path', 'mac-without-body'])(
    '%s is right for the bare request',
    async name => expect(header(await request(name), 'authorization')).toBe(right(name)),
  )

  it('is altered in its value alone', async () => {
    const altered = header(await request('altered-mac'), 'authorization') ?? ''
    const without = (value: string) => value.replace(/mac="[^"]*"/, '')
    expect(altered).not.toBe(right('altered-mac'))
    expect(without(altered)).toBe(without(right('altered-mac')))
  })

  it('comes with another path, or with a body', async () => {
    expect((await request('mac-of-another-path')).url).toBe('https://api.test/r?all=1')
    const { body, headers, url } = await request('mac-without-body')
    expect([text(body), url]).toEqual(['[1]', what.endpoint])
    expect(headers.slice(0, 2)).toEqual([
      ['accept', 'application/json'],
      ['content-type', 'text/plain'],
    ])
  })

  it('needs a key', async () => {
    const { mac: _, ...keyless } = what
    expect(await moveAt('replayed-mac', 'userinfo_request').present(keyless)).toHaveProperty('problem')
  })
})
