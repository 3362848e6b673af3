import { describe, expect, it } from 'vitest'
import { flows } from '../../src/flows/flows.js'
import { isProtectedAddress } from '../../src/flows/metadata/resource-metadata.js'
import { type HttpResponse, jsonResponse, textResponse } from '../../src/protocol/http/message.js'
import {
  collect,
  expectRefused,
  ISSUER,
  outcomeIn,
  RESOURCE,
  stepOf,
  stepsOf,
  type Tamper,
  world,
} from './support/world.js'

const resource = `${RESOURCE}/resource`

async function ask(path: string, tamper?: Tamper, accessToken?: string) {
  const { ports, wanted } = await world({
    ...(tamper && { tamper }),
    wanted: { resource: `${RESOURCE}${path}`, ...(accessToken !== undefined && { accessToken }) },
  })
  return collect(flows.resource.run(ports, wanted))
}

/** Answers every request to the resource server that has a token, or has none, in another way. */
const instead =
  (withToken: boolean, answer: HttpResponse): Tamper =>
  request =>
    request.url.startsWith(RESOURCE) &&
    !request.url.includes('.well-known') &&
    withToken === request.headers.some(([name]) => name === 'authorization')
      ? answer
      : undefined

const challenged = (value: string, status = 401) => textResponse(status, '', [['www-authenticate', value]])

describe('resourceFlow', () => {
  it('hears what is asked for, whom the server trusts, and how it decided', async () => {
    const records = await ask('/resource')
    expect(stepOf(records, 'unauthenticated_request')).toMatchObject({
      checks: [{ name: 'challenge', ok: true }],
      note: expect.stringMatching(/^asks for Bearer/),
    })
    expect(stepOf(records, 'resource_metadata_request').checks).toMatchObject([
      { name: 'resource', detail: RESOURCE },
      { name: 'authorization_servers', detail: ISSUER },
    ])
    const { checks = [], note } = stepOf(records, 'resource_request')
    expect(checks.map(each => each.name)).toEqual(expect.arrayContaining(['signature', 'iss', 'aud', 'exp']))
    expect(note).toBe(`accepted for alice by ${checks.length} checks, keys fetched now`)
  })

  it('takes a token that is there already, and is told why it is not taken', async () => {
    const records = await ask('/resource', undefined, 'abc')
    const names = ['unauthenticated_request', 'resource_metadata_request', 'resource_request']
    expect(stepsOf(records).map(each => each.name)).toEqual(names)
    expectRefused(records, 'invalid_token', 'RFC 6750 §3.1')
    expect(outcomeIn(records).error?.error_description).toContain('JWT')
  })

  it('points out a 401 that does not say what it asks for', async () => {
    const records = await ask('/resource', instead(true, textResponse(401, '')))
    expect(outcomeIn(records).error).toMatchObject({
      error: 'no_token_seen',
      error_description: expect.stringMatching(/401 without a WWW-Authenticate header/),
    })
    expect(stepOf(records, 'resource_request').checks).toMatchObject([
      { name: 'no_token_seen', ok: false },
      { name: 'challenge', ok: false, advice: true, rule: 'RFC 6750 §3' },
    ])
  })

  it.each([
    ['no challenge', textResponse(401, ''), /without WWW-Authenticate/],
    ['no need of a token', textResponse(200, ''), /answered 200 without a token/],
    [
      'metadata on an address in the clear',
      challenged('Bearer resource_metadata="http://x.example/m"'),
      /asks for Bearer/,
    ],
  ])('goes on where there is %s', async (_name, answer, note) => {
    const records = await ask('/resource', instead(false, answer))
    expect(stepOf(records, 'unauthenticated_request').note).toMatch(note)
    expect(stepOf(records, 'resource_metadata_request').exchange?.request.url).toBe(
      `${RESOURCE}/.well-known/oauth-protected-resource/resource`,
    )
    expect(stepOf(records, 'resource_metadata_request').note).toBe('no metadata: 404')
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('gets no token for a resource whose metadata name another authority', async () => {
    const metadata = { resource: RESOURCE, authorization_servers: ['https://evil.example'] }
    const records = await ask('/resource', request =>
      request.url.includes('oauth-protected-resource') ? jsonResponse(200, metadata) : undefined,
    )
    expectRefused(records, 'issuer_mismatch')
    expect(stepsOf(records).at(-1)?.name).toBe('resource_metadata_request')
  })

  it('refuses hostile JSON', async () => {
    const records = await ask('/resource', instead(true, jsonResponse(403, { error: { toString: 1 } })))
    expectRefused(records, 'invalid_response')
    expect(stepOf(records, 'resource_request').checks).toMatchObject([{ ok: false }])
  })

  it('ends flow code too, where a resource is known', async () => {
    const { ports, wanted } = await world({ wanted: { resource } })
    const records = await collect(flows.code.run(ports, wanted))
    expect(stepsOf(records).at(-1)).toMatchObject({ name: 'resource_request', to: 'resource_server' })
  })
})

describe('isProtectedAddress', () => {
  it.each([
    ['https://api.example/x', true],
    ['http://localhost:8444/x', true],
    ['http://127.0.0.1/x', true],
    ['http://[::1]:80', true],
    ['http://api.example', false],
    ['http://localhost.evil.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['ftp://localhost', false],
  ])('%s: %s', (url, expected) => expect(isProtectedAddress(url)).toBe(expected))
})

describe('a token of type mac', () => {
  async function askWithMac(tamper?: Tamper) {
    const { ports, wanted } = await world({
      ...(tamper && { tamper }),
      wanted: { resource, tokenType: 'mac' },
    })
    return collect(flows.resource.run(ports, wanted))
  }

  it('signs the request, and shows that neither its copy nor its name alone is worth anything', async () => {
    const records = await askWithMac()
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', tokens: { token_type: 'mac' } })
    expect(stepOf(records, 'resource_request').checks?.map(each => each.name)).toEqual(
      expect.arrayContaining(['host', 'bodyhash', 'mac', 'nonce']),
    )
    const sent = (name: 'resource_request' | 'replay_request' | 'bearer_request') =>
      stepOf(records, name).exchange?.request.headers.find(([each]) => each === 'authorization')?.[1]
    expect(sent('resource_request')).toMatch(/^MAC id="[^"]+", nonce="0:[^"]+", mac="[^"]+"$/)
    expect(sent('replay_request')).toBe(sent('resource_request'))
    expect(sent('bearer_request')).toMatch(/^Bearer /)
    const statuses = stepsOf(records).map(({ exchange }) => exchange?.response?.status)
    expect(statuses.slice(-3)).toEqual([200, 401, 401])
  })

  it('is refused where the server gives another type, or a key that cannot be used', async () => {
    const answering =
      (members: Record<string, unknown>): Tamper =>
      request =>
        request.url === `${ISSUER}/token` ? jsonResponse(200, { access_token: 'x', ...members }) : undefined
    const bearer = await askWithMac(answering({ token_type: 'Bearer' }))
    expectRefused(bearer, 'unsupported_token_type')
    const unknown = await askWithMac(answering({ token_type: 'mac', mac_key: 'k', mac_algorithm: 'md5' }))
    expectRefused(unknown, 'invalid_response')
  })
})
