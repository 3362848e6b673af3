import { describe, expect, it } from 'vitest'
import { mcpFlow } from '../../../src/flows/mcp/flow.js'
import type { McpOptions } from '../../../src/flows/mcp/options.js'
import { mcpPlan } from '../../../src/flows/mcp/plan.js'
import type { GivenClient } from '../../../src/flows/mcp/register.js'
import type { Outcome, Step } from '../../../src/flows/step.js'
import { type Header, header, text } from '../../../src/protocol/http/message.js'
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
import { expectRefused } from '../support/records.js'

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
const published = (more: object) => ({
  documents: documents([200, resourceMetadata], [200, { ...metadata, ...more }]),
})

type Asked = Parameters<Parts['mcp']>[0]
/** A server that asks for a token, answers these methods in its own way, and all others with a result. */
const serving =
  (
    answers: Readonly<Record<string, (asked: Asked) => Answered | undefined>>,
    first = challenge(),
  ): Parts['mcp'] =>
  asked => {
    if (asked.token === undefined) return [401, '', first]
    const usual: Answered = asked.method === 'notifications/initialized' ? [202, ''] : result(asked.id)
    return answers[asked.method]?.(asked) ?? usual
  }
const agreeing =
  (protocolVersion: string) =>
  ({ id }: Asked) =>
    result(id, { protocolVersion })

/** The answer of the authorization server, with more parameters. */
const landing = (more: string) => (url: URL) =>
  `${url.searchParams.get('redirect_uri')}?state=${url.searchParams.get('state')}&${more}`

