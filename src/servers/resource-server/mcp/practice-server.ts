import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { HttpRequest, HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { programVersion } from '../../../protocol/version.js'
import type { Access } from '../authenticator.js'
import type { RecordStore } from '../record-store.js'
import type { ToolName } from './tools.js'
import { rpcError } from './tools.js'

/** The revisions of MCP that are answered, the newest first. */
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']

/** Longest text that `write_record` keeps, in UTF-16 units: 4096 bytes at most. */
const MAX_TEXT = 1024

/** Longest wait for the package, in milliseconds. A batch that cancels its own request would wait for ever. */
const TIME_LIMIT = 5000

/** The headers that the package reads, beside those that begin with `mcp-`. It gets no token. */
const PASSED_HEADERS = new Set(['accept', 'content-type'])

/** Makes the function that answers JSON-RPC messages whose token and scopes are checked already. */
export function createPracticeServer(records: RecordStore) {
  return async (request: HttpRequest, access: Access, json: unknown): Promise<HttpResponse> => {
    const server = serverFor(access, records)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<HttpResponse>(resolve => {
      const problem = `Internal error: no answer within ${TIME_LIMIT / 1000} s`
      timer = setTimeout(() => resolve(rpcError(500, -32603, problem)), TIME_LIMIT)
    })
    try {
      return await Promise.race([answerOf(server, request, json), late])
    } finally {
      clearTimeout(timer)
      await server.close()
    }
  }
}

/** Returns the answer of the package: of the stateless revision, or of the older ones, each without a session. */
async function answerOf(server: McpServer, sent: HttpRequest, json: unknown): Promise<HttpResponse> {
  const headers = new Headers()
  for (const [name, value] of sent.headers) if (isPassed(name.toLowerCase())) headers.append(name, value)
  const request = new Request(sent.url, { method: 'POST', headers, body: Uint8Array.from(sent.body) })
  if (await isLegacyRequest(request, json)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    return wholeResponse(await transport.handleRequest(request, { parsedBody: json }))
  }
  // Without subscriptions: their streams would stay open for as long as a client likes.
  const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 })
  return wholeResponse(await handler.fetch(request, { parsedBody: json }))
}

const isPassed = (name: string) => PASSED_HEADERS.has(name) || name.startsWith('mcp-')

async function wholeResponse(response: Response): Promise<HttpResponse> {
  return {
    status: response.status,
    headers: [...response.headers, ['cache-control', 'no-store']],
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

/** Makes the MCP server of one request, whose tools know the token of the request. */
function serverFor({ claims, scheme, scope }: Access, records: RecordStore): McpServer {
  const server = new McpServer(
    { name: 'oauth-lab', title: 'oauth-lab practice server', version: programVersion() },
    {
      supportedProtocolVersions: REVISIONS,
      capabilities: { tools: { listChanged: false } },
      instructions: 'A server to practise OAuth with. Its tools show what an access token allows.',
    },
  )
  const tool = (name: ToolName, title: string, description: string, readOnlyHint: boolean) =>
    [name, { title, description, annotations: { readOnlyHint, openWorldHint: false } }] as const
  server.registerTool(
    ...tool('whoami', 'Who am I', 'Returns who the access token says you are. Needs no scope.', true),
    () => {
      const { sub, client_id, iss, aud, exp } = claims
      return result(defined({ sub, client_id, iss, aud, exp, scope: scope.join(' '), scheme }))
    },
  )
  server.registerTool(
    ...tool('records', 'Records', 'Lists your records. Needs the scope records:read.', true),
    () => result({ records: records.of(claims) }),
  )
  const [name, about] = tool(
    'write_record',
    'Write a record',
    'Adds a record. Needs the scope records:write.',
    false,
  )
  const inputSchema = z.object({ value: z.string().max(MAX_TEXT).describe('The text to keep') })
  server.registerTool(name, { ...about, inputSchema }, ({ value }) =>
    result({ ...records.add(claims, value) }),
  )
  return server
}

/** Returns a result as data, and as text for clients of revisions before 2025-06-18. */
function result(structuredContent: Record<string, unknown>) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent }
}
