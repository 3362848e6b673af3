import { describe, expect, it } from 'vitest'
import { mcpFlow } from '../../../src/flows/mcp/flow.js'
import type { McpOptions } from '../../../src/flows/mcp/options.js'
import { mcpPlan } from '../../../src/flows/mcp/plan.js'
import type { GivenClient } from '../../../src/flows/mcp/register.js'
import type { Outcome, Step } from '../../../src/flows/step.js'
import { header, text } from '../../../src/protocol/http/message.js'
import { isBreach } from '../../../src/protocol/oauth/check.js'
import {
  type Answered,
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

/** Walks the flow against these servers. */
async function walk(parts: Partial<Parts> = {}, more: Partial<McpOptions> = {}) {
  const world = mcpWorld(parts)
  const records = await collect(mcpFlow(world.ports, { ...options, ...more }))
  const steps = records.filter((each): each is Step => each.type === 'step')
  const outcome = records.at(-1) as Outcome
  return { ...world, steps, outcome, names: steps.map(({ name }) => name) }
}

const prm = 'https://mcp.example/.well-known/oauth-protected-resource'
const documents = (resource: Answered, server: Answered = [200, metadata]) => ({
  [`${prm}/mcp`]: resource,
  [`${ISSUER}/.well-known/oauth-authorization-server`]: server,
})

describe('the whole way', () => {
  it('goes from a refused request to the tools', async () => {
    const { names, outcome, asked, sent, steps } = await walk()
    expect(names).toEqual([
      'unauthenticated_request',
      'resource_metadata_request',
      'discovery_request',
      'client_registration',
      'authorization_request',
      'login_form',
      'authorization_response',
      'token_request',
      'tools_request',
    ])
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { access_token: 'token-for-all' } })
    expect(steps.flatMap(({ checks = [] }) => checks).filter(isBreach)).toEqual([])
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({
      client_id: 'registered',
      resource: MCP,
      scope: 'a',
      code_challenge_method: 'S256',
    })
    const form = new URLSearchParams(text(sent.find(({ url }) => url.endsWith('/token'))!.body))
    expect(Object.fromEntries(form)).toMatchObject({ resource: MCP, code: 'code-1', client_id: 'registered' })
    expect(header(sent.at(-1)!, 'authorization')).toBe('Bearer token-for-all')
  })

  it.each(['2025-06-18', '2025-11-25'] as const)('begins with initialize in %s', async revision => {
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge()]
      if (method === 'initialize')
        return [
          200,
          { jsonrpc: '2.0', id, result: { protocolVersion: revision } },
          [['mcp-session-id', 's1']],
        ]
      return method === 'notifications/initialized' ? [202, ''] : result(id)
    }
    const { names, sent, outcome } = await walk({ mcp }, { revision })
    expect(outcome.outcome).toBe('granted')
    expect(names.slice(-3)).toEqual(['initialize_request', 'initialized_notification', 'tools_request'])
    for (const request of sent.slice(-2)) {
      expect(header(request, 'mcp-session-id')).toBe('s1')
      expect(header(request, 'mcp-protocol-version')).toBe(revision)
    }
  })

  it('asks the origin of the server in 2025-03-26, and uses default addresses there', async () => {
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '']
      if (method === 'initialize') return result(id, { protocolVersion: '2025-03-26' })
      return method === 'notifications/initialized' ? [202, ''] : result(id)
    }
    const land = (url: URL) => {
      const landed = new URL(url.searchParams.get('redirect_uri') ?? '')
      landed.searchParams.set('code', 'c')
      landed.searchParams.set('state', url.searchParams.get('state') ?? '')
      return landed.href
    }
    const { outcome, asked, sent } = await walk({ mcp, land, documents: {} }, { revision: '2025-03-26' })
    expect(outcome.outcome).toBe('granted')
    expect(asked[0]!.href).toMatch(/^https:\/\/mcp\.example\/authorize\?/)
    expect(asked[0]!.searchParams.has('resource')).toBe(false)
    expect(sent.map(({ url }) => url)).toContain('https://mcp.example/.well-known/oauth-authorization-server')
    expect(sent.some(({ url }) => url.includes('oauth-protected-resource'))).toBe(false)
  })

  it('names the newer revisions where that origin has no authorization server', async () => {
    const { outcome } = await walk(
      { documents: {}, register: () => [404, 'Not found', [['content-type', 'text/plain']]] },
      { revision: '2025-03-26' },
    )
    expect(outcome.error).toMatchObject({
      error: 'invalid_response',
      hints: [expect.stringContaining('leave --revision out')],
    })
  })

  it('goes on with initialize where the server speaks no stateless revision', async () => {
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge()]
      if (method === 'initialize') return result(id, { protocolVersion: '2025-06-18' })
      if (method === 'notifications/initialized') return [202, '']
      return method === 'tools/list' && id === 2 ? [400, 'Bad Request: no session'] : result(id)
    }
    const { names, outcome } = await walk({ mcp })
    expect(outcome.outcome).toBe('granted')
    expect(names.slice(-4)).toEqual([
      'tools_request',
      'initialize_request',
      'initialized_notification',
      'tools_request',
    ])
  })

  it('chooses a revision that a modern server names, and none when one was demanded', async () => {
    const mcp: Parts['mcp'] = ({ token, id, method, request }) => {
      if (token === undefined) return [401, '', challenge()]
      if (header(request, 'mcp-protocol-version') === '2026-07-28') {
        const data = { supported: ['2025-11-25', '2025-06-18', '1900-01-01'] }
        return [400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data } }]
      }
      if (method === 'initialize') return result(id, { protocolVersion: '2025-11-25' })
      return method === 'notifications/initialized' ? [202, ''] : result(id)
    }
    expect((await walk({ mcp })).outcome.outcome).toBe('granted')
    const demanded = await walk({ mcp }, { revision: '2026-07-28' })
    expect(demanded.outcome).toMatchObject({ outcome: 'refused', error: { error: 'mcp_error' } })
  })

  it('needs no token where the server asks for none', async () => {
    const { names, outcome } = await walk({ mcp: ({ id }) => result(id) })
    expect(names).toEqual(['unauthenticated_request'])
    expect(outcome).toEqual({ type: 'outcome', outcome: 'granted' })
  })

  it('plans the steps that it makes', async () => {
    const { steps } = await walk()
    const planned = mcpPlan(options).map(({ name }) => name)
    for (const { name } of steps) expect(planned).toContain(name)
    expect(steps.map(({ n }) => n)).toEqual(steps.map((_, i) => i + 1))
  })
})

