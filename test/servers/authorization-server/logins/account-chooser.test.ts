import { describe, expect, it } from 'vitest'
import { type HttpResponse, text } from '../../../../src/protocol/http/message.js'
import { browser } from '../browser.js'
import { codeRequest, field, lab, landed, type Parameters, query, settings } from '../support.js'

const users = [
  ...settings.users,
  {
    username: 'tom',
    password: 'x',
    totp_secret: 'MRXXO3RAORUGKIDSMFRGE2LUEBUG63DF',
    claims: { name: '<Tom>' },
  },
  { username: 'nobody', claims: {} },
  { username: 'bob', password: 'newer', claims: {} },
]
const login = { attempts: 2, window: 60_000 }
const rateLimits = { ...settings.rateLimits, login }

function world(hinted = false, offered = users) {
  const server = lab({ users, rateLimits, accountChooser: { users: offered, hinted } })
  const agent = browser(server)
  /** Clicks on a user of the page, or sends the form as one who did. */
  async function pick(username: string, request = codeRequest(), fields: Parameters = {}) {
    const csrf = field(await agent.authorize(request), 'csrf')
    return agent.post(`/authorization?${query(request)}`, {
      username: '',
      password: '',
      pick: username,
      csrf,
      ...fields,
    })
  }
  return { ...server, agent, pick }
}

const offeredBy = (page: HttpResponse) =>
  [...text(page.body).matchAll(/<button name="pick" value="(.*?)" formnovalidate><bdi>(.*?)</g)].map(each =>
    each.slice(1),
  )

describe('the account chooser', () => {
  it('offers users with a password, of several with one name the last, in the one form', async () => {
    const page = await world().agent.authorize(codeRequest())
    expect(offeredBy(page)).toEqual([
      ['alice', 'Alice'],
      ['tom', '&lt;Tom&gt;'],
      ['bob', 'bob'],
    ])
    expect(text(page.body).match(/<form |name="csrf"/g)).toHaveLength(2)
  })

  it.each([
    [false, undefined, 3],
    [false, 'alice', 0],
    [true, undefined, 3],
    [true, 'alice', 3],
  ])('with hinted %s and login_hint %s offers %i users', async (hinted, login_hint, count) => {
    const { agent } = world(hinted)
    expect(offeredBy(await agent.authorize(codeRequest({ login_hint })))).toHaveLength(count)
  })

  it('offers twelve users at most, and none without the setting', async () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ username: `u${i}`, password: 'x', claims: {} }))
    const crowded = lab({ users: many, accountChooser: { users: many, hinted: false } })
    expect(offeredBy(await crowded.authorize(codeRequest()))).toHaveLength(12)
    expect(offeredBy(await lab().authorize(codeRequest()))).toEqual([])
  })

  it('logs in with the events of a typed login', async () => {
    const typed = world()
    await typed.agent.login(codeRequest(), { username: 'tom', password: 'x' })
    const clicked = world()
    expect(landed(await clicked.pick('tom')).code).toBeDefined()
    expect(clicked.events).toEqual(typed.events)
  })

  it.each([
    ['a form of another page', 'tom', codeRequest(), { csrf: 'x' }, 403],
    ['a user who is not offered', 'nobody', codeRequest(), {}, 200],
    ['an unknown user', 'mallory', codeRequest(), {}, 200],
    ['a request with login_hint', 'tom', codeRequest({ login_hint: 'tom' }), {}, 200],
  ])('refuses %s', async (_name, username, request, fields, status) => {
    const { pick, events } = world()
    const page = await pick(username, request, fields)
    expect(page.status).toBe(status)
    expect(events.find(({ type }) => type === 'login.failed')).toMatchObject({ username })
    expect(text(page.body)).toContain('role="alert"')
  })

  it('is under the limit of wrong passwords, as its wrong choices count as such', async () => {
    const { agent, pick } = world()
    await agent.login(codeRequest(), { username: 'tom', password: 'wrong' })
    await agent.login(codeRequest(), { username: 'tom', password: 'wrong' })
    expect((await pick('tom')).status).toBe(429)
    await pick('nobody')
    await pick('nobody')
    expect((await pick('nobody')).status).toBe(429)
  })

  it('leads to the second factor where the client asks for one', async () => {
    const { pick, types } = world()
    const page = await pick('tom', codeRequest({ scope: 'openid', acr_values: 'urn:oauth-lab:acr:mfa' }))
    expect(text(page.body)).toContain('name="otp"')
    expect(types()).toContain('second_factor.shown')
    expect(types()).not.toContain('login.succeeded')
  })
})
