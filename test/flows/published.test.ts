import { describe, expect, it } from 'vitest'
import { metadataChecks, refusePlainHttp } from '../../src/flows/metadata/discovery.js'
import { readChallenge, readResourceMetadata } from '../../src/flows/metadata/resource-metadata.js'
import {
  bytes,
  type HeaderList,
  type HttpResponse,
  isLoopbackUrl,
  jsonResponse,
  textResponse,
} from '../../src/protocol/http/message.js'
import { answered, refusal } from './support/answered.js'

const { response: _response, ...unanswered } = answered(textResponse(200, ''))

it.each([
  ['http://localhost:1/x', true],
  ['http://[::1]/', true],
  ['http://127.0.0.1', true],
  ['http://127.255.255.254', true],
  ['http://localhost.example', false],
  ['http://127.0.0.1.example', false],
  ['http://128.0.0.1', false],
  ['http://[::2]', false],
])('an address on this machine: %s: %s', (url, loopback) => expect(isLoopbackUrl(url)).toBe(loopback))

describe('addresses in the clear', () => {
  const endpoints = [
    ...['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'],
    ...['pushed_authorization_request_endpoint', 'device_authorization_endpoint'],
  ]
  it.each(endpoints)('are refused: %s', name => {
    const refused = { code: 'invalid_metadata', rule: 'RFC 8414 §2' }
    const at = (issuer: string, url: string) => refusal(() => refusePlainHttp({ issuer, [name]: url }))
    expect(at('https://as.test', 'http://as.test/x')).toMatchObject(refused)
    expect(at('https://as.test', 'http://localhost/x')).toMatchObject(refused)
    expect(at('http://localhost', 'http://as.test/x')).toMatchObject(refused)
    expect(at('http://localhost', 'http://localhost/x')).toBeUndefined()
    expect(at('http://localhost', 'HTTPS://as.test/x')).toBeUndefined()
    expect(at('HTTPS://as.test', 'http://localhost/x')).toMatchObject(refused)
  })

  it('are not looked for where nothing is sent', () => {
    expect(refusal(() => refusePlainHttp({ issuer: 'https://a', op_policy_uri: 'http://b' }))).toBeUndefined()
  })

  it('come with the address as evidence', () => {
    const act = () => refusePlainHttp({ issuer: 'https://a', token_endpoint: 'http://b' })
    expect(act).toThrow(expect.objectContaining({ evidence: 'http://b' }))
  })
})

describe('the checks of metadata', () => {
  const full = {
    issuer: 'https://as.test',
    token_endpoint: 'https://as.test/t',
    jwks_uri: 'https://as.test/k',
    response_types_supported: ['code', 'token'],
    code_challenge_methods_supported: ['plain', 'S256'],
    authorization_response_iss_parameter_supported: true,
  }
  const wrong = (change: object, unusable: string[] = []) =>
    metadataChecks({ ...full, ...change }, unusable).flatMap(({ ok, name, advice }) =>
      ok ? [] : [[name, advice]],
    )

  it.each<[change: object, name: string | undefined]>([
    [{}, undefined],
    [{ issuer: 'http://localhost' }, 'https'],
    [{ issuer: 'HTTPS://as.test' }, undefined],
    [{ token_endpoint: undefined }, 'token_endpoint'],
    [{ jwks_uri: undefined }, 'jwks_uri'],
    [{ response_types_supported: undefined }, 'response_types'],
    [{ response_types_supported: ['token'] }, 'response_types'],
    [{ code_challenge_methods_supported: undefined }, 'pkce'],
    [{ code_challenge_methods_supported: ['plain'] }, 'pkce'],
    [{ authorization_response_iss_parameter_supported: false }, 'iss_promised'],
    [{ id_token_signing_alg_values_supported: ['ES256'], userinfo_endpoint: 'https://u' }, 'id_token_alg'],
    [{ id_token_signing_alg_values_supported: ['ES256', 'RS256'] }, 'userinfo'],
    [{ id_token_signing_alg_values_supported: ['RS256'], userinfo_endpoint: 'https://u' }, undefined],
    [{ userinfo_endpoint: 'https://u' }, undefined],
  ])('of %j point out %s, as advice', (change, name) => {
    expect(wrong(change)).toEqual(name === undefined ? [] : [[name, true]])
  })

  it('show the values', () => {
    const details = metadataChecks({ ...full, id_token_signing_alg_values_supported: ['RS256', 'ES256'] }, [])
    expect(details.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        'https://as.test/t',
        'https://as.test/k',
        'code, token',
        'plain, S256',
        'RS256, ES256',
      ]),
    )
  })

  it('name each member that is left out', () => {
    expect(wrong({}, ['a is no list', 'b is no URL'])).toEqual([
      ['metadata', true],
      ['metadata', true],
    ])
    expect(metadataChecks(full, ['a is no list']).at(-1)?.detail).toMatch(/^a is no list/)
  })
})