describe('step-up', () => {
  const call = { name: 'write', arguments: {} }
  const insufficient = (scope?: string): Answered => [
    403,
    '',
    challenge(`, error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`),
  ]

  it('asks for old and new scopes together', async () => {
    let writes = 0
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge(', scope="a"')]
      if (method !== 'tools/call') return result(id)
      writes += 1
      return writes === 1 ? insufficient('b') : result(id, { content: [] })
    }
    const { asked, outcome } = await walk({ mcp }, { call })
    expect(outcome.outcome).toBe('granted')
    expect(asked.map(each => each.searchParams.get('scope'))).toEqual(['a', 'a b'])
  })

  it('stops after two', async () => {
    let n = 0
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge(', scope="a"')]
      if (method !== 'tools/call') return result(id)
      n += 1
      return insufficient(`b${n}`)
    }
    const { asked, outcome } = await walk({ mcp }, { call })
    expect(asked.map(each => each.searchParams.get('scope'))).toEqual(['a', 'a b1', 'a b1 b2'])
    expect(outcome).toMatchObject({ outcome: 'refused', error: { error: 'insufficient_scope' } })
  })

  it.each([
    ['names no scope', undefined],
    ['asks for what the token has', 'a'],
  ])('asks for nothing where the challenge %s', async (_what, scope) => {
    const mcp: Parts['mcp'] = ({ token }) =>
      token === undefined ? [401, '', challenge(', scope="a"')] : insufficient(scope)
    const { asked, outcome } = await walk({ mcp })
    expect(asked).toHaveLength(1)
    expect(outcome).toMatchObject({ outcome: 'refused', error: { error: 'insufficient_scope' } })
  })
  it.each([
    ['b', "ask for the scope it needs: --scope 'a b1 b2 b3'"],
    [undefined, 'report it to the people who run the MCP server: the answer names no scope'],
    ['a', 'report it to the people who run the MCP server: the token has that scope already'],
    ["b'", undefined],
  ])('that ends at a need for %s names the next move', async (needed, hint) => {
    let n = 0
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge(', scope="a"')]
      if (method !== 'tools/call') return result(id)
      n += 1
      return insufficient(needed?.startsWith('b') ? `${needed}${n}` : needed)
    }
    const { outcome } = await walk({ mcp }, { call })
    expect(outcome.error?.hints).toEqual(hint === undefined ? undefined : [hint])
  })
})