describe('the whole way', () => {
  it('goes from a refused request to the tools', async () => {
    const { names, outcome, asked, sent, steps } = await walk()
    expect(names).toEqual([
      ...['unauthenticated_request', 'resource_metadata_request', 'discovery_request', 'client_registration'],
      ...['authorization_request', 'login_form', 'authorization_response', 'token_request', 'tools_request'],
    ])
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { access_token: 'token-for-all' } })
    expect(steps.flatMap(({ checks = [] }) => checks).filter(isBreach)).toEqual([])
    const about = { client_id: 'registered', resource: MCP }
    const query = Object.fromEntries(asked[0]!.searchParams)
    expect(query).toMatchObject({ ...about, scope: 'a', code_challenge_method: 'S256' })
    const form = new URLSearchParams(text(sent.find(({ url }) => url.endsWith('/token'))!.body))
    expect(Object.fromEntries(form)).toMatchObject({ ...about, code: 'code-1' })
    expect(header(sent.at(-1)!, 'authorization')).toBe('Bearer token-for-all')
  })

  it.each(['2025-06-18', '2025-11-25'] as const)('begins with initialize in %s', async revision => {
    const mcp = serving({
      initialize: ({ id }) => {
        const [status, answer] = result(id, { protocolVersion: revision })
        return [status, answer, [['mcp-session-id', 's1']]]
      },
    })
    const { names, sent, outcome } = await walk({ mcp }, { revision })
    expect(outcome.outcome).toBe('granted')
    expect(names.slice(-3)).toEqual(['initialize_request', 'initialized_notification', 'tools_request'])
    for (const request of sent.slice(-2)) {
      expect(header(request, 'mcp-session-id')).toBe('s1')
      expect(header(request, 'mcp-protocol-version')).toBe(revision)
    }
  })

  it('asks the origin of the server in 2025-03-26, and uses default addresses there', async () => {
    const mcp = serving({ initialize: agreeing('2025-03-26') }, [])
    const parts = { mcp, land: landing('code=c'), documents: {} }
    const { outcome, asked, sent } = await walk(parts, { revision: '2025-03-26' })
    expect(outcome.outcome).toBe('granted')
    expect(asked[0]!.href).toMatch(/^https:\/\/mcp\.example\/authorize\?/)
    expect(asked[0]!.searchParams.has('resource')).toBe(false)
    expect(sent.map(({ url }) => url)).toContain('https://mcp.example/.well-known/oauth-authorization-server')
    expect(sent.some(({ url }) => url.includes('oauth-protected-resource'))).toBe(false)
  })

  it('names the newer revisions where that origin has no authorization server', async () => {
    const register = (): Answered => [404, 'Not found', [['content-type', 'text/plain']]]
    const { outcome } = await walk({ documents: {}, register }, { revision: '2025-03-26' })
    const hints = [expect.stringContaining('leave --revision out')]
    expect(outcome.error).toMatchObject({ error: 'invalid_response', hints })
  })

  it('goes on with initialize where the server speaks no stateless revision', async () => {
    const mcp = serving({
      initialize: agreeing('2025-06-18'),
      'tools/list': ({ id }) => (id === 2 ? [400, 'Bad Request: no session'] : undefined),
    })
    const { names, outcome } = await walk({ mcp })
    expect(outcome.outcome).toBe('granted')
    const handshake = ['initialize_request', 'initialized_notification']
    expect(names.slice(-4)).toEqual(['tools_request', ...handshake, 'tools_request'])
  })

  it('chooses a revision that a modern server names, and none when one was demanded', async () => {
    const modern = serving({ initialize: agreeing('2025-11-25') })
    const mcp: Parts['mcp'] = asked => {
      const { token, id, request } = asked
      if (token === undefined || header(request, 'mcp-protocol-version') !== '2026-07-28')
        return modern(asked)
      const data = { supported: ['2025-11-25', '2025-06-18', '1900-01-01'] }
      return [400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'no', data } }]
    }
    expect((await walk({ mcp })).outcome.outcome).toBe('granted')
    const demanded = await walk({ mcp }, { revision: '2026-07-28' })
    expectRefused(demanded.outcome, 'mcp_error')
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
  const scopesOf = (asked: readonly URL[]) => asked.map(each => each.searchParams.get('scope'))
  const insufficient = (scope?: string): Answered => [
    403,
    '',
    challenge(`, error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`),
  ]
  /** A server whose tool needs these scopes, one after the other. */
  function needing(scopes: (count: number) => string | undefined, last = Number.POSITIVE_INFINITY) {
    let n = 0
    const called = ({ id }: Asked) => {
      n += 1
      return n > last ? result(id, { content: [] }) : insufficient(scopes(n))
    }
    return serving({ 'tools/call': called }, challenge(', scope="a"'))
  }

  it('asks for old and new scopes together', async () => {
    const { asked, outcome } = await walk({ mcp: needing(() => 'b', 1) }, { call })
    expect(outcome.outcome).toBe('granted')
    expect(scopesOf(asked)).toEqual(['a', 'a b'])
  })

  it('stops after two', async () => {
    const { asked, outcome } = await walk({ mcp: needing(n => `b${n}`) }, { call })
    expect(scopesOf(asked)).toEqual(['a', 'a b1', 'a b1 b2'])
    expectRefused(outcome, 'insufficient_scope')
  })

  it.each([
    ['names no scope', undefined],
    ['asks for what the token has', 'a'],
  ])('asks for nothing where the challenge %s', async (_what, scope) => {
    const mcp = serving({ 'tools/list': () => insufficient(scope) }, challenge(', scope="a"'))
    const { asked, outcome } = await walk({ mcp })
    expect(asked).toHaveLength(1)
    expectRefused(outcome, 'insufficient_scope')
  })

  const report = 'report it to the people who run the MCP server:'
  it.each([
    ['b', "ask for the scope it needs: --scope 'a b1 b2 b3'"],
    [undefined, `${report} the answer names no scope`],
    ['a', `${report} the token has that scope already`],
    ["b'", undefined],
  ])('that ends at a need for %s names the next move', async (needed, hint) => {
    const mcp = needing(n => (needed?.startsWith('b') ? `${needed}${n}` : needed))
    const { outcome } = await walk({ mcp }, { call })
    expect(outcome.error?.hints).toEqual(hint === undefined ? undefined : [hint])
  })
})

it.each<[answered: Answered]>([
  [[404, 'not found']],
  [[200, '<p>', [['content-type', 'text/html']]]],
  [[405, '']],
])('an address without an MCP server is to be checked: %j', async answered => {
  const { outcome } = await walk({ mcp: () => answered })
  expect(outcome.error?.hints).toEqual([expect.stringMatching(/^check the address/)])
})

