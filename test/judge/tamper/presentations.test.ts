import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Presentable } from '../../../src/judge/tamper/move.js'
import { OTHER_AUDIENCE } from '../../../src/judge/tamper/moves/presentations.js'
import { type HttpRequest, header, text } from '../../../src/protocol/http/message.js'
import { macAuthorization } from '../../../src/protocol/oauth/mac.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { makeJwt, rsaKey } from '../../protocol/tokens/jwt-maker.js'
import { move } from './named-move.js'

const key = rsaKey('k1')
const claims = { iss: 'https://lab.test', sub: 'alice', aud: 'demo' }
const accessToken = makeJwt(key, { kid: 'k1' }, claims)
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
  const wrong = move(name)
  if (wrong.at !== 'userinfo_request') throw new Error(`${name} shows no token`)
  return wrong.present({ ...what, ...more })
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
    async name => {
      expect(tokenIn(await request(name))).toBe(accessToken)
    },
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

  it('shows another subject, or a character changed', async () => {
    expect(decodeJwt(tokenIn(await request('altered-token'))).claims.sub).toBe('oauth-lab-somebody-else')
    expect(tokenIn(await request('altered-token', withToken('opaque')))).toBe('opaAue')
  })

  it('shows a token that it signed itself, or not at all', async () => {
    expect(tokenIn(await request('alg-none'))).toMatch(/\.$/)
    const foreign = decodeJwt(tokenIn(await request('foreign-key')))
    expect(foreign.claims).toEqual(claims)
    expect(foreign.header).not.toHaveProperty('jwk')
    expect(decodeJwt(tokenIn(await request('embedded-key'))).header).toHaveProperty('jwk')
  })

  it('signs with the published RSA key of the token', async () => {
    const pem = createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    const signedBy = async (keys: Presentable['keys'], token = accessToken) => {
      const made = await shown('hmac-with-public-key', { ...withToken(token), ...(keys && { keys }) })
      if ('problem' in made) return undefined
      const { parts } = decodeJwt(tokenIn(made))
      return createHmac('sha256', pem).update(`${parts[0]}.${parts[1]}`).digest('base64url') === parts[2]
    }
    const [ec, other] = [{ kty: 'EC', kid: 'k1' }, { ...rsaKey('k2').publicJwk }]
    expect(await signedBy({ keys: [ec, other, key.publicJwk] })).toBe(true)
    expect(await signedBy({ keys: [ec, other] })).toBeUndefined()
    const nameless = makeJwt(key, {}, claims)
    expect(await signedBy({ keys: [ec, key.publicJwk, other] }, nameless)).toBe(true)
  })

  it.each(['alg-none', 'hmac-with-public-key', 'foreign-key', 'embedded-key'])(
    'cannot forge an opaque token: %s',
    async name => expect(await shown(name, withToken('opaque'))).toHaveProperty('problem'),
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
    async name => {
      expect(header(await request(name), 'authorization')).toBe(right(name))
    },
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
    const wrong = move('replayed-mac')
    expect(wrong.at === 'userinfo_request' && (await wrong.present(keyless))).toHaveProperty('problem')
  })
})