describe('an address without an MCP server', () => {
  it.each<[answered: Answered]>([
    [[404, 'not found']],
    [[200, '<p>', [['content-type', 'text/html']]]],
    [[405, '']],
  ])('is to be checked: %j', async answered => {
    const { outcome } = await walk({ mcp: () => answered })
    expect(outcome.error?.hints).toEqual([expect.stringMatching(/^check the address/)])
  })
})

describe('a tool that fails', () => {
  it.each<[content: unknown, description: string]>([
    [[{ type: 'text', text: 'no such day' }], 'the tool write reports an error: no such day'],
    [[{ type: 'image' }, 7], 'the tool write reports an error'],
    ['none', 'the tool write reports an error'],
    [[{ type: 'text', text: 'x'.repeat(9999) }], `the tool write reports an error: ${'x'.repeat(300)}`],
  ])('refuses the call: %#', async (content, description) => {
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge()]
      return method === 'tools/call' ? result(id, { content, isError: true }) : result(id)
    }
    const { outcome, steps } = await walk({ mcp }, { call: { name: 'write', arguments: {} } })
    expect(outcome).toMatchObject({
      outcome: 'refused',
      error: { error: 'mcp_error', error_description: description, rule: 'MCP 2026-07-28 Tools §6' },
    })
    expect(steps.at(-1)).toMatchObject({ name: 'tool_call', checks: [{ ok: false }] })
  })
})

