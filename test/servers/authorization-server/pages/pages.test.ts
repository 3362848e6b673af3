import { createHash } from 'node:crypto'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { html } from '../../../../src/protocol/http/page.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import { browser } from '../browser.js'
import {
  basic,
  CALLBACK,
  client,
  codeRequest,
  field,
  json,
  lab,
  type Parameters,
  query,
  settings,
} from '../support.js'

const clients = [
  client('tv', { client_secret: 'tv-secret', grant_types: [DEVICE_GRANT], client_name: 'Tele & Vision' }),
  client('app', { redirect_uris: ['com.example.app:/cb', 'https://app.example:8080/cb'] }),
  ...settings.clients,
]
const scopes = { ...settings.scopes, bare: '' }
const limits = { login: { attempts: 1, window: 60_000 }, passwordGrant: 'off', clientSecret: 'off' } as const
const world = () => lab({ clients, scopes, rateLimits: limits })

const bodyOf = (page: HttpResponse) => text(page.body)
const titleOf = (page: HttpResponse) => /<title>(.*?) – oauth-lab<\/title>/.exec(bodyOf(page))?.[1]
/** The attributes of the input with this name. */
const input = (page: HttpResponse, name: string) => {
  const [element = ''] = new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(bodyOf(page)) ?? []
  return {
    focused: element.includes(' autofocus'),
    described: /aria-describedby="([^"]*)"/.exec(element)?.[1],
    value: /value="([^"]*)"/.exec(element)?.[1],
  }
}
const alertOf = (page: HttpResponse) =>
  /<p role="alert" class="alert"[^>]*>(.*?)<\/p>/.exec(bodyOf(page))?.[1]
const scopesOf = (page: HttpResponse) =>
  [...bodyOf(page).matchAll(/<li>(.*?)<small><code>(.*?)<\/code><\/small><\/li>/g)].map(each => each.slice(1))

const BOTH = [
  ['Change &lt;records&gt;', 'records:write'],
  ['bare', 'bare'],
]

/** The parse errors of a page (HTML standard §13.2.2). */
function problems(page: HttpResponse): string[] {
  const found: string[] = []
  parse(bodyOf(page), { onParseError: ({ code }) => found.push(code) })
  return found
}

describe('the login page', () => {
  it('puts the focus on the first empty field', async () => {
    const { authorize } = world()
    const empty = await authorize(codeRequest())
    expect([input(empty, 'username').focused, input(empty, 'password').focused]).toEqual([true, false])
    const filled = await authorize(codeRequest({ login_hint: 'alice' }))
    expect([input(filled, 'username').focused, input(filled, 'password').focused]).toEqual([false, true])
    expect(input(filled, 'username').value).toBe('alice')
  })

  it('repeats a username of 256 characters, and no longer one', async () => {
    const { authorize } = world()
    const longest = 'x'.repeat(256)
    expect(input(await authorize(codeRequest({ login_hint: longest })), 'username').value).toBe(longest)
    const page = await authorize(codeRequest({ login_hint: `${longest}x` }))
    expect(input(page, 'username')).toMatchObject({ value: '', focused: true })
  })

  it('says what went wrong in an alert that the password field refers to', async () => {
    const { openForm, login } = world()
    const { page } = await openForm(codeRequest())
    expect([page.status, titleOf(page), alertOf(page)]).toEqual([200, 'Log in', undefined])
    expect(input(page, 'password').described).toBeUndefined()
    const again = await login(codeRequest(), { password: 'wrong' })
    expect([again.status, titleOf(again)]).toEqual([200, 'Log in again'])
    expect(alertOf(again)).toBe('Username or password is wrong.')
    expect(input(again, 'password')).toMatchObject({ described: 'message', focused: true })
    expect(bodyOf(again)).toContain('id="message"')
  })

  it.each([
    ['a csrf value of another page', 403, { csrf: 'x' }, undefined],
    ['too many wrong passwords', 429, {}, '60'],
  ])('answers %s with status %i', async (_name, status, fields, retryAfter) => {
    const { login } = world()
    await login(codeRequest(), { password: 'wrong' })
    const page = await login(codeRequest(), fields)
    expect([page.status, header(page, 'retry-after')]).toEqual([status, retryAfter])
    expect(alertOf(page)).toBeDefined()
    expect(header(page, 'set-cookie')).toBeUndefined()
  })

  it('lists the scopes with their descriptions, or with their names', async () => {
    const page = await world().authorize(codeRequest({ scope: 'records:write bare' }))
    expect(scopesOf(page)).toEqual(BOTH)
  })

  it.each([
    ['demo', CALLBACK, 'Demo &lt;client&gt;', 'http://127.0.0.1'],
    ['other', CALLBACK, 'other', 'http://127.0.0.1'],
    ['app', 'https://app.example:8080/cb', 'app', 'https://app.example:8080'],
    ['app', 'com.example.app:/cb', 'app', 'com.example.app:'],
  ])('names the client %s and the owner of its address', async (id, address, name, owner) => {
    const request = codeRequest({ client_id: id, redirect_uri: address })
    const body = bodyOf(await world().authorize(request))
    expect(body).toContain(`<strong>${name}</strong> wants to read records.`)
    expect(body).toContain(`take you back to ${owner}</p>`)
  })
})

