import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, startLab } from '../../../src/index.js'
import { createRequestTrace } from '../../../src/lab/listening/request-trace.js'
import { ask } from '../../support/https.js'

describe('a request trace', () => {
  const trace = createRequestTrace()

  it('writes a traceparent (W3C Trace Context §3.2) and reads it again', () => {
    const [name, value] = trace.headerFor(300)
    expect(name).toBe('traceparent')
    expect(value).toMatch(/^00-[0-9a-f]{32}-000000000000012c-01$/)
    expect(trace.causeOf(value)).toBe(300)
  })

  it('ignores a traceparent that another program wrote', () => {
    const [, value] = trace.headerFor(1)
    const others = [
      ...[
        createRequestTrace().headerFor(1)[1],
        '',
        '00-',
        value.slice(0, -1),
        `${value}0`,
        value.toUpperCase(),
      ],
      value.replace(/-[0-9a-f]{16}-/, '-000000000000001g-'),
    ]
    expect(others.map(each => trace.causeOf(each))).toEqual(others.map(() => undefined))
  })
})

describe('requests that a request causes', () => {
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab()
  })
  afterAll(() => lab.stop())

  it('are the key fetches of the resource server, with the id of the request that needed the keys', async () => {
    const { access_token: token } = await lab.clientCredentials({ client: 'demo-service' })
    const before = lab.events.past().length
    const authorization = `Bearer ${token}`
    const answer = await ask(`${lab.urls.resource}/resource`, { ca: lab.ca.pem, headers: { authorization } })
    expect(answer.status).toBe(200)
    await expect.poll(() => lab.events.past('request.answered').at(-1)?.site).toBe('resource')
    const events = lab.events.past().slice(before)
    const cause = events.find(each => each.type === 'resource.accepted')?.request
    expect(cause).toBeGreaterThan(0)
    expect(events.filter(each => each.cause !== undefined)).toMatchObject([
      { type: 'request.answered', site: 'authorization', path: '/.well-known/openid-configuration', cause },
      { type: 'request.answered', site: 'authorization', path: '/.well-known/jwks.json', cause },
    ])
    const own = events.filter(each => each.cause === undefined)
    expect(own.map(({ type, request }) => [type, request])).toEqual([
      ['keys.fetched', cause],
      ['resource.accepted', cause],
      ['request.answered', cause],
    ])
  })

  it('have no cause that another program names', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-0000000000000001-01'
    const answered = lab.events.next('request.answered')
    await ask(`${lab.issuer}/`, { ca: lab.ca.pem, headers: { traceparent } })
    expect(await answered).not.toHaveProperty('cause')
  })
})
