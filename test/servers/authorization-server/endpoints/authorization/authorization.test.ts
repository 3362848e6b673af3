import { describe, expect, it } from 'vitest'
import { bytes, header, text } from '../../../../../src/protocol/http/message.js'
import {
  CALLBACK,
  CHALLENGE,
  client,
  codeRequest,
  FORM,
  field,
  ISSUER,
  lab,
  landed,
  location,
  type Parameters,
  query,
} from '../../support.js'

describe('an authorization request', () => {
  it('shows a login form with the fields of the specification', async () => {
    const { page } = await lab().openForm(codeRequest({ scope: 'openid records:write' }))
    expect(page.status).toBe(200)
    expect(header(page, 'content-type')).toBe('text/html; charset=utf-8')
    const body = text(page.body)
    expect(body).toContain('<form method="post">')
    expect(body).toMatch(/<input type="text" id="username" name="username"[^>]* required/)
    expect(body).toMatch(/<input type="password" id="password" name="password"[^>]* required/)
    expect(body).toMatch(/<input type="hidden" name="csrf" value="[\w-]{86}"/)
    expect(body.match(/type="submit"/g)).toHaveLength(1)
    expect(body).toContain('Demo &lt;client&gt;')
    expect(body).toContain('Change &lt;records&gt;')
    expect(body).toContain('Know who you are')
  })

  it('sends the page with headers against frames, scripts and caches', async () => {
    const { page } = await lab().openForm(codeRequest())
    const policy = header(page, 'content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('form-action')
    expect(header(page, 'x-frame-options')).toBe('DENY')
    expect(header(page, 'cache-control')).toBe('no-store')
    expect(header(page, 'referrer-policy')).toBe('same-origin')
    expect(header(page, 'set-cookie')).toMatch(
      /^__Host-[\w-]+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    )
    expect(text(page.body)).not.toContain('<script')
  })

  it('answers HEAD as GET, and refuses other methods with text', async () => {
    const { send } = lab()
    const target = `/authorization?${query(codeRequest())}`
    expect((await send('HEAD', target)).status).toBe(200)
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send(method, target, [['origin', 'https://app.example']])
      expect(response.status).toBe(405)
      expect(header(response, 'allow')).toBe('GET, HEAD, POST')
      expect(header(response, 'content-type')).toMatch(/^text\/plain/)
      expect(header(response, 'access-control-allow-origin')).toBeUndefined()
    }
  })

  it('may be a POST, and its form keeps the parameters', async () => {
    const { post, events } = lab()
    const parameters = codeRequest({ state: 'a b&c', scope: 'openid' })
    const page = await post('/authorization', parameters)
    expect(page.status).toBe(200)
    const action = /<form method="post" action="([^"]*)">/
      .exec(text(page.body))?.[1]
      ?.replaceAll('&amp;', '&')
    expect(Object.fromEntries(new URL(action ?? '', ISSUER).searchParams)).toEqual(parameters)
    const cookie = header(page, 'set-cookie')?.split(';')[0] ?? ''
    const form = { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') }
    const answer = await post(action ?? '', form, [['cookie', cookie]])
    expect(landed(answer)).toMatchObject({ state: 'a b&c', code: expect.stringMatching(/^[\w-]{43}$/) })
    expect(events[0]).toMatchObject({ type: 'authorization.requested', client_id: 'demo', pkce: 'none' })
  })
})

