import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../../src/client/transport.js'
import { namedFailures } from '../../../src/flows/advice/named-failures.js'
import { mcpFlow } from '../../../src/flows/mcp/flow.js'
import type { Outcome, Step, StepName } from '../../../src/flows/step.js'
import type { Send } from '../../../src/protocol/http/exchange.js'
import { header, text } from '../../../src/protocol/http/message.js'
import {
  collect,
  ISSUER,
  MCP,
  mcpWorld,
  metadata,
  options,
  resourceMetadata,
} from '../../support/mcp-server.js'

const TOKEN = 'the-access-token'
/** Longest wait for a lie, in milliseconds. Honest answers may take longer on a busy machine. */
const TIMEOUT = 300
const MEGABYTE = 1024 * 1024

/** Answers in a way that no honest server does. */
type Lie = (response: ServerResponse) => void

const body =
  (content: string | Buffer, headers: Record<string, string> = {}, status = 200): Lie =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content)
  }

/** Writes until the client hangs up. */
const flood =
  (piece: string | Buffer, headers: Record<string, string> = {}): Lie =>
  response => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }

/** Writes a byte now and then, for ever. */
const drip =
  (type: string, piece: string): Lie =>
  response => {
    response.writeHead(200, { 'content-type': type })
    const timer = setInterval(() => response.write(piece), 20)
    response.on('close', () => clearInterval(timer))
  }

const PIECE = `{"x":"${'x'.repeat(64 * 1024)}`

const lies: Readonly<Record<string, Lie>> = {
  'a page': body('<!doctype html><title>sign in</title>', { 'content-type': 'text/html' }),
  'a page that is called JSON': body('<!doctype html><title>sign in</title>'),
  nothing: body(''),
  'no content': body('', {}, 204),
  'a list': body('[]'),
  null: body('null'),
  'a number': body('1e999'),
  'half an object': body('{"resource":"'),
  'other members': body('{"__proto__":{"issuer":1},"constructor":null}'),
  'deep nesting': body('['.repeat(200_000)),
  'a document of many megabytes': flood(PIECE),
  'a document of a gigabyte, announced': flood(PIECE, { 'content-length': String(1024 * MEGABYTE) }),
  'a small document that unpacks to 64 MB': body(gzipSync(Buffer.alloc(64 * MEGABYTE, 0x20)), {
    'content-encoding': 'gzip',
  }),
  'a document that never ends': drip('application/json', ' '),
  'no answer at all': () => {},
  'a broken connection': response => response.destroy(),
  'half an answer': response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{')
    setTimeout(() => response.destroy(), 20)
  },
  'a redirect to another host': body('', { location: 'http://127.0.0.1:1/elsewhere' }, 307),
}

/** The messages that lie, and the step at which each lie shows. */
const subjects: Readonly<Record<string, StepName>> = {
  '/.well-known/oauth-protected-resource/mcp': 'resource_metadata_request',
  '/.well-known/oauth-authorization-server': 'discovery_request',
  '/register': 'client_registration',
  '/token': 'token_request',
  '/mcp': 'tools_request',
}

let server: Server
let origin: string
let lying: { readonly path: string; readonly lie: Lie } | undefined
/** The requests with the token, and the bytes that lies have cost. */
let carriers: string[] = []
let sockets: Set<IncomingMessage['socket']> = new Set()

/** The answer to a request, as a function that writes it. */
function answerTo(url: string, content: string, hasToken: boolean): Lie {
  const json = (value: object, status = 200) => body(JSON.stringify(value), {}, status)
  if (lying && url === lying.path && (url !== '/mcp' || hasToken)) return lying.lie
  const named = `${origin}/.well-known/oauth-protected-resource/mcp`
  switch (url) {
    case '/mcp':
      return hasToken
        ? json({ jsonrpc: '2.0', id: JSON.parse(content).id, result: { tools: [] } })
        : body('', { 'www-authenticate': `Bearer resource_metadata="${named}"` }, 401)
    case '/.well-known/oauth-protected-resource/mcp':
      return json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    case '/.well-known/oauth-authorization-server':
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    case '/register':
      return json({ client_id: 'registered', redirect_uris: [options.redirectUri] }, 201)
    case '/token':
      return json({ access_token: TOKEN, token_type: 'Bearer' })
    default:
      return json({}, 404)
  }
}

