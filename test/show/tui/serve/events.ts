import type { LabEvent } from '../../../../src/protocol/events.js'
import { fold } from '../../../../src/show/tui/serve/view/fold.js'
import { emptyView, type LabView } from '../../../../src/show/tui/serve/view/lab-view.js'

/** The afternoon that the drawings show. */
const clock = (time: string): string => `2026-11-21T${time.includes('.') ? time : `${time}.000`}Z`

/** An event of that time of day. */
export function event(time: string, type: string, members: Readonly<Record<string, unknown>> = {}): LabEvent {
  return { type, at: clock(time), ...members }
}

/** An answered request: `POST /token 400`. */
export function answered(
  time: string,
  request: string,
  members: Readonly<Record<string, unknown>> = {},
): LabEvent {
  const [method, path, status] = request.split(' ')
  const sizes = { wireBytes: 121, bodyBytes: 121, ms: 3 }
  return event(time, 'request.answered', {
    site: 'authorization',
    method,
    path,
    status: Number(status),
    ...sizes,
    ...members,
  })
}

/** Events of the request `id`. */
export function ofRequest(id: number, events: readonly LabEvent[]): LabEvent[] {
  return events.map(each => ({ ...each, request: id }))
}

export const NOW = Date.parse(clock('14:03:50'))

const replayed = { client_id: 'demo', username: 'alice', code: 'k3V9…Qm1' }

