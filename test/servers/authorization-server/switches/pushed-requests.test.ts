import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { CALLBACK, codeRequest, json, landed } from '../support.js'
import { bankLab, RETURN } from './signing-client.js'

describe('require_pushed_authorization_requests of a client (RFC 9126 §6)', () => {
  const own = { require_pushed_authorization_requests: true } as const

  it('refuses a request that was not pushed, at the address of the client', async () => {
    const made = bankLab(own)
    const response = await made.authorize({ ...made.request(), client_id: 'bank' })
    expect(header(response, 'location')).toMatch(`${RETURN}?`)
    expect(landed(response)).toMatchObject({ error: 'invalid_request', state: 's' })
    expect(made.events.at(-1)).toMatchObject({ type: 'authorization.refused', rule: 'RFC 9126 §6' })
  })

  it('shows the refusal where the address is not registered', async () => {
    const made = bankLab(own)
    const request = made.request({ redirect_uri: 'https://evil.example/' })
    const response = await made.authorize({ ...request, client_id: 'bank' })
    expect([response.status, header(response, 'location')]).toEqual([400, undefined])
  })

  it('takes a pushed one', async () => {
    const made = bankLab(own)
    expect(landed(await made.login(await made.pushed())).code).toMatch(/./)
  })

  it('refuses a login form for a request that was not pushed', async () => {
    const made = bankLab(own)
    const request = { ...made.request(), client_id: 'bank' }
    const form = { username: 'alice', password: 'wonderland', csrf: 'x' }
    const refused = await made.post(`/authorization?${new URLSearchParams(request as never)}`, form)
    expect(landed(refused).error).toBe('invalid_request')
  })

  it('leaves other clients alone, and the metadata', async () => {
    const made = bankLab(own)
    expect((await made.authorize(codeRequest())).status).toBe(200)
    const metadata = json(await made.get('/.well-known/openid-configuration'))
    expect(metadata.require_pushed_authorization_requests).toBe(false)
  })
})

it('require_pushed_authorization_requests of the server (RFC 9126 §5) counts for every client, and stands in the metadata', async () => {
  const made = bankLab({}, { requirePushed: true })
  const response = await made.authorize(codeRequest())
  expect(header(response, 'location')).toMatch(`${CALLBACK}?`)
  expect(landed(response).error).toBe('invalid_request')
  expect(made.events.at(-1)).toMatchObject({ rule: 'RFC 9126 §5' })
  const metadata = json(await made.get('/.well-known/openid-configuration'))
  expect(metadata.require_pushed_authorization_requests).toBe(true)
  expect(await made.code()).toMatch(/./)
})