describe('an error of client_id or redirect_uri', () => {
  const evil = 'https://evil.example/cb'
  const CODE = 'response_type=code'
  const table: readonly [name: string, parameters: Parameters | string, says: RegExp][] = [
    ['no client_id', codeRequest({ client_id: undefined }), /client_id is missing/],
    ['an empty client_id', codeRequest({ client_id: '' }), /client_id is missing/],
    ['an unknown client', codeRequest({ client_id: 'nobody' }), /client_id is unknown/],
    ['a prototype name', codeRequest({ client_id: '__proto__' }), /client_id is unknown/],
    ['a disabled client', codeRequest({ client_id: 'demo-disabled' }), /client_id is refused.*disabled/],
    ['another address', codeRequest({ redirect_uri: evil }), /redirect_uri is refused/],
    ['a fragment', codeRequest({ redirect_uri: `${CALLBACK}#x` }), /fragment/],
    ['user information', codeRequest({ redirect_uri: 'http://127.0.0.1@evil.example/callback' }), /user inf/],
    ['a script', codeRequest({ redirect_uri: 'javascript:alert(1)' }), /redirect_uri is refused/],
    ['no address of several', codeRequest({ redirect_uri: undefined }), /redirect_uri is (missing|refused)/],
    ['a repeated client_id', `${query(codeRequest())}&client_id=demo`, /client_id is repeated/],
    ['a repeated address', `${query(codeRequest())}&redirect_uri=${CALLBACK}`, /redirect_uri is repeated/],
    ['an address in bad percent-encoding', `${CODE}&client_id=demo&redirect_uri=%zz`, /cannot be decoded/],
    ['a client_id that is no UTF-8', `${CODE}&client_id=%ff&redirect_uri=${CALLBACK}`, /cannot be decoded/],
    ['a huge request', `${query(codeRequest())}&state=${'x'.repeat(13_000)}`, /longer than/],
  ]
  it.each(table)('%s: is shown, not redirected', async (_name, parameters, says) => {
    const { get, events } = lab({ responseTypeErrors: 'redirect' })
    const target = typeof parameters === 'string' ? parameters : query(parameters)
    const response = await get(`/authorization?${target}`)
    expect(response.status).toBe(400)
    expect(header(response, 'content-type')).toMatch(/^text\/html/)
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'location')).toBeUndefined()
    expect(text(response.body)).toMatch(says)
    expect(text(response.body)).not.toMatch(/<a |href="(?!data:,")|<meta http-equiv/)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ type: 'authorization.refused', channel: 'page' })
  })

  it('shows what was sent, what is registered, where they differ, and the lines to paste', async () => {
    const { authorize, events } = lab()
    const sent = 'http://localhost:9876/callback'
    const page = text((await authorize(codeRequest({ client_id: 'demo-public', redirect_uri: sent }))).body)
    for (const shown of [
      `<code>${sent}</code>`,
      `<code>${CALLBACK}</code>`,
      '<code>https://client.example/cb?tenant=a</code>',
      `<dt>Different from <code>${CALLBACK}</code></dt>`,
      'the host: localhost, registered is 127.0.0.1',
      `<code>oauth-lab serve --redirect-uri demo-public=${sent}</code>`,
      `redirect_uris: [&quot;${CALLBACK}&quot;, &quot;https://client.example/cb?tenant=a&quot;, &quot;${sent}&quot;]`,
    ]) {
      expect(page).toContain(shown)
    }
    expect(page).not.toContain('application_type')
    expect(events).toMatchObject([
      {
        type: 'authorization.refused',
        client_id: 'demo-public',
        rule: 'RFC 9700 §4.1.3',
        evidence: sent,
        registered: [CALLBACK, 'https://client.example/cb?tenant=a'],
        differences: ['the host: localhost, registered is 127.0.0.1'],
        to_register: `oauth-lab serve --redirect-uri demo-public=${sent}`,
      },
    ])
  })

  it('says that nothing is registered, and how to register the address', async () => {
    const { authorize } = lab({ clients: [client('app', { redirect_uris: [] })] })
    const sent = 'https://client.example/cb'
    const page = text((await authorize(codeRequest({ client_id: 'app', redirect_uri: sent }))).body)
    expect(page).toMatch(/<dt>Registered for .*app.*<\/dt>\s*<dd>.*none/)
    expect(page).not.toContain('<dt>Different')
    expect(page).toContain(`redirect_uris: [&quot;${sent}&quot;]`)
  })

  it('names no client in the line for the demo clients, and explains localhost to a web client', async () => {
    const { authorize, events } = lab()
    const sent = "http://localhost:9876/it's"
    const page = text((await authorize(codeRequest({ redirect_uri: sent }))).body)
    expect(page).toContain('application_type: native')
    expect(events[0]).toMatchObject({
      to_register: `oauth-lab serve --redirect-uri 'http://localhost:9876/it'\\''s'`,
    })
  })

  it.each(['javascript:alert(1)', 'http://client.example/cb', `${CALLBACK}#x`, '/callback', undefined])(
    'offers no line for %s, which cannot be registered',
    async sent => {
      const { authorize, events } = lab()
      const page = text((await authorize(codeRequest({ redirect_uri: sent }))).body)
      expect(page).toContain(`<code>${CALLBACK}</code>`)
      expect(page).not.toContain('--redirect-uri')
      expect(events[0]).not.toHaveProperty('to_register')
    },
  )

  it('is also shown for POST', async () => {
    const { post } = lab()
    const response = await post('/authorization', codeRequest({ redirect_uri: evil }))
    expect(response.status).toBe(400)
    expect(header(response, 'location')).toBeUndefined()
  })
})