describe('the pages for a device', () => {
  const begin = async ({ post }: ReturnType<typeof world>, scope = 'records:write') =>
    String(json(await post('/device_authorization', { scope }, [basic('tv', 'tv-secret')])).user_code)

  it('ask for the code, with the focus on it', async () => {
    const { get } = world()
    const page = await get('/device')
    expect([page.status, titleOf(page), alertOf(page)]).toEqual([200, 'Connect a device', undefined])
    expect(input(page, 'user_code')).toMatchObject({ focused: true, described: undefined })
    const again = await get('/device?user_code=BBBB-BBBB')
    expect([again.status, header(again, 'retry-after')]).toEqual([200, undefined])
    expect(alertOf(again)).toContain('unknown, used or expired')
    expect(input(again, 'user_code').described).toBe('message')
  })

  it('name the client, its scope and the code that the device shows', async () => {
    const server = world()
    const code = await begin(server, 'records:write bare')
    const page = await server.get(`/device?user_code=${code}`)
    expect([page.status, titleOf(page), alertOf(page)]).toEqual([200, 'Connect a device', undefined])
    expect(bodyOf(page)).toContain(
      'A device with <strong>Tele &amp; Vision</strong> wants to change &lt;records&gt; and use <code>bare</code>.',
    )
    expect(bodyOf(page)).toContain(`<strong><code>${code}</code></strong>`)
    expect(scopesOf(page)).toEqual(BOTH)
    expect(input(page, 'username')).toMatchObject({ focused: true, described: undefined })
    expect(input(page, 'user_code').value).toBe(code)
    expect(header(page, 'set-cookie')).toMatch(/^__Host-oauth-lab-login=[\w-]{43}; /)
  })

  it('say what went wrong, and when to try again', async () => {
    const server = world()
    const user_code = await begin(server)
    const agent = browser(server)
    const csrf = field(await agent.get(`/device?user_code=${user_code}`), 'csrf')
    const attempt = (fields: Parameters) =>
      agent.post('/device', { user_code, csrf, username: 'alice', password: 'wrong', ...fields })
    const wrong = await attempt({})
    expect([wrong.status, header(wrong, 'retry-after')]).toEqual([200, undefined])
    expect(alertOf(wrong)).toBe('Username or password is wrong.')
    expect(input(wrong, 'username').described).toBe('message')
    const limited = await attempt({})
    expect([limited.status, header(limited, 'retry-after')]).toEqual([429, '60'])
    expect((await attempt({ csrf: 'x' })).status).toBe(403)
  })

  it.each([
    ['connected', { username: 'alice', password: 'wonderland' }, 'Device connected'],
    ['refused', { cancel: 'yes' }, 'Device refused'],
  ])('say that the device is %s', async (_decision, fields, title) => {
    const server = world()
    const user_code = await begin(server)
    const agent = browser(server)
    const csrf = field(await agent.get(`/device?user_code=${user_code}`), 'csrf')
    const page = await agent.post('/device', { user_code, csrf, ...fields })
    expect([page.status, titleOf(page)]).toEqual([200, title])
  })
})

