import { describe, expect, it } from 'vitest'
import { environmentProxy } from '../../src/client/transport/proxy.js'

const https = { HTTPS_PROXY: 'http://proxy.test:3128' }
const proxied = (url: string, env: Record<string, string>) => environmentProxy(new URL(url), env)?.origin

describe('environmentProxy', () => {
  it.each([
    ['https://a.test', { HTTPS_PROXY: 'http://one.test:1' }, 'http://one.test:1'],
    ['https://a.test', { https_proxy: 'http://two.test', HTTPS_PROXY: 'http://one.test' }, 'http://two.test'],
    ['https://a.test', { HTTPS_PROXY: 'one.test:3128' }, 'http://one.test:3128'],
    ['https://a.test', { HTTPS_PROXY: 'https://one.test' }, 'https://one.test'],
    ['https://a.test', { HTTP_PROXY: 'http://one.test' }, undefined],
    ['https://a.test', { HTTPS_PROXY: '' }, undefined],
    ['https://a.test', { HTTPS_PROXY: ' ' }, undefined],
    ['http://a.test', { HTTP_PROXY: 'http://one.test' }, 'http://one.test'],
    ['http://a.test', { http_proxy: 'http://two.test', HTTP_PROXY: 'http://one.test' }, 'http://two.test'],
    ['http://a.test', { HTTPS_PROXY: 'http://one.test' }, undefined],
    ['https://a.test', {}, undefined],
  ] as const)('for %s in %o is %s', (url, env, origin) => expect(proxied(url, env)).toBe(origin))

  it.each([
    'https://localhost',
    'https://LOCALHOST:8443',
    'https://lab.localhost',
    'https://localhost.',
    'https://127.0.0.1:1',
    'https://127.8.9.1',
    'https://[::1]:1',
  ])('is never used for %s', url => expect(proxied(url, https)).toBeUndefined())

  it.each([
    ['*', 'https://a.test', true],
    ['a.test', 'https://a.test', true],
    ['A.Test', 'https://a.test', true],
    ['a.test', 'https://A.TEST.', true],
    ['a.test.', 'https://a.test', true],
    ['a.test', 'https://sub.a.test', true],
    ['.a.test', 'https://sub.a.test', true],
    ['.a.test', 'https://a.test', true],
    ['*.a.test', 'https://sub.a.test', true],
    ['a.test', 'https://ba.test', false],
    ['a.test', 'https://a.test.evil.test', false],
    ['sub.a.test', 'https://a.test', false],
    ['b.test, a.test', 'https://a.test', true],
    ['b.test a.test', 'https://a.test', true],
    [',,', 'https://a.test', false],
    ['.', 'https://a.test', false],
    ['a.test:443', 'https://a.test', true],
    ['a.test:8443', 'https://a.test', false],
    ['a.test:8443', 'https://a.test:8443', true],
    ['*:8443', 'https://a.test', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3', 'https://10.1.2.4', false],
    ['2.3', 'https://10.1.2.3', false],
    ['10.1.2.3:8443', 'https://10.1.2.3:8443', true],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/33', 'https://10.1.2.3', false],
    ['10.0.0.0/', 'https://10.0.0.0', false],
    ['10.0.0.0/8', 'https://a.test', false],
    ['a.test/8', 'https://a.test', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://[fe80::1]', false],
    ['fd12::1', 'https://[fd12::1]', true],
    ['[fd12::1]', 'https://[fd12::1]', true],
    ['[fd12::1]:8443', 'https://[fd12::1]:8443', true],
    ['[fd12::1]:8443', 'https://[fd12::1]', false],
    ['fd00::/8', 'https://10.1.2.3', false],
  ])('with NO_PROXY=%s, %s goes around it: %s', (entries, url, around) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      expect(proxied(url, { ...https, [name]: entries }) === undefined).toBe(around)
    }
  })
})
