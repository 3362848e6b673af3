import { describe, expect, it } from 'vitest'
import {
  knownResource,
  narrowedResources,
  readResources,
} from '../../../../src/servers/authorization-server/parameters/resources.js'
import { thrown } from '../../../support/refusal.js'

const settings = { issuer: 'https://as.example', resources: 'any' as const, protectedResources: () => [] }
const named = (...resources: string[]) => resources.map(each => ['resource', each] as const)
const read = (...resources: string[]) => readResources(named(...resources), settings)

describe('a known resource', () => {
  const some = {
    ...settings,
    resources: ['urn:example:orders'],
    protectedResources: () => ['https://api.example'],
  }

  it.each([
    ['https://as.example', 'https://as.example'],
    ['https://as.example/userinfo', 'https://as.example/userinfo'],
    ['https://as.example/token', undefined],
    ['https://api.example/', 'https://api.example'],
    ['urn:example:orders', 'urn:example:orders'],
    ['urn:example:other', undefined],
    ['', undefined],
  ])('%s is registered as %s', (resource, registered) => {
    expect(knownResource(resource, some)).toBe(registered)
    expect(knownResource(resource, settings)).toBe(resource)
  })

  it('is named once, and another is refused', () => {
    const pairs = named('https://api.example/', 'https://api.example', 'urn:example:orders')
    expect(readResources(pairs, some)).toEqual(['https://api.example', 'urn:example:orders'])
    const error = thrown(() => readResources(named('urn:example:other'), some))
    expect(error).toMatchObject({ code: 'invalid_target', evidence: 'urn:example:other' })
  })
})

describe('the resources of a request', () => {
  it('are the values of resource, in order, without empty ones and duplicates', () => {
    const pairs = [['scope', 'urn:x'], ...named('urn:b', '', 'urn:a', 'urn:b')] as const
    expect(readResources(pairs, settings)).toEqual(['urn:b', 'urn:a'])
    expect(read()).toEqual([])
  })

  const many = (count: number) => Array.from({ length: count }, (_, i) => `urn:${i}`)
  const long = (length: number) => 'urn:x'.padEnd(length, 'x')
  it('are at most twenty, of at most 2048 characters', () => {
    expect(read(...many(20))).toHaveLength(20)
    expect(read(...many(20), 'urn:1')).toHaveLength(20)
    expect(read(long(2048))).toHaveLength(1)
    expect(thrown(() => read(...many(21)))).toMatchObject({ code: 'invalid_target', evidence: undefined })
    expect(thrown(() => read(long(2049)))).toMatchObject({ code: 'invalid_target', evidence: long(2049) })
  })

  it.each([
    'https://api.example',
    'https://api.example/a?b=c',
    'HTTPS://api.example',
    'urn:example:orders',
    'a1+-.:x',
    "x:!$&'()*+,;=:@/?[]_-.~",
    'x:%41%ff',
  ])('may be %s', resource => {
    expect(read(resource)).toEqual([resource])
  })

  it.each([
    ...['https://api.example/#', '/a', 'api.example', ':x', '1x:y', 'x:', 'x:a b', 'x: ', ' x:a', 'x:"'],
    ...['x:<', 'x:>', 'x:\\', 'x:^', 'x:`', 'x:{', 'x:|', 'x:}', 'x:é', 'x:%', 'x:%4', 'x:%4g', 'x:%g4'],
    ...['x:a\n', 'x:\x7f', 'https://', 'https://a b/'],
  ])('may not be %j', resource => {
    expect(thrown(() => read(resource))).toMatchObject({
      code: 'invalid_target',
      evidence: resource,
      description: expect.stringContaining('resource is refused: it '),
    })
  })
})

describe('the resources of one access token', () => {
  it.each<[readonly string[], readonly string[] | undefined, readonly string[]]>([
    [['urn:a'], undefined, ['urn:a']],
    [[], undefined, []],
    [[], ['urn:a'], ['urn:a']],
    [['https://a.example/'], ['https://a.example'], ['https://a.example']],
  ])('%j of the authorized %j are %j', (asked, authorized, resources) => {
    expect(narrowedResources(asked, authorized)).toEqual(resources)
  })

  it.each([
    [['urn:a'], 'not one that was authorized'],
    [[], 'named none'],
  ])('are those that were authorized: %j', (authorized, why) => {
    const error = thrown(() => narrowedResources(['urn:b'], authorized))
    expect(error).toMatchObject({ code: 'invalid_target', rule: 'RFC 8707 §2.2', evidence: 'urn:b' })
    expect(error.description).toContain(why)
    expect(error.description.includes('named none')).toBe(authorized.length === 0)
  })
})
