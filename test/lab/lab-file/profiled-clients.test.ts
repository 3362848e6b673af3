import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { labConfigFrom, loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { labFileRemarks } from '../../../src/lab/lab-file/lab-file.js'
import { unfitClients } from '../../../src/lab/lab-file/profiled-clients.js'
import type { ServerProfile } from '../../../src/protocol/oauth/client.js'
import { knownRsaKey } from '../../protocol/tokens/jwt-maker.js'
import { root } from '../../support/source-files.js'

const example = join(root, 'examples/fapi2/oauth-lab.yaml')
const jwks = { keys: [knownRsaKey(1).publicJwk] }
const good = { client_id: 'c', redirect_uris: ['https://c.example/cb'], jwks }

async function reasons(client: object, profile: ServerProfile = 'fapi2'): Promise<readonly string[]> {
  const { clients } = await labConfigFrom({ profile, clients: [{ ...good, ...client }] }, 'lab')
  return unfitClients(clients, profile).flatMap(each => each.reasons)
}

describe('clients that cannot work under fapi2', () => {
  it.each([
    ['a public client', { token_endpoint_auth_method: 'none' }, /public clients are refused .*§5\.3\.2\.1-3/],
    ['a client without credentials', { jwks: undefined }, /§5\.3\.2\.1-3/],
    ['a client with a secret', { jwks: undefined, client_secret: 'x' }, /private_key_jwt.*§5\.3\.2\.1-6/],
    ['RS256', { id_token_signed_response_alg: 'RS256' }, /id_token_signed_response_alg is RS256.*§5\.4\.1-1/],
    ['a key for RS256', { jwks: { keys: [{ ...jwks.keys[0], alg: 'RS256' }] } }, /keys are for RS256/],
    ['the password grant', { grant_types: ['password'] }, /its grants are password .*§5\.3\.2\.1-2/],
    [
      'tokens through the browser',
      { response_types: ['code id_token'], grant_types: ['authorization_code', 'implicit'] },
      /its response types are code id_token .*§5\.3\.2\.2-1/,
    ],
    ['plain http', { redirect_uris: ['http://127.0.0.1/cb'] }, /plain http.*§5\.3\.2\.2-8/],
  ])('%s', async (_name, client, reason) => {
    expect((await reasons(client)).join('\n')).toMatch(reason)
    expect(await reasons(client, 'standard')).toEqual([])
  })

  it('are not those with keys and certificates', async () => {
    expect(await reasons({})).toEqual([])
    expect(await reasons({ redirect_uris: ['http://[::1]/cb'], application_type: 'native' })).toEqual([])
    const certificate = { token_endpoint_auth_method: 'self_signed_tls_client_auth' }
    expect(await reasons({ ...certificate, tls_client_certificate_bound_access_tokens: true })).toEqual([])
    expect(unfitClients((await loadLabConfig(example)).clients, 'fapi2')).toEqual([])
    expect(await labFileRemarks(example)).toEqual([])
  })

  it('are all built-in ones', async () => {
    const { clients } = await loadLabConfig(null)
    const enabled = clients.filter(each => each.enabled).map(each => each.client_id)
    expect(unfitClients(clients, 'fapi2').map(each => each.clientId)).toEqual(enabled)
  })
})

it('under oauth21 are those of the password and the implicit grant', async () => {
  expect((await reasons({ grant_types: ['password'] }, 'oauth21')).join()).toMatch(/its grants are password/)
  expect((await reasons({ grant_types: ['implicit'] }, 'oauth21')).join()).toMatch(/its grants are implicit/)
  expect(await reasons({ client_secret: 'x', jwks: undefined }, 'oauth21')).toEqual([])
})
