import { describe, expect, it } from 'vitest'
import { discoverIssuer } from '../../../src/flows/metadata/discovery.js'
import { opened, openedPlan } from '../../../src/flows/plans/opening.js'
import type { FlowRecord, Step } from '../../../src/flows/step.js'
import { TransportError } from '../../../src/protocol/errors.js'
import type { HttpResponse } from '../../../src/protocol/http/message.js'
import { bytes, jsonResponse, splitUrl, textResponse } from '../../../src/protocol/http/message.js'
import { type Ask, page } from '../../support/ask.js'
import { sendTo } from '../support/network.js'

const issuer = 'https://as.test'
const good = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
}
const html = page('<h1>Welcome to the app</h1>')
const openId = '/.well-known/openid-configuration'

const find = (handle: Ask, name = issuer) =>
  discoverIssuer(name, sendTo({ [new URL(name).origin]: handle }), new AbortController().signal)

const wrongIn = ({ steps }: { steps: readonly Step[] }) =>
  steps.at(-1)?.checks?.flatMap(({ ok, name }) => (ok ? [] : [name])) ?? []

describe('discoverIssuer', () => {
  it('finds the metadata and has nothing to point out', async () => {
    const found = await find(async () => jsonResponse(200, good))
    expect(found.metadata).toEqual(good)
    expect(found.steps).toHaveLength(1)
    expect(found.steps[0]).toMatchObject({ name: 'discovery_request', n: 1, of: 1, note: 'issuer ok' })
    expect(wrongIn(found)).toEqual([])
  })

  it.each([
    ['a 404', textResponse(404, 'no')],
    ['the page of an application', html],
    ['broken JSON', { ...jsonResponse(200, {}), body: bytes('{') }],
  ])('goes on to RFC 8414 after %s', async (_what, answer) => {
    const found = await find(async ({ url }) =>
      splitUrl(url).path === openId ? answer : jsonResponse(200, good),
    )
    expect(found.metadata?.issuer).toBe(issuer)
    expect(found.steps.map(({ repeats, checks }) => [repeats, checks?.[0]?.ok])).toEqual([
      [true, false],
      [undefined, true],
    ])
  })

  it.each([
    ['no jwks_uri', { jwks_uri: undefined }, ['jwks_uri']],
    ['a list that is none', { scopes_supported: 'openid' }, ['metadata']],
    ['an address that is none', { userinfo_endpoint: '/me' }, ['metadata']],
  ])('points out %s, and goes on', async (_what, change, wrong) => {
    const found = await find(async () => jsonResponse(200, { ...good, ...change }))
    expect(found.error).toBeUndefined()
    expect(found.metadata).toBeDefined()
    expect(wrongIn(found)).toEqual(wrong)
    expect(found.steps[0]?.note).toContain(wrong[0])
  })

  it('leaves out what cannot be used', async () => {
    const found = await find(async () => jsonResponse(200, { ...good, userinfo_endpoint: 7 }))
    expect(found.metadata).not.toHaveProperty('userinfo_endpoint')
  })

  it.each([
    ['nothing', textResponse(404, ''), 'invalid_metadata'],
    ['an HTML page everywhere', html, 'invalid_response'],
    ['another issuer', jsonResponse(200, { ...good, issuer: 'https://evil.test' }), 'issuer_mismatch'],
    ['the same with a slash', jsonResponse(200, { ...good, issuer: `${issuer}/` }), 'issuer_mismatch'],
    ['no issuer', jsonResponse(200, { token_endpoint: `${issuer}/token` }), 'issuer_mismatch'],
    [
      'a token endpoint in the clear',
      jsonResponse(200, { ...good, token_endpoint: 'http://as.test/token' }),
      'invalid_metadata',
    ],
    [
      'a redirect',
      { status: 302, headers: [['location', 'https://evil.test']], body: bytes('') },
      'invalid_metadata',
    ],
    ['a list', jsonResponse(200, []), 'invalid_response'],
  ] as [string, HttpResponse, string][])('refuses %s, and shows what came', async (_what, answer, code) => {
    const found = await find(async () => answer)
    expect(found.metadata).toBeUndefined()
    expect(found.error).toMatchObject({ code, rule: expect.stringMatching(/^RFC 8414/) })
    expect(found.steps.at(-1)?.checks).toMatchObject([{ ok: false }])
  })

  it('asks nowhere else after a document of another issuer', async () => {
    const asked: string[] = []
    const found = await find(async ({ url }) => {
      asked.push(url)
      return jsonResponse(200, { ...good, issuer: 'https://evil.test' })
    })
    expect(asked).toHaveLength(1)
    expect(found.steps[0]).not.toHaveProperty('repeats')
    expect(found.steps[0]?.checks?.[0]).toMatchObject({ name: 'iss', ok: false })
  })

  it('asks at both addresses, and the last answer is final', async () => {
    const { steps, error } = await find(async () => textResponse(404, ''))
    expect(steps.map(({ repeats }) => repeats)).toEqual([true, undefined])
    expect(steps[0]?.checks?.[0]?.name).toBe('metadata')
    expect(error).toMatchObject({ description: expect.stringContaining(openId) })
  })

  it('hands over that nobody answers', async () => {
    const found = await find(async () => {
      throw new TransportError('cannot reach', 'ECONNREFUSED')
    })
    expect(found).toMatchObject({ steps: [], error: { code: 'ECONNREFUSED' } })
  })

  it('takes http on this machine, and says so', async () => {
    const local = 'http://localhost:8080'
    const metadata = { ...good, issuer: local, token_endpoint: `${local}/token`, jwks_uri: `${local}/jwks` }
    const there = { ...metadata, authorization_endpoint: `${local}/auth` }
    expect(wrongIn(await find(async () => jsonResponse(200, there), local))).toEqual(['https'])
    const away = { ...there, token_endpoint: 'http://as.test/token' }
    expect((await find(async () => jsonResponse(200, away), local)).error).toMatchObject({
      description: 'token_endpoint is not https',
    })
  })
})

it('an opening comes first, and all is counted through', async () => {
  const { steps } = await find(async ({ url }) =>
    splitUrl(url).path === openId ? textResponse(404, '') : jsonResponse(200, good),
  )
  const step = { ...steps[0]!, name: 'token_request', n: 1, of: 2 } as const
  async function* flow(): AsyncGenerator<FlowRecord, void, void> {
    yield step
    yield { type: 'outcome', outcome: 'granted' }
  }
  const records: FlowRecord[] = []
  for await (const record of opened(steps, 2, flow())) records.push(record)
  expect(records.map(each => (each.type === 'step' ? [each.name, each.n, each.of] : each.outcome))).toEqual([
    ['discovery_request', 1, 3],
    ['discovery_request', 1, 3],
    ['token_request', 2, 3],
    'granted',
  ])
  expect(openedPlan(steps, [step]).map(({ name }) => name)).toEqual(['discovery_request', 'token_request'])
})
