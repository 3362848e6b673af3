import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/commands/flow/flow-output.js'
import type { McpOptions } from '../../../src/flows/mcp/options.js'
import { tamperedMcpFlow } from '../../../src/judge/tamper/tampered-mcp.js'
import { header } from '../../../src/protocol/http/message.js'
import { outcomeIn, stepsOf } from '../../flows/support/records.js'
import {
  challenge,
  collect,
  ISSUER,
  MCP,
  mcpWorld,
  metadata,
  options,
  type Parts,
  resourceMetadata,
  result,
} from '../../support/mcp-server.js'
import { move } from './named-move.js'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.AA`

/** Makes a move at servers that are weak in one point. */
async function run(name: string, parts: Partial<Parts> = {}, more: Partial<McpOptions> = {}) {
  const { ports, sent, asked } = mcpWorld(parts)
  const { userAgent, ...others } = ports
  const records = await collect(
    tamperedMcpFlow({ ...others, agentWith: () => userAgent }, { ...options, ...more }, move(name), {}),
  )
  return { outcome: outcomeIn(records), steps: stepsOf(records), sent, asked }
}

const announced = {
  'https://mcp.example/.well-known/oauth-protected-resource/mcp': [200, resourceMetadata],
  [`${ISSUER}/.well-known/oauth-authorization-server`]: [
    200,
    { ...metadata, client_id_metadata_document_supported: true },
  ],
} as const

const registered = (more: object): Partial<Parts> => ({
  register: body => [201, { ...body, client_id: 'registered', ...more }],
})
const token = (value: string): Partial<Parts> => ({
  token: () => [200, { access_token: value, token_type: 'Bearer' }],
})
const late = { redirect_uris: ['http://127.0.0.1:9/callback'] }

describe('a wrong move that is taken', () => {
  it.each<[name: string, parts: Partial<Parts>, more?: Partial<McpOptions>]>([
    ['altered-token', {}],
    ['no-resource', token(jwt({ aud: 'https://other.example' }))],
    ['no-resource', token(jwt({ aud: [MCP, 'https://other.example'] }))],
    ['other-audience', token(jwt({ aud: 'https://api.example' }))],
    ['script-redirect-registration', registered({})],
    ['data-redirect-registration', registered({})],
    ['http-redirect-registration', registered({})],
    ['foreign-software-statement', registered({})],
    [
      'foreign-software-statement',
      registered({ software_statement: undefined, client_name: 'A trusted client' }),
    ],
    ['both-key-sources', registered({})],
    [
      'document-address-with-fragment',
      { documents: announced },
      { register: 'document', document: 'https://app.example/client.json#other' },
    ],
  ])('%s is a fault: %#', async (name, parts, more) => {
    const { outcome, steps } = await run(name, parts, more)
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false, error: { error: 'not_refused' } })
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(1)
    expect(steps.at(-1)?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: false })
  })

  it('is taken where the token only lacks scope', async () => {
    const mcp: Parts['mcp'] = ({ token: own }) =>
      own === undefined
        ? [401, '', challenge()]
        : [403, '', challenge(', error="insufficient_scope", scope="b"')]
    expect((await run('altered-token', { mcp })).outcome).toMatchObject({
      outcome: 'granted',
      tamper: { found: 'the token, with too little scope (403)' },
    })
  })

  it.each([
    ['says that it is for this server alone', jwt({ aud: MCP }), 'for this MCP server'],
    ['is opaque', 'opaque', 'does not say whom it is for'],
  ])('without a resource harms nobody where the token %s', async (_what, value, why) => {
    const { outcome } = await run('no-resource', token(value))
    expect(outcome.tamper?.harmless).toContain(why)
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(0)
  })
})

describe('a wrong move that is not taken', () => {
  it.each([
    ['foreign-software-statement', { software_statement: undefined }],
    ['script-redirect-registration', late],
    ['both-key-sources', { jwks: undefined }],
  ])('is left out of the registration: %s', async (name, more) => {
    const { outcome } = await run(name, registered(more))
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, error: { error: 'ignored' } })
  })

  it('is refused by the authorization server that wants a resource', async () => {
    const land = (asked: URL) => {
      const to = new URL(asked.searchParams.get('redirect_uri') ?? '')
      to.searchParams.set('error', 'invalid_target')
      to.searchParams.set('state', asked.searchParams.get('state') ?? '')
      to.searchParams.set('iss', ISSUER)
      return to.href
    }
    const error = { error: 'invalid_target' }
    expect((await run('no-resource', { land })).outcome).toMatchObject({ expected: true, error })
    const refusing: Parts['token'] = () => [400, error]
    expect((await run('no-resource', { token: refusing })).outcome).toMatchObject({ expected: true, error })
    const failing: Parts['token'] = () => [500, { error: 'server_error' }]
    expect((await run('no-resource', { token: failing })).outcome).toMatchObject({
      outcome: 'refused',
      expected: false,
      tamper: { found: '500 server_error' },
    })
    // No token for another server was shown to this one.
    const other = await run('other-audience', { token: refusing })
    expect(other.outcome.tamper?.found).toBeUndefined()
  })

  it('leaves resource out of both requests, and replaces it in both', async () => {
    const bare = await run('no-resource')
    expect(bare.asked[0]?.searchParams.has('resource')).toBe(false)
    const form = ({ sent }: typeof bare) =>
      new URLSearchParams(new TextDecoder().decode(sent.find(({ url }) => url.endsWith('/token'))?.body))
    expect(form(bare).has('resource')).toBe(false)
    const other = await run('other-audience', token(jwt({ aud: 'https://api.example' })))
    expect(other.asked[0]?.searchParams.getAll('resource')).toEqual(['https://api.example'])
    expect(form(other).getAll('resource')).toEqual(['https://api.example'])
  })

  it('waits for the revision that the server speaks', async () => {
    const mcp: Parts['mcp'] = ({ token: own, id, method, before }) => {
      if (before === 0) return [401, '', challenge()]
      if (method === 'tools/list')
        return [400, { jsonrpc: '2.0', id, error: { code: -32600, message: 'session' } }]
      return own === undefined ? [401, '', challenge()] : result(id)
    }
    const { outcome, steps } = await run('no-token', { mcp })
    expect(outcome).toMatchObject({ expected: true, error: { error: 'http_401' } })
    expect(steps.slice(-2).map(({ name }) => name)).toEqual(['tools_request', 'initialize_request'])
  })
})

describe('a wrong move that is not made', () => {
  it.each<[name: string, parts: Partial<Parts>, more: Partial<McpOptions>, error: object]>([
    ['other-audience', token('opaque'), {}, { error: 'not_here' }],
    ['alg-none', token('opaque'), {}, { error: 'not_here' }],
    [
      'drop-iss',
      {
        documents: {
          ...announced,
          [`${ISSUER}/.well-known/oauth-authorization-server`]: [
            200,
            { ...metadata, authorization_response_iss_parameter_supported: false },
          ],
        },
      },
      {},
      { error: 'not_here' },
    ],
    ['html-document', {}, { register: 'document', document: 'https://app.example/c' }, { error: 'not_here' }],
    ['altered-token', { documents: {} }, {}, { error: 'invalid_metadata' }],
  ])('%s', async (name, parts, more, error) => {
    const { outcome, asked, sent } = await run(name, parts, more)
    expect(outcome).toMatchObject({ expected: false, error })
    expect(outcome.tamper?.found).toBeUndefined()
    if (name === 'drop-iss' || name === 'html-document') expect(asked).toEqual([])
    expect(sent.every(request => header(request, 'authorization') === undefined || request.url === MCP)).toBe(
      true,
    )
  })

  it('where nothing asks for a token', async () => {
    const { outcome } = await run('altered-token', { mcp: ({ id }) => result(id) })
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(1)
  })
})
