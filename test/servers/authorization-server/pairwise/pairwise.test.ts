import { describe, expect, it } from 'vitest'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { fixedKeyring } from '../../../../src/protocol/tokens/keys.js'
import type {
  AuthorizationServerPorts,
  FetchDocument,
} from '../../../../src/servers/authorization-server/settings.js'
import { browser } from '../browser.js'
import {
  basic,
  claimsOf,
  client,
  codeRequest,
  json,
  lab,
  landed,
  query,
  settings,
  signingKey,
} from '../support.js'

const salt = new Uint8Array(32).fill(7)
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token'

const member = (id: string, host: string, more: Partial<Client> = {}) =>
  client(id, {
    client_secret: `${id}-secret`,
    subject_type: 'pairwise',
    redirect_uris: [`https://${host}/${id}`],
    post_logout_redirect_uris: [`https://${host}/bye`],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', EXCHANGE],
    ...more,
  })

const clients = [
  member('shop', 'shop.example', { backchannel_logout_uri: 'https://shop.example/out' }),
  member('till', 'shop.example'),
  member('bank', 'bank.example', { frontchannel_logout_uri: 'https://bank.example/out' }),
  member('open', 'open.example', { subject_type: 'public' }),
]

const SHOP = 'https://shop.example/shop'
const shopRequest = codeRequest({ client_id: 'shop', scope: 'openid', redirect_uri: SHOP })

/** A server, one browser at it, and the logout tokens that it sent. */
function world(more: readonly Client[] = [], ports: Partial<AuthorizationServerPorts> = {}) {
  const sent: string[] = []
  const clientCalls = {
    post: async (_url: string, form: readonly (readonly [string, string | undefined])[]) => {
      sent.push(String(Object.fromEntries(form).logout_token))
      return { status: 200, body: '' }
    },
    postJson: async () => ({ status: 204 }),
    // A failed fetch takes a second.
    pause: (milliseconds: number) =>
      milliseconds === 1000 ? Promise.resolve() : new Promise<void>(() => {}),
  }
  const made = lab({ clients: [...clients, ...more] }, fixedKeyring(signingKey), {
    pairwiseSalt: async () => salt,
    clientCalls,
    ...ports,
  })
  const agent = browser(made)
  const requestOf = (id: string, parameters: Record<string, string> = {}) => ({
    response_type: 'code',
    client_id: id,
    scope: 'openid offline_access',
    state: 's',
    redirect_uri: [...clients, ...more].find(each => each.client_id === id)?.redirect_uris[0],
    ...parameters,
  })

  /** Sends a request, and the form of its page. Returns the parameters of the answer. */
  async function visit(id: string, parameters: Record<string, string> = {}, who: object = {}) {
    const request = requestOf(id, parameters)
    const page = await agent.authorize(request)
    if (page.status !== 200) return landed(page)
    const body = Buffer.from(page.body).toString()
    const csrf = /name="csrf" value="([^"]*)"/.exec(body)?.[1]
    const login = { username: 'alice', password: 'wonderland', ...who }
    const fields = body.includes('name="password"') ? login : { consent: 'allow' }
    return landed(await agent.post(`/authorization?${query(request)}`, { csrf, ...fields }))
  }

  async function token(id: string, form: Record<string, string | undefined>) {
    return json(await made.post('/token', form, [basic(id, `${id}-secret`)]))
  }

  async function login(id: string, parameters: Record<string, string> = {}, who: object = {}) {
    const { code } = await visit(id, parameters, who)
    const form = { grant_type: 'authorization_code', code, redirect_uri: requestOf(id).redirect_uri }
    const tokens = await token(id, form)
    return { tokens, id: claimsOf(tokens.id_token), access: claimsOf(tokens.access_token) }
  }
  const introspect = async (value: unknown, as = 'open') =>
    json(await made.post('/introspection', { token: String(value) }, [basic(as, `${as}-secret`)]))
  const userinfo = async (value: unknown) =>
    json(await made.get('/userinfo', [['authorization', `Bearer ${value}`]]))
  return { made, agent, sent, visit, login, token, introspect, userinfo }
}

/** The parameter claims that asks for this sub alone. */
const claimsFor = (sub: unknown) => JSON.stringify({ id_token: { sub: { value: sub } } })