function answer({ url = '', headers, socket }: IncomingMessage, response: ServerResponse, content: string) {
  sockets.add(socket)
  const hasToken = headers.authorization?.includes(TOKEN) === true
  if (hasToken || url.includes(TOKEN) || content.includes(TOKEN)) carriers.push(url)
  answerTo(url, content, hasToken)(response)
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    answer(request, response, Buffer.concat(pieces).toString())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Walks the flow over real connections, where one message of the server is a lie. */
async function walk(path?: string, lie?: Lie) {
  lying = path !== undefined && lie ? { path, lie } : undefined
  carriers = []
  sockets = new Set()
  const { ports } = mcpWorld({
    land: asked =>
      `${asked.searchParams.get('redirect_uri')}?code=c&state=${asked.searchParams.get('state')}`,
  })
  const impatient = createTransport({ timeoutMs: TIMEOUT, env: {} })
  const transport = createTransport({ env: {} })
  const send: Send = (request, how) => {
    const lies = request.url === `${origin}${path}` && (path !== '/mcp' || header(request, 'authorization'))
    return (lies ? impatient : transport).send(request, how)
  }
  const began = performance.now()
  try {
    const records = await collect(
      mcpFlow({ ...ports, send: namedFailures(send) }, { ...options, url: `${origin}/mcp` }),
    )
    const steps = records.filter((each): each is Step => each.type === 'step')
    const outcome = records.at(-1) as Outcome
    const cost = Math.max(...[...sockets].map(({ bytesWritten }) => bytesWritten))
    return { steps, outcome, ms: performance.now() - began, cost }
  } finally {
    impatient.close()
    transport.close()
  }
}

describe('a server that lies', () => {
  it('is preceded by an honest one', async () => {
    expect((await walk()).outcome).toMatchObject({ outcome: 'granted', tokens: { access_token: TOKEN } })
    expect(carriers).toEqual(['/mcp'])
  })

  const cases = Object.entries(subjects).flatMap(([path, step]) =>
    Object.entries(lies).map(([what, lie]) => [path, what, step, lie] as const),
  )
  it.each(cases)('at %s with %s ends the flow', async (path, _what, step, lie) => {
    const { outcome, steps, ms, cost } = await walk(path, lie)
    const { error } = outcome
    expect(['refused', 'failed']).toContain(outcome.outcome)
    expect(outcome.tokens).toBeUndefined()
    // The lie is named: by the address that did not answer, or by the step with the answer.
    if (!error?.error_description.includes(path)) expect(steps.at(-1)).toMatchObject({ name: step })
    expect(error?.error_description).toMatch(
      /metadata|registration|token endpoint|access_token|client_id|MCP server|answer|redirect/,
    )
    expect(ms).toBeLessThan(5000)
    expect(cost).toBeLessThan(16 * MEGABYTE)
    expect(carriers.filter(url => url !== '/mcp')).toEqual([])
  })

  it('by events that answer nothing ends in time', async () => {
    const { outcome, ms } = await walk('/mcp', drip('text/event-stream', ': wait\n\ndata: {"id":99}\n\n'))
    expect(outcome).toMatchObject({ outcome: 'failed', error: { error: 'timeout' } })
    expect(ms).toBeLessThan(5000)
  })
})

describe('any documents', () => {
  const evil = 'https://evil.example'
  const address = fc.constantFrom(
    MCP,
    ISSUER,
    evil,
    `${evil}/mcp`,
    `${ISSUER}@evil.example`,
    `${MCP}/../../x`,
    'https://mcp.example',
    'http://mcp.example/mcp',
    'javascript:alert(1)',
    '//evil.example',
    `${MCP}#x`,
    '',
  )
  const value = fc.oneof(address, fc.array(address, { maxLength: 3 }), fc.jsonValue())
  const changed = (honest: object) =>
    fc
      .dictionary(fc.constantFrom(...Object.keys(honest), '__proto__', 'jwks_uri', 'scope'), value, {
        maxKeys: 3,
      })
      .map(more => ({ ...honest, ...more }))
  const registration = { client_id: 'c', client_secret: 's', redirect_uris: [options.redirectUri] }

  it('get the token to nobody but the MCP server', async () => {
    const answers = fc.record({
      resource: changed(resourceMetadata),
      issuer: changed(metadata),
      client: changed(registration),
      tokens: changed({ access_token: TOKEN, token_type: 'Bearer', refresh_token: 'r' }),
      challenged: address,
    })
    await fc.assert(
      fc.asyncProperty(answers, async ({ resource, issuer, client, tokens, challenged }) => {
        const { ports, sent } = mcpWorld({
          documents: {
            'https://mcp.example/.well-known/oauth-protected-resource/mcp': [200, resource],
            'https://mcp.example/.well-known/oauth-protected-resource': [200, resource],
            [challenged]: [200, resource],
            [`${ISSUER}/.well-known/oauth-authorization-server`]: [200, issuer],
            [`${evil}/.well-known/oauth-authorization-server`]: [200, issuer],
          },
          mcp: ({ token, id }) =>
            token === undefined
              ? [401, '', [['www-authenticate', `Bearer resource_metadata="${challenged}"`]]]
              : [200, { jsonrpc: '2.0', id, result: {} }],
          register: () => [201, client],
          token: () => [200, tokens],
        })
        const records = await collect(mcpFlow(ports, options))
        expect(records.at(-1)?.type).toBe('outcome')
        for (const request of sent) {
          const carries = [header(request, 'authorization'), text(request.body), request.url].some(each =>
            each?.includes(TOKEN),
          )
          if (carries) expect(request.url).toBe(MCP)
          expect(new URL(request.url).protocol).toBe('https:')
        }
      }),
      { numRuns: 300 },
    )
  })
})
