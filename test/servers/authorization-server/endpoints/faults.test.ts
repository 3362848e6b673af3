import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import {
  FAULTS,
  type Fault,
  type FaultEndpoint,
  type FaultError,
} from '../../../../src/servers/authorization-server/endpoints/fault-list.js'
import { basic, codeRequest, ISSUER, json, lab, landed, location, SECRET } from '../support.js'

const fault = (endpoint: FaultEndpoint, error: FaultError, times = Number.POSITIVE_INFINITY): Fault => ({
  endpoint,
  error,
  times,
})
const failing = (...faults: Fault[]) => lab({ faults })

describe('a fault of /authorization', () => {
  it.each(FAULTS.authorization)('redirects with %s, state and iss', async error => {
    const { authorize, types } = failing(fault('authorization', error))
    const answer = await authorize(codeRequest({ state: 'x' }))
    expect(answer.status).toBe(302)
    expect(landed(answer)).toMatchObject({ error, state: 'x', iss: ISSUER })
    expect(types()).toContain('fault.injected')
  })

  it('is in the fragment when the response would be', async () => {
    const { authorize } = failing(fault('authorization', 'server_error'))
    const answer = await authorize({ ...codeRequest({ client_id: 'demo-spa' }), response_type: 'token' })
    expect(location(answer).hash).toMatch(/^#error=server_error/)
  })

  it('never redirects an invalid request', async () => {
    const { authorize, types } = failing(fault('authorization', 'server_error', 1))
    for (const more of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'nobody' }]) {
      const answer = await authorize(codeRequest(more))
      expect([answer.status, header(answer, 'location')]).toEqual([400, undefined])
    }
    expect(types()).not.toContain('fault.injected')
  })

  it('ends after its number of requests', async () => {
    const { authorize, events } = failing(fault('authorization', 'temporarily_unavailable', 2))
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await authorize(codeRequest())).status)
    expect(statuses).toEqual([302, 302, 200])
    expect(events.filter(each => each.type === 'fault.injected').map(each => each.left)).toEqual([1, 0])
  })
})

const clientEndpoints = ['token', 'revocation', 'introspection', 'par', 'device_authorization'] as const
const rows = clientEndpoints.flatMap(endpoint => FAULTS[endpoint].map(error => [endpoint, error] as const))

describe('a fault of a client endpoint', () => {
  it.each(rows)('%s answers %s as JSON', async (endpoint, error) => {
    const { post } = failing(fault(endpoint, error))
    const answer = await post(`/${endpoint}`, {}, [basic('demo', SECRET)])
    const status = { server_error: 500, temporarily_unavailable: 503, invalid_client: 401 }[error as string]
    expect([answer.status, json(answer).error]).toEqual([status ?? 400, error])
    expect(header(answer, 'content-type')).toBe('application/json;charset=UTF-8')
    expect(header(answer, 'cache-control')).toBe('no-store')
    expect(header(answer, 'retry-after')).toBe(answer.status === 503 ? '1' : undefined)
    expect(header(answer, 'www-authenticate') !== undefined).toBe(answer.status === 401)
  })

  it('leaves the code valid', async () => {
    const { newCode, redeem, events } = failing(fault('token', 'invalid_grant', 1))
    const code = await newCode()
    expect(json(await redeem(code)).error).toBe('invalid_grant')
    expect((await redeem(code)).status).toBe(200)
    expect(events.find(each => each.type === 'fault.injected')).toEqual({
      type: 'fault.injected',
      endpoint: 'token',
      error: 'invalid_grant',
      left: 0,
    })
  })

  it('starts after another fault of the same endpoint is used up', async () => {
    const { token } = failing(fault('token', 'invalid_client', 1), fault('token', 'server_error'))
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await token({})).status)
    expect(statuses).toEqual([401, 500, 500])
  })

  it('without a number says always in its event, and scripts of other origins can read the error', async () => {
    const { post, events } = failing(fault('token', 'server_error'))
    const answer = await post('/token', {}, [['origin', 'https://app.example']])
    expect(header(answer, 'access-control-allow-origin')).toBe('*')
    expect(events.at(-1)).toMatchObject({ type: 'fault.injected', left: 'always' })
  })
})

describe('a fault of an endpoint for reading', () => {
  it.each([
    ['invalid_token', 401],
    ['insufficient_scope', 403],
    ['invalid_request', 400],
    ['server_error', 500],
    ['temporarily_unavailable', 503],
  ] as const)('userinfo answers %s with %s', async (error, status) => {
    const answer = await failing(fault('userinfo', error)).get('/userinfo')
    expect([answer.status, json(answer).error]).toEqual([status, error])
    expect(header(answer, 'cache-control')).toBe('no-store')
    expect(header(answer, 'retry-after')).toBe(status === 503 ? '1' : undefined)
    const challenge = header(answer, 'www-authenticate')
    if (status < 500) expect(challenge).toMatch(new RegExp(`^Bearer .*error="${error}"`))
    else expect(challenge).toBeUndefined()
  })

  it.each([
    ['discovery', '/.well-known/openid-configuration'],
    ['discovery', '/.well-known/oauth-authorization-server'],
    ['jwks', '/.well-known/jwks.json'],
  ] as const)('%s fails at %s', async (endpoint, path) => {
    const { get } = failing(fault(endpoint, 'temporarily_unavailable', 1))
    expect((await get(path)).status).toBe(503)
    expect((await get(path)).status).toBe(200)
  })
})
