import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  errorIn,
  isModernError,
  readMcpAnswer,
  sessionIn,
  streamHasAnswer,
  supportedIn,
  toolNames,
} from '../../../src/flows/mcp/answers.js'
import { headerValue, mcpRequest } from '../../../src/flows/mcp/messages.js'
import { forAll } from '../../support/for-all.js'
import { answered } from './support.js'

const info = { name: 'oauth-lab', version: '1' }
const url = 'https://mcp.example/mcp'
const bodyOf = (body: Uint8Array): unknown => JSON.parse(Buffer.from(body).toString())

describe('a message', () => {
  it('stands alone since 2026-07-28', () => {
    const params = { name: 'get weather ☀', arguments: {} }
    const { headers, body } = mcpRequest(
      { method: 'tools/call', params },
      { url, info, revision: '2026-07-28' },
      1,
    )
    expect(headers).toEqual([
      ['accept', 'application/json, text/event-stream'],
      ['content-type', 'application/json'],
      ['mcp-protocol-version', '2026-07-28'],
      ['mcp-method', 'tools/call'],
      ['mcp-name', '=?base64?Z2V0IHdlYXRoZXIg4piA?='],
    ])
    expect(bodyOf(body)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': info,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    })
  })

  it.each([
    ['2025-03-26', 'initialize', undefined],
    ['2025-03-26', 'tools/list', undefined],
    ['2025-06-18', 'initialize', undefined],
    ['2025-06-18', 'tools/list', '2025-06-18'],
    ['2025-11-25', 'notifications/initialized', '2025-11-25'],
  ] as const)('in %s, %s has the version %s in its header', (revision, method, version) => {
    const { headers } = mcpRequest({ method }, { url, info, revision }, 1)
    expect(headers.find(([name]) => name === 'mcp-protocol-version')?.[1]).toBe(version)
    expect(headers.some(([name]) => name === 'mcp-method')).toBe(false)
  })

  it('carries session and token, and a notification has no id', () => {
    const context = { url, info, revision: '2025-11-25' as const, session: 's1', accessToken: 't1' }
    const { headers, body } = mcpRequest({ method: 'notifications/initialized' }, context)
    expect(headers).toContainEqual(['mcp-session-id', 's1'])
    expect(headers).toContainEqual(['authorization', 'Bearer t1'])
    expect(bodyOf(body)).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' })
  })

  // The examples of the specification.
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ])('writes %j into a header', (text, value) => expect(headerValue(text)).toBe(value))
})

describe('an answer', () => {
  const json = (status: number, body: unknown) => answered(status, body)
  const result = { jsonrpc: '2.0', id: 2, result: { tools: [{ name: 'whoami' }] } }
  const stream = (body: string) => answered(200, body, [['content-type', 'text/event-stream; charset=utf-8']])

  it.each([
    ['JSON', json(200, result)],
    ['a batch', json(200, [{ jsonrpc: '2.0', method: 'x' }, result])],
    ['a stream', stream(`: hello\n\nevent: message\ndata: ${JSON.stringify(result)}\n\n`)],
    [
      'a stream with other messages',
      stream(`data: {"jsonrpc":"2.0","method":"n"}\r\n\r\ndata:${JSON.stringify(result)}\r\n\r\n`),
    ],
    [
      'a stream in several lines',
      stream('data: {"jsonrpc":"2.0","id":2,\ndata: "result":{"tools":[{"name":"whoami"}]}}\n\n'),
    ],
  ])('is read from %s', (_what, exchange) => {
    expect(toolNames(readMcpAnswer(exchange, 2))).toEqual(['whoami'])
  })

  it.each([
    ['another id', json(200, { ...result, id: 3 }), /no response to request 2/],
    ['a page', answered(200, '<html>', [['content-type', 'text/html']]), /text\/html/],
    [
      'a redirect',
      answered(307, '', [['location', 'https://evil.example/mcp']]),
      /redirect \(307\) to https:\/\/evil.example\/mcp; it is not followed/,
    ],
    [
      'an error',
      json(200, { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'no such method' } }),
      /-32601: no such method/,
    ],
    [
      'an error without id',
      json(400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'bad' } }),
      /-32000: bad/,
    ],
    ['500', answered(500, 'oops', []), /answered 500/],
    ['a stream that ends', stream('data: {"jsonrpc":"2.0","id":2,"result":{}}'), /no response/],
    ['null', json(200, 'null'), /no response/],
  ])('is refused: %s', (_what, exchange, message) => {
    expect(() => readMcpAnswer(exchange, 2)).toThrowError(message)
  })

  it('names the revisions of a modern server', () => {
    const error = { code: -32022, message: 'x', data: { supported: ['2026-07-28', 1, '2025-11-25'] } }
    const read = errorIn(json(400, { jsonrpc: '2.0', id: 2, error }), 2)
    expect(isModernError(read)).toBe(true)
    expect(supportedIn(read)).toEqual(['2026-07-28', '2025-11-25'])
    expect(
      isModernError(errorIn(json(400, { jsonrpc: '2.0', id: 2, error: { code: -32000, message: '' } }), 2)),
    ).toBe(false)
    expect(errorIn(answered(400, 'no', []), 2)).toBeUndefined()
  })

  it.each(['a b', 'é', 'x'.repeat(1025), ''])('refuses the session %j', session => {
    expect(() => sessionIn(answered(200, '', [['mcp-session-id', session]]))).toThrowError(/Mcp-Session-Id/)
  })

  it('knows when a stream has said enough', () => {
    const text = `data: {"jsonrpc":"2.0","method":"n"}\n\ndata: ${JSON.stringify(result)}\n\n`
    expect(streamHasAnswer(text, 2)).toBe(true)
    expect(streamHasAnswer(text.slice(0, -1), 2)).toBe(false)
  })

  it('never fails otherwise, whatever the body is', () =>
    forAll(
      fc.oneof(fc.string(), fc.json()),
      fc.constantFrom('application/json', 'text/event-stream'),
      (body, type) => {
        const exchange = answered(200, body, [['content-type', type]])
        try {
          readMcpAnswer(exchange, 2)
        } catch (error) {
          expect(String(error)).toMatch(/invalid_response|mcp_error/)
        }
      },
    ))
})
