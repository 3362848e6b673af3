import { describe, expect, it } from 'vitest'
import { wantedOf } from '../../../src/session/options/flow.js'
import { requestParameters } from '../../../src/session/options/parameters.js'
import type { ServerTarget } from '../../../src/session/targets/server.js'

const client = {
  client_id: 'demo',
  grant_types: ['authorization_code'],
  redirect_uris: ['http://127.0.0.1/callback'],
}

/** A lab whose resource server also accepts `urn:records`. */
const lab = {
  address: 'https://localhost:8443',
  urls: { resource: 'https://localhost:8444' },
  config: { profile: 'standard', stage: 'published-keys', resource: { audiences: ['urn:records'] } },
}

function resourceFor(params: readonly string[], { inLab = true, resource = '' } = {}) {
  const target = { client, users: [], ...(inLab && { lab }) } as unknown as ServerTarget
  const parameters = requestParameters(params, { hasAuthorizationRequest: true })
  const options = { pkce: true, browser: false, open: false, ...(resource !== '' && { resource }) }
  return wantedOf('code', options as Parameters<typeof wantedOf>[1], {}, target, { home: '/', parameters })
}

describe('the resource of a flow', () => {
  it.each([
    ['the resource server of the lab, without a parameter', [], 'https://localhost:8444/resource', undefined],
    [
      'the lab by its base URL',
      ['resource=https://localhost:8444/'],
      'https://localhost:8444/resource',
      'https://localhost:8444/',
    ],
    [
      'the lab by another audience of it',
      ['resource=urn:records'],
      'https://localhost:8444/resource',
      'urn:records',
    ],
    ['another address', ['resource=https://api.example/a'], 'https://api.example/a', 'https://api.example/a'],
    ['nowhere, for a name', ['resource=urn:x'], undefined, 'urn:x'],
    ['nowhere, for an address without TLS', ['resource=http://api.example'], undefined, 'http://api.example'],
    [
      'nowhere, for the authorization server',
      ['resource=https://localhost:8443/userinfo'],
      undefined,
      'https://localhost:8443/userinfo',
    ],
    [
      'the narrower one of the token request',
      ['resource=urn:x', 'token:resource=urn:records'],
      'https://localhost:8444/resource',
      'urn:records',
    ],
  ])('is %s', async (_, params, resource, resourceIndicator) => {
    expect(await resourceFor(params)).toMatchObject(
      JSON.parse(JSON.stringify({ resource, resourceIndicator })),
    )
    expect((await resourceFor(params)).resource).toBe(resource)
  })

  it('is that of --resource before all', async () => {
    const wanted = await resourceFor(['resource=urn:x'], { resource: 'https://api.example/b' })
    expect(wanted).toMatchObject({ resource: 'https://api.example/b', resourceIndicator: 'urn:x' })
  })

  it('is the address that was named to a server that is no lab', async () => {
    const wanted = await resourceFor(['resource=https://api.example'], { inLab: false })
    expect(wanted.resource).toBe('https://api.example')
  })
})
