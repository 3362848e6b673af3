import type { Exchange } from '../../../src/protocol/http/exchange.js'
import type { HeaderList } from '../../../src/protocol/http/message.js'

/** An exchange with this answer. */
export function answered(
  status: number,
  body: unknown,
  headers: HeaderList = [['content-type', 'application/json']],
  url = 'https://mcp.example/mcp',
): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    request: { method: 'GET', url, headers: [], body: '' },
    response: { status, headers, body: text },
    wireBytes: { request: 0, response: text.length },
    bodyBytes: text.length,
    ms: 1,
    at: '2026-11-23T12:00:00.000Z',
  }
}
