import { expect, it } from 'vitest'
import { formatEvent } from '../../../../src/show/render/events/event-line.js'

const at = '2026-11-21T14:03:11.250Z'

it('shows a request as a line of a log', () => {
  expect(
    formatEvent({
      type: 'request.answered',
      at,
      site: 'authorization',
      method: 'POST',
      path: '/token',
      status: 200,
      wireBytes: 1024,
      bodyBytes: 1024,
      ms: 14,
      client_id: 'demo',
    }),
  ).toBe('14:03:11Z  request.answered          200  POST  /token  demo  1,024 B  14 ms')
})

it('shows other events with their members', () => {
  expect(
    formatEvent({ type: 'code.issued', at, code: 'k3V9…Qm1', client_id: 'demo', n: 1, list: ['a'] }),
  ).toBe('14:03:11Z  code.issued               code=k3V9…Qm1 client_id=demo n=1 list=["a"]')
})

it('cuts long paths and makes foreign text safe', () => {
  const line = formatEvent({
    type: 'request.answered',
    at,
    method: 'GET',
    path: `/\u001b[31m${'a'.repeat(500)}`,
    status: 404,
    wireBytes: 1,
    ms: 1,
  })
  expect(line).not.toContain('\u001b')
  expect(line.length).toBeLessThan(160)
})

it('shows of checks their names, and which failed', () => {
  const checks = [
    { name: 'iss', ok: true, rule: 'RFC 7519 §4.1.1' },
    { name: 'aud', ok: false, rule: 'RFC 7519 §4.1.3', detail: 'other' },
  ]
  expect(formatEvent({ type: 'resource.accepted', at, checks, kids: [] })).toMatch(
    / checks=iss,aud! kids=\[\]$/,
  )
})

it.each([
  ['192.0.2.7', '  from 192.0.2.7'],
  ['127.0.0.1', ''],
  ['::1', ''],
])('names a client on another computer: %s', (remoteAddress, ending) => {
  expect(formatEvent({ type: 'login.failed', at, remoteAddress, username: 'alice' })).toBe(
    `14:03:11Z  login.failed              username=alice${ending}`,
  )
})
