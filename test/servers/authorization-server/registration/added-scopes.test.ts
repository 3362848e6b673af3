import { describe, expect, it } from 'vitest'
import { type Header, text } from '../../../../src/protocol/http/message.js'
import type { RegistrationSettings } from '../../../../src/servers/authorization-server/settings.js'
import { basic, CALLBACK, codeRequest, expectError, json, landed, location } from '../support.js'
import { bearer, type Members, registrationLab } from './support.js'

const MCP = 'https://localhost:8444/mcp'
const OTHER = 'https://other.example/api'
/** A resource on this computer, which trusts the server by its own metadata. */
const FOREIGN = 'https://localhost:9444/mcp'
const BOTH = 'records:read records:write'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/** A native client with one scope, as the SDKs of MCP register themselves. */
const NARROW: Members = {
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE],
  scope: 'records:read',
}

async function narrowLab(registration: Partial<RegistrationSettings> = {}) {
  const server = registrationLab(
    registration,
    {
      resources: [MCP, OTHER],
      resourceScopes: resource => (resource === MCP ? ['records:read', 'records:write'] : []),
    },
    {
      findTrustedResources: async named =>
        named.includes(FOREIGN) ? [{ resource: FOREIGN, scopes: ['records:write', 'unknown'] }] : [],
    },
  )
  const headers: Header[] = registration.tokens ? [bearer(registration.tokens[0])] : []
  const client = json(await server.register(NARROW, headers))
  const [id, secret] = [String(client.client_id), String(client.client_secret)]
  return { ...server, id, auth: [basic(id, secret)] }
}

describe('the scope of a client that registered itself', () => {
  it.each([
    ['without a resource', {}, undefined, 'records:read'],
    ['with a resource that needs more', {}, MCP, BOTH],
    ['with a resource that needs nothing', {}, OTHER, 'records:read'],
    ['with a resource of somebody else that needs more', {}, FOREIGN, BOTH],
    ['where a token admits the client', { mode: 'token', tokens: ['t'] }, MCP, 'records:read'],
  ] as const)('%s', async (_, registration, resource, scope) => {
    const { id, auth, login, token } = await narrowLab(registration)
    const request = codeRequest({ client_id: id, scope: BOTH, resource })
    const { code } = landed(await login(request))
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const answer = json(await token(form, auth))
    expect(answer.scope ?? BOTH).toBe(scope)
    const refresh = { grant_type: 'refresh_token', refresh_token: String(answer.refresh_token) }
    expect(json(await token(refresh, auth)).scope ?? scope).toBe(scope)
  })

  it('stays the limit for scopes that the resource does not need', async () => {
    const { id, authorize } = await narrowLab()
    const request = codeRequest({ client_id: id, scope: 'openid', resource: MCP })
    expect(location(await authorize(request)).searchParams.get('error')).toBe('invalid_scope')
  })

  it('stays the limit of a client of the lab file', async () => {
    const { login, token } = await narrowLab()
    const { code } = landed(await login(codeRequest({ client_id: 'narrow', scope: BOTH, resource: MCP })))
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    expect(json(await token(form, [basic('narrow', 'narrow-secret')])).scope).toBe('records:read')
  })

  it('stays the limit where no person is asked', async () => {
    const { token, auth } = await narrowLab()
    const form = { grant_type: 'client_credentials', scope: 'records:write', resource: MCP }
    expectError(await token(form, auth), 400, 'invalid_scope')
  })

  it('grows on a device too, where a person answers', async () => {
    const { post, auth } = await narrowLab()
    const ask = (resource: string) =>
      post('/device_authorization', { scope: 'records:write', resource }, auth)
    expect((await ask(MCP)).status).toBe(200)
    expect((await ask(FOREIGN)).status).toBe(200)
    expectError(await ask(OTHER), 400, 'invalid_scope')
  })

  it('shows the added scope to the person', async () => {
    const { id, openForm } = await narrowLab()
    const page = async (resource: string) =>
      text((await openForm(codeRequest({ client_id: id, scope: BOTH, resource }))).page.body)
    expect(await page(MCP)).toContain('Change &lt;records&gt;')
    expect(await page(FOREIGN)).toContain('Change &lt;records&gt;')
    expect(await page(OTHER)).not.toContain('Change &lt;records&gt;')
  })
})
