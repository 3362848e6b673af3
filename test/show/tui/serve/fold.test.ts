import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LabEvent } from '../../../../src/protocol/events.js'
import { fold } from '../../../../src/show/tui/serve/view/fold.js'
import { entries, size } from '../../../../src/show/tui/serve/view/history.js'
import { emptyView } from '../../../../src/show/tui/serve/view/lab-view.js'
import { AFTERNOON, answered, event, ofRequest, viewOf } from './events.js'

const view = viewOf()
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)
const decided = (index: number) => entries(view.requests)[index]!.decisions.map(({ type }) => type)

describe('a lab, after its events', () => {
  it('has its requests with their decisions', () => {
    const requests = entries(view.requests)
    expect(requests.map(({ method, path, status }) => `${method} ${path.slice(0, 16)} ${status}`)).toEqual([
      'GET /authorization?r 200',
      'POST /authorization?r 302',
      'POST /token 200',
      'GET /.well-known/ope 200',
      'GET /resource 200',
      'POST /token 200',
      'POST /token 400',
      'POST /api/v1/namespac 201',
      'GET /client/v4/zones 200',
      'GET /kb/200 200',
    ])
    expect(decided(0)).toEqual(['login.shown'])
    expect(decided(1)).toEqual(['login.succeeded', 'code.issued'])
    expect(decided(2)).toEqual(['code.redeemed', 'token.issued'])
    expect(decided(3)).toEqual([])
    expect(decided(4)).toEqual(['keys.fetched', 'resource.accepted'])
    expect(decided(6)).toEqual(['code.replayed', 'token.revoked', 'token.revoked', 'token.refused'])
    expect(requests.at(-1)).toMatchObject({ coding: 'gzip', wireBytes: 935, bodyBytes: 204_800 })
  })

  it('knows the life of each code', () => {
    expect(entries(view.codes)).toEqual([
      expect.objectContaining({ code: '9aQd…0Lk', user: 'alice', expiresAt: at('14:01:22') }),
      expect.objectContaining({
        code: 'k3V9…Qm1',
        client: 'demo',
        issuedAt: at('14:03:10.101'),
        redeemedAt: at('14:03:11.100'),
        replayedAt: at('14:03:31.100'),
      }),
      expect.objectContaining({ code: 'Zp07…x2c', client: 'demo-spa', expiresAt: at('14:13:31.500') }),
    ])
  })

  it('knows the life of each token', () => {
    expect(entries(view.tokens)).toEqual([
      expect.objectContaining({
        id: 'jti-1',
        subject: 'alice',
        for: 'demo',
        accepted: 1,
        revokedAt: at('14:03:31.100'),
        revokedBecause: 'its code was replayed',
      }),
      expect.objectContaining({ id: 'jti-2', grant: 'refresh_token', accepted: 0 }),
      expect.objectContaining({
        subject: 'lab/builder',
        for: 'api',
        kind: 'cluster',
        boundTo: 'Pod/web-0',
        accepted: 0,
        expiresAt: at('14:13:40'),
      }),
    ])
  })

  it('ends the tokens of a cluster with the objects that they are bound to', () => {
    const gone = (members: object) =>
      fold(
        fold(view, event('14:04:00', 'cluster.token_reviewed', { authenticated: true, token: 'eyJh…w3A' })),
        { ...event('14:05:00', 'cluster.object_deleted'), ...members },
      )
    const last = (members: object) => entries(gone(members).tokens).at(-1)
    const lab = { namespace: 'lab' }
    expect(last({ kind: 'Pod', name: 'web-0', ...lab })).toMatchObject({
      accepted: 1,
      revokedAt: at('14:05:00'),
      revokedBecause: 'Pod web-0 was deleted',
    })
    expect(last({ kind: 'ServiceAccount', name: 'builder', ...lab })).toHaveProperty('revokedAt')
    for (const other of [
      { kind: 'Pod', name: 'web-0', namespace: 'default' },
      { kind: 'Secret', name: 'web-0', ...lab },
      { kind: 'ServiceAccount', name: 'builder', namespace: 'default' },
    ]) {
      expect(last(other)).not.toHaveProperty('revokedAt')
    }
  })

  it('keeps a refresh token and its successors together', () => {
    expect(entries(view.families)).toEqual([
      expect.objectContaining({ tokens: ['Rf1a…002', 'Rf1a…001'], uses: 1, user: 'alice' }),
    ])
    const reused = fold(view, event('14:05:00', 'refresh_token.reused', { refresh_token: 'Rf1a…001' }))
    expect(entries(reused.families)).toEqual([expect.objectContaining({ revokedAt: at('14:05:00') })])
  })

  it('knows its clients, users, keys and sites', () => {
    expect(entries(view.clients).map(({ id, requests, refused }) => [id, requests, refused])).toEqual([
      ['demo', 5, 1],
      ['demo-spa', 0, 0],
      ['demo-disabled', 0, 0],
    ])
    expect(entries(view.users).map(({ name, logins }) => [name, logins])).toEqual([
      ['alice', 1],
      ['bob', 0],
      ['carol', 0],
    ])
    const rotated = fold(
      view,
      event('14:06:00', 'key.rotated', { kid: 'new', retired: '4ibnQwxK1yYtB0l2xvu8' }),
    )
    expect(entries(rotated.keys).map(({ kid, status }) => [kid, status])).toEqual([
      ['4ibnQwxK1yYtB0l2xvu8', 'published'],
      ['new', 'signs'],
    ])
    expect(entries(view.sites).map(({ name, requests, refused }) => [name, requests, refused])).toEqual([
      ['authorization', 7, 1],
      ['http', 0, 0],
      ['resource', 1, 0],
      ['cluster', 1, 0],
      ['dns', 1, 0],
    ])
  })

  it('knows the clients that registered themselves, and those that are gone', () => {
    const registered = (client_id: string, method: string) =>
      event('14:00:00', 'client.registered', {
        client_id,
        redirect_uris: ['https://a.example/', 'https://b.example/'],
        token_endpoint_auth_method: method,
      })
    const view = [
      registered('one', 'none'),
      registered('two', 'client_secret_basic'),
      event('14:00:00', 'client.registered', { client_id: 'three', client_name: 'Old name' }),
      event('14:00:00', 'client.updated', { client_id: 'three', client_name: 'New name' }),
      event('14:00:00', 'client.updated', { client_id: 'two', redirect_uris: ['https://a.example/'] }),
      event('14:00:00', 'client.deleted', { client_id: 'one', by: 'client' }),
      event('14:00:00', 'client.deleted', { client_id: 'never-was', by: 'lab' }),
    ].reduce(fold, emptyView)
    expect(entries(view.clients).map(({ id, registered }) => [id, registered])).toEqual([
      ['one', { confidential: false, enabled: true, redirectUris: 2, itself: 'deleted' }],
      ['two', { confidential: true, enabled: true, redirectUris: 1, itself: 'registered' }],
      [
        'three',
        { confidential: true, enabled: true, redirectUris: 0, itself: 'registered', name: 'New name' },
      ],
    ])
  })

  it('lists only so many clients that registered themselves', () => {
    const many = Array.from({ length: 300 }, (_, i) =>
      event('14:00:00', 'client.registered', { client_id: `c${i}` }),
    )
    expect(size(many.reduce(fold, emptyView).clients)).toBe(150)
  })

  it('gives each of several requests at once its own decisions', () => {
    const asked = (id: number, status: number, decision: LabEvent) =>
      ofRequest(id, [
        decision,
        answered('10:00:00.004', `POST /token ${status}`, { client_id: 'a', ms: 4 }),
      ]) as [LabEvent, LabEvent]
    const issued = (jti: string) => event('10:00:00.001', 'token.issued', { client_id: 'a', jti })
    const [first, firstAnswer] = asked(1, 400, event('10:00:00.001', 'token.refused', { client_id: 'a' }))
    const [second, secondAnswer] = asked(2, 200, issued('a1'))
    const [third, thirdAnswer] = asked(3, 200, issued('a2'))
    const side = viewOf([third, first, second, firstAnswer, thirdAnswer, secondAnswer])
    expect(entries(side.requests).map(each => each.decisions)).toEqual([[first], [third], [second]])
    expect(side.undecided).toEqual([])
  })

  it('gives a logout the messages that are sent again after it was answered', () => {
    const token = (time: string, type: string, attempt: number, sid = 's1') =>
      event(time, type, { client_id: 'away', sid, attempt })
    const side = viewOf([
      ...ofRequest(1, [
        token('10:00:00', 'logout_token.sent', 1),
        token('10:00:00.1', 'logout_token.failed', 1),
        answered('10:00:00.2', 'GET /end-session 200'),
      ]),
      ...ofRequest(2, [answered('10:00:01', 'GET / 200')]),
      ...ofRequest(1, [
        token('10:00:01', 'logout_token.sent', 2),
        token('10:00:02', 'logout_token.accepted', 2),
      ]),
      ...ofRequest(9, [token('10:00:03', 'logout_token.sent', 2, 'of a logout before this view')]),
    ])
    const told = entries(side.requests).map(each =>
      each.decisions.map(({ type, attempt }) => `${type} ${attempt}`),
    )
    expect(told).toEqual([
      ['logout_token.sent 1', 'logout_token.failed 1', 'logout_token.sent 2', 'logout_token.accepted 2'],
      [],
    ])
  })

  it('gives no decisions to the requests of an older lab, which have no ids', () => {
    const old = viewOf([
      event('10:00:00.001', 'token.refused', { client_id: 'a', status: 400 }),
      answered('10:00:00.003', 'POST /token 400', { client_id: 'a', ms: 4 }),
    ])
    expect(entries(old.requests)[0]?.decisions).toEqual([])
  })

  it('counts the ids of a lab that starts again from its start', () => {
    const [lost] = ofRequest(1, [event('10:00:00.001', 'token.issued')])
    const restarted = viewOf([
      lost!,
      event('10:00:01', 'lab.ready'),
      ...ofRequest(1, [answered('10:00:02', 'GET / 200')]),
    ])
    expect(entries(restarted.requests)[0]?.decisions).toEqual([])
  })
})

