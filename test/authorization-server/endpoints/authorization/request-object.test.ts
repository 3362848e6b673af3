import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/http/message.js'
import { CALLBACK, codeRequest, ISSUER, json, lab, landed, type Parameters } from '../../support.js'

const request = 'eyJhbGciOiJub25lIn0.eyJjbGllbnRfaWQiOiJkZW1vIn0.'
const only = { client_id: 'demo', request }

describe('a request object', () => {
  const redirected: readonly [name: string, parameters: Parameters][] = [
    ['alone but for the registered address', { ...only, redirect_uri: CALLBACK }],
    ['of a client with one address', { client_id: 'single', request }],
    ['in place of response_type', codeRequest({ request, response_type: undefined })],
    ['beside a wrong scope', codeRequest({ request, scope: 'nonsense' })],
    ['at another address', codeRequest({ request: undefined, request_uri: 'https://client.example/r' })],
  ]
  it.each(redirected)('%s: the client is told that it is not supported', async (_, parameters) => {
    const answer = landed(await lab().authorize({ ...parameters, state: 'xyz' }))
    expect(answer).toMatchObject({ state: 'xyz', iss: ISSUER })
    expect(answer.error).toMatch(/^request(_uri)?_not_supported$/)
  })

  const shown: readonly [name: string, parameters: Parameters, code: string][] = [
    ['without an address outside', only, 'request_not_supported'],
    [
      'with an address that is not registered',
      { ...only, redirect_uri: 'https://evil.example/' },
      'request_not_supported',
    ],
    [
      'by reference',
      { client_id: 'demo', request_uri: 'https://client.example/r' },
      'request_uri_not_supported',
    ],
  ]
  it.each(shown)('%s: the page names it', async (_, parameters, code) => {
    const { authorize, events } = lab()
    const page = await authorize(parameters)
    expect([page.status, header(page, 'location')]).toEqual([400, undefined])
    expect(text(page.body)).toContain(`<code>${code}</code>`)
    expect(text(page.body)).not.toMatch(/redirect_uri is|evil/)
    expect(events).toMatchObject([{ type: 'authorization.refused', channel: 'page', error: code }])
  })

  it('of an unknown client is refused for the client first', async () => {
    const page = text((await lab().authorize({ ...only, client_id: 'nobody' })).body)
    expect(page).toContain('client_id is unknown')
  })

  it('is announced as not supported', async () => {
    expect(json(await lab().get('/.well-known/openid-configuration'))).toMatchObject({
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
  })
})

describe('parameters that the server does not know', () => {
  it('are named in the event, once each, and change nothing', async () => {
    const { authorize, events } = lab()
    const unknown = { acr_values: '1', assertion: 'x', audience: 'api' }
    expect((await authorize(codeRequest({ ...unknown, scope: 'openid' }))).status).toBe(200)
    expect(events[0]).toMatchObject({
      type: 'authorization.requested',
      ignored: ['acr_values', 'assertion', 'audience'],
    })
  })

  it('are limited in number, and absent where there are none', async () => {
    const { authorize, events } = lab()
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, 'y']))
    await authorize(codeRequest({ ...many }))
    await authorize(codeRequest({ resource: 'https://api.example/', nonce: 'n' }))
    const [first, second] = events.filter(event => event.type === 'authorization.requested')
    expect(first?.ignored).toHaveLength(20)
    expect(second).not.toHaveProperty('ignored')
  })
})

describe('id_token.issued', () => {
  it('is reported for every way to get an id_token, and for no other token', async () => {
    const { newCode, redeem, login, events } = lab()
    const count = () => events.filter(event => event.type === 'id_token.issued')
    await redeem(await newCode())
    expect(count()).toEqual([])
    const tokens = json(await redeem(await newCode({ scope: 'openid' })))
    expect(tokens.id_token).toEqual(expect.any(String))
    expect(count()).toEqual([{ type: 'id_token.issued', client_id: 'demo', username: 'alice' }])
    const hybrid = codeRequest({ client_id: 'demo-spa', scope: 'openid', nonce: 'n' })
    await login({ ...hybrid, response_type: 'id_token token' })
    await login({ ...hybrid, response_type: 'id_token' })
    expect(count()).toHaveLength(3)
  })
})