describe('another authorization server on the way', () => {
  const second = 'https://second.example'
  const at = (issuer: string) => ({
    ...metadata,
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
  })

  function moving() {
    let moved = false
    const live: Record<string, Answered> = {
      [`${prm}/mcp`]: [200, resourceMetadata],
      [`${ISSUER}/.well-known/oauth-authorization-server`]: [200, at(ISSUER)],
      [`${second}/.well-known/oauth-authorization-server`]: [200, at(second)],
    }
    const mcp: Parts['mcp'] = ({ token, id, method }) => {
      if (token === undefined) return [401, '', challenge()]
      if (method === 'tools/call' && !moved) {
        moved = true
        live[`${prm}/mcp`] = [200, { ...resourceMetadata, authorization_servers: [second] }]
        return [401, '', challenge(', error="invalid_token"')]
      }
      return result(id)
    }
    const land = (url: URL) => {
      const landed = new URL(url.searchParams.get('redirect_uri') ?? '')
      landed.searchParams.set('code', 'c')
      landed.searchParams.set('state', url.searchParams.get('state') ?? '')
      landed.searchParams.set('iss', url.origin)
      return landed.href
    }
    return { documents: live, mcp, land }
  }
  const call = { name: 'x', arguments: {} }

  it('gets a registration of its own', async () => {
    let n = 0
    const register = (): Answered => {
      n += 1
      return [201, { client_id: `client-${n}`, client_secret: `secret-${n}` }]
    }
    const { asked, sent, outcome } = await walk({ ...moving(), register }, { call })
    expect(outcome.outcome).toBe('granted')
    expect(asked.map(each => [each.origin, each.searchParams.get('client_id')])).toEqual([
      [ISSUER, 'client-1'],
      [second, 'client-2'],
    ])
    const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const tokens = sent.filter(({ url }) => url.endsWith('/token'))
    expect(tokens.map(each => header(each, 'authorization'))).toEqual([
      basic('client-1', 'secret-1'),
      basic('client-2', 'secret-2'),
    ])
  })

  it('never sees a client that was given for the first', async () => {
    const given = { clientId: 'mine', clientSecret: 'secret-of-mine', issuer: ISSUER }
    const { sent, asked, outcome } = await walk(moving(), { call, given })
    expect(outcome).toMatchObject({ outcome: 'refused', error: { error: 'issuer_mismatch' } })
    expect(asked.map(({ origin }) => origin)).toEqual([ISSUER])
    expect(sent.some(({ url }) => url.startsWith(second))).toBe(false)
  })
})