describe('a pairwise sub (OpenID Connect Core §8.1)', () => {
  it('is one value in every answer to a client, and names the user nowhere', async () => {
    const { login, introspect, userinfo, token, made } = world()
    const { tokens, id, access } = await login('shop')
    const { sub } = id
    expect(sub).toMatch(/^[\w-]{43}$/)
    const about = [access, await userinfo(tokens.access_token), await introspect(tokens.access_token)]
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    const fresh = await token('shop', refresh)
    const jwts = [claimsOf(fresh.id_token), claimsOf(fresh.access_token)]
    const again = [...jwts, await introspect(fresh.refresh_token)]
    expect([...about, ...again].map(each => each.sub)).toEqual(Array(6).fill(sub))
    expect(JSON.stringify([id, ...about, ...again])).not.toContain('alice')
    expect(made.events.find(({ type }) => type === 'token.issued')).toMatchObject({ sub, username: 'alice' })
  })

  it('is one for a sector, and another for each other sector, user and salt', async () => {
    const subOf = async (id: string, who: object = {}, ports: Partial<AuthorizationServerPorts> = {}) =>
      (await world([], ports).login(id, {}, who)).id.sub
    const shop = await subOf('shop')
    expect(await subOf('till')).toBe(shop)
    const others = [
      await subOf('bank'),
      await subOf('shop', { username: 'bob', password: 'builder' }),
      await subOf('shop', {}, { pairwiseSalt: async () => new Uint8Array(32) }),
    ]
    expect(new Set([shop, ...others]).size).toBe(4)
    expect(await subOf('open')).toBe('alice')
  })

  it('leaves a client that acts for itself as it is', async () => {
    const { token, introspect } = world()
    const { access_token } = await token('shop', { grant_type: 'client_credentials', scope: 'records:read' })
    expect(claimsOf(access_token).sub).toBe('shop')
    expect(await introspect(access_token)).toMatchObject({ active: true, sub: 'shop' })
  })

  it('comes with a sid of its own, so that one session does not join the sectors', async () => {
    const { login } = world()
    const sids = [await login('shop'), await login('bank'), await login('open')].map(each => each.id.sid)
    expect(new Set(sids).size).toBe(3)
  })

  it('is in logout tokens, with the sid of the ID token; frames have the sid too', async () => {
    const { login, agent, sent } = world()
    const { id: bank } = await login('bank')
    const { id, tokens } = await login('shop')
    const page = await agent.get(`/end-session?id_token_hint=${tokens.id_token}`)
    expect(claimsOf(sent[0])).toMatchObject({ sub: id.sub, sid: id.sid, aud: 'shop' })
    expect(Buffer.from(page.body).toString()).toContain(`sid=${bank.sid}`)
    expect(Buffer.from(page.body).toString()).not.toContain('Log out?')
  })

  it('is what a client names: in id_token_hint and in claims', async () => {
    const { login, visit } = world()
    const { id, tokens } = await login('shop')
    const none = { prompt: 'none' }
    const named = (sub: unknown) => ({ ...none, claims: claimsFor(sub) })
    expect(await visit('shop', { ...none, id_token_hint: String(tokens.id_token) })).toHaveProperty('code')
    expect(await visit('shop', named(id.sub))).toHaveProperty('code')
    expect(await visit('shop', named('alice'))).toMatchObject({ error: 'login_required' })
    const bank = await login('bank')
    expect(await visit('shop', named(bank.id.sub))).toMatchObject({ error: 'login_required' })
  })

  it('is checked again when another user logs in', async () => {
    const { login, visit } = world()
    const { id } = await login('shop')
    const claims = claimsFor(id.sub)
    const bob = { username: 'bob', password: 'builder' }
    expect(await visit('shop', { prompt: 'login', claims }, bob)).toMatchObject({ error: 'login_required' })
    expect(await visit('shop', { prompt: 'login', claims })).toHaveProperty('code')
  })

  it('is translated when a token is exchanged, for the actors too', async () => {
    const { login, token, introspect } = world()
    const shop = await login('shop')
    const actor = await login('bank')
    const subject = (from: unknown) => ({
      grant_type: EXCHANGE,
      subject_token: String(from),
      subject_token_type: ACCESS,
    })
    const acting = { actor_token: String(actor.tokens.access_token), actor_token_type: ACCESS }
    const exchanged = await token('bank', { ...subject(shop.tokens.access_token), ...acting })
    const named = { sub: actor.id.sub, act: { sub: actor.id.sub } }
    expect(claimsOf(exchanged.access_token)).toMatchObject(named)
    expect(await introspect(exchanged.access_token)).toMatchObject(named)
    const back = await token('open', subject(exchanged.access_token))
    expect(claimsOf(back.access_token)).toMatchObject({ sub: 'alice', act: { sub: 'alice' } })
  })

  it('of nobody is refused, as is a username in its place', async () => {
    const first = world()
    const { tokens } = await first.login('shop')
    const other = world([], { pairwiseSalt: async () => new Uint8Array(32) })
    expect(await other.introspect(tokens.access_token)).toEqual({ active: false })
    const asPublic = lab({ clients: clients.map(each => ({ ...each, subject_type: 'public' as const })) })
    const { code } = landed(await asPublic.login(shopRequest))
    const form = { grant_type: 'authorization_code', code, redirect_uri: SHOP }
    const old = json(await asPublic.post('/token', form, [basic('shop', 'shop-secret')]))
    expect(claimsOf(old.access_token).sub).toBe('alice')
    expect(await first.introspect(old.access_token)).toEqual({ active: false })
    const hinted = await first.visit('shop', { prompt: 'none', id_token_hint: String(old.id_token) })
    expect(hinted).toMatchObject({ error: 'invalid_request' })
  })

  it('is found for users that were added while the server runs', async () => {
    const users = [...settings.users]
    const made = lab({ clients, users }, fixedKeyring(signingKey), { pairwiseSalt: async () => salt })
    const activeFor = async (username: string, password: string) => {
      const agent = browser(made)
      const { code } = landed(await agent.login(shopRequest, { username, password }))
      const form = { grant_type: 'authorization_code', code, redirect_uri: SHOP }
      const { access_token } = json(await made.post('/token', form, [basic('shop', 'shop-secret')]))
      const asked = { token: String(access_token) }
      return json(await made.post('/introspection', asked, [basic('open', 'open-secret')])).active
    }
    expect(await activeFor('alice', 'wonderland')).toBe(true)
    users.push({ username: 'carol', password: 'singer', claims: {} })
    expect(await activeFor('carol', 'singer')).toBe(true)
  })
})

