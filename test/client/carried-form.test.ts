import { describe, expect, it } from 'vitest'
import { carriedForm } from '../../src/client/carried-form.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'
import { text } from '../../src/protocol/http/message.js'

const SENT = 'https://op.example/logout'

function answered(status: number, method = 'POST', url = SENT): Exchange {
  const headers = [
    ['accept', 'text/html'],
    ['content-type', 'application/x-www-form-urlencoded'],
    ['origin', 'https://op.example'],
    ['referer', 'https://op.example/question'],
    ['cookie', 'session=1'],
  ] as const
  return {
    request: { method, url, headers, body: 'logout=yes&csrf=c' },
    response: { status, headers: [], body: '' },
  } as unknown as Exchange
}

describe('the form that a redirect sends on', () => {
  it.each([301, 302, 303])('is dropped by %i', status => {
    expect(carriedForm(answered(status), `${SENT}/2`, 'https://op.example')).toBeUndefined()
  })

  it.each([307, 308])('stays what it was by %i, on the same origin', status => {
    const form = carriedForm(answered(status), `${SENT}/2`, 'https://op.example')
    expect(form?.message).toMatchObject({
      method: 'POST',
      url: `${SENT}/2`,
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['origin', 'https://op.example'],
        ['referer', 'https://op.example/question'],
      ],
    })
    expect(text(form!.message.body)).toBe('logout=yes&csrf=c')
    expect(form?.context).toBe('strict')
    expect(carriedForm(answered(status), `${SENT}/2`, undefined)?.context).toBe('none')
  })

  it('tells another origin no more than the origin of its page, and takes no cookies of a strict or lax kind', () => {
    const form = carriedForm(answered(307), 'https://sso.example/logout', 'https://op.example')
    expect(form?.message.headers).toEqual([
      ['content-type', 'application/x-www-form-urlencoded'],
      ['origin', 'null'],
      ['referer', 'https://op.example/'],
    ])
    expect(form?.context).toBe('none')
    const here = carriedForm(answered(307), 'http://127.0.0.1:7000/logged-out', 'https://op.example')
    expect(here?.message.headers.map(([name]) => name)).toEqual(['content-type', 'origin'])
  })

  it('is none where no form was sent', () => {
    expect(carriedForm(answered(307, 'GET'), `${SENT}/2`, undefined)).toBeUndefined()
  })

  it.each([
    ['http://op.example/logout', true],
    ['http://127.0.0.1.evil.example/logout', true],
    ['http://127.0.0.1:7000/logged-out', false],
    ['http://localhost:7000/logged-out', false],
    ['http://[::1]:7000/logged-out', false],
    ['com.example.app:/logged-out', false],
  ])('leaves TLS for %s: refused %s', (target, refused) => {
    const act = () => carriedForm(answered(307), target, 'https://op.example')
    if (refused) expect(act).toThrow(/in the clear/)
    else expect(act).not.toThrow()
  })

  it('stays in the clear where it already is', () => {
    const from = answered(308, 'POST', 'http://op.example/logout')
    expect(carriedForm(from, 'http://op.example/2', undefined)?.message.url).toBe('http://op.example/2')
  })
})
