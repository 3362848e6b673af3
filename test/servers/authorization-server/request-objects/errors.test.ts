import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { CALLBACK, client, landed, type Parameters } from '../support.js'
import { now, signed, stranger, world } from './support.js'

const OTHER = 'https://client.example/cb'
const forged = signed({}, {}, stranger)
const EVIL = 'https://evil.example/'
const evil = signed({ exp: 1, redirect_uri: EVIL })

describe('the error of a request object', () => {
  it('goes to the address and with the state of an object that the client signed', async () => {
    const request = signed({ exp: now - 1, redirect_uri: OTHER })
    const { authorize } = world()
    const outside = { client_id: 'signer', request, redirect_uri: CALLBACK, state: 'outside' }
    const answer = await authorize(outside)
    expect(header(answer, 'location')).toContain(`${OTHER}?`)
    expect(landed(answer)).toMatchObject({ error: 'invalid_request_object', state: 'inside' })
  })

  it('goes to the address beside an object that nobody verified', async () => {
    const outside = { client_id: 'signer', request: forged, redirect_uri: CALLBACK, state: 'outside' }
    const answer = landed(await world().authorize(outside))
    expect(answer).toMatchObject({ error: 'invalid_request_object', state: 'outside' })
  })

  const shown: readonly [name: string, parameters: Parameters, code: string][] = [
    ['without an address outside', { request: forged }, 'invalid_request_object'],
    [
      'with an address that is not registered',
      { request: forged, redirect_uri: EVIL },
      'invalid_request_object',
    ],
    ['with such an address inside', { request: evil }, 'invalid_request_object'],
    ['by reference', { request_uri: 'https://client.example/r' }, 'request_uri_not_supported'],
  ]
  it.each(shown)('is shown on the page %s', async (_name, parameters, code) => {
    const { authorize, events } = world()
    const page = await authorize({ client_id: 'signer', ...parameters })
    expect([page.status, header(page, 'location')]).toEqual([400, undefined])
    expect(text(page.body)).toContain(`<code>${code}</code>`)
    expect(text(page.body)).not.toMatch(/redirect_uri is|evil/)
    expect(events).toMatchObject([{ type: 'authorization.refused', channel: 'page', error: code }])
  })

  it('is shown where the address may be in the object, even if the client has only one', async () => {
    const { authorize, events } = world({ clients: [client('one', { redirect_uris: [CALLBACK] })] })
    const page = await authorize({ client_id: 'one', request: forged })
    expect([page.status, header(page, 'location')]).toEqual([400, undefined])
    expect(events).toMatchObject([{ channel: 'page', client_id: 'one', error: 'invalid_request_object' }])
  })

  it('is invalid_request for request beside request_uri, or twice', async () => {
    const both = { client_id: 'signer', request: signed(), redirect_uri: CALLBACK }
    for (const request_uri of ['https://client.example/r', 'urn:ietf:params:oauth:request_uri:x']) {
      const answer = await world().authorize({ ...both, request_uri })
      expect(landed(answer)).toMatchObject({ error: 'invalid_request' })
    }
    const callback = encodeURIComponent(CALLBACK)
    const twice = `client_id=signer&redirect_uri=${callback}&request=${signed()}&request=${signed()}`
    expect(landed(await world().get(`/authorization?${twice}`))).toMatchObject({ error: 'invalid_request' })
  })

  it('is that of its parameters where the object itself is good', async () => {
    const wrong: readonly [more: object, error: string][] = [
      [{ scope: 'nonsense' }, 'invalid_scope'],
      [{ response_type: 'token' }, 'unauthorized_client'],
      [{ prompt: 'none' }, 'login_required'],
      [{ resource: 'relative' }, 'invalid_target'],
    ]
    for (const [more, error] of wrong) {
      const answer = await world().authorize({ client_id: 'signer', request: signed(more) })
      const place = new URL(header(answer, 'location') ?? 'none:')
      const fields = new URLSearchParams(place.search || place.hash.slice(1))
      expect([fields.get('error'), fields.get('state')]).toEqual([error, 'inside'])
    }
  })

  it('is shown for a state that no address could carry', async () => {
    const request = signed({ state: 'é'.repeat(2100) })
    const page = await world().authorize({ client_id: 'signer', request })
    expect(page.status).toBe(400)
  })
})