describe('the document of a sector (OpenID Connect Core §8.1)', () => {
  const uris = ['https://one.example/cb', 'https://two.example/cb']
  const address = 'https://sector.example/list.json'
  const wide = member('wide', '', { redirect_uris: uris, sector_identifier_uri: address })

  function sectorWorld(bodies: readonly (string | Error)[]) {
    const left = [...bodies]
    const asked: string[] = []
    const fetchDocument: FetchDocument = async url => {
      asked.push(url)
      const body = left.length > 1 ? left.shift()! : left[0]!
      if (body instanceof Error) throw body
      return { body }
    }
    return { ...world([wide], { fetchDocument }), asked }
  }

  it('is fetched once, and makes one sector of several hosts', async () => {
    const { login, asked, made } = sectorWorld([JSON.stringify([...uris, 'https://three.example/'])])
    const first = await login('wide')
    const second = await login('wide', { redirect_uri: uris[0]! })
    expect(first.id.sub).toMatch(/^[\w-]{43}$/)
    expect(second.id.sub).toBe(first.id.sub)
    expect(asked).toEqual([address])
    expect(made.events.filter(({ type }) => type === 'sector_document.fetched')).toHaveLength(1)
  })

  const unread = /sector_identifier_uri: this server cannot read it; the event of the lab names the cause$/
  it.each<[string, string | Error, RegExp]>([
    ['lacks an address', JSON.stringify([uris[0]]), /a redirect_uri of the client is not in the document/],
    ['is no JSON', '<html>', unread],
    ['is no list', '{"redirect_uris":[]}', unread],
    ['cannot be fetched', new Error('it answered 404'), unread],
  ])('that %s is refused at both endpoints', async (_name, body, problem) => {
    const { visit, token } = sectorWorld([body])
    const answer = await visit('wide')
    expect(answer).toMatchObject({ error: 'unauthorized_client', state: 's' })
    expect(answer.error_description).toMatch(problem)
    const refused = await token('wide', { grant_type: 'client_credentials' })
    expect(refused).toMatchObject({ error: 'unauthorized_client' })
  })

  it('is fetched again after an hour: a sector may lose an address', async () => {
    const { visit, asked, made } = sectorWorld([JSON.stringify(uris), JSON.stringify([uris[1]])])
    expect(await visit('wide')).toHaveProperty('code')
    made.clock.now += 3_599_999
    expect(await visit('wide')).toHaveProperty('code')
    expect(asked).toHaveLength(1)
    made.clock.now += 1
    expect(await visit('wide')).toMatchObject({ error: 'unauthorized_client' })
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['lacked an address', JSON.stringify([uris[1]])],
    ['failed', new Error('down')],
  ])('is fetched again after a pause, when it %s', async (_name, first) => {
    const { visit, asked, made } = sectorWorld([first, JSON.stringify(uris)])
    expect(await visit('wide')).toHaveProperty('error')
    made.clock.now += 9_999
    expect(await visit('wide')).toHaveProperty('error')
    expect(asked).toHaveLength(1)
    made.clock.now += 1
    expect(await visit('wide')).toHaveProperty('code')
    expect(asked).toHaveLength(2)
  })
})