describe('the challenge of a resource server', () => {
  const usual = 'https://api.test/.well-known/oauth-protected-resource'
  const challenged = (...values: string[]): HttpResponse => {
    const headers: HeaderList = values.map(value => ['www-authenticate', value] as const)
    return { status: 401, headers, body: bytes('') }
  }

  it.each<[response: HttpResponse, url: string, schemes: string | undefined]>([
    [textResponse(200, ''), usual, undefined],
    [challenged(), usual, undefined],
    [challenged('Basic'), usual, 'Basic'],
    [challenged('Basic', 'Bearer realm="x"'), usual, 'Basic, Bearer'],
    [challenged('Bearer resource_metadata="https://m.test/m"'), 'https://m.test/m', 'Bearer'],
    [challenged('Bearer resource_metadata="http://localhost/m"'), 'http://localhost/m', 'Bearer'],
    [challenged('Bearer resource_metadata="http://m.test/m"'), usual, 'Bearer'],
    [challenged('Bearer resource_metadata="https://["'), usual, 'Bearer'],
    [challenged('Basic resource_metadata="https://m.test/m"'), usual, 'Basic'],
  ])('%#: metadata at %s', (response, metadataUrl, schemes) => {
    const asked = readChallenge(answered(response), 'https://api.test/')
    expect(asked.metadataUrl).toBe(metadataUrl)
    expect(asked.note).toMatch(/./)
    const rule = 'RFC 6750 §3'
    const missing = { name: 'challenge', ok: false, advice: true, rule, detail: expect.any(String) }
    const named = schemes === undefined ? [] : [{ name: 'challenge', ok: true, rule, detail: schemes }]
    expect(asked.checks).toEqual(asked.note.startsWith('401 without') ? [missing] : named)
  })

  it('may be missing altogether', () => {
    expect(readChallenge(unanswered, 'https://api.test/a/b?c').metadataUrl).toBe(`${usual}/a/b`)
  })

  it('says what was answered', () => {
    expect(readChallenge(answered(textResponse(204, '')), 'https://api.test').note).toContain('204')
    expect(readChallenge(answered(challenged('Basic', 'Bearer')), 'https://api.test').note).toContain(
      'Basic, Bearer',
    )
  })
})

describe('the metadata of a resource server', () => {
  const issuer = 'https://as.test'
  const read = (members: unknown, resource = 'https://api.test/a/b') =>
    readResourceMetadata(answered(jsonResponse(200, members)), resource, issuer)

  it.each([
    ['https://api.test', 'https://api.test/a'],
    ['https://api.test/', 'https://api.test/a'],
    ['https://api.test/a', 'https://api.test/a'],
    ['https://api.test/a/', 'https://api.test/a'],
    ['https://api.test/a', 'https://api.test/a/b'],
    ['https://api.test/a/', 'https://api.test/a/b?x'],
  ])('for %s are about %s', (named, resource) => {
    expect(read({ resource: named }, resource)).toEqual({
      checks: [{ name: 'resource', ok: true, rule: 'RFC 9728 §3.3', detail: named }],
      note: expect.stringMatching(/ /),
    })
  })

  it.each([
    ['https://api.test/b', 'https://api.test/a'],
    ['https://api.test/a', 'https://api.test/ab'],
    ['https://api.test/a/b', 'https://api.test/a'],
    ['https://other.test/a', 'https://api.test/a'],
    ['/a', 'https://api.test/a'],
    [7, 'https://api.test/a'],
    [undefined, 'https://api.test/a'],
  ])('for %j are not about %s', (named, resource) => {
    expect(refusal(() => read({ resource: named }, resource))).toEqual({
      code: 'resource_mismatch',
      rule: 'RFC 9728 §3.3',
      unreadable: false,
    })
  })

  it.each([
    [['https://as.test'], true],
    [['https://other.test', 7, 'https://as.test'], true],
    [['https://other.test'], false],
    [[], false],
    ['https://as.test', false],
    [null, false],
  ])('name as authorization servers %j: trusted %s', (servers, trusted) => {
    const act = () => read({ resource: 'https://api.test', authorization_servers: servers })
    if (trusted) {
      expect(act().checks[1]).toEqual({
        name: 'authorization_servers',
        ok: true,
        rule: 'RFC 9728 §2',
        detail: issuer,
      })
    } else expect(refusal(act)).toMatchObject({ code: 'issuer_mismatch', rule: 'RFC 9728 §2' })
  })

  it.each<[object, string]>([
    [
      { resource: 'https://evil.test' },
      'the metadata is about https://evil.test, asked was https://api.test/a/b',
    ],
    [{ resource: 7 }, 'the metadata is about no resource, asked was https://api.test/a/b'],
    [
      { resource: 'https://api.test', authorization_servers: ['https://a.test', 7, 'https://b.test'] },
      'the resource server trusts https://a.test, https://b.test, not https://as.test',
    ],
    [
      { resource: 'https://api.test', authorization_servers: [] },
      'the resource server trusts nobody, not https://as.test',
    ],
    [
      { resource: 'https://api.test', authorization_servers: 'https://as.test' },
      'the resource server trusts nobody, not https://as.test',
    ],
  ])('%j are refused in words', (members, description) => {
    expect(() => read(members)).toThrow(expect.objectContaining({ description }))
  })

  it('say if they name no authorization server', () => {
    expect(read({ resource: 'https://api.test' }).note).toBe('names no authorization server')
    expect(read({ resource: 'https://api.test', authorization_servers: [issuer] }).note).toBe(
      'trusts this authorization server',
    )
  })

  it('may be missing, but not be text', () => {
    const missing = readResourceMetadata(answered(textResponse(404, '')), 'https://api.test', issuer)
    expect(missing).toEqual({ checks: [], note: expect.stringContaining('404') })
    const page = () => readResourceMetadata(answered(textResponse(200, '{}')), 'https://api.test', issuer)
    expect(refusal(page)).toMatchObject({ code: 'invalid_response', rule: 'RFC 9728 §3.2' })
  })
})