describe('the fold', () => {
  it('changes no view that it was given', () => {
    const before = JSON.stringify(view)
    for (const each of AFTERNOON) fold(view, each)
    expect(JSON.stringify(view)).toBe(before)
  })

  it('keeps no more however long a lab runs, and numbers its requests on', () => {
    let long = emptyView
    for (let i = 0; i < 4000; i++) {
      long = fold(long, event('10:00:00', 'token.issued', { jti: `${i}`, refresh_token: `r${i}`, sub: 'a' }))
      long = fold(long, event('10:00:00', 'code.issued', { code: `${i}`, username: `u${i}` }))
      long = fold(long, event('10:00:00', 'login.failed', { username: `u${i}` }))
      long = fold(
        long,
        event('10:00:00', 'refresh_token.rotated', { refresh_token: 'r', replaced_by: `s${i}` }),
      )
      long = fold(long, answered('10:00:00', 'GET / 200', { client_id: `c${i}`, site: `s${i}` }))
    }
    for (const [name, history] of Object.entries(long)) {
      if (typeof history !== 'object' || !('limit' in history)) continue
      const kept = history as typeof long.requests
      expect(size(kept), name).toBeLessThan(kept.limit + 64)
      expect(size(kept), name).toBeGreaterThanOrEqual(name === 'keys' ? 0 : Math.min(kept.limit, 150))
    }
    expect(long.requests.end).toBe(4000)
    expect(JSON.stringify(long).length).toBeLessThan(2_000_000)
  })

  it('takes any event of any file', () => {
    const member = fc.oneof(fc.string(), fc.double(), fc.jsonValue(), fc.constant(undefined))
    const types = [
      ...new Set(AFTERNOON.map(each => each.type)),
      'refresh_token.reused',
      'key.rotated',
      'constructor',
    ]
    const names = [
      ...new Set(AFTERNOON.flatMap(each => Object.keys(each))),
      ...['jti', 'reason', 'kid', 'retired', 'replaced_by'],
    ].filter(name => name !== 'type')
    const anyEvent = fc
      .tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...names), member))
      .map(([type, members]): LabEvent => ({ at: '', ...members, type }) as LabEvent)
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), events => {
        expect(viewOf(events).events.end).toBeLessThanOrEqual(events.length)
      }),
      { numRuns: 300 },
    )
  })
})
