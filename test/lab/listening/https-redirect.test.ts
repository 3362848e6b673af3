import { describe, expect, it } from 'vitest'
import { createHttpsRedirect } from '../../../src/lab/sites/sites.js'
import { type HeaderList, header } from '../../../src/protocol/http/message.js'
import { recordingSite } from '../../support/ask.js'

const siteOf = (base: string) => recordingSite(createHttpsRedirect(base))
const { handle } = siteOf('https://localhost:8443')

async function locationOf(target: string, headers: HeaderList, method = 'GET', site = handle) {
  const answer = await site({
    method,
    url: `http://localhost:8080${target}`,
    headers,
    body: new Uint8Array(),
  })
  return [answer.status, header(answer, 'location')]
}

describe('the plain HTTP listener', () => {
  it('lets no browser guess a type', async () => {
    const request = { method: 'GET', url: 'http://localhost:8080/', headers: [], body: new Uint8Array() }
    expect(header(await handle(request), 'x-content-type-options')).toBe('nosniff')
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])('redirects %s', async method => {
    expect(await locationOf('/token', [['host', 'localhost:8080']], method)).toEqual([
      302,
      'https://localhost:8443/token',
    ])
  })

  it.each([
    '/',
    '//evil.example/x',
    '/a%2Fb/../c?x=%zz&y=a+b%20c&&z',
    '/?',
    '/a?u=https://b.example/c?d',
    '/@evil.example',
    '/\\evil',
  ])('keeps %s byte for byte', async target => {
    expect(await locationOf(target, [['Host', 'localhost']])).toEqual([
      302,
      `https://localhost:8443${target}`,
    ])
  })

  it.each([
    ['localhost:8080', 'localhost'],
    ['LAB.example', 'LAB.example'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[::1]:8080', '[::1]'],
    ['lab.example:', 'lab.example'],
  ])('keeps the host of %s', async (host, expected) => {
    expect(await locationOf('/x', [['Host', host]])).toEqual([302, `https://${expected}:8443/x`])
  })

  it.each([
    '',
    'a@b.example',
    'evil.example/path',
    'evil.example?x',
    'evil.example#x',
    'a b',
    'a\tb',
    'evil.example\\@localhost',
    '[::1',
    '[zz]',
    '1.2.3.999',
    'é.example',
    '%65vil.example',
    'evil.example:99999999',
    'evil.example:x',
  ])('puts the configured host in place of %j', async host => {
    expect(await locationOf('/x', [['Host', host]])).toEqual([302, 'https://localhost:8443/x'])
  })

  it('uses the configured host for a missing Host and for two', async () => {
    expect(await locationOf('/x', [])).toEqual([302, 'https://localhost:8443/x'])
    const two: HeaderList = [
      ['Host', 'a.example'],
      ['Host', 'b.example'],
    ]
    expect(await locationOf('/x', two)).toEqual([302, 'https://localhost:8443/x'])
  })

  it('leaves out the standard port', async () => {
    const site = siteOf('https://lab.example').handle
    expect(await locationOf('/x', [], 'GET', site)).toEqual([302, 'https://lab.example/x'])
  })

  it('writes an IPv6 host with brackets', async () => {
    const site = siteOf('https://[2001:db8::1]:8443').handle
    expect(await locationOf('/x', [], 'GET', site)).toEqual([302, 'https://[2001:db8::1]:8443/x'])
  })
})