describe('lies', () => {
  const evil = 'https://evil.example'
  const html: Answered = [200, '<html>', [['content-type', 'text/html']]]
  const other: readonly (readonly [what: string, parts: Partial<Parts>, code: string])[] = [
    [
      'metadata of another resource',
      { documents: documents([200, { ...resourceMetadata, resource: `${evil}/mcp` }]) },
      'resource_mismatch',
    ],
    ['metadata that is a page', { documents: documents(html) }, 'invalid_response'],
    [
      'metadata that leads elsewhere',
      { documents: documents([302, '', [['location', evil]]]) },
      'invalid_metadata',
    ],
    [
      'metadata of another issuer',
      { documents: documents([200, resourceMetadata], [200, { ...metadata, issuer: evil }]) },
      'issuer_mismatch',
    ],
    [
      'an issuer with a slash more',
      { documents: documents([200, resourceMetadata], [200, { ...metadata, issuer: `${ISSUER}/` }]) },
      'issuer_mismatch',
    ],
    [
      'no PKCE',
      {
        documents: documents(
          [200, resourceMetadata],
          [200, { ...metadata, code_challenge_methods_supported: undefined }],
        ),
      },
      'no_pkce',
    ],
    [
      'plain PKCE alone',
      {
        documents: documents(
          [200, resourceMetadata],
          [200, { ...metadata, code_challenge_methods_supported: ['plain'] }],
        ),
      },
      'no_pkce',
    ],
    [
      'a token endpoint without TLS',
      {
        documents: documents(
          [200, resourceMetadata],
          [200, { ...metadata, token_endpoint: 'http://id.example/token' }],
        ),
      },
      'invalid_metadata',
    ],
    [
      'a token that ends its header',
      { token: () => [200, { access_token: 'a\r\nX: y', token_type: 'Bearer' }] },
      'invalid_response',
    ],
    [
      'a challenge to a file',
      { mcp: () => [401, '', [['www-authenticate', 'Bearer resource_metadata="file:///etc/passwd"']]] },
      'invalid_metadata',
    ],
    [
      'a redirect of the first request',
      { mcp: () => [307, '', [['location', `${evil}/mcp`]]] },
      'invalid_response',
    ],
    [
      'a redirect of a request with the token',
      {
        mcp: ({ token }) =>
          token === undefined ? [401, '', challenge()] : [307, '', [['location', `${evil}/mcp`]]],
      },
      'invalid_response',
    ],
    [
      'a redirect of the token request',
      { token: () => [307, '', [['location', `${evil}/token`]]] },
      'invalid_response',
    ],
    [
      'a page for tools',
      { mcp: ({ token }) => (token === undefined ? [401, '', challenge()] : html) },
      'invalid_response',
    ],
    [
      'a token that is never taken',
      { mcp: () => [401, '', challenge(', error="invalid_token"')] },
      'invalid_token',
    ],
    [
      'a refused registration',
      { register: () => [400, { error: 'invalid_redirect_uri' }] },
      'invalid_redirect_uri',
    ],
    [
      'a foreign iss',
      {
        land: url =>
          `${url.searchParams.get('redirect_uri')}?code=c&state=${url.searchParams.get('state')}&iss=${evil}`,
      },
      'issuer_mismatch',
    ],
    [
      'a missing iss',
      {
        land: url => `${url.searchParams.get('redirect_uri')}?code=c&state=${url.searchParams.get('state')}`,
      },
      'issuer_mismatch',
    ],
  ]

  it.each(other)('%s is named, and nothing leaks', async (_what, parts, code) => {
    const { outcome, sent, steps } = await walk(parts)
    expect(outcome.error?.error).toBe(code)
    expect(outcome.error?.rule).toMatch(/§/)
    expect(sent.some(({ url }) => url.startsWith(evil))).toBe(false)
    for (const { url, headers, body } of sent) {
      const carries = /token-for/.test(`${JSON.stringify(headers)}${text(body)}`)
      if (carries) expect(url).toBe(MCP)
    }
    expect(steps.at(-1)?.checks?.some(isBreach)).toBe(true)
  })

  it.each([
    ['authorization_endpoint', 'javascript:alert(1)', 'authorization_endpoint is not an absolute URL'],
    ['authorization_endpoint', undefined, 'authorization_endpoint is missing'],
    ['token_endpoint', 7, 'token_endpoint is not an absolute URL'],
  ])('%s %j ends the flow before a client is registered', async (name, value, description) => {
    const { outcome, sent, steps } = await walk({
      documents: documents([200, resourceMetadata], [200, { ...metadata, [name]: value }]),
    })
    expect(outcome.error).toMatchObject({
      error: 'invalid_metadata',
      error_description: description,
      hints: [expect.stringContaining('doctor --mcp URL')],
    })
    expect(steps.at(-1)).toMatchObject({ name: 'discovery_request' })
    expect(steps.at(-1)?.checks?.filter(isBreach)).toMatchObject([{ name, detail: description }])
    expect(sent.some(({ url }) => url === metadata.registration_endpoint)).toBe(false)
  })

  it('has the issuer of a given client pointed out where the MCP server alone names it', async () => {
    const registered = async (given: GivenClient) => {
      const { steps } = await walk({}, { given })
      return steps
        .find(({ name }) => name === 'client_registration')
        ?.checks?.find(({ name }) => name === 'issuer')
    }
    expect(await registered({ clientId: 'app' })).toMatchObject({ ok: false, advice: true })
    expect(await registered({ clientId: 'app', issuer: ISSUER })).toMatchObject({ ok: true })
  })

  it('shows no error of a foreign issuer, in no step and not at the end', async () => {
    const land = (url: URL) =>
      `${url.searchParams.get('redirect_uri')}?error=access_denied&error_description=Call+555&state=${url.searchParams.get('state')}&iss=${evil}`
    const { outcome, steps } = await walk({ land })
    expect(outcome.error?.error).toBe('issuer_mismatch')
    expect(JSON.stringify([outcome, steps])).not.toMatch(/555|access_denied/)
  })

  it('shows an error of the right issuer', async () => {
    const land = (url: URL) =>
      `${url.searchParams.get('redirect_uri')}?error=access_denied&error_description=Not+today&state=${url.searchParams.get('state')}&iss=${ISSUER}`
    expect((await walk({ land })).outcome.error).toMatchObject({
      error: 'access_denied',
      error_description: 'Not today',
    })
  })
})
