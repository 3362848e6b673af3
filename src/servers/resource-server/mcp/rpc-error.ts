import { type HeaderList, type HttpResponse, jsonResponse } from '../../../protocol/http/message.js'

/** Returns an error response whose body is a JSON-RPC error. Without an id, because no message was read. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  headers: HeaderList = [],
): HttpResponse {
  return jsonResponse(status, { jsonrpc: '2.0', error: { code, message }, id: null }, [
    ['cache-control', 'no-store'],
    ...headers,
  ])
}
