import { describe, expect, it } from 'vitest'
import { createHeadlessAgent } from '../../src/client/headless.js'
import type { UserAgent, Visit } from '../../src/client/user-agent.js'
import type { HttpRequest } from '../../src/protocol/http/message.js'
import { bytes, header, redirectResponse, text, textResponse } from '../../src/protocol/http/message.js'
import {
  type AuthorizationRequest,
  authorizationRequest,
} from '../../src/protocol/oauth/authorization-request.js'
import type { OAuthError } from '../../src/protocol/oauth/oauth-error.js'
import { codeChallenge } from '../../src/protocol/oauth/pkce.js'
import { login, sendTo } from '../flows/support/world.js'
import { type Ask, page } from '../support/ask.js'
import { failure } from '../support/refusal.js'

const home = 'https://as.test'
const redirectUri = 'https://client.example/cb?tenant=a'
const requestTo = (endpoint: string) =>
  authorizationRequest({
    endpoint,
    issuer: new URL(endpoint).origin,
    responseType: 'code',
    clientId: 'demo',
    redirectUri,
    scope: 'openid',
    state: 's',
    issPromised: false,
  })

const form = (extra = '') =>
  page(`<form method=post action="/in?x=1"><input name=u><input type=password name=p>${extra}</form>`)

async function run(
  servers: Record<string, Ask>,
  options: {
    answers?: [string, string][]
    browser?: UserAgent
    endpoint?: string
    request?: AuthorizationRequest
  } = {},
) {
  const sent: HttpRequest[] = []
  const inner = sendTo(servers)
  const agent = createHeadlessAgent({
    send: (message, more) => {
      sent.push(message)
      return inner(message, more)
    },
    askLogin: options.browser
      ? async () => ({ kind: 'browser' })
      : login(...(options.answers ?? [['alice', 'wonderland']])),
    ...(options.browser && { browser: options.browser }),
  })
  const visits: Visit[] = []
  const request = options.request ?? requestTo(options.endpoint ?? `${home}/authorize`)
  const walk = async () => {
    for await (const visit of agent.authorize({ request, signal: new AbortController().signal })) {
      visits.push(visit)
    }
  }
  return { visits, sent, error: await failure(walk()) }
}

