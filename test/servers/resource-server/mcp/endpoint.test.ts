import { describe, expect, it } from 'vitest'
import type { Header } from '../../../../src/protocol/http/message.js'
import { MAX_BODY_BYTES } from '../../../../src/servers/resource-server/settings.js'
import { weakDefences } from '../../../../src/servers/resource-server/weak/weak-defences.js'
import { baseUrl, issuer, tokenOf } from '../support.js'
import { call, mcpServer, mcpToken, posted, resource, rpc } from './support.js'

const metadata = `${baseUrl}/.well-known/oauth-protected-resource/mcp`

it('the metadata of the MCP server is at the path below the well-known address, and names the server alone (RFC 9728 §3.1)', async () => {
  const answer = await mcpServer().send('/.well-known/oauth-protected-resource/mcp')
  expect(answer.json).toMatchObject({
    resource,
    authorization_servers: [issuer],
    scopes_supported: ['records:read', 'records:write'],
    bearer_methods_supported: ['header'],
  })
})

describe('a request without a token', () => {
  it.each([
    ['initialize', rpc('initialize'), 'records:read'],
    ['a call of whoami', call('whoami'), 'records:read'],
    ['a call of write_record', call('write_record'), 'records:write'],
    ['no JSON', new TextEncoder().encode('{'), 'records:read'],
  ])('of %s is challenged with a scope and the metadata', async (_, message, scope) => {
    const { post, events } = mcpServer()
    const answer = await post(undefined, message)
    expect(answer.status).toBe(401)
    expect(answer.challenges[0]).toBe(
      `Bearer realm="oauth-lab", scope="${scope}", resource_metadata="${metadata}"`,
    )
    expect(events).toMatchObject([{ type: 'resource.refused', path: '/mcp', status: 401 }])
  })

  it.each(['GET', 'DELETE', 'PUT'])('by %s is challenged too', async method => {
    expect((await mcpServer().send('/mcp', { method })).status).toBe(401)
  })
})

describe('a token', () => {
  it.each([
    ['the resource server', baseUrl],
    ['a client', 'demo'],
    ['another MCP server', 'https://localhost:9999/mcp'],
    ['a longer path', `${resource}/`],
    ['a list of others', [baseUrl, 'demo']],
  ])('for %s is refused', async (_, aud) => {
    const { post, events } = mcpServer()
    const answer = await post(await mcpToken('records:read', { aud }), call('whoami'))
    expect(answer.status).toBe(401)
    expect(answer.challenges).toEqual([expect.stringContaining('error="invalid_token"')])
    expect(answer.challenges[0]).toContain(`resource_metadata="${metadata}"`)
    expect(events.at(-1)).toMatchObject({ error: 'invalid_token', rpc_method: 'tools/call', tool: 'whoami' })
  })

  it('for the MCP server is refused elsewhere', async () => {
    const answer = await mcpServer().withToken(await mcpToken(), '/resource')
    expect(answer.json).toMatchObject({ error: 'invalid_token' })
  })

  it('for another server is accepted by the weak mode any-audience', async () => {
    const { post } = mcpServer({ settings: { defences: weakDefences(['any-audience']) } })
    expect((await post(await mcpToken('', { aud: 'https://other/mcp' }), call('whoami'))).status).toBe(200)
  })

  it('in the query is refused', async () => {
    const { send } = mcpServer()
    const answer = await send(`/mcp?access_token=${await mcpToken()}`, posted(undefined, call('whoami')))
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
  })

  it('that is bound to a key is refused as Bearer', async () => {
    const answer = await mcpServer().post(await mcpToken('', { cnf: { jkt: 'x' } }), call('whoami'))
    expect(answer.status).toBe(401)
    expect(answer.challenges[0]).toMatch(/^DPoP /)
  })

  it('gets the nonce for the next proof where nonces are used', async () => {
    const { post } = mcpServer({ settings: { dpopNonceRequired: true } })
    const answer = await post(await mcpToken(), call('whoami'))
    expect(answer.headers).toContainEqual(['dpop-nonce', expect.any(String)])
  })
})