describe('the logout pages', () => {
  it('ask a person about the client, and carry the request', async () => {
    const agent = browser(world())
    await agent.login(codeRequest())
    const page = await agent.get(`/end-session?${query({ client_id: 'demo', state: '"<&' })}`)
    expect([page.status, titleOf(page), alertOf(page)]).toEqual([200, 'Log out', undefined])
    expect(bodyOf(page)).toContain('<strong>Demo &lt;client&gt;</strong> wants to log you out.')
    expect(input(page, 'client_id').value).toBe('demo')
    expect(input(page, 'state').value).toBe('&quot;&lt;&amp;')
    const other = await agent.get('/end-session?client_id=other')
    expect(bodyOf(other)).toContain('<strong>other</strong> wants to log you out.')
    const nobody = await agent.get('/end-session')
    expect(bodyOf(nobody)).toContain('<strong>alice</strong>.</p>')
    expect(header(nobody, 'set-cookie')).toBeUndefined()
  })

  it('ask again with an alert, and confirm both choices', async () => {
    const agent = browser(world())
    await agent.login(codeRequest())
    const csrf = field(await agent.get('/end-session'), 'csrf')
    const again = await agent.post('/end-session', { csrf: 'x' })
    expect([again.status, titleOf(again)]).toEqual([403, 'Log out'])
    expect(alertOf(again)).toContain('out of date')
    const stays = await agent.post('/end-session', { csrf, cancel: 'yes' })
    expect([stays.status, titleOf(stays)]).toEqual([200, 'Still logged in'])
    const leaves = await agent.post('/end-session', { csrf, logout: 'yes' })
    expect([leaves.status, titleOf(leaves)]).toEqual([200, 'Logged out'])
    expect(header(leaves, 'set-cookie')).toBe(
      '__Host-oauth-lab-session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
    )
  })
})

describe('an error page', () => {
  it('names the error, the rule and the reason', async () => {
    const page = await world().authorize({ client_id: '<nobody>' })
    expect([page.status, titleOf(page)]).toEqual([400, 'Request refused'])
    expect(alertOf(page)).toContain('client_id is unknown')
    expect(bodyOf(page)).toContain('<code>unauthorized_client</code>')
    expect(bodyOf(page)).toContain('<dd>RFC 6749 §4.1.2.1</dd>')
  })

  it.each(['/authorization', '/end-session', '/device'])('of %s is HTML with status 413', async path => {
    const page = await world().post(path, `x=${'x'.repeat(70_000)}`)
    expect([page.status, titleOf(page)]).toEqual([413, 'Request refused'])
  })
})

describe('every page', () => {
  const pages: readonly [name: string, make: () => Promise<HttpResponse>][] = [
    ['the login page', () => world().authorize(codeRequest())],
    ['the login page after a mistake', () => world().login(codeRequest(), { password: 'wrong' })],
    ['a form that is posted', () => world().login(codeRequest({ response_mode: 'form_post' }))],
    ['the page for the user code', () => world().get('/device')],
    ['an error page', () => world().authorize({})],
    ['the page after a logout', () => world().get('/end-session')],
    ['the login page of the reference', () => lab({ profile: 'reference' }).authorize(codeRequest())],
  ]
  it.each(pages)('is well-formed, and allows its own style and script only: %s', async (_name, make) => {
    const page = await make()
    expect(problems(page)).toEqual([])
    const hashes = [...bodyOf(page).matchAll(/<(style|script)>(.*?)<\/\1>/gs)].map(
      ([, kind, content = '']) =>
        `${kind}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    )
    const policy = header(page, 'content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      ...hashes,
      'img-src data:',
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(header(page, 'content-type')).toBe('text/html; charset=utf-8')
    expect(header(page, 'cache-control')).toBe('no-store')
    expect(header(page, 'x-frame-options')).toBe('DENY')
    expect(header(page, 'x-content-type-options')).toBe('nosniff')
    expect(bodyOf(page)).not.toMatch(/<(?:style|script)[^>]+>|undefined|\[object/)
  })

  it('posts a response without the parameters that it does not have', async () => {
    const page = await world().login(codeRequest({ response_mode: 'form_post' }))
    const names = [...bodyOf(page).matchAll(/<input type="hidden" name="(.*?)"/g)].map(each => each[1])
    expect(names).toEqual(['code', 'iss'])
    expect(titleOf(page)).toBe('Continue')
  })
})

it('html escapes text, and keeps markup that was made with it', () => {
  const inner = html`<b>${'&<>"\''}</b>`
  expect(html`<p title="${'"'}">${inner}${[inner, inner]}${undefined}${''}</p>`.markup).toBe(
    '<p title="&quot;"><b>&amp;&lt;&gt;&quot;&#39;</b><b>&amp;&lt;&gt;&quot;&#39;</b><b>&amp;&lt;&gt;&quot;&#39;</b></p>',
  )
  expect(html`${'\ud800a'}`.markup).toBe('\ufffda')
})