describe('the headless user agent', () => {
  it('logs in across the hosts of one domain, with a cookie for the domain and one for each host', async () => {
    const id = 'https://id.example.test'
    const start = 'https://login.example.test/start'
    const done = redirectResponse(`${redirectUri}&code=c&state=s`)
    const { visits, sent, error } = await run(
      {
        [id]: async ({ method, url }) => {
          if (method === 'POST') return done
          if (url.startsWith(`${id}/authorize`)) {
            return redirectResponse(start, [['set-cookie', 'home=1; Path=/; Secure']])
          }
          return form()
        },
        'https://login.example.test': async () =>
          redirectResponse(`${id}/login`, [
            ['set-cookie', 'flow=2; Path=/; Domain=example.test; Secure; HttpOnly; SameSite=Lax'],
            ['set-cookie', '__Host-hop=3; Path=/; Secure'],
          ]),
      },
      { endpoint: `${id}/authorize` },
    )
    expect(error).toBeUndefined()
    expect(visits.at(-1)?.landed).toContain('code=c')
    expect(sent.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
      `GET ${id}/authorize`,
      `GET ${start}`,
      `GET ${id}/login`,
      `POST ${id}/in`,
    ])
    expect(sent.map(message => header(message, 'cookie'))).toEqual([
      undefined,
      undefined,
      'home=1; flow=2',
      'home=1; flow=2',
    ])
  })

  it('follows redirects one by one with the cookies of each origin, and does not visit a foreign redirect_uri', async () => {
    const landed = `${redirectUri}&code=a%2Bb&state=s#frag`
    const { visits, sent, error } = await run({
      [home]: async ({ method, url }) => {
        if (method === 'POST')
          return redirectResponse('https://hop.test/next', [['set-cookie', 'sid=2; Path=/']])
        if (url.endsWith('/done')) return redirectResponse(landed)
        return url.startsWith(`${home}/authorize`)
          ? redirectResponse('/login', [['set-cookie', 'sid=1; Path=/']])
          : form()
      },
      'https://hop.test': async () => redirectResponse(`${home}/done`, [['set-cookie', 'hop=1']]),
    })
    expect(error).toBeUndefined()
    expect(
      sent.map(
        message => `${message.method} ${message.url.split('?')[0]} ${header(message, 'cookie') ?? '-'}`,
      ),
    ).toEqual([
      `GET ${home}/authorize -`,
      `GET ${home}/login sid=1`,
      `POST ${home}/in sid=1`,
      'GET https://hop.test/next -',
      `GET ${home}/done sid=2`,
    ])
    expect(visits.map(({ name, landed: at }) => [name, at])).toEqual([
      ['login_form', undefined],
      ['login_form', undefined],
      ['login', undefined],
      ['login', undefined],
      ['login', undefined],
      ['authorization_response', landed],
    ])
    expect(visits.at(-1)).toMatchObject({ note: expect.stringContaining('not visited') })
  })

  it('posts the form as a browser does', async () => {
    const { sent } = await run(
      {
        [home]: async ({ method }) =>
          method === 'POST'
            ? redirectResponse(`${redirectUri}&code=x`)
            : form('<input type=hidden name=csrf value="a b">'),
      },
      { answers: [['al ice', 'pä+ss&']] },
    )
    expect(sent[1]).toMatchObject({ method: 'POST', url: `${home}/in?x=1` })
    expect(text(sent[1]!.body)).toBe('u=al%20ice&p=p%C3%A4%2Bss%26&csrf=a%20b')
    expect(Object.fromEntries(sent[1]!.headers)).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      origin: home,
      referer: requestTo(`${home}/authorize`).url,
    })
  })

  it('refuses to type a password into a page of another origin', async () => {
    const { sent, error } = await run({
      [home]: async () => redirectResponse('https://evil.test/login'),
      'https://evil.test': async () => form(),
    })
    expect(error).toMatchObject({ code: 'foreign_login_form', rule: expect.stringContaining('RFC 6749') })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  it('reports the text of a page without a form', async () => {
    const { error, visits } = await run({ [home]: async () => textResponse(429, 'slow down\n') })
    expect(error).toMatchObject({ code: 'error_page', description: 'slow down', evidence: 'status 429' })
    expect(visits).toHaveLength(1)
  })

  it.each([
    [
      'OAuth',
      { error: 'invalid_request', error_description: 'missing scope' },
      'invalid_request',
      'missing scope',
    ],
    ['OAuth, without a reason', { error: 'invalid_scope' }, 'invalid_scope', 'the server gives no reason'],
    ['problem details', { title: 'Bad Request', detail: 'no such client' }, 'error_page', 'no such client'],
    ['a framework', { status: 404, error: 'Not Found', path: '/x' }, 'error_page', 'Not Found'],
    ['an API', { error: { code: 400, message: 'no such project' } }, 'error_page', 'no such project'],
  ])('reads an error page in JSON, with the members of %s', async (_whose, members, code, description) => {
    const { error } = await run({
      [home]: async () => ({
        status: 400,
        headers: [['content-type', 'application/json;charset=UTF-8']],
        body: bytes(JSON.stringify(members, null, 2)),
      }),
    })
    expect(error).toMatchObject({ code, description, evidence: 'status 400' })
  })

  it('reports the reason that a login form gives beside a field', async () => {
    const reason = '<span aria-live=polite>Invalid username or password.</span>'
    const { error, visits } = await run(
      { [home]: async ({ method }) => form(method === 'POST' ? reason : '') },
      { answers: [['alice', 'wrong']] },
    )
    expect(error).toMatchObject({ code: 'login_failed', description: 'Invalid username or password.' })
    expect(visits.at(-1)?.note).toBe('Invalid username or password.')
  })

  it('leaves a page that asks for a new password to the person, by its heading', async () => {
    const update = page(
      '<h1>Update password</h1><form method=post><input type=password name=new><input type=password name=again></form>',
    )
    const { error, sent } = await run({ [home]: async ({ method }) => (method === 'POST' ? update : form()) })
    expect(error).toMatchObject({
      code: 'unknown_page',
      description: expect.stringMatching(/asks for a new password on the page “Update password”.*--browser/),
    })
    expect(sent).toHaveLength(2)
  })

  it.each([
    [200, 'unknown_page'],
    [400, 'error_page'],
  ])(
    'hides what ties the answer to the request when a page (%i) repeats the request',
    async (status, code) => {
      const request = authorizationRequest({
        ...requestTo(`${home}/authorize`),
        state: 'state-0123456789abcdef',
        nonce: 'nonce/0123456789abcdef',
        codeVerifier: 'verifier-0123456789abcdef-0123456789abcdef',
      })
      const challenge = codeChallenge('verifier-0123456789abcdef-0123456789abcdef')
      const dump = `<input name=q> ${request.url.replaceAll('&', '&amp;')} ${request.nonce} ${'x'.repeat(20)} state-0123456789abcdef`
      const { error } = await run({ [home]: async () => ({ ...page(dump), status }) }, { request })
      expect(error).toMatchObject({ code })
      const { description } = error as OAuthError
      expect(description).toContain('response_type=code')
      for (const value of [
        request.state,
        request.nonce,
        encodeURIComponent(request.nonce ?? ''),
        challenge,
      ]) {
        expect(description).not.toContain(value?.slice(0, 12))
      }
    },
  )

  it('continues in the browser when the person chooses it', async () => {
    const browser: UserAgent = {
      async *authorize(task) {
        yield { name: 'login_form', url: task.request.url }
        yield { name: 'authorization_response', landed: 'x' }
      },
    }
    const { visits, error } = await run({ [home]: async () => form() }, { browser })
    expect(error).toBeUndefined()
    expect(visits.map(({ name, exchange }) => [name, exchange !== undefined])).toEqual([
      ['login_form', true],
      ['login_form', false],
      ['authorization_response', false],
    ])
  })

  const consent = (action: string) =>
    page(
      `<form method=post action="${action}"><input type=hidden name=yes value=1><button>Allow</button></form>`,
    )

  it('clicks through a consent page and reports the click', async () => {
    const { visits, sent, error } = await run({
      [home]: async ({ method, url }) => {
        if (url.endsWith('/in?x=1')) return consent('/agree')
        if (url.endsWith('/agree')) return redirectResponse(`${redirectUri}&code=x`)
        return method === 'POST' ? textResponse(404, '') : form()
      },
    })
    expect(error).toBeUndefined()
    expect(visits.map(({ name, note, repeats }) => [name, note, repeats])).toEqual([
      ['login_form', undefined, undefined],
      ['login', 'presses “Allow”', true],
      ['login', undefined, undefined],
      ['authorization_response', expect.stringContaining('not visited'), undefined],
    ])
    expect(sent[2]).toMatchObject({ method: 'POST', url: `${home}/agree` })
    expect(text(sent[2]!.body)).toBe('yes=1')
    expect(header(sent[2]!, 'origin')).toBe(home)
  })

  it('logs in after a page to click through, without a message', async () => {
    const { visits, error } = await run({
      [home]: async ({ method, url }) => {
        if (method === 'GET') return consent('/begin')
        return url.endsWith('/begin') ? form() : redirectResponse(`${redirectUri}&code=x`)
      },
    })
    expect(error).toBeUndefined()
    expect(visits.map(({ name, note }) => [name, note])).toEqual([
      ['login_form', 'presses “Allow”'],
      ['login', undefined],
      ['login', undefined],
      ['authorization_response', expect.any(String)],
    ])
  })

  it.each([
    ['pages without end', async () => consent('/again'), /more than 5 pages/, 6],
    ['a click that leads elsewhere', async () => consent('https://evil.test/x'), /leads elsewhere/, 1],
    [
      'a page that asks for a name alone',
      async () => page('<form><input name=email></form>'),
      /--browser/,
      1,
    ],
    [
      'a page that a script draws',
      async () => page('<script src=app.js></script><div id=root>'),
      /--browser/,
      1,
    ],
  ])('leaves %s to the browser', async (_what, handle, why, requests) => {
    const { sent, error } = await run({ [home]: handle })
    expect(error).toMatchObject({ code: 'unknown_page', description: expect.stringMatching(why) })
    expect(sent).toHaveLength(requests)
  })
})
