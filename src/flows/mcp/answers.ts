import { streamEvents } from '../../protocol/http/event-stream.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header, mediaType } from '../../protocol/http/message.js'
import { UnreadableAnswer } from '../../protocol/oauth/answers.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'

export type McpAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

/** JSON-RPC codes that only servers of MCP 2026-07-28 or later send. */
const MODERN_CODES = new Set([-32020, -32021, -32022])

/** The response to request `id` in a message; undefined for any other message. */
function responseIn(message: unknown, id: number): McpAnswer | undefined {
  if (!isJsonObject(message)) return undefined
  const { id: own, result, error } = message as Record<string, unknown>
  // An error before the request was read has no id (JSON-RPC 2.0 §5).
  if (isJsonObject(error) && (own === id || own === null || own === undefined)) {
    const { code, message: text, data } = error as Record<string, unknown>
    if (typeof code === 'number') {
      return {
        error: { code, message: typeof text === 'string' ? text : '', ...(data !== undefined && { data }) },
      }
    }
  }
  return own === id && isJsonObject(result) ? { result: result as Record<string, unknown> } : undefined
}

/** The response to a request in a body of one of the two types; undefined without one. */
function answerIn(type: string, body: string, id: number): McpAnswer | undefined {
  if (type === 'text/event-stream') {
    for (const { data } of streamEvents(body)) {
      const found = responseIn(parsedJson(data), id)
      if (found) return found
    }
    return undefined
  }
  const value = parsedJson(body)
  // Revision 2025-03-26 has batches.
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const message of messages) {
    const found = responseIn(message, id)
    if (found) return found
  }
  return undefined
}

export function streamHasAnswer(stream: string, id: number): boolean {
  return answerIn('text/event-stream', stream, id) !== undefined
}

export function errorIn(
  exchange: Exchange,
  id: number,
): (McpAnswer & { readonly error: unknown }) | undefined {
  const { response } = exchange
  if (response === undefined) return undefined
  const found = answerIn(mediaType(response), response.body, id)
  return found !== undefined && 'error' in found ? found : undefined
}

/** True for an error that only a server of 2026-07-28 or later sends. */
export function isModernError(answer: McpAnswer | undefined): boolean {
  return answer !== undefined && 'error' in answer && MODERN_CODES.has(answer.error.code)
}

export function supportedIn(answer: McpAnswer | undefined): readonly string[] {
  if (answer === undefined || !('error' in answer) || !isJsonObject(answer.error.data)) return []
  const { supported } = answer.error.data as Record<string, unknown>
  return Array.isArray(supported) ? supported.filter(each => typeof each === 'string').slice(0, 20) : []
}

const NO_SERVER = ['check the address: an MCP server has a path of its own, such as /mcp']

/** Reads an answer. @throws OAuthError for redirects, error statuses and JSON-RPC errors; UnreadableAnswer */
export function readMcpAnswer(exchange: Exchange, id: number): Readonly<Record<string, unknown>> {
  const rule = 'MCP 2026-07-28 Transport §2'
  const { response } = exchange
  if (response === undefined) {
    throw new UnreadableAnswer('no_response', { description: 'the MCP server did not answer', rule })
  }
  const { status } = response
  const invalid = (description: string, hints?: readonly string[]) =>
    new OAuthError('invalid_response', { description, rule, hints })
  if (status >= 300 && status < 400) {
    const to = header(response, 'location')
    const where = to === undefined ? '' : ` to ${to}`
    throw invalid(`the MCP server answered a redirect (${status})${where}; it is not followed`)
  }
  const type = mediaType(response)
  const found = answerIn(type, response.body, id)
  if (found !== undefined && 'error' in found) {
    const { code, message } = found.error
    throw new OAuthError('mcp_error', {
      description: `the MCP server answered error ${code}: ${message}`,
      rule,
    })
  }
  if (status !== 200) throw invalid(`the MCP server answered ${status}`, NO_SERVER)
  if (type !== 'application/json' && type !== 'text/event-stream') {
    const kind = type || 'no content type'
    throw invalid(`the MCP server answered ${kind}, not JSON and no stream of events`, NO_SERVER)
  }
  if (found === undefined) {
    const description = `the MCP server answered no response to request ${id}`
    throw new UnreadableAnswer('invalid_response', { description, rule })
  }
  return found.result
}

/** The session that `initialize` opens. @throws OAuthError for an id that no header may carry */
export function sessionIn({ response }: Exchange): string | undefined {
  const session = response && header(response, 'mcp-session-id')
  if (session === undefined || /^[\x21-\x7e]{1,1024}$/.test(session)) return session
  const description = 'Mcp-Session-Id holds characters that an id may not have, or is longer than 1024'
  throw new OAuthError('invalid_response', { description, rule: 'MCP 2025-11-25 Transports §2.5' })
}

export function toolNames({ tools }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(tools)) return []
  return tools.slice(0, 100).flatMap(tool => {
    const name = isJsonObject(tool) ? (tool as Record<string, unknown>).name : undefined
    return typeof name === 'string' ? [name] : []
  })
}
