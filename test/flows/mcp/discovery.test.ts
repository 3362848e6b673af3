import { describe, expect, it } from 'vitest'
import { issuerMetadataUrls } from '../../../src/flows/mcp/find-server.js'
import { metadataPlaces } from '../../../src/flows/mcp/metadata-places.js'
import { readResourceDocument } from '../../../src/flows/mcp/resource-document.js'
import { REVISIONS, RULES, revisionNamed } from '../../../src/flows/mcp/revisions.js'
import { answered } from './support.js'

const well = 'https://mcp.example/.well-known/oauth-protected-resource'

it.each([
  ['https://mcp.example/public/mcp', undefined, [`${well}/public/mcp`, well]],
  ['https://mcp.example', undefined, [well]],
  ['https://mcp.example/', undefined, [well]],
  ['https://mcp.example/mcp?v=1', undefined, [`${well}/mcp?v=1`, well]],
  ['https://mcp.example/mcp', 'https://mcp.example/custom.json', ['https://mcp.example/custom.json']],
])('places of the metadata of an MCP server: %s, challenge %s', (url, named, places) => {
  expect(metadataPlaces(url, named).map(each => each.url)).toEqual(places)
})

describe('the metadata of an MCP server', () => {
  const url = 'https://mcp.example/team/mcp'
  const place = (by: 'challenge' | 'path' | 'root', address = `${well}/team/mcp`) => ({ url: address, by })
  const document = (more: object = {}) => ({
    resource: url,
    authorization_servers: ['https://id.example'],
    ...more,
  })

  it('is read where it is about this server', () => {
    const read = readResourceDocument(
      answered(200, document({ scopes_supported: ['a', 'b'] })),
      url,
      place('path'),
    )
    expect(read).toMatchObject({ resource: url, issuers: ['https://id.example'], scopes: ['a', 'b'] })
    expect(read.checks.every(({ ok }) => ok)).toBe(true)
  })

  it.each([
    ['upper case in scheme and host', 'HTTPS://MCP.example/team/mcp', url],
    ['the slash of an empty path', 'https://mcp.example/', 'https://mcp.example'],
  ])('accepts %s', (_what, resource, asked) => {
    const read = readResourceDocument(answered(200, document({ resource })), asked, place('path'))
    expect(read.resource).toBe(resource)
  })

  it.each([
    ['another host', 'https://evil.example/team/mcp'],
    ['another port', 'https://mcp.example:8443/team/mcp'],
    ['another path', 'https://mcp.example/team/other'],
    ['a path below', 'https://mcp.example/team/mcp/sub'],
    ['the same path in another case', 'https://mcp.example/Team/mcp'],
    ['a slash more', 'https://mcp.example/team/mcp/'],
    ['a fragment', `${url}#x`],
    ['a list', [url]],
    ['nothing', undefined],
    ['a word', 'mcp.example'],
    ['the whole host, from the place of a tenant', 'https://mcp.example'],
  ])('refuses %s', (_what, resource) => {
    const read = () => readResourceDocument(answered(200, document({ resource })), url, place('path'))
    expect(read).toThrowError(expect.objectContaining({ code: 'resource_mismatch', rule: 'RFC 9728 §3.3' }))
  })

  it('believes the host about itself at the root of the well-known addresses, with advice where a challenge led there', () => {
    const answer = answered(200, document({ resource: 'https://mcp.example' }))
    expect(readResourceDocument(answer, url, place('root', well)).checks[0]).toMatchObject({ ok: true })
    const named = readResourceDocument(answer, url, place('challenge', well))
    expect(named.checks[0]).toMatchObject({ name: 'resource', ok: false, advice: true })
  })

  it.each([
    ['no authorization server', { authorization_servers: undefined }],
    ['an empty list', { authorization_servers: [] }],
    ['a text', { authorization_servers: 'https://id.example' }],
    ['plain http', { authorization_servers: ['http://id.example'] }],
    ['a query', { authorization_servers: ['https://id.example/?tenant=1'] }],
    ['numbers', { authorization_servers: [1, null] }],
  ])('refuses %s', (_what, more) => {
    const read = () => readResourceDocument(answered(200, document(more)), url, place('path'))
    expect(read).toThrowError(expect.objectContaining({ code: 'invalid_metadata' }))
  })

  it('leaves out the issuers that cannot be used, and accepts http on this computer', () => {
    const servers = ['http://id.example', 'http://localhost:9000', 7, 'https://id.example/t']
    const read = readResourceDocument(
      answered(200, document({ authorization_servers: servers })),
      url,
      place('path'),
    )
    expect(read.issuers).toEqual(['http://localhost:9000', 'https://id.example/t'])
    expect(read.checks.filter(({ ok }) => !ok)).toHaveLength(1)
  })

  it.each([
    ['404', answered(404, 'no', [['content-type', 'text/plain']]), /answered 404/],
    [
      'a redirect',
      answered(302, '', [['location', 'https://evil.example/']]),
      /redirect to https:\/\/evil.example\/.*not followed/,
    ],
    ['a page', answered(200, '<html>', [['content-type', 'text/html']]), /text\/html/],
    ['broken JSON', answered(200, '{"resource":'), /broken JSON/],
    ['a list', answered(200, []), /no JSON object/],
  ])('refuses %s', (_what, exchange, message) => {
    expect(() => readResourceDocument(exchange, url, place('path'))).toThrowError(message)
  })
})

describe('the metadata of an issuer', () => {
  const all = RULES['2026-07-28'].discovery
  it.each([
    [
      'https://auth.example/tenant1',
      all,
      [
        'https://auth.example/.well-known/oauth-authorization-server/tenant1',
        'https://auth.example/.well-known/openid-configuration/tenant1',
        'https://auth.example/tenant1/.well-known/openid-configuration',
      ],
    ],
    [
      'https://auth.example/',
      all,
      [
        'https://auth.example/.well-known/oauth-authorization-server',
        'https://auth.example/.well-known/openid-configuration',
      ],
    ],
    [
      'https://auth.example/tenant1',
      RULES['2025-06-18'].discovery,
      ['https://auth.example/.well-known/oauth-authorization-server/tenant1'],
    ],
  ])('%s', (issuer, order, urls) => expect(issuerMetadataUrls(issuer, order)).toEqual(urls))
})

it('knows what differs between revisions', () => {
  const having = (name: keyof (typeof RULES)['2026-07-28']) =>
    REVISIONS.filter(each => RULES[each][name] === true)
  expect(having('stateless')).toEqual(['2026-07-28'])
  expect(having('resourceMetadata')).toEqual(['2025-06-18', '2025-11-25', '2026-07-28'])
  expect(having('defaultEndpoints')).toEqual(['2025-03-26'])
  expect(having('versionHeader')).toEqual(['2025-06-18', '2025-11-25', '2026-07-28'])
  expect(having('documents')).toEqual(['2025-11-25', '2026-07-28'])
  expect(having('pkceAnnounced')).toEqual(['2025-11-25', '2026-07-28'])
  expect(having('dynamicDeprecated')).toEqual(['2026-07-28'])
  expect(having('offlineAccess')).toEqual(['2026-07-28'])
  expect(revisionNamed('2024-11-05')).toBeUndefined()
})