describe('tools', () => {
  it('say who the token says you are', async () => {
    const { post, events } = mcpServer()
    const answer = await post(await mcpToken('records:read other'), call('whoami'))
    expect(answer.json.result).toMatchObject({
      structuredContent: { sub: 'alice', client_id: 'demo', aud: resource, scope: 'records:read other' },
    })
    expect(events.at(-1)).toMatchObject({
      type: 'resource.accepted',
      rpc_method: 'tools/call',
      tool: 'whoami',
    })
  })

  it('share the records with /records, each subject its own', async () => {
    const { post, send } = mcpServer()
    const alice = await mcpToken('records:read records:write')
    const bob = await mcpToken('records:read records:write', { sub: 'bob' })
    await post(alice, call('write_record', { value: 'of alice' }))
    await post(bob, call('write_record', { value: 'of bob' }))
    const read = await post(alice, call('records'))
    expect(read.json.result).toMatchObject({ structuredContent: { records: [{ value: 'of alice' }] } })
    const headers: Header[] = [['authorization', `Bearer ${await tokenOf({ sub: 'bob' })}`]]
    expect((await send('/records', { headers })).json).toMatchObject({ records: [{ value: 'of bob' }] })
  })

  it.each([
    ['a call', call('write_record', { value: 'x' }), 'records:write'],
    ['a batch, all at once', [call('records'), call('write_record', {}, 2)], 'records:read records:write'],
  ])('ask for the scopes of %s before anything runs (MCP Authorization §11)', async (_, message, scope) => {
    const { post, events } = mcpServer()
    const answer = await post(await mcpToken('other'), message)
    expect(answer.status).toBe(403)
    expect(answer.challenges).toHaveLength(1)
    expect(answer.challenges[0]).toMatch(/^Bearer .*error="insufficient_scope"/)
    expect(answer.challenges[0]).toContain(`scope="${scope}", resource_metadata="${metadata}"`)
    expect(events.at(-1)).toMatchObject({ status: 403, error: 'insufficient_scope' })
    const read = await post(await mcpToken('records:read'), call('records'))
    expect(read.json.result).toMatchObject({ structuredContent: { records: [] } })
  })

  it.each([{}, { value: 7 }, { value: 'x'.repeat(1025) }, { value: null }])(
    'refuse the arguments %j',
    async args => {
      const { post } = mcpServer()
      const token = await mcpToken('records:read records:write')
      expect((await post(token, call('write_record', args))).json.result).toMatchObject({ isError: true })
      const read = await post(token, call('records'))
      expect(read.json.result).toMatchObject({ structuredContent: { records: [] } })
    },
  )

  it.each(['nothing', 'constructor', '__proto__', 'Records'])('are not named %s', async name => {
    const answer = await mcpServer().post(await mcpToken('other'), call(name))
    expect(answer.json.error).toMatchObject({ code: -32602 })
  })
})

describe('a page', () => {
  const from = async (origin: string, method = 'POST', more: readonly Header[] = []) => {
    const made = mcpServer()
    const request = posted(await mcpToken(), call('whoami'), [['origin', origin], ...more])
    return { answer: await made.send('/mcp', { ...request, method }), events: made.events }
  }
  const ask: Header = ['access-control-request-method', 'POST']

  it.each([
    ...['https://evil.example', 'http://localhost.evil.example', 'http://evil.localhost:6274', 'null', ''],
    ...['http://localhost:6274/', 'http://user@localhost:6274', 'file://localhost'],
    ...['https://127.0.0.1.evil.example'],
  ])('of %j is refused, whatever its token', async origin => {
    const { answer, events } = await from(origin)
    expect(answer).toMatchObject({ status: 403, json: { jsonrpc: '2.0', error: { code: -32000 } } })
    expect(events).toMatchObject([
      { type: 'resource.refused', status: 403, rule: 'MCP 2026-07-28 Transport §1' },
    ])
    expect(answer.headers.map(([name]) => name)).not.toContain('access-control-allow-origin')
    expect((await from(origin, 'OPTIONS', [ask])).answer.status).toBe(403)
  })

  it.each(['http://localhost:6274', 'http://127.0.0.1:5173', 'https://[::1]:1', baseUrl])(
    'of %s may call, and read the challenge',
    async origin => {
      const { answer } = await from(origin)
      expect(answer.status).toBe(200)
      expect(answer.headers).toContainEqual([
        'access-control-expose-headers',
        'WWW-Authenticate, DPoP-Nonce, Retry-After, Mcp-Session-Id, MCP-Protocol-Version',
      ])
      expect((await from(origin, 'OPTIONS', [ask])).answer).toMatchObject({ status: 204 })
    },
  )
})

describe('a message', () => {
  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('is not sent by %s', async method => {
    const answer = await mcpServer().send('/mcp', { ...posted(await mcpToken(), ''), method })
    expect(answer.status).toBe(405)
    expect(answer.headers).toContainEqual(['allow', 'POST'])
  })

  it('has a bounded length', async () => {
    const answer = await mcpServer().post(await mcpToken(), 'x'.repeat(MAX_BODY_BYTES))
    expect(answer.status).toBe(413)
  })

  it.each([
    ['content-type', 'text/plain', 415],
    ['accept', 'text/html', 406],
  ])('with the %s %s is refused', async (name, value, status) => {
    const request = posted(await mcpToken(), call('whoami'))
    const headers = request.headers!.map(each => (each[0] === name ? ([name, value] as const) : each))
    expect((await mcpServer().send('/mcp', { ...request, headers })).status).toBe(status)
  })
})
