import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../../src/protocol/http/message.js'
import { browser, implicitRequest } from '../../browser.js'
import {
  CALLBACK,
  claimsOf,
  codeRequest,
  ISSUER,
  lab,
  location,
  type Parameters,
  settings,
} from '../../support.js'

type Response = Awaited<ReturnType<ReturnType<typeof lab>['login']>>

const fragment = (response: Response) =>
  Object.fromEntries(new URLSearchParams(location(response).hash.slice(1)))

const names = (response: Response) => [...new URLSearchParams(location(response).hash.slice(1)).keys()]

describe('response_type token', () => {
  it('answers with only an access token in the fragment', async () => {
    const { login, types, events } = lab()
    const response = await login(implicitRequest())
    expect(response.status).toBe(302)
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(names(response)).toEqual(['access_token', 'token_type', 'expires_in', 'scope', 'state', 'iss'])
    expect(header(response, 'location')).toContain('state=s%2B%2F%3D1')
    expect(location(response).search).toBe('')
    const answer = fragment(response)
    expect(answer).toMatchObject({
      token_type: 'Bearer',
      expires_in: '3600',
      scope: 'records:read',
      state: 's+/=1',
      iss: ISSUER,
    })
    expect(claimsOf(answer.access_token)).toMatchObject({ sub: 'alice', aud: 'demo-spa', iss: ISSUER })
    expect(types()).toEqual(['authorization.requested', 'login.shown', 'login.succeeded', 'token.issued'])
    expect(events.at(-1)).toMatchObject({ client_id: 'demo-spa', grant_type: 'implicit', sub: 'alice' })
  })

  it('shows the same form as response_type code', async () => {
    const { openForm } = lab()
    const client = { client_id: 'demo-spa', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const [token, code] = [await openForm(implicitRequest()), await openForm(codeRequest(client))]
    const shape = (body: string) => body.replace(/value="[\w-]{86}"/, '')
    expect(shape(text(token.page.body))).toBe(shape(text(code.page.body)))
  })

  it('ignores offline_access, because there is no refresh token (OpenID Connect Core §11)', async () => {
    const { login } = lab()
    const answer = fragment(await login(implicitRequest({ scope: 'openid offline_access' })))
    expect(answer.scope).toBe('openid')
    expect(fragment(await login(implicitRequest({ scope: 'offline_access' }))).error).toBe('invalid_scope')
  })

  it('has the named resource as audience', async () => {
    const answer = fragment(await lab().login(implicitRequest({ resource: 'https://api.example/' })))
    expect(claimsOf(answer.access_token).aud).toBe('https://api.example/')
  })
})

describe('response_type id_token', () => {
  const request = implicitRequest({ response_type: 'id_token', scope: 'openid email', nonce: 'n-1' })

  it('without token holds the claims of userinfo', async () => {
    const { login, types } = lab()
    const response = await login(request)
    expect(names(response)).toEqual(['id_token', 'session_state', 'state', 'iss'])
    const claims = claimsOf(fragment(response).id_token)
    expect(claims).toMatchObject({ sub: 'alice', aud: 'demo-spa', nonce: 'n-1', email: 'alice@example.com' })
    expect(claims).not.toHaveProperty('at_hash')
    expect(types()).not.toContain('token.issued')
  })

  it.each(['id_token token', 'token id_token'])(
    '%s: leaves the claims of userinfo to the access token',
    async type => {
      const answer = fragment(await lab().login({ ...request, response_type: type }))
      const claims = claimsOf(answer.id_token)
      expect(claims).toMatchObject({ nonce: 'n-1', auth_time: Date.UTC(2030, 0, 1) / 1000 })
      expect(claims).not.toHaveProperty('email')
      expect(Object.keys(answer)).not.toContain('refresh_token')
      expect(Object.keys(answer)).not.toContain('code')
    },
  )
})

describe('an error of an implicit request', () => {
  const openid = { response_type: 'id_token', scope: 'openid', nonce: 'n' }
  const table: readonly [name: string, parameters: Parameters, error: string][] = [
    ['a type it is not registered for', { client_id: 'demo-public' }, 'unauthorized_client'],
    ['an unknown scope', { scope: 'nonsense' }, 'invalid_scope'],
    ['no openid', { ...openid, scope: undefined }, 'invalid_request'],
    ['an answer in the query', { response_mode: 'query' }, 'invalid_request'],
    ['a relative resource', { resource: 'records' }, 'invalid_target'],
  ]
  it.each(table)('%s: is in the fragment', async (_name, parameters, error) => {
    const response = await lab().authorize(implicitRequest(parameters))
    expect(response.status).toBe(302)
    expect(location(response).search).toBe('')
    expect(fragment(response)).toMatchObject({ error, state: 's+/=1', iss: ISSUER })
    expect(fragment(response).error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  it('is access_denied when the person cancels', async () => {
    const response = await lab().login(implicitRequest(), { cancel: 'yes' })
    expect(fragment(response)).toMatchObject({ error: 'access_denied', state: 's+/=1' })
  })

  it('is always a page for an unknown client', async () => {
    const response = await lab({ responseTypeErrors: 'redirect' }).authorize(
      implicitRequest({ client_id: 'nobody' }),
    )
    expect(response.status).toBe(400)
    expect(header(response, 'location')).toBeUndefined()
    expect(text(response.body)).toContain('unauthorized_client')
  })

  it.each(['token token', 'none token', 'code none'])('response_type %s is not supported', async type => {
    const { authorize } = lab({ responseTypeErrors: 'redirect' })
    const response = await authorize(implicitRequest({ response_type: type }))
    const told = { ...Object.fromEntries(location(response).searchParams), ...fragment(response) }
    expect(told).toMatchObject({ error: 'unsupported_response_type', state: 's+/=1' })
  })
})

describe('response_mode', () => {
  it('fragment: can carry a code', async () => {
    const response = await lab().login(codeRequest({ response_mode: 'fragment', scope: 'openid' }))
    expect(location(response).search).toBe('')
    expect(fragment(response)).toMatchObject({ code: expect.any(String), scope: 'openid', iss: ISSUER })
  })

  it.each([codeRequest(), implicitRequest()])(
    'form_post: the page posts the answer to the client',
    async request => {
      const state = '"><script>alert(1)</script>'
      const { handle } = lab()
      const response = await browser({ handle }).login({ ...request, response_mode: 'form_post', state })
      expect(response.status).toBe(200)
      expect(header(response, 'location')).toBeUndefined()
      expect(header(response, 'cache-control')).toBe('no-store')
      expect(header(response, 'referrer-policy')).toBe('origin')
      expect(header(response, 'content-security-policy')).toMatch(/script-src 'sha256-[A-Za-z0-9+/]{43}='/)
      const body = text(response.body)
      expect(body).toContain(`<form method="post" action="${CALLBACK}">`)
      expect(body).toMatch(/name="(code|access_token)" value="[\w.-]{43,}"/)
      expect(body).toContain('name="state" value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
      expect(body).toContain(`name="iss" value="${ISSUER}"`)
      expect(body.match(/<script>/g)).toHaveLength(1)
      expect(body).toContain('<button type="submit">')
    },
  )

  it('form_post: the page posts errors too', async () => {
    const response = await lab().authorize(codeRequest({ response_mode: 'form_post', scope: 'nonsense' }))
    expect(text(response.body)).toContain('name="error" value="invalid_scope"')
  })
})

it('a client may register its types in any order', async () => {
  const clients = settings.clients.map(each =>
    each.client_id === 'demo-spa' ? { ...each, response_types: ['token id_token'] } : each,
  )
  const { authorize } = lab({ clients })
  const request = implicitRequest({ response_type: 'id_token token', scope: 'openid', nonce: 'n' })
  expect((await authorize(request)).status).toBe(200)
  expect((await authorize(implicitRequest())).status).toBe(302)
})
