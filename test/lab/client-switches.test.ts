import { describe, expect, it } from 'vitest'
import { labConfigFrom } from '../../src/lab/lab-file/config.js'

const uris = { redirect_uris: ['http://127.0.0.1/cb'] }
const hybrid = { grant_types: ['authorization_code', 'implicit'], response_types: ['code id_token'] }
const check = (client: object) => labConfigFrom({ clients: [{ client_id: 'c', ...uris, ...client }] }, 'lab')

describe('the switches of a client in a lab file', () => {
  it.each([
    [{ client_secret: 'x', refresh_token_rotation: 'off' }],
    [{ dpop_bound_access_tokens: true, refresh_token_rotation: 'off' }],
    [{ tls_client_certificate_bound_access_tokens: true, refresh_token_rotation: 'off' }],
    [{ dpop_bound_access_tokens: true, ...hybrid }],
    [{ tls_client_certificate_bound_access_tokens: true, ...hybrid }],
    [{ require_pushed_authorization_requests: true, strict_assertion_audience: true }],
  ])('take %j', async client => {
    const { clients } = await check(client)
    expect(clients[0]).toMatchObject(client)
  })

  it.each([
    [{ refresh_token_rotation: 'off' }, /refresh_token_rotation: off is for clients with credentials/],
    [{ refresh_token_rotation: true }, /refresh_token_rotation: true is not allowed/],
    [
      { dpop_bound_access_tokens: true, tls_client_certificate_bound_access_tokens: true },
      /dpop_bound_access_tokens: .* a token has one binding/,
    ],
    [{ dpop_bound_access_tokens: true, grant_types: ['implicit'] }, /cannot be bound to a key/],
    [{ dpop_bound_access_tokens: true, response_types: ['code token'] }, /cannot be bound to a key/],
  ])('refuse %j', async (client, problem) => {
    const error = await check(client).catch(error => error)
    expect([error.message, ...error.hints].join('\n')).toMatch(problem)
  })

  it('have one of the server', async () => {
    const { requirePushed } = await labConfigFrom({ require_pushed_authorization_requests: true }, 'lab')
    expect(requirePushed).toBe(true)
  })
})