/** What a lab did: two codes, one of them replayed, tokens of several kinds, and requests to all of its sites. */
export const AFTERNOON: readonly LabEvent[] = [
  {
    type: 'lab.ready',
    pid: 4711,
    ca: '/home/you/.local/share/oauth-lab/ca.pem',
    urls: {
      authorization: 'https://localhost:8443',
      http: 'http://localhost:8080',
      resource: 'https://localhost:8444',
      cluster: 'https://localhost:8445',
      dns: 'https://localhost:8446/client/v4',
    },
  } as unknown as LabEvent,
  event('13:59:38', 'lab.configured', {
    stage: 'published-keys',
    profile: 'standard',
    compression: false,
    config: null,
    code_lifetime: 600,
    access_token_lifetime: 3600,
    refresh_token_lifetime: 2_592_000,
    clients: [
      { client_id: 'demo', confidential: true, enabled: true, redirect_uris: 2 },
      { client_id: 'demo-spa', confidential: false, enabled: true, redirect_uris: 1 },
      { client_id: 'demo-disabled', confidential: true, enabled: false, redirect_uris: 1 },
    ],
    users: ['alice', 'bob', 'carol'],
    keys: [{ kid: '4ibnQwxK1yYtB0l2xvu8', alg: 'RS256', signs: true }],
  }),
  event('13:51:22', 'code.issued', {
    client_id: 'demo',
    username: 'alice',
    code: '9aQd…0Lk',
    scope: 'records:read',
    expires_in: 600,
  }),
  ...ofRequest(1, [
    event('14:03:07.100', 'login.shown', { client_id: 'demo', scope: 'openid' }),
    answered('14:03:07.102', 'GET /authorization?response_type=code&client_id=demo&state=af0 200', {
      client_id: 'demo',
      wireBytes: 2934,
      ms: 4,
    }),
  ]),
  ...ofRequest(2, [
    event('14:03:10.100', 'login.succeeded', { client_id: 'demo', username: 'alice' }),
    event('14:03:10.101', 'code.issued', { ...replayed, scope: 'openid', expires_in: 600 }),
    answered('14:03:10.103', 'POST /authorization?response_type=code&client_id=demo&state=af0 302', {
      client_id: 'demo',
      wireBytes: 0,
      ms: 9,
    }),
  ]),
  ...ofRequest(3, [
    event('14:03:11.100', 'code.redeemed', { ...replayed, scope: 'openid' }),
    event('14:03:11.104', 'token.issued', {
      client_id: 'demo',
      sub: 'alice',
      grant_type: 'authorization_code',
      scope: 'openid',
      token_type: 'Bearer',
      aud: 'demo',
      access_token: 'eyJh…4yg',
      jti: 'jti-1',
      expires_in: 3600,
      id_token: true,
      refresh_token: 'Rf1a…001',
    }),
    answered('14:03:11.106', 'POST /token 200', { client_id: 'demo', wireBytes: 1024, ms: 14 }),
  ]),
  ...ofRequest(4, [
    answered('14:03:11.300', 'GET /.well-known/openid-configuration 200', { wireBytes: 612, ms: 2 }),
  ]),
  ...ofRequest(5, [
    event('14:03:12.100', 'keys.fetched', {
      issuer: 'https://localhost:8443',
      jwks_uri: 'https://localhost:8443/.well-known/jwks.json',
      reason: 'first',
      kids: ['4ibnQwxK1yYtB0l2xvu8'],
    }),
    event('14:03:12.102', 'resource.accepted', {
      method: 'GET',
      path: '/resource',
      scheme: 'Bearer',
      access_token: 'eyJh…4yg',
      sub: 'alice',
      client_id: 'demo',
      scope: 'openid',
      checks: [],
    }),
    answered('14:03:12.104', 'GET /resource 200', { site: 'resource', wireBytes: 187, ms: 6 }),
  ]),
  ...ofRequest(6, [
    event('14:03:20.100', 'refresh_token.rotated', {
      client_id: 'demo',
      username: 'alice',
      refresh_token: 'Rf1a…001',
      replaced_by: 'Rf1a…002',
      scope: 'openid',
    }),
    event('14:03:20.104', 'token.issued', {
      client_id: 'demo',
      sub: 'alice',
      grant_type: 'refresh_token',
      scope: 'openid',
      token_type: 'Bearer',
      aud: 'demo',
      access_token: 'eyJh…5zz',
      jti: 'jti-2',
      expires_in: 3600,
      id_token: true,
      refresh_token: 'Rf1a…002',
    }),
    answered('14:03:20.106', 'POST /token 200', { client_id: 'demo', wireBytes: 1030, ms: 8 }),
  ]),
  ...ofRequest(7, [
    event('14:03:31.100', 'code.replayed', { ...replayed, rule: 'RFC 6749 §4.1.2' }),
    event('14:03:31.100', 'token.revoked', {
      client_id: 'demo',
      username: 'alice',
      jti: 'jti-1',
      reason: 'its code was replayed',
    }),
    event('14:03:31.100', 'token.revoked', {
      client_id: 'demo',
      username: 'alice',
      jti: 'jti-2',
      reason: 'its code was replayed',
    }),
    event('14:03:31.101', 'token.refused', {
      client_id: 'demo',
      grant_type: 'authorization_code',
      status: 400,
      error: 'invalid_grant',
      description: 'the code was redeemed before; what was issued for it is revoked',
      rule: 'RFC 6749 §4.1.2',
      evidence: 'code k3V9…Qm1',
    }),
    answered('14:03:31.102', 'POST /token 400', { client_id: 'demo' }),
  ]),
  event('14:03:31.500', 'code.issued', {
    client_id: 'demo-spa',
    username: 'bob',
    code: 'Zp07…x2c',
    scope: 'records:read',
    expires_in: 600,
  }),
  ...ofRequest(8, [
    event('14:03:40', 'cluster.token_requested', {
      account: 'lab/builder',
      audiences: ['api'],
      asked: 600,
      granted: 600,
      bound_to: 'Pod/web-0',
      jti: '5f3c4a52-0b1d-4c76-9a11-2f8de1b0c001',
      token: 'eyJh…w3A',
      by: 'admin',
    }),
    answered('14:03:40', 'POST /api/v1/namespaces/lab/serviceaccounts/builder/token 201', {
      site: 'cluster',
      wireBytes: 1402,
      ms: 7,
    }),
  ]),
  ...ofRequest(9, [
    answered(
      '14:03:44',
      'GET /client/v4/zones/1ab00000000000000000000000000001/security/events?since=2026 200',
      { site: 'dns', wireBytes: 4810, ms: 5 },
    ),
  ]),
  ...ofRequest(10, [
    answered('14:03:46', 'GET /kb/200 200', { wireBytes: 935, bodyBytes: 204_800, coding: 'gzip', ms: 8 }),
  ]),
]

/** The lab after these events. */
export function viewOf(events: readonly LabEvent[] = AFTERNOON): LabView {
  return events.reduce(fold, emptyView)
}
