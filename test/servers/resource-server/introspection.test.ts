import { describe, expect, it } from 'vitest'
import type { FormPairs } from '../../../src/protocol/http/form.js'
import { bytes, type HttpResponse, header, jsonResponse } from '../../../src/protocol/http/message.js'
import { signJwt } from '../../../src/protocol/tokens/keys.js'
import type { PostForm } from '../../../src/servers/resource-server/settings.js'
import { issuer, key, otherKey, server, start, tokenOf } from './support.js'

const introspection = { endpoint: `${issuer}/introspection`, clientId: 'rs', clientSecret: 'rs secret' }

type Sent = Parameters<PostForm>

/** A resource server that introspects, with the requests that it sent. */
function asking(answer: (form: FormPairs) => Promise<HttpResponse> | HttpResponse) {
  const sent: Sent[] = []
  const postForm: PostForm = async (...request) => {
    sent.push(request)
    return answer(request[1])
  }
  return { ...server({ settings: { introspection }, ports: { postForm } }), sent }
}

const revocationIn = ({ json }: { json: Record<string, unknown> }) =>
  (json.decided as { checks: { name: string }[] }).checks.find(each => each.name === 'revocation')

/** A response in a JWT (RFC 9701 §5). */
const signed = async (members: unknown, changed: object = {}, by = key, typ = 'token-introspection+jwt') => ({
  status: 200,
  headers: [['content-type', 'application/token-introspection+jwt']] as const,
  body: bytes(
    await signJwt(
      { iss: issuer, aud: 'rs', iat: start / 1000, token_introspection: members, ...changed },
      by,
      typ,
    ),
  ),
})

it('without introspection, the check says that nobody was asked', async () => {
  const { withToken, events } = server()
  const wanted = {
    name: 'revocation',
    ok: true,
    rule: 'RFC 7009 §3',
    detail: 'not asked: a revoked token is accepted until it expires',
  }
  expect(revocationIn(await withToken(await tokenOf()))).toEqual(wanted)
  expect(events.at(-1)).toMatchObject({ checks: expect.arrayContaining([wanted]) })
})

describe('introspection (RFC 7662)', () => {
  it('accepts an active token, and asks every time', async () => {
    const { withToken, sent } = asking(() => jsonResponse(200, { active: true }))
    const token = await tokenOf()
    const answer = await withToken(token)
    expect([answer.status, revocationIn(answer)]).toEqual([
      200,
      { name: 'revocation', ok: true, rule: 'RFC 7662 §2.2', detail: 'asked: active' },
    ])
    await withToken(token)
    expect(sent).toHaveLength(2)
    const [url, form, { headers }] = sent[0]!
    expect([url, form]).toEqual([
      `${issuer}/introspection`,
      [
        ['token', token],
        ['token_type_hint', 'access_token'],
      ],
    ])
    expect(header({ headers }, 'authorization')).toBe(`Basic ${btoa('rs:rs%20secret')}`)
    expect(header({ headers }, 'accept')).toMatch(/^application\/token-introspection\+jwt, application\/json/)
  })

  it('refuses a token that is not active', async () => {
    const { withToken, events } = asking(() => jsonResponse(200, { active: false }))
    const answer = await withToken(await tokenOf())
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_token'])
    expect(events.at(-1)).toMatchObject({ type: 'resource.refused', rule: 'RFC 7662 §2.2' })
  })

  it('does not ask about a token that fails another check', async () => {
    const { withToken, sent } = asking(() => jsonResponse(200, { active: true }))
    expect((await withToken(await tokenOf({ aud: 'somebody else' }))).status).toBe(401)
    expect((await withToken(await tokenOf({}, otherKey))).status).toBe(401)
    expect(sent).toEqual([])
  })

  it.each([
    ['another status', () => jsonResponse(401, { error: 'invalid_client' })],
    ['no JSON', () => ({ status: 200, headers: [], body: bytes('<html>') })],
    ['no member active', () => jsonResponse(200, { scope: 'x' })],
    ['active as text', () => jsonResponse(200, { active: 'true' })],
    ['null', () => jsonResponse(200, null)],
    ['no response', () => Promise.reject(new Error('refused'))],
    ['a JWT of another key', async () => signed({ active: true }, {}, otherKey)],
    ['a JWT of another issuer', () => signed({ active: true }, { iss: 'https://other.example' })],
    ['a JWT for another server', () => signed({ active: true }, { aud: 'other' })],
    ['a JWT of another type', () => signed({ active: true }, {}, key, 'JWT')],
    ['a JWT from the future', () => signed({ active: true }, { iat: start / 1000 + 60 })],
    ['an access token', async () => ({ ...(await signed({})), body: bytes(await tokenOf({ aud: 'rs' })) })],
    [
      'no JWT',
      () => ({
        status: 200,
        headers: [['content-type', 'application/token-introspection+jwt']] as const,
        body: bytes('{}'),
      }),
    ],
  ] as const)('is unavailable for %s', async (_, answer) => {
    const { withToken } = asking(answer)
    const response = await withToken(await tokenOf())
    expect([response.status, response.json.error]).toEqual([503, 'temporarily_unavailable'])
    expect(header(response, 'retry-after')).toBe('2')
  })

  it('reads a signed response (RFC 9701)', async () => {
    const active = asking(() => signed({ active: true }))
    expect(revocationIn(await active.withToken(await tokenOf()))).toMatchObject({
      ok: true,
      detail: 'asked: active, in a signed response',
    })
    const ended = asking(() => signed({ active: false }))
    expect((await ended.withToken(await tokenOf())).status).toBe(401)
  })
})