describe('response_type', () => {
  it.each([undefined, '', 'banana', 'code code', 'code none', 'Code'])(
    '%s: is a page that names response_type',
    async value => {
      const { authorize } = lab()
      const response = await authorize(codeRequest({ response_type: value, state: 'xyz' }))
      expect(response.status).toBe(400)
      expect(header(response, 'content-type')).toMatch(/^text\/html/)
      expect(text(response.body)).toContain('response_type')
    },
  )

  it.each([
    [undefined, 'invalid_request'],
    ['banana', 'unsupported_response_type'],
  ])('%s: is redirected with response_type_errors: redirect', async (value, error) => {
    const { authorize } = lab({ responseTypeErrors: 'redirect' })
    const response = await authorize(codeRequest({ response_type: value, state: 'xyz' }))
    expect(response.status).toBe(302)
    expect(landed(response)).toMatchObject({ error, state: 'xyz', iss: ISSUER })
  })

  it('that this client is not registered for is unauthorized_client', async () => {
    const { authorize } = lab()
    const response = await authorize(codeRequest({ client_id: 'implicit-only' }))
    expect(response.status).toBe(302)
    expect(landed(response)).toMatchObject({ error: 'unauthorized_client', iss: ISSUER })
  })
})

describe('an error that is sent to the client', () => {
  const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const table: readonly [name: string, parameters: Parameters | string, error: string][] = [
    ['an unknown scope', codeRequest({ scope: 'openid banana' }), 'invalid_scope'],
    ['a prototype name as scope', codeRequest({ scope: 'constructor' }), 'invalid_scope'],
    ['a malformed scope', codeRequest({ scope: 'openid "x"' }), 'invalid_scope'],
    ['no allowed scope', codeRequest({ client_id: 'narrow', scope: 'records:write' }), 'invalid_scope'],
    ['no default scope', codeRequest({ client_id: 'no-default' }), 'invalid_scope'],
    ['PKCE missing', codeRequest({ client_id: 'demo-spa' }), 'invalid_request'],
    ['plain PKCE', codeRequest({ ...challenge, code_challenge_method: 'plain' }), 'invalid_request'],
    ['plain PKCE unsaid', codeRequest({ code_challenge: CHALLENGE }), 'invalid_request'],
    ['an unknown method', codeRequest({ ...challenge, code_challenge_method: 'S512' }), 'invalid_request'],
    ['a method alone', codeRequest({ code_challenge_method: 'S256' }), 'invalid_request'],
    ['a short challenge', codeRequest({ ...challenge, code_challenge: 'abc' }), 'invalid_request'],
    ['a repeated scope', `${query(codeRequest({ scope: 'openid' }))}&scope=openid`, 'invalid_request'],
    ['a repeated response_type', `${query(codeRequest())}&response_type=code`, 'invalid_request'],
    ['bad percent-encoding', `${query(codeRequest())}&state=%zz`, 'invalid_request'],
    ['another response_mode', codeRequest({ response_mode: 'cookie' }), 'invalid_request'],
    ['a request object', codeRequest({ request: 'e30.e30.' }), 'invalid_request_object'],
    ['a request_uri', codeRequest({ request_uri: 'https://x.example/' }), 'request_uri_not_supported'],
    ['no login allowed', codeRequest({ prompt: 'none' }), 'login_required'],
    ['a relative resource', codeRequest({ resource: '/records' }), 'invalid_target'],
    ['a foreign id_token_hint', codeRequest({ id_token_hint: 'e30.e30.e30' }), 'invalid_request'],
  ]
  it.each(table)('%s', async (_name, parameters, error) => {
    const { get, events } = lab()
    const target = typeof parameters === 'string' ? parameters : query(parameters)
    const response = await get(`/authorization?${target}&state=s%2B%2F%3D1`)
    expect(response.status).toBe(302)
    expect(header(response, 'location')).toContain('state=s%2B%2F%3D1')
    expect(location(response).origin + location(response).pathname).toBe(CALLBACK)
    expect(landed(response)).toMatchObject({ error, state: 's+/=1', iss: ISSUER })
    expect(landed(response).error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(landed(response).code).toBeUndefined()
    expect(events.at(-1)).toMatchObject({ type: 'authorization.refused', channel: 'redirect', error })
  })
})

describe('the answer to a login', () => {
  it('redirects to the address with code, state and iss', async () => {
    const { login, types } = lab()
    const response = await login(codeRequest({ state: 'xyz' }))
    expect(response.status).toBe(302)
    const answer = landed(response)
    expect(answer).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state: 'xyz', iss: ISSUER })
    expect(types()).toEqual(['authorization.requested', 'login.shown', 'login.succeeded', 'code.issued'])
  })

  it('keeps the query of the registered address, and has scope when the request had one', async () => {
    const { login } = lab()
    const address = 'https://client.example/cb?tenant=a'
    const response = await login(codeRequest({ redirect_uri: address, scope: 'openid email' }))
    expect(header(response, 'location')).toMatch(/^https:\/\/client\.example\/cb\?tenant=a&code=/)
    expect(landed(response)).toMatchObject({ tenant: 'a', scope: 'openid email' })
    expect(landed(response).state).toBeUndefined()
  })

  it('redirects to any port of a loopback address, and to the only address when the request names no address', async () => {
    const { login } = lab()
    const port = await login(codeRequest({ redirect_uri: 'http://127.0.0.1:51234/callback' }))
    expect(location(port).host).toBe('127.0.0.1:51234')
    const only = await login(codeRequest({ client_id: 'single', redirect_uri: undefined }))
    expect(location(only).pathname).toBe('/only')
  })

  it.each(['s+/=1', 'ü€😀', '"><script>alert(1)</script>', 'a\r\nSet-Cookie: x=1', '\0', '%2B', '&code=x#y'])(
    'returns the state %j unchanged',
    async state => {
      const response = await lab().login(codeRequest({ state }))
      expect(landed(response).state).toBe(state)
      expect(header(response, 'location')).toMatch(/^[\x21-\x7e]+$/)
    },
  )

  it('names the narrower scope', async () => {
    const asked = { client_id: 'narrow', scope: 'records:write records:read' }
    const response = await lab().login(codeRequest(asked))
    expect(landed(response).scope).toBe('records:read')
  })

  it('is access_denied when the person cancels', async () => {
    const { login, events } = lab()
    const response = await login(codeRequest({ state: 'xyz' }), { password: undefined, cancel: 'yes' })
    expect(landed(response)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: ISSUER })
    expect(events.at(-1)).toMatchObject({ type: 'authorization.refused', error: 'access_denied' })
  })
})

