import { describe, expect, it } from 'vitest'
import { call, mcpServer, mcpToken, rpc, stateless } from './support.js'

const token = await mcpToken()
const TOOLS = ['whoami', 'records', 'write_record']
const named = (json: Record<string, unknown>) =>
  (json.result as { tools: { name: string }[] }).tools.map(({ name }) => name)

describe.each(['2025-03-26', '2025-06-18', '2025-11-25'])('revision %s', revision => {
  // The header came with 2025-06-18.
  const headers = revision === '2025-03-26' ? [] : [['mcp-protocol-version', revision] as const]

  it('begins with initialize, and gets JSON without a session', async () => {
    const { post } = mcpServer()
    const clientInfo = { name: 'test', version: '1' }
    const begun = await post(
      token,
      rpc('initialize', { protocolVersion: revision, capabilities: {}, clientInfo }),
    )
    expect(begun).toMatchObject({ status: 200, type: 'application/json' })
    expect(begun.json.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'oauth-lab' } })
    expect(begun.headers.map(([name]) => name)).not.toContain('mcp-session-id')
    const confirmed = await post(token, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
    expect(confirmed).toMatchObject({ status: 202, text: '' })
  })

  it('lists and calls the tools', async () => {
    const { post } = mcpServer()
    expect(named((await post(token, rpc('tools/list'), headers)).json)).toEqual(TOOLS)
    const answer = await post(token, call('whoami', {}, 'a'), headers)
    expect(answer.json).toMatchObject({ id: 'a', result: { content: [{ type: 'text' }] } })
    expect(JSON.stringify(answer.json)).toContain('alice')
  })

  it('has batches in 2025-03-26 alone', async () => {
    const answer = await mcpServer().post(token, [call('whoami'), call('records', {}, 2)], headers)
    if (revision === '2025-03-26') {
      expect(JSON.parse(answer.text)).toMatchObject([{ id: 1 }, { id: 2 }])
    } else {
      expect(answer).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
    }
  })
})

describe('revision 2026-07-28', () => {
  const ask = (...[method, params]: Parameters<typeof stateless>) => {
    const { message, headers } = stateless(method, params)
    return mcpServer().post(token, message, headers)
  }

  it('needs no handshake', async () => {
    expect((await ask('server/discover')).json.result).toMatchObject({ supportedVersions: ['2026-07-28'] })
    expect(named((await ask('tools/list')).json)).toEqual(TOOLS)
    const answer = await ask('tools/call', { name: 'whoami', arguments: {} })
    expect(answer).toMatchObject({ status: 200, type: 'application/json' })
    expect(answer.json.result).toMatchObject({ structuredContent: { sub: 'alice' } })
  })

  it('steps up by the tool of the body, whatever the headers say', async () => {
    const { message, headers } = stateless('tools/call', { name: 'write_record', arguments: { value: 'x' } })
    const lying = headers.map(each => (each[0] === 'mcp-name' ? (['mcp-name', 'whoami'] as const) : each))
    expect((await mcpServer().post(token, message, lying)).status).toBe(403)
    const writer = await mcpToken('records:write')
    expect((await mcpServer().post(writer, message, lying)).json.error).toMatchObject({ code: -32020 })
    expect((await mcpServer().post(writer, message, headers)).status).toBe(200)
  })

  it('opens no stream that stays', async () => {
    const answer = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(answer).toMatchObject({ type: 'application/json', json: { error: { code: -32603 } } })
  })

  it('is named alike in header and body', async () => {
    const { message } = stateless('tools/list')
    const answer = await mcpServer().post(token, message, [['mcp-protocol-version', '2025-11-25']])
    expect(answer).toMatchObject({ status: 400, json: { error: { code: -32020 } } })
  })
})

it('an unknown revision is refused, and initialize offers the newest with a handshake', async () => {
  const { post } = mcpServer()
  const answer = await post(token, rpc('tools/list'), [['mcp-protocol-version', '2024-11-05']])
  expect(answer.status).toBe(400)
  const clientInfo = { name: 'test', version: '1' }
  const begun = await post(token, rpc('initialize', { protocolVersion: 'x', capabilities: {}, clientInfo }))
  expect(begun.json.result).toMatchObject({ protocolVersion: '2025-11-25' })
})
