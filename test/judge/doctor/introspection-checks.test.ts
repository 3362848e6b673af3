import { expect, it } from 'vitest'
import { introspectionChecks } from '../../../src/judge/doctor/endpoints/introspection-checks.js'
import type { Requester } from '../../../src/judge/doctor/requester.js'

/** A server that introspects no JWT access tokens, as some do. */
const requester = {
  server: { client: { clientId: 'web', auth: 'client_secret_basic' } },
  tokens: async () => ({ access_token: 'eyJhbGciOiJub25lIn0.e30.' }),
  post: async () => ({
    request: { method: 'POST', url: 'https://id.example/introspect', headers: [], body: '' },
    response: {
      status: 400,
      headers: [['content-type', 'application/json']],
      body: '{"error":"unsupported_token_type"}',
    },
    wireBytes: { request: 0, response: 0 },
    bodyBytes: 0,
    ms: 1,
    at: '',
  }),
} as unknown as Requester

it.each(['introspection-active', 'introspection-unknown-token', 'introspection-altered-token'])(
  '%s was not tried at a server that introspects no tokens of this type',
  async name => {
    const check = introspectionChecks.find(each => each.name === name)
    expect(await check?.check(requester, 'https://id.example/introspect')).toMatchObject({
      result: 'not_tried',
    })
  },
)
