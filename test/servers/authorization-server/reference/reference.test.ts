import { describe, expect, it } from 'vitest'
import { type Header, type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { verifyJwt } from '../../../../src/protocol/tokens/verify.js'
import {
  basic,
  codeRequest,
  FORM,
  ISSUER,
  json,
  lab,
  type Parameters,
  query,
  signingKey,
} from '../support.js'

const ANYWHERE = 'https://evil.example/steal?keep=1'

/** A reference server, and a function that logs in to it. */
function reference() {
  const server = lab({ profile: 'reference' })
  const page = (parameters: Parameters): Header => ['referer', `${ISSUER}/authorization?${query(parameters)}`]
  const login = (parameters: Parameters, form: Parameters = {}) =>
    server.post('/authorization', { username: 'alice', password: 'wonderland', ...form }, [page(parameters)])
  const newCode = async () => new URL(location(await login(codeRequest()))).searchParams.get('code') ?? ''
  return { ...server, login, newCode, page }
}
const location = (response: HttpResponse) => header(response, 'location') ?? ''

describe('/authorization of the reference', () => {
  it.each(['code', 'token'])(
    'shows a form for response_type %s of any client, with the warning',
    async type => {
      const shown = await reference().authorize({ response_type: type, client_id: 'nobody' })
      expect(shown.status).toBe(200)
      expect(header(shown, 'content-type')).toBe('text/html; charset=utf-8')
      expect(header(shown, 'x-frame-options')).toBe('DENY')
      const html = text(shown.body)
      expect(html).toMatch(/Profile reference: this server redirects anywhere/)
      for (const name of ['username', 'password', 'csrf']) expect(html).toContain(`name="${name}"`)
    },
  )

  it.each([undefined, 'id_token', 'code token', 'password'])(
    'answers 400 to response_type %s',
    async type => {
      const { authorize, login } = reference()
      for (const refused of [
        await authorize(codeRequest({ response_type: type })),
        await login(codeRequest({ response_type: type })),
      ]) {
        expect(refused.status).toBe(400)
        expect(header(refused, 'content-type')).toMatch(/^text\/html/)
        expect(text(refused.body)).toContain('response_type')
      }
    },
  )

  it('redirects to any address in the Referer, without csrf check and without iss', async () => {
    const answer = await reference().login(
      codeRequest({ redirect_uri: ANYWHERE, client_id: 'nobody', state: 'a+b c', scope: 'no such' }),
    )
    expect(answer.status).toBe(302)
    const { origin, searchParams } = new URL(location(answer))
    expect(origin).toBe('https://evil.example')
    expect(Object.fromEntries(searchParams)).toEqual({
      keep: '1',
      code: expect.stringMatching(/^.{43}$/),
      scope: 'no such',
      state: 'a+b c',
    })
  })

  it('answers response_type token in the fragment', async () => {
    const answer = await reference().login(codeRequest({ response_type: 'token', state: 'x' }))
    const { hash, search } = new URL(location(answer))
    expect(search).toBe('')
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      access_token: expect.stringMatching(/^ey/),
      token_type: 'Bearer',
      expires_in: '3600',
      state: 'x',
    })
  })

  it('takes the parameters from the Referer only', async () => {
    const { post, page } = reference()
    const form = { username: 'alice', password: 'wonderland' }
    const url = `/authorization?${query(codeRequest({ redirect_uri: ANYWHERE }))}`
    expect((await post(url, form)).status).toBe(400)
    const answer = await post(url, form, [page(codeRequest({ redirect_uri: 'https://other.example/' }))])
    expect(location(answer)).toMatch(/^https:\/\/other\.example\//)
  })

  it('still checks the password', async () => {
    const answer = await reference().login(codeRequest(), { password: 'wrong' })
    expect(answer.status).toBe(200)
    expect(text(answer.body)).toContain('Username or password is wrong')
  })

  it('reads the first of repeated parameters', async () => {
    const { get } = reference()
    expect((await get('/authorization?response_type=code&response_type=nonsense')).status).toBe(200)
    expect((await get('/authorization?response_type=nonsense&response_type=code')).status).toBe(400)
  })

  it('writes any redirect address into a single header', async () => {
    const answer = await reference().login(
      codeRequest({ redirect_uri: 'https://x.example/\r\nset-cookie: a=b', state: '\r\nx: y' }),
    )
    expect(location(answer)).toMatch(/^[\x21-\x7e]+$/)
  })

  it('answers 405 text/plain to other methods', async () => {
    const { send } = reference()
    for (const path of ['/authorization', '/token']) {
      const answer = await send('DELETE', path)
      expect([answer.status, header(answer, 'content-type')]).toEqual([405, 'text/plain; charset=utf-8'])
    }
  })
})

