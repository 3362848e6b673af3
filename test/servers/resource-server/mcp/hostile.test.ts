import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../../../../src/protocol/http/message.js'
import {
  MAX_DEPTH,
  MAX_MESSAGES,
  readMessages,
} from '../../../../src/servers/resource-server/mcp/endpoint.js'
import { forAll } from '../../../support/for-all.js'
import { call, mcpServer, mcpToken, posted, stateless } from './support.js'

const all = await mcpToken('records:read records:write')
const reader = await mcpToken('records:read')

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a hostile body', () => {
  it.each([
    ['too deep', nested(MAX_DEPTH + 2), -32600],
    ['as deep as it gets', nested(32 * 1024 - 1), -32600],
    ['deep in the arguments', JSON.stringify(call('whoami')).replace('{}', nested(5000)), -32600],
    ['a long batch', JSON.stringify(Array(MAX_MESSAGES + 1).fill(call('whoami'))), -32600],
    ['an empty batch', '[]', -32600],
    ['a number', '7', -32600],
    ['null', 'null', -32600],
    ['a text', '"tools/call"', -32600],
    ['empty', '', -32700],
    ['two values', '{}{}', -32700],
  ])('that is %s is refused by a JSON-RPC error', async (_, body, code) => {
    const answer = await mcpServer().post(all, bytes(body))
    expect(answer).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code } } })
  })

  it('that is not UTF-8 is refused', async () => {
    const answer = await mcpServer().post(all, Uint8Array.of(0x22, 0xff, 0x22))
    expect(answer.json).toMatchObject({ error: { code: -32700 } })
  })

  it('that cancels its own request gets an answer in seconds', { timeout: 15_000 }, async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const answer = await mcpServer().post(all, [call('whoami'), cancel])
    expect(answer.json).toMatchObject({ error: { code: -32603 } })
  })

  it('that names a tool twice is judged as it runs', async () => {
    const params = '{"name":"whoami","name":"write_record","arguments":{"value":"x"}}'
    const body = bytes(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
    expect((await mcpServer().post(reader, body)).status).toBe(403)
  })

  it('of any JSON never fails the server, and never runs what the token does not allow', async () => {
    const { post, events } = mcpServer()
    const names = fc.constantFrom('whoami', 'records', 'write_record', '__proto__', 'x')
    const method = fc.constantFrom(
      'tools/call',
      'tools/list',
      'initialize',
      'ping',
      'server/discover',
      '__proto__',
    )
    const message = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.oneof(fc.nat(9), fc.string({ maxLength: 5 }), fc.jsonValue()),
        method: fc.oneof(method, fc.jsonValue()),
        params: fc.oneof(
          fc.record({
            name: fc.oneof(names, fc.jsonValue()),
            arguments: fc.oneof(fc.record({ value: fc.string() }), fc.jsonValue()),
          }),
          fc.jsonValue(),
        ),
        result: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const body = fc.oneof(message, fc.array(message, { maxLength: 4 }), fc.jsonValue())
    const headers = fc.constantFrom([], stateless('tools/call', { name: 'records' }).headers)
    await fc.assert(
      fc.asyncProperty(body, headers, async (sent, more) => {
        const answer = await post(reader, sent, more)
        expect([200, 202, 400, 403, 404]).toContain(answer.status)
      }),
      { numRuns: 150 },
    )
    expect(events.filter(({ type }) => type === 'server.failed')).toEqual([])
    const read = await post(reader, call('records'))
    expect(read.json.result).toMatchObject({ structuredContent: { records: [] } })
  })

  it('of any bytes gets a JSON-RPC error', async () => {
    const { send } = mcpServer()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async body => {
        const answer = await send('/mcp', posted(reader, body))
        expect(answer.status).toBe(400)
      }),
      { numRuns: 50 },
    )
  })
})

it('readMessages reads every method and tool of any JSON without failing', () =>
  forAll(fc.jsonValue({ maxDepth: 10 }), json => {
    const read = readMessages(bytes(JSON.stringify(json)))
    if (read.ok) expect(read.json).toEqual(JSON.parse(JSON.stringify(json)))
  }))
