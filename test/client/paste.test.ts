import { describe, expect, it } from 'vitest'
import type { LoginAnswer, LoginPrompt } from '../../src/client/login.js'
import { createPasteAgent, pastedAnswer } from '../../src/client/paste.js'
import { authorizationRequest } from '../../src/protocol/oauth/authorization-request.js'
import { logoutRequest } from '../../src/protocol/oauth/logout-request.js'

const HTTPS = 'https://app.example/cb'
const PRIVATE = 'com.example.app:/cb'

describe('a pasted address', () => {
  it.each([
    [`${HTTPS}?code=a&state=b`, HTTPS],
    [`  "${HTTPS}?code=a"\n`, HTTPS],
    [`<${HTTPS}#access_token=a>`, HTTPS],
    [`${HTTPS}?tenant=1&code=a`, `${HTTPS}?tenant=1`],
    [`${PRIVATE}?code=a`, PRIVATE],
    ['https://app.example/?code=a', 'https://app.example'],
  ])('%j is an answer at %s', (text, redirectUri) => {
    expect(pastedAnswer(text, redirectUri)).toHaveProperty('landed')
  })

  it.each([
    ['', /not at/],
    ['code=a&state=b', /not at/],
    ['https://app.example.evil.example/cb?code=a', /not at/],
    ['https://app.example/cb/other?code=a', /not at/],
    ['http://app.example/cb?code=a', /not at/],
    [HTTPS, /no answer in it/],
    [`${HTTPS}?`, /no answer in it/],
    [`${HTTPS}?code=a b`, /no address/],
    [`${HTTPS}?code=\u001b[2J`, /no address/],
    [`${HTTPS}?code=${'a'.repeat(70_000)}`, /no address/],
  ])('%j is none', (text, problem) => {
    expect(pastedAnswer(text, HTTPS)).toEqual({ problem: expect.stringMatching(problem) })
  })
})

const request = (responseMode?: 'form_post') =>
  authorizationRequest({
    endpoint: 'https://id.example/authorize',
    responseType: 'code',
    clientId: 'web',
    redirectUri: HTTPS,
    state: 's',
    issPromised: false,
    ...(responseMode && { responseMode }),
  })

async function walk(answers: readonly LoginAnswer[], of = request()) {
  const asked: LoginPrompt[] = []
  const agent = createPasteAgent({
    open: async () => {},
    show: () => {},
    ask: async prompt => {
      asked.push(prompt)
      return answers[asked.length - 1] ?? { kind: 'cancel' }
    },
  })
  const visits = []
  for await (const visit of agent.authorize({ request: of, signal: new AbortController().signal })) {
    visits.push(visit)
  }
  return { asked, visits }
}

describe('the agent of a person who pastes', () => {
  it('asks again for another address, and lands at the right one', async () => {
    const landed = `${HTTPS}?code=a&state=s`
    const { asked, visits } = await walk([
      { kind: 'code', code: 'https://elsewhere.example/' },
      { kind: 'code', code: landed },
    ])
    expect(asked[0]).toEqual({ clientId: 'web', pastes: HTTPS })
    expect(asked[1]?.message).toContain('is not at')
    expect(visits.at(-1)).toMatchObject({ name: 'authorization_response', landed })
  })

  it('opens the browser again for a person who asks for it', async () => {
    const landed = `${HTTPS}?code=a&state=s`
    const { asked, visits } = await walk([{ kind: 'browser' }, { kind: 'code', code: landed }])
    expect(asked).toHaveLength(2)
    expect(visits.at(-1)).toMatchObject({ landed })
  })

  it('ends when the person cancels', async () => {
    await expect(walk([])).rejects.toMatchObject({ code: 'login_cancelled' })
  })

  it('refuses an answer that is posted before anybody logs in', async () => {
    await expect(walk([], request('form_post'))).rejects.toMatchObject({
      code: 'unknown_page',
      hints: [expect.stringContaining('--response-mode')],
    })
  })
})

describe('a logout whose person pastes', () => {
  const BACK = 'https://app.example/bye'

  async function leave(answers: readonly LoginAnswer[], more: object = {}) {
    const asked: LoginPrompt[] = []
    const shown: string[] = []
    const agent = createPasteAgent({
      open: async () => {},
      show: (url, purpose) => shown.push(`${purpose} ${url}`),
      ask: async prompt => {
        asked.push(prompt)
        return answers[asked.length - 1] ?? { kind: 'cancel' }
      },
    })
    const request = logoutRequest({
      endpoint: 'https://id.example/logout',
      method: 'GET',
      clientId: 'web',
      postLogoutRedirectUri: BACK,
      state: 's',
      ...more,
    })
    const visits = []
    const { signal } = new AbortController()
    for await (const visit of agent.logout!({ request, signal })) visits.push(visit)
    return { asked, shown, visits, request }
  }

  it('shows the address, and asks until the return is pasted', async () => {
    const { asked, shown, visits, request } = await leave([
      { kind: 'code', code: 'https://elsewhere.example/bye?state=s' },
      { kind: 'browser' },
      { kind: 'code', code: ` ${BACK}?state=s ` },
    ])
    expect(shown).toEqual([`log out ${request.url}`])
    expect(asked.map(({ pastes }) => pastes)).toEqual([BACK, BACK, BACK])
    expect(asked[1]?.message).toContain(`is not at ${BACK}`)
    expect(visits).toEqual([
      { name: 'logout_request', url: request.url, note: 'in your browser' },
      { name: 'logout_response', landed: `${BACK}?state=s`, note: 'pasted' },
    ])
  })

  it('leaves a return without state to the checks', async () => {
    const { visits } = await leave([{ kind: 'code', code: BACK }])
    expect(visits.at(-1)).toMatchObject({ name: 'logout_response', landed: BACK })
  })

  it('ends at the page of the server where nothing is pasted', async () => {
    const { visits } = await leave([])
    expect(visits.map(({ name }) => name)).toEqual(['logout_request'])
  })

  it.each([[{ method: 'POST' }], [{ postLogoutRedirectUri: undefined }]])('refuses %j', async more => {
    await expect(leave([], more)).rejects.toMatchObject({ code: 'unknown_page' })
  })
})

it('a page instead of an answer that asks nobody leaves the session unknown', async () => {
  const agent = createPasteAgent({
    open: async () => {},
    show: () => {},
    ask: async () => ({ kind: 'cancel' }),
  })
  const { signal } = new AbortController()
  const silent = agent.authorize({ request: request(), signal, silent: true })
  await silent.next()
  await expect(silent.next()).rejects.toMatchObject({ code: 'unknown_page' })
  const login = agent.authorize({ request: request(), signal })
  await login.next()
  await expect(login.next()).rejects.toMatchObject({ code: 'login_cancelled' })
})
