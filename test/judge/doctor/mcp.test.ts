import { describe, expect, it } from 'vitest'
import type { McpOptions } from '../../../src/flows/mcp/options.js'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { examineMcp } from '../../../src/judge/doctor/mcp/examine-mcp.js'
import type { DoctorPorts } from '../../../src/judge/doctor/ports.js'
import { header, splitUrl } from '../../../src/protocol/http/message.js'
import {
  type Answered,
  type Call,
  challenge,
  ISSUER,
  MCP,
  mcpWorld,
  metadata,
  options,
  type Parts,
  resourceMetadata,
  result,
} from '../../support/mcp-server.js'
import { names, problems } from './support.js'

const WELL_KNOWN = 'https://mcp.example/.well-known/oauth-protected-resource'
const SERVER = `${ISSUER}/.well-known/oauth-authorization-server`

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The documents of a careful pair of servers. */
const documents = (resource: object = {}, server: object = {}): Parts['documents'] => ({
  [`${WELL_KNOWN}/mcp`]: [200, { ...resourceMetadata, scopes_supported: ['a'], ...resource }],
  [SERVER]: [
    200,
    {
      ...metadata,
      client_id_metadata_document_supported: true,
      scopes_supported: ['a', 'openid'],
      ...server,
    },
  ],
})