it.each<[content: unknown, description: string]>([
  [[{ type: 'text', text: 'no such day' }], 'the tool write reports an error: no such day'],
  [[{ type: 'image' }, 7], 'the tool write reports an error'],
  ['none', 'the tool write reports an error'],
  [[{ type: 'text', text: 'x'.repeat(9999) }], `the tool write reports an error: ${'x'.repeat(300)}`],
])('a tool that fails refuses the call: %#', async (content, description) => {
  const mcp = serving({ 'tools/call': ({ id }) => result(id, { content, isError: true }) })
  const { outcome, steps } = await walk({ mcp }, { call: { name: 'write', arguments: {} } })
  expect(outcome).toMatchObject({
    outcome: 'refused',
    error: { error: 'mcp_error', error_description: description, rule: 'MCP 2026-07-28 Tools §6' },
  })
  expect(steps.at(-1)).toMatchObject({ name: 'tool_call', checks: [{ ok: false }] })
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
    const called = (): Answered | undefined => {
      if (moved) return undefined
      moved = true
      live[`${prm}/mcp`] = [200, { ...resourceMetadata, authorization_servers: [second] }]
      return [401, '', challenge(', error="invalid_token"')]
    }
    const land = (url: URL) => landing(`code=c&iss=${encodeURIComponent(url.origin)}`)(url)
    return { documents: live, mcp: serving({ 'tools/call': called }), land }
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
    expectRefused(outcome, 'issuer_mismatch')
    expect(asked.map(({ origin }) => origin)).toEqual([ISSUER])
    expect(sent.some(({ url }) => url.startsWith(second))).toBe(false)
  })
})

describe('lies', () => {
  const evil = 'https://evil.example'
  const html: Answered = [200, '<html>', [['content-type', 'text/html']]]
  const to = (place: string): Header[] => [['location', `${evil}/${place}`]]
  const other: readonly (readonly [what: string, parts: Partial<Parts>, code: string])[] = [
    [
      'metadata of another resource',
      { documents: documents([200, { ...resourceMetadata, resource: `${evil}/mcp` }]) },
      'resource_mismatch',
    ],
    ['metadata that is a page', { documents: documents(html) }, 'invalid_response'],
    ['metadata that leads elsewhere', { documents: documents([302, '', to('')]) }, 'invalid_metadata'],
    ['metadata of another issuer', published({ issuer: evil }), 'issuer_mismatch'],
    ['an issuer with a slash more', published({ issuer: `${ISSUER}/` }), 'issuer_mismatch'],
    ['no PKCE', published({ code_challenge_methods_supported: undefined }), 'no_pkce'],
    ['plain PKCE alone', published({ code_challenge_methods_supported: ['plain'] }), 'no_pkce'],
    [
      'a token endpoint without TLS',
      published({ token_endpoint: 'http://id.example/token' }),
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
    ['a redirect of the first request', { mcp: () => [307, '', to('mcp')] }, 'invalid_response'],
    [
      'a redirect of a request with the token',
      { mcp: serving({ 'tools/list': () => [307, '', to('mcp')] }) },
      'invalid_response',
    ],
    ['a redirect of the token request', { token: () => [307, '', to('token')] }, 'invalid_response'],
    ['a page for tools', { mcp: serving({ 'tools/list': () => html }) }, 'invalid_response'],
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
    ['a foreign iss', { land: landing(`code=c&iss=${evil}`) }, 'issuer_mismatch'],
    ['a missing iss', { land: landing('code=c') }, 'issuer_mismatch'],
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
    const { outcome, sent, steps } = await walk(published({ [name]: value }))
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

  const denied = (why: string, iss: string) =>
    landing(`error=access_denied&error_description=${why}&iss=${iss}`)

  it('shows no error of a foreign issuer, in no step and not at the end', async () => {
    const { outcome, steps } = await walk({ land: denied('Call+555', evil) })
    expect(outcome.error?.error).toBe('issuer_mismatch')
    expect(JSON.stringify([outcome, steps])).not.toMatch(/555|access_denied/)
  })

  it('shows an error of the right issuer', async () => {
    const { error } = (await walk({ land: denied('Not+today', ISSUER) })).outcome
    expect(error).toMatchObject({ error: 'access_denied', error_description: 'Not today' })
  })
})
