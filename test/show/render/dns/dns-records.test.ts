import { describe, expect, it } from 'vitest'
import type { DnsRecord } from '../../../../src/servers/cloudflare/shapes.js'
import { recordTable, shortIds } from '../../../../src/show/render/dns/dns-lines.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { width } from '../../../../src/show/render/text/text.js'

const signs = signsFor({ ascii: false })
const record = (more: Partial<DnsRecord>): DnsRecord => ({
  id: '5f1c0000000000000000000000000001',
  name: 'two.example.com',
  type: 'A',
  content: '192.0.2.1',
  proxiable: true,
  proxied: false,
  ttl: 300,
  settings: {},
  meta: {},
  comment: null,
  tags: [],
  created_on: '',
  modified_on: '',
  ...more,
})

describe('a table of records', () => {
  const records = [
    record({}),
    record({
      type: 'MX',
      content: 'mail.example.com',
      priority: 10,
      ttl: 1,
      id: '5f1c0000000000000000000000000002',
    }),
    record({
      type: 'TXT',
      content: `v=DKIM1; p=${'A'.repeat(300)}`,
      comment: 'a note that says a lot of things',
    }),
    record({ type: 'TXT', content: 'ｗｉｄｅ \u001b[31m\u202e', proxied: true }),
  ]

  it('is not cut without a width', () => {
    const lines = recordTable(records, signs)
    expect(lines[0]).toMatch(/^TYPE {2}NAME +CONTENT +TTL +PROXIED {2}ID +COMMENT$/)
    expect(lines[2]).toMatch(/^MX +two\.example\.com {2}10 mail\.example\.com +auto {2}no +5f1c0{27}2$/)
    expect(lines[3]).toContain(`p=${'A'.repeat(300)} `)
    expect(lines[4]).toContain('ｗｉｄｅ ␛[31m<U+202E>')
  })

  it('fits a terminal, content first', () => {
    for (const columns of [40, 80, 100]) {
      const lines = recordTable(records, signs, columns)
      expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns)
    }
    const [, noted] = recordTable([record({ comment: 'a note that says a lot' })], signs, 70)
    expect(noted).toBe('A     two.example.com  192.0.2.1  300  no       5f1c0000  a note that…')
    const [, narrow] = recordTable([record({ comment: 'a note that says a lot' })], signs, 60)
    expect(narrow).toBe('A     two.example.com  192.0.2.1  300  no       5f1c0000')
  })

  it('has no column for comments when there are none', () => {
    expect(recordTable([record({})], signs)[0]).toMatch(/ID$/)
  })
})

it.each([
  [['5f1c01', '9a7701'], 4, ['5f1c', '9a77']],
  [['5f1c01', '5f1c02', '9a7701'], 4, ['5f1c01', '5f1c02', '9a77']],
  [['aa', 'aa'], 4, ['aa', 'aa']],
  [[], 4, []],
])('the beginnings that tell %j apart are %j %j', (ids, least, short) => {
  expect(shortIds(ids, least)).toEqual(short)
})
