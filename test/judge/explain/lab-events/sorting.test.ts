import { describe, expect, it } from 'vitest'
import { explainEvents, login, ready, redemption, request, summary } from './support.js'

const refused = (number: number, members: object = {}) =>
  request(
    number,
    { path: '/token', status: 400 },
    {
      type: 'token.refused',
      client_id: 'web',
      grant_type: 'authorization_code',
      status: 400,
      error: 'invalid_grant',
      description: 'redirect_uri is not the one of the authorization request',
      rule: 'RFC 6749 §4.1.3',
      ...members,
    },
  )

const explained = async (...events: readonly object[]) => summary(await explainEvents([ready, ...events]))

describe('the conversations of a lab', () => {
  it('hold a refused token request by its code, or as the only login that waits', async () => {
    const both = [...login(1, 'alice', 'aaaa…111'), ...login(3, 'bob', 'bbbb…222')]
    expect(await explained(...both, ...refused(5, { code: 'aaaa…111' }))).toEqual([
      'code web alice refused, fault redirect-uri-differs 5',
      'code web bob unfinished, remark code-unredeemed 4',
    ])
    expect(await explained(...both, ...redemption(5, 'bob', 'bbbb…222'), ...refused(6))).toEqual([
      'code web alice refused, fault redirect-uri-differs 6',
      'code web bob granted',
    ])
  })

  it('hold nothing by chance: among two logins a request without code is its own conversation', async () => {
    const both = [...login(1, 'alice', 'aaaa…111'), ...login(3, 'bob', 'bbbb…222')]
    expect(await explained(...both, ...refused(5))).toEqual([
      'code web alice unfinished, remark code-unredeemed 2',
      'code web bob unfinished, remark code-unredeemed 4',
      'code web - refused, fault redirect-uri-differs 5',
    ])
  })

  it('wait for a token request no longer than the code lives', async () => {
    expect(await explained(...login(1, 'alice', 'aaaa…111'), ...refused(700))).toEqual([
      'code web alice unfinished, remark code-unredeemed 2',
      'code web - refused, fault redirect-uri-differs 700',
    ])
  })

  it('take a failed try for a remark where the person then logged in', async () => {
    const [asked, shown, page, ...rest] = login(1, 'alice', 'aaaa…111') as Record<string, unknown>[]
    const { path } = rest.at(-1) as { path: string }
    const failed = {
      client_id: 'web',
      username: 'alice',
      reason: 'credentials',
      description: 'wrong password',
    }
    const tried = request(9, { path }, { type: 'login.failed', ...failed, rule: 'RFC 6749 §10.10' })
    const later = rest.map(event => ({ ...event, request: 10 }))
    const events = [asked, shown, page, ...tried, ...later] as object[]
    expect(await explained(...events, ...redemption(11, 'alice', 'aaaa…111'))).toEqual([
      'code web alice granted, remark login-failed 9',
    ])
  })

  it('hold a page that was loaded twice once', async () => {
    const twice = login(1, 'alice', 'aaaa…111')
    const again = twice.slice(0, 3).map(event => ({ ...event, request: 9 }))
    const later = twice.slice(3).map(event => ({ ...event, request: 10 }))
    expect(await explained(...twice.slice(0, 3), ...again, ...later)).toEqual([
      'code web alice unfinished, remark code-unredeemed 10',
    ])
  })

  it('of people whose requests are cut before anything that tells them apart are theirs by name', async () => {
    const query = `redirect_uri=${'x'.repeat(190)}`
    const cut = (events: object[]) =>
      events.map(event =>
        'path' in event ? { ...event, path: `${String(event.path).slice(0, 199)}…` } : event,
      )
    const [a, b] = [cut(login(1, 'alice', 'aaaa…111', query)), cut(login(3, 'bob', 'bbbb…222', query))]
    const mixed = [...a.slice(0, 3), ...b.slice(0, 3), ...b.slice(3), ...a.slice(3)]
    const tokens = [...redemption(5, 'alice', 'aaaa…111'), ...redemption(6, 'bob', 'bbbb…222')]
    expect((await explained(...mixed, ...tokens)).sort()).toEqual([
      'code web alice granted',
      'code web bob granted',
    ])
  })

  it('begin with a pushed request by its reference, and in old recordings as the only one that waits', async () => {
    const uri = 'urn:ietf:params:oauth:request_uri:abcdefghijklmnopqrstuvwxyz'
    const pushed = (number: number, reference: object) =>
      request(
        number,
        { path: '/par', status: 201 },
        { type: 'request.pushed', client_id: 'web', ...reference },
      )
    const query = `client_id=web&request_uri=${encodeURIComponent(uri)}`
    const next = [...login(3, 'alice', 'aaaa…111', query), ...redemption(5, 'alice', 'aaaa…111')]
    const mine = { request_uri: 'urn:ietf:params:oauth:request_uri:abcd…xyz' }
    const other = { request_uri: 'urn:ietf:params:oauth:request_uri:zzzz…zzz' }
    expect(await explained(...pushed(1, mine), ...pushed(2, other), ...next)).toEqual([
      'code web alice granted',
      'code web - unfinished',
    ])
    expect(await explained(...pushed(1, {}), ...next)).toEqual(['code web alice granted'])
    expect(await explained(...pushed(1, other), ...next)).toEqual([
      'code web - unfinished',
      'code web alice granted',
    ])
  })

  it('hold API calls by their token, userinfo by client and person, and refused calls alone', async () => {
    const call = (number: number, type: string, members: object, status = 200) =>
      request(number, { site: 'resource', method: 'GET', path: '/records', status }, { type, ...members })
    const bearer = {
      scheme: 'Bearer',
      access_token: 'eyJ0…111',
      client_id: 'web',
      sub: 'alice',
      scope: 'openid',
    }
    const info = { client_id: 'web', username: 'alice', claims: ['sub'] }
    const late = { status: 401, error: 'invalid_token', description: 'expired', rule: 'RFC 7519 §4.1.4' }
    const events = [
      ...call(
        1,
        'resource.refused',
        { status: 401, description: 'needs a token', rule: 'RFC 6750 §3.1' },
        401,
      ),
      ...login(2, 'alice', 'aaaa…111'),
      ...redemption(4, 'alice', 'aaaa…111'),
      ...call(5, 'resource.accepted', bearer),
      ...request(6, { method: 'GET', path: '/userinfo' }, { type: 'userinfo.answered', ...info }),
      ...call(7, 'resource.accepted', { ...bearer, access_token: 'eyJ0…999' }),
      ...call(8, 'resource.refused', late, 401),
    ]
    const { flows } = await explainEvents([ready, ...events])
    expect(
      flows.map(({ conversation }) => conversation.messages.map(({ recorded }) => recorded.entry)),
    ).toEqual([[2, 3, 4, 5, 6], [8]])
    expect(flows[1]?.findings).toMatchObject([{ name: 'expired-token-sent', rule: 'RFC 7519 §4.1.4' }])
  })

  it('of the demo client end with its callback, whose refusal names the lost state', async () => {
    const callback = (state: string, ...events: Parameters<typeof request>[2][]) =>
      request(
        3,
        { site: 'client', method: 'GET', path: `/callback?code=aaaa…111${state}`, status: 400 },
        ...events,
      )
    const refusal = {
      type: 'demo_client.login_refused',
      error: 'state_mismatch',
      description: 'the answer has no state',
      rule: 'RFC 6749 §10.12',
    }
    expect(await explained(...login(1, 'alice', 'aaaa…111'), ...callback('', refusal))).toEqual([
      'code web alice refused, fault state-missing 3',
    ])
  })

  it('of devices go on with their polls, and end with the tokens of their person', async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const about = { client_id: 'web', username: 'bob' }
    const waiting = {
      error: 'authorization_pending',
      description: 'wait',
      rule: 'RFC 8628 §3.5',
      status: 400,
    }
    const tokens = { client_id: 'web', sub: 'bob', grant_type, access_token: 'eyJ0…222', id_token: false }
    const events = [
      ...request(
        1,
        { path: '/device_authorization' },
        { type: 'device_code.issued', client_id: 'web', expires_in: 600 },
      ),
      ...request(
        2,
        { path: '/token', status: 400 },
        { type: 'token.refused', client_id: 'web', grant_type, ...waiting },
      ),
      ...request(
        3,
        { path: '/device' },
        { type: 'login.succeeded', ...about },
        { type: 'device_code.approved', ...about },
      ),
      ...request(4, { path: '/token' }, { type: 'token.issued', ...tokens }),
    ]
    expect(await explained(...events)).toEqual(['device web bob granted'])
  })

  it('by a clock that stands still are in the order of their numbers', async () => {
    const still = [...login(1, 'alice', 'aaaa…111'), ...redemption(3, 'alice', 'aaaa…111')].map(
      (event, i) => ({
        ...event,
        at: '2026-03-01T10:00:00.000Z',
        ...('ms' in event && { ms: 100 * (i + 1) }),
      }),
    )
    const { flows } = await explainEvents([ready, ...still])
    expect(summary({ flows, facts: { entries: 0, picked: 0, gaps: [] } })).toEqual(['code web alice granted'])
    expect(flows[0]?.conversation.messages.map(({ kind }) => kind)).toEqual([
      'authorization_request',
      'login',
      'token_request',
    ])
  })
})