describe('/token of the reference', () => {
  it('gives a token in milliseconds with six claims, which the verifier refuses', async () => {
    const { token, newCode, clock } = reference()
    const answer = await token({ grant_type: 'authorization_code', code: await newCode(), client_id: 'demo' })
    expect(answer.status).toBe(200)
    expect(header(answer, 'content-type')).toBe('application/json;charset=UTF-8')
    expect(header(answer, 'cache-control')).toBe('no-store')
    const body = json(answer)
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 })
    const { header: head, claims } = decodeJwt(String(body.access_token))
    expect(head).toEqual({ typ: 'JWT', alg: 'RS256' })
    expect(claims).toEqual({
      sub: 'alice',
      nbf: clock.now - 30,
      iat: clock.now,
      exp: clock.now + 3600,
      iss: ISSUER,
      aud: 'demo',
    })
    const keys = { kind: 'jwks', jwks: { keys: [signingKey.publicJwk] } } as const
    const { checks } = await verifyJwt(String(body.access_token), keys, { issuer: ISSUER, now: clock.now })
    expect(checks.filter(each => !each.ok).map(each => each.name)).toEqual(['nbf', 'iat'])
  })

  it('gives another token for the same code, to any client, at any time', async () => {
    const { token, newCode, clock } = reference()
    const form = { grant_type: 'authorization_code', code: await newCode(), code_verifier: 'x' }
    expect((await token(form, [basic('demo', 'wrong secret')])).status).toBe(200)
    clock.now += 365 * 86_400_000
    expect((await token({ ...form, client_id: 'nobody', redirect_uri: 'nowhere' }, [])).status).toBe(200)
  })

  it.each([
    ['password', 'unsupported_grant_type'],
    ['refresh_token', 'unsupported_grant_type'],
    ['client_credentials', 'unsupported_grant_type'],
    ['authorization_code', 'invalid_grant'],
  ])('refuses %s without a code: %s', async (grant_type, error) => {
    const answer = await reference().token({ grant_type, username: 'alice', password: 'wonderland' })
    expect([answer.status, json(answer).error]).toEqual([400, error])
  })

  it('reads a body of any content type', async () => {
    const { send, newCode } = reference()
    const body = query({ grant_type: 'authorization_code', code: await newCode() })
    expect((await send('POST', '/token', [], body)).status).toBe(200)
  })
})

describe('the rest of the reference', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/jwks.json', '/userinfo', '/par', '/nothing'])(
    '%s is 404 text/plain',
    async path => {
      const answer = await reference().get(path)
      expect([answer.status, header(answer, 'content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
    },
  )

  it('lets no script of another origin read anything', async () => {
    const { send } = reference()
    const answer = await send('POST', '/token', [FORM, ['origin', 'https://x.example']], 'grant_type=x')
    expect(header(answer, 'access-control-allow-origin')).toBeUndefined()
  })

  it('has no token endpoint at the stage login-only', async () => {
    const server = lab({ profile: 'reference', stage: 'login-only' })
    const answer = await server.token({ grant_type: 'authorization_code' })
    expect([answer.status, header(answer, 'content-type')]).toEqual([500, 'text/plain; charset=utf-8'])
    expect((await server.authorize(codeRequest({ response_type: 'token' }))).status).toBe(400)
  })
})
