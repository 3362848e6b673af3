import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCookieJar } from '../../src/client/cookies.js'
import { forAll } from '../support/for-all.js'

const NOW = Date.UTC(2026, 10, 21)

function jarWith(url: string, ...lines: string[]) {
  const jar = createCookieJar(() => NOW)
  jar.store(url, { headers: lines.map(line => ['Set-Cookie', line] as const) })
  return jar
}

const at = 'https://lab.test/a/login'

describe('the cookie jar', () => {
  it.each([
    ['a=1', at, 'a=1'],
    ['a=1; Path=/', 'https://lab.test/', 'a=1'],
    ['a=1', 'https://lab.test/', undefined],
    ['a=1; Path=/a', 'https://lab.test/ab', undefined],
    ['a=1; Path=/a', 'https://lab.test/a/b', 'a=1'],
    ['__Host-a="x=y"; Path=/; Secure; HttpOnly; SameSite=Strict', at, '__Host-a="x=y"'],
    ['a=1; Path=/', 'https://lab.test:8443/', 'a=1'],
    ['a=1; Path=/', 'http://lab.test/', 'a=1'],
    ['a=1; Path=/; Secure', 'http://lab.test/', undefined],
    ['a=1; Path=/', 'https://sub.lab.test/', undefined],
    ['a=1; Path=/; Domain=lab.test', 'https://sub.lab.test/', 'a=1'],
    ['a=1; Path=/; Domain=lab.test', 'https://elab.test/', undefined],
    ['a=1; Path=/; Domain=other.test', 'https://other.test/', undefined],
    ['a=1; Path=/; Domain=sub.lab.test', 'https://sub.lab.test/', undefined],
    ['a=1; Path=/; Domain=test', 'https://other.test/', undefined],
    ['__Host-a=1; Path=/; Secure; Domain=lab.test', at, undefined],
    ['__Host-a=1; Path=/a; Secure', at, undefined],
    ['__Secure-a=1; Path=/', at, undefined],
    ['__Secure-a=1; Path=/; Secure; Domain=lab.test', 'https://sub.lab.test/', '__Secure-a=1'],
    ['a=1; Max-Age=0', at, undefined],
    ['a=1; Max-Age=-1', at, undefined],
    ['a=1; Max-Age=99999999999999999999', at, 'a=1'],
    ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', at, 'a=1'],
    ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', at, undefined],
    ['a=1; Expires=nonsense', at, 'a=1'],
    ['=1', at, undefined],
    ['no pair', at, undefined],
  ])('%s is sent to %s as %s', (line, url, sent) => {
    expect(jarWith(at, line).header(url)).toEqual(sent === undefined ? [] : [['cookie', sent]])
  })

  it.each([
    'http://localhost:8080/login',
    'https://localhost:8443/login',
    'https://127.0.0.1:8443/login',
    'https://[::1]:8443/login',
    'https://id.example/login',
    'https://intranet/login',
  ])('keeps the cookies of %s', url => {
    expect(jarWith(url, 'a=1; Path=/').header(url)).toEqual([['cookie', 'a=1']])
  })

  it('refuses a cookie for all of com', () => {
    const jar = jarWith('https://id.example.com/', 'a=1; Path=/; Domain=com')
    expect(jar.header('https://other.com/')).toEqual([])
  })

  it('lets a cookie expire by its own clock', () => {
    let time = NOW
    const jar = createCookieJar(() => time)
    jar.store(at, { headers: [['set-cookie', 'a=1; Max-Age=60']] })
    time += 59_000
    expect(jar.header(at)).toEqual([['cookie', 'a=1']])
    time += 1_000
    expect(jar.header(at)).toEqual([])
  })

  it('replaces and deletes cookies, and sends the longest path first', () => {
    const jar = jarWith(at, 'a=1; Path=/', 'a=2; Path=/', 'b=3; Path=/a')
    expect(jar.header(at)).toEqual([['cookie', 'b=3; a=2']])
    jar.store(at, { headers: [['set-cookie', 'a=; Path=/; Max-Age=0']] })
    expect(jar.header(at)).toEqual([['cookie', 'b=3']])
  })

  it('accepts any header without an exception, and limits the number of cookies', async () => {
    await forAll(fc.array(fc.string(), { maxLength: 5 }), lines => {
      expect(jarWith(at, ...lines).header(at).length).toBeLessThanOrEqual(1)
    })
    const many = Array.from({ length: 500 }, (_, i) => `c${i}=1`)
    expect(
      jarWith(at, ...many)
        .header(at)[0]?.[1]
        .split(';'),
    ).toHaveLength(50)
  })
})