/** A careful MCP server, which knows the tokens of its authorization server. */
function careful() {
  const issued = new Set<string>()
  let codes = 0
  const scopeOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).scope
  const guard = ({ token, request, method, id }: Call): Answered => {
    const origin = header(request, 'origin')
    if (origin !== undefined) return [403, '']
    if (request.url !== MCP) return [400, { error: 'invalid_request' }]
    if (token === undefined) return [401, '', challenge(', scope="a"')]
    if (!issued.has(token)) return [401, '', challenge(', error="invalid_token"')]
    const isCall = method === 'tools/call'
    if (isCall && !scopeOf(token).includes('a'))
      return [403, '', challenge(', error="insufficient_scope", scope="a"')]
    return result(
      id,
      isCall ? { content: [] } : { tools: [{ name: 'read', annotations: { readOnlyHint: true } }] },
    )
  }
  const parts: Partial<Parts> = {
    documents: documents(),
    mcp: guard,
    token: form => {
      codes += 1
      const aud = form.get('resource')
      if (aud !== MCP) return [400, { error: 'invalid_target' }]
      const claims = { aud, scope: lastScope, jti: codes }
      const token = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}.${part({ n: codes })}`
      issued.add(token)
      return [200, { access_token: token, token_type: 'Bearer', expires_in: 60, scope: lastScope }]
    },
    land: asked => {
      lastScope = asked.searchParams.get('scope') ?? ''
      const landed = new URL(asked.searchParams.get('redirect_uri') ?? '')
      landed.searchParams.set('code', 'code-1')
      landed.searchParams.set('state', asked.searchParams.get('state') ?? '')
      landed.searchParams.set('iss', ISSUER)
      return landed.href
    },
  }
  let lastScope = ''
  return { parts, guard, issued }
}

/** The findings about the group of MCP. */
async function examined(
  parts: Partial<Parts>,
  more: Partial<McpOptions> = {},
  only: readonly Finding['group'][] = ['mcp'],
): Promise<Finding[]> {
  const { ports } = mcpWorld(parts)
  const { userAgent, become: _, ...world } = ports
  const doctor: DoctorPorts = {
    ...world,
    agentWith: () => userAgent,
    verifierWith: () => {
      throw new Error('no device is here')
    },
    wait: async () => {},
  }
  const found: Finding[] = []
  const server = { options: { ...options, ...more }, run: {} }
  for await (const each of examineMcp(doctor, server, new AbortController().signal, only)) found.push(each)
  return found
}

/** A careful pair of servers with something changed. */
function careless(change: (own: ReturnType<typeof careful>) => Partial<Parts>): Partial<Parts> {
  const own = careful()
  return { ...own.parts, ...change(own) }
}

type Case = [name: string, parts: Partial<Parts>, broken: string[]]

describe('a careful MCP server', () => {
  it('has nothing wrong', async () => {
    const found = await examined(careful().parts)
    expect(problems(found)).toEqual([])
    expect(names(found, 'not_tried')).toEqual([])
    // Its authorization server announces no resources, publishes no keys, and has no token for others.
    expect(names(found, 'not_applicable')).toEqual([
      'unknown-resource',
      'hmac-with-public-key',
      'other-audience',
    ])
  })

  it('is examined as one client, which is deleted in the end', async () => {
    const { parts } = careful()
    const made: string[] = []
    const deleted: string[] = []
    await examined({
      ...parts,
      register: () => {
        made.push('client')
        return [
          201,
          {
            client_id: `client-${made.length}`,
            redirect_uris: [options.redirectUri],
            registration_client_uri: `${ISSUER}/register/client-${made.length}`,
            registration_access_token: 'secret',
          },
        ]
      },
      manage: request => {
        deleted.push(`${request.method} ${splitUrl(request.url).path} ${header(request, 'authorization')}`)
        return [204, '']
      },
    })
    expect(made).toEqual(['client'])
    expect(deleted).toEqual(['DELETE /register/client-1 Bearer secret'])
  })
})

describe('one thing wrong is one finding', () => {
  it.each<Case>([
    [
      'tokens that are not verified',
      careless(({ guard }) => ({
        mcp: call =>
          call.token === undefined || header(call.request, 'origin') ? guard(call) : result(call.id),
      })),
      ['mcp-made-up-token', 'altered-token', 'alg-none', 'foreign-key', 'embedded-key'],
    ],
    [
      'pages of other sites',
      careless(({ guard }) => ({
        mcp: call => {
          const headers = call.request.headers.filter(([name]) => name !== 'origin')
          return guard({ ...call, request: { ...call.request, headers } })
        },
      })),
      ['mcp-foreign-origin'],
    ],
    [
      'tokens in the address',
      careless(({ guard, issued }) => ({
        mcp: call => {
          const token = new URL(call.request.url).searchParams.get('access_token')
          return token !== null && issued.has(token) ? result(call.id) : guard(call)
        },
      })),
      ['token-in-query'],
    ],
    [
      'metadata about another server at the well-known place',
      careless(() => ({
        documents: {
          ...documents(),
          [WELL_KNOWN]: [200, { ...resourceMetadata, resource: 'https://other.example' }],
        },
      })),
      ['mcp-metadata-resource'],
    ],
    [
      'two places that disagree',
      careless(({ guard }) => ({
        documents: {
          ...documents(),
          'https://mcp.example/metadata': [200, { ...resourceMetadata, scopes_supported: ['a'] }],
          [`${WELL_KNOWN}/mcp`]: [200, { resource: MCP, authorization_servers: ['https://other.example'] }],
        },
        mcp: call => {
          const answer = guard(call)
          return answer[0] === 401
            ? [
                401,
                '',
                [
                  [
                    'www-authenticate',
                    `Bearer resource_metadata="https://mcp.example/metadata", scope="a"${call.token === undefined ? '' : ', error="invalid_token"'}`,
                  ],
                ],
              ]
            : answer
        },
      })),
      ['mcp-metadata-places'],
    ],
    [
      'no scope in the challenge',
      careless(({ guard }) => ({
        mcp: call =>
          call.token === undefined && !header(call.request, 'origin') && call.request.url === MCP
            ? [401, '', challenge()]
            : guard(call),
      })),
      ['mcp-challenge-scope'],
    ],
    [
      'tokens in the query, announced',
      careless(() => ({ documents: documents({ bearer_methods_supported: ['header', 'query'] }) })),
      ['mcp-bearer-methods'],
    ],
    [
      'offline_access as a scope of its own',
      careless(() => ({ documents: documents({ scopes_supported: ['a', 'offline_access'] }) })),
      ['mcp-offline-access'],
    ],
    [
      'no promised iss',
      careless(() => ({
        documents: documents({}, { authorization_response_iss_parameter_supported: undefined }),
      })),
      ['mcp-iss'],
    ],
    [
      'dynamic registration alone',
      careless(() => ({ documents: documents({}, { client_id_metadata_document_supported: undefined }) })),
      ['mcp-registration'],
    ],
    [
      'no announced PKCE',
      careless(() => ({ documents: documents({}, { code_challenge_methods_supported: undefined }) })),
      ['mcp-pkce', 'honest-flow'],
    ],
    [
      'metadata of another issuer',
      careless(() => ({ documents: documents({}, { issuer: 'https://other.example' }) })),
      ['mcp-issuer', 'honest-flow'],
    ],
    [
      'a missing scope that is not named',
      careless(({ guard }) => ({
        mcp: call => {
          const answer = guard(call)
          return answer[0] === 403 && call.token !== undefined && !header(call.request, 'origin')
            ? [403, '', challenge(', error="insufficient_scope"')]
            : answer
        },
      })),
      ['mcp-insufficient-scope'],
    ],
    [
      'tokens for everybody',
      careless(({ issued }) => ({
        token: form => {
          const aud = form.get('resource') === null ? undefined : [MCP, 'https://other.example']
          const token = `${part({ alg: 'RS256' })}.${part({ aud, scope: 'a' })}.AA`
          issued.add(token)
          return [200, { access_token: token, token_type: 'Bearer', scope: 'a' }]
        },
      })),
      ['mcp-audience', 'no-resource'],
    ],
  ])('%s', async (_name, parts, broken) => expect(problems(await examined(parts))).toEqual(broken))

  it('is a server that asks nobody for a token', async () => {
    const found = await examined({ ...careful().parts, mcp: ({ id }) => result(id) })
    expect(problems(found)).toEqual(['mcp-unauthenticated', 'mcp-foreign-origin'])
    expect(names(found, 'pass')).toEqual(['honest-flow'])
  })

  it('is a 401 without any challenge', async () => {
    const { parts, guard } = careful()
    const found = await examined({
      ...parts,
      mcp: call => {
        const answer = guard(call)
        return answer[0] === 401 ? [401, ''] : answer
      },
    })
    expect(problems(found)).toEqual([
      'mcp-challenge',
      'mcp-challenge-metadata',
      'mcp-challenge-scope',
      'mcp-made-up-token',
    ])
  })
})

describe('the examination', () => {
  it('asks an older server in its own revision', async () => {
    const { parts, guard } = careful()
    const found = await examined({
      ...parts,
      mcp: call => {
        const version = header(call.request, 'mcp-protocol-version')
        if (version === '2026-07-28')
          return [400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'unknown version' } }]
        if (call.method === 'initialize' && call.token !== undefined) {
          const checked = guard(call)
          return checked[0] === 200
            ? result(call.id, { protocolVersion: '2025-11-25', capabilities: {} })
            : checked
        }
        return call.method === 'notifications/initialized' && call.token !== undefined
          ? [202, '']
          : guard(call)
      },
    })
    expect(found.find(({ name }) => name === 'mcp-unauthenticated')).toMatchObject({ result: 'pass' })
  })

  it('says what is not tried for a client that cannot introduce itself', async () => {
    const own = careful()
    const found = await examined({
      ...own.parts,
      documents: documents({}, { registration_endpoint: undefined }),
    })
    expect(problems(found)).toEqual([])
    expect(names(found, 'not_tried')).toEqual(expect.arrayContaining(['honest-flow', 'altered-token']))
  })

  it('has the groups of the authorization server too', async () => {
    const found = await examined(careful().parts, {}, ['discovery', 'registration'])
    expect([...new Set(found.map(({ group }) => group))]).toEqual(['discovery', 'registration'])
  })
})