describe('a failed login', () => {
  it.each([
    ['a wrong password', { password: 'nope' }],
    ['an unknown user', { username: 'mallory' }],
    ['a prototype name', { username: '__proto__', password: 'x' }],
    ['no password', { password: undefined }],
    ['no username', { username: undefined }],
  ])('%s: shows the form again with the same message', async (_name, fields) => {
    const { login, events } = lab()
    const response = await login(codeRequest(), fields)
    expect(response.status).toBe(200)
    expect(header(response, 'location')).toBeUndefined()
    expect(text(response.body)).toContain(
      '<p role="alert" class="alert" id="message">Username or password is wrong.</p>',
    )
    expect(field(response, 'csrf')).toMatch(/^[\w-]{86}$/)
    expect(events.some(event => event.type === 'login.failed' && event.reason === 'credentials')).toBe(true)
  })

  it('keeps the username, escaped, but not the password', async () => {
    const fields = { username: '"><b>al', password: 's3cret-typed' }
    const { login, events } = lab()
    const body = text((await login(codeRequest(), fields)).body)
    expect(body).toContain('value="&quot;&gt;&lt;b&gt;al"')
    expect(body).not.toContain('s3cret-typed')
    expect(JSON.stringify(events)).not.toContain('s3cret-typed')
  })

  it('is refused with a csrf value of another browser, request or page', async () => {
    const { openForm, post, types } = lab()
    const parameters = codeRequest({ state: 'one' })
    const mine = await openForm(parameters)
    const other = await openForm(codeRequest({ state: 'two' }))
    const target = `/authorization?${query(parameters)}`
    const form = (csrf: string | undefined) => ({ username: 'alice', password: 'wonderland', csrf })
    const attempts = [
      await post(target, form(mine.csrf)),
      await post(target, form(mine.csrf), other.cookies),
      await post(target, form(other.csrf), other.cookies),
      await post(target, form(undefined), mine.cookies),
      await post(target, form('x'.repeat(86)), mine.cookies),
      await post(`/authorization?${query(codeRequest({ state: 'evil' }))}`, form(mine.csrf), mine.cookies),
    ]
    for (const response of attempts) {
      expect(response.status).toBe(403)
      expect(text(response.body)).toContain('role="alert"')
    }
    expect(types()).not.toContain('code.issued')
    expect((await post(target, form(mine.csrf), mine.cookies)).status).toBe(302)
    const turned = Object.fromEntries(Object.entries(parameters).reverse())
    expect((await post(`/authorization?${query(turned)}`, form(mine.csrf), mine.cookies)).status).toBe(302)
  })

  it('gets a different valid csrf value on every page of one browser', async () => {
    const { openForm, get, post } = lab()
    const parameters = codeRequest()
    const first = await openForm(parameters)
    const target = `/authorization?${query(parameters)}`
    const second = await get(target, first.cookies)
    expect(header(second, 'set-cookie')).toBeUndefined()
    expect(field(second, 'csrf')).not.toBe(first.csrf)
    for (const csrf of [first.csrf, field(second, 'csrf')]) {
      const form = { username: 'alice', password: 'wonderland', csrf }
      expect((await post(target, form, first.cookies)).status).toBe(302)
    }
  })
})

