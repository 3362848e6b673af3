import type { UserAgent } from '../../src/client/user-agent.js'
import type { McpOptions, McpPorts } from '../../src/flows/mcp/options.js'
import type { FlowRecord } from '../../src/flows/step.js'
import type { Exchange, Send } from '../../src/protocol/http/exchange.js'
import { type HeaderList, type HttpRequest, header, splitUrl, text } from '../../src/protocol/http/message.js'

/** The address of the MCP server, and its issuer. */
export const MCP = 'https://mcp.example/mcp'
export const ISSUER = 'https://id.example'

/** An answer: its status, its body as text or as what becomes JSON, its headers. */
export type Answered = readonly [status: number, body: unknown, headers?: HeaderList]

/** An MCP server with its authorization server, as functions. Each member may be replaced, to lie. */
export interface Parts {
  /** Answers a message. */
  readonly mcp: (call: Call) => Answered
  readonly documents: Readonly<Record<string, Answered>>
  readonly register: (body: Readonly<Record<string, unknown>>) => Answered
  readonly token: (form: URLSearchParams, request: HttpRequest) => Answered
  /** Answers at the address where a client is managed. */
  readonly manage: (request: HttpRequest) => Answered
  /** The address that the browser lands at. */
  readonly land: (asked: URL) => string
}

/** One message to the MCP server. */
export interface Call {
  readonly method: string
  readonly token: string | undefined
  readonly request: HttpRequest
  readonly id: unknown
  /** The number of calls before. */
  readonly before: number
}

export const metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  authorization_response_iss_parameter_supported: true,
}

export const resourceMetadata = { resource: MCP, authorization_servers: [ISSUER] }

/** The result of a message. */
export function result(id: unknown, value: object = { tools: [{ name: 'whoami' }] }): Answered {
  return [200, { jsonrpc: '2.0', id, result: value }]
}

/** The challenge of the server. */
export const challenge = (more = ''): HeaderList => [
  [
    'www-authenticate',
    `Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"${more}`,
  ],
]

const honest: Parts = {
  mcp: ({ token, id, method }) => {
    if (token === undefined) return [401, '', challenge(', scope="a"')]
    return method === 'notifications/initialized' ? [202, ''] : result(id)
  },
  documents: {
    'https://mcp.example/.well-known/oauth-protected-resource/mcp': [200, resourceMetadata],
    [`${ISSUER}/.well-known/oauth-authorization-server`]: [200, metadata],
  },
  register: () => [201, { client_id: 'registered', redirect_uris: ['http://127.0.0.1:9/callback'] }],
  manage: () => [405, ''],
  token: form => [
    200,
    { access_token: `token-for-${form.get('scope') ?? 'all'}`, token_type: 'Bearer', expires_in: 60 },
  ],
  land: asked => {
    const landed = new URL(asked.searchParams.get('redirect_uri') ?? '')
    landed.searchParams.set('code', 'code-1')
    landed.searchParams.set('state', asked.searchParams.get('state') ?? '')
    landed.searchParams.set('iss', ISSUER)
    return landed.href
  },
}

function exchangeOf(request: HttpRequest, [status, body, headers = []]: Answered): Exchange {
  const isText = typeof body === 'string'
  const sent = isText ? body : JSON.stringify(body)
  const typed = isText ? headers : [...headers, ['content-type', 'application/json'] as const]
  return {
    request: { ...request, body: text(request.body) },
    response: { status, headers: typed, body: sent },
    wireBytes: { request: request.body.length, response: sent.length },
    bodyBytes: sent.length,
    ms: 1,
    at: '2026-11-23T12:00:00.000Z',
  }
}

/** The world of a flow, with everything that was sent. */
export interface World {
  readonly ports: McpPorts
  readonly sent: readonly HttpRequest[]
  /** The authorization requests. */
  readonly asked: readonly URL[]
}

/** Makes the world of a flow from the parts of its servers. */
export function mcpWorld(changed: Partial<Parts> = {}): World {
  const parts = { ...honest, ...changed }
  const sent: HttpRequest[] = []
  const asked: URL[] = []
  let calls = 0

  function answer(request: HttpRequest): Answered {
    const { origin, path } = splitUrl(request.url)
    const isMessage = request.url === MCP || request.url.startsWith(`${MCP}?`)
    if (isMessage && header(request, 'content-type') === 'application/json') {
      const { method, id } = JSON.parse(text(request.body)) as { method: string; id?: unknown }
      const token = /^(?:Bearer|DPoP) (.+)$/.exec(header(request, 'authorization') ?? '')?.[1]
      calls += 1
      return parts.mcp({ method, id, token, request, before: calls - 1 })
    }
    const document = parts.documents[request.url]
    if (document) return document
    if (path.startsWith('/register/')) return parts.manage(request)
    if (request.method === 'POST' && path === '/register') {
      return parts.register(JSON.parse(text(request.body)) as Record<string, unknown>)
    }
    if (request.method === 'POST' && path === '/token')
      return parts.token(new URLSearchParams(text(request.body)), request)
    return [404, `nothing at ${origin}${path}`]
  }

  const send: Send = async request => {
    sent.push(request)
    return exchangeOf(request, answer(request))
  }
  const userAgent: UserAgent = {
    async *authorize({ request }) {
      const url = new URL(request.url)
      asked.push(url)
      const landed = parts.land(url)
      const visit = { method: 'GET', url: request.url, headers: [], body: new Uint8Array() }
      yield { name: 'login_form', exchange: exchangeOf(visit, [302, '', [['location', landed]]]) }
      yield {
        name: 'authorization_response',
        exchange: exchangeOf({ ...visit, url: landed }, [200, 'ok']),
        landed,
      }
    },
  }
  let seed = 0
  const ports: McpPorts = {
    send,
    userAgent,
    now: () => Date.parse('2026-11-23T12:00:00Z'),
    random(length) {
      seed += 1
      return new Uint8Array(length).fill(seed)
    },
    signal: new AbortController().signal,
    become: () => {},
  }
  return { ports, sent, asked }
}

/** The options of a client that knows nothing but the address. */
export const options: McpOptions = {
  url: MCP,
  redirectUri: 'http://127.0.0.1:9/callback',
  grant: 'authorization_code',
  info: { name: 'oauth-lab', version: '1' },
}

/** All records of a flow. */
export async function collect(records: AsyncIterable<FlowRecord>): Promise<FlowRecord[]> {
  const all: FlowRecord[] = []
  for await (const record of records) all.push(record)
  return all
}