describe('the parameters of a login POST', () => {
  const parameters = codeRequest({ state: 'from referer' })
  const ownPage = `${ISSUER}/authorization?${query(parameters)}`
  const attempt = async (referer: string, url = `${ISSUER}/authorization`) => {
    const { openForm, handle } = lab()
    const { csrf, cookies } = await openForm(parameters)
    const body = bytes(query({ username: 'alice', password: 'wonderland', csrf }))
    return handle({ method: 'POST', url, headers: [FORM, ...cookies, ['referer', referer]], body })
  }

  it.each([
    ['of the issuer', ISSUER, ISSUER],
    ['of the issuer behind a proxy that changed the host', ISSUER, 'http://127.0.0.1:8080'],
    ['of the host that was asked', 'http://lab.test', 'http://lab.test'],
  ])('come from the Referer %s when the URL has no query', async (_name, origin, asked) => {
    const response = await attempt(ownPage.replace(ISSUER, origin), `${asked}/authorization`)
    expect(landed(response)).toMatchObject({ state: 'from referer', code: expect.any(String) })
  })

  it('come from the URL alone when it has a query', async () => {
    expect((await attempt(ownPage, `${ISSUER}/authorization?scope=openid`)).status).toBe(400)
  })

  it('stay in the address of a form that is shown again', async () => {
    const { openForm, post } = lab()
    const { csrf, cookies } = await openForm(parameters)
    const form = { username: 'alice', password: 'wrong', csrf }
    const actionOf = (body: string) => /<form method="post"(?: action="([^"]*)")?>/.exec(body)?.[1]
    const again = await post('/authorization', form, [...cookies, ['referer', ownPage]])
    expect(actionOf(text(again.body))?.replaceAll('&amp;', '&')).toBe(`/authorization?${query(parameters)}`)
    const own = await post(`/authorization?${query(parameters)}`, form, cookies)
    expect(actionOf(text(own.body))).toBeUndefined()
  })

  it.each([
    ['a username', { username: 'alice' }],
    ['a csrf value', { csrf: 'x' }],
  ])('are not in a body with client_id and %s, which is a login', async (_name, fields) => {
    const { post, types } = lab()
    const response = await post(`/authorization?${query(parameters)}`, { ...parameters, ...fields })
    expect(response.status).toBe(403)
    expect(types()).toEqual(['login.failed', 'login.shown'])
  })

  it.each([
    `https://evil.example/authorization?${query(parameters)}`,
    `https://localhost:8443.evil.example/authorization?${query(parameters)}`,
    `view-source:${ownPage}`,
    `${ISSUER}/other?${query(parameters)}`,
    'about:blank',
    '',
  ])('do not come from %s', async referer => {
    const response = await attempt(referer)
    expect(response.status).toBe(400)
    expect(text(response.body)).toContain('client_id is missing')
  })

  it('are refused from a form of another type, a form that is too long, or one with repeated fields', async () => {
    const { send, post } = lab()
    const target = `/authorization?${query(codeRequest())}`
    expect((await send('POST', target, [['content-type', 'application/json']], '{}')).status).toBe(400)
    expect((await post(target, `username=${'x'.repeat(70_000)}`)).status).toBe(413)
    expect((await post(target, 'username=a&username=b&csrf=c')).status).toBe(400)
    expect((await post(target, 'username=%zz')).status).toBe(400)
    expect((await send('POST', target, [FORM], Uint8Array.of(0x61, 0x3d, 0xff))).status).toBe(400)
  })
})
