import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, type HttpRequest } from '../../../../src/protocol/http/message.js'
import { batches, carryOut } from '../../../../src/servers/cloudflare/client/carry-out.js'
import {
  type Change,
  contentKey,
  planChanges,
  planProblems,
  wantedRecord,
} from '../../../../src/servers/cloudflare/client/plan.js'
import { checkEntries } from '../../../../src/servers/cloudflare/client/record-file.js'
import { listRecords } from '../../../../src/servers/cloudflare/client/records.js'
import type { GivenRecord } from '../../../../src/servers/cloudflare/records/record.js'
import { doneLines, planLines } from '../../../../src/show/render/dns/dns-lines.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { emulator, records, zone } from '../support.js'
import { clientOf } from './support.js'

const signs = signsFor({ ascii: false })
const wanted = (given: readonly GivenRecord[]) => given.map(each => wantedRecord(each, 'example.com'))

/** A zone with these records, and a client of it. */
async function zoneOf(given: readonly GivenRecord[]) {
  const dns = emulator()
  for (const each of given) await dns.create(each)
  const client = clientOf(dns.site.handle)
  const plan = async (file: readonly GivenRecord[], prune = false) =>
    planChanges(await listRecords(client.service, zone), wanted(file), { zone: 'example.com', prune })
  return { ...dns, ...client, plan }
}

const home = { type: 'A', name: 'home', content: '203.0.113.1', ttl: 120 }

describe('a plan', () => {
  it.each(
    Object.entries({
      'what is the same': [[home], [{ ...home, name: 'HOME.example.com' }], []],
      'a time that is not said': [[home], [{ ...home, ttl: undefined }], []],
      'an address that is written otherwise': [
        [{ type: 'AAAA', name: 'x', content: '2001:db8::1' }],
        [{ type: 'AAAA', name: 'x', content: '2001:DB8:0::0001' }],
        [],
      ],
      'text in quotes and without': [
        [{ type: 'TXT', name: 'x', content: '"a" "b"' }],
        [{ type: 'TXT', name: 'x', content: 'ab' }],
        [],
      ],
      'data and its content': [
        [{ type: 'CAA', name: 'x', content: '0 issue "a.example"' }],
        [{ type: 'CAA', name: 'x', data: { flags: 0, tag: 'issue', value: 'a.example' } }],
        [],
      ],
      'the time of what is proxied': [
        [{ type: 'A', name: 'x', content: '192.0.2.1', proxied: true }],
        [{ type: 'A', name: 'x', content: '192.0.2.1', ttl: 300 }],
        [],
      ],
      'other content': [
        [home],
        [{ ...home, content: '203.0.113.77' }],
        ['~ A home.example.com   content 203.0.113.1 → 203.0.113.77   (ttl 120, not proxied)'],
      ],
      'more than one thing': [
        [home],
        [{ ...home, proxied: true, comment: 'x' }],
        ['~ A home.example.com   not proxied → proxied, ttl 120 → automatic, comment none → "x"'],
      ],
      'a priority': [
        [{ type: 'MX', name: '@', content: 'm.example.com', priority: 10 }],
        [{ type: 'MX', name: '@', content: 'm.example.com', priority: 20 }],
        ['~ MX example.com   content 10 m.example.com → 20 m.example.com   (ttl automatic, not proxied)'],
      ],
      'one more beside another': [
        [home, { ...home, content: '203.0.113.2' }],
        [{ ...home, content: '203.0.113.3' }],
        ['+ A home.example.com   203.0.113.3   (ttl 120, not proxied)'],
      ],
      'one more text': [
        [{ type: 'TXT', name: '@', content: 'v=spf1 -all' }],
        [{ type: 'TXT', name: '@', content: 'site=1' }],
        ['+ TXT example.com   site=1   (ttl automatic, not proxied)'],
      ],
    } as const),
  )('for %s', async (_, [there, file, lines]) => {
    const { plan } = await zoneOf(there)
    expect(planLines((await plan(file)).changes, signs)).toEqual(lines)
  })

  it('deletes only with prune, and never records of the service', async () => {
    const { plan } = await zoneOf([home, { type: 'NS', name: '@', content: 'ns.example.net' }])
    const file = [{ type: 'A', name: 'other', content: '192.0.2.1' }]
    const kept = await plan(file)
    expect(kept.changes.map(({ action }) => action)).toEqual(['add'])
    expect(kept.extra.map(({ type }) => type)).toEqual(['A', 'NS'])
    const pruned = await plan(file, true)
    expect(pruned.changes.map(({ action }) => action)).toEqual(['add', 'delete'])
    expect(pruned.extra.map(({ type }) => type)).toEqual(['NS'])
  })

  it('neither deletes nor changes a record that the service marks as read-only', async () => {
    const { service } = await zoneOf([home, { ...home, name: 'mail' }])
    const existing = (await listRecords(service, zone)).map(record =>
      record.name.startsWith('mail') ? { ...record, meta: { ...record.meta, read_only: true } } : record,
    )
    const file = wanted([{ ...home, name: 'mail', content: '203.0.113.9' }])
    const { changes, extra } = planChanges(existing, file, { zone: 'example.com', prune: true })
    const actions = changes.map(each => `${each.action} ${'before' in each ? each.before.name : 'mail'}`)
    expect(actions.sort()).toEqual(['add mail', 'delete home.example.com'])
    expect(extra.map(({ name }) => name)).toEqual(['mail.example.com'])
  })

  it('reports conflicting records, unless one of them is deleted', async () => {
    const { plan } = await zoneOf([home])
    const file = [{ type: 'CNAME', name: 'home', content: 'example.net' }]
    expect(planProblems(await plan(file))[0]?.message).toMatch(/^CNAME home\.example\.com: .*\(81053\)$/)
    expect(planProblems(await plan(file, true))).toEqual([])
  })
})

const name = fc.constantFrom('@', 'a', 'b', '*.w', '_s._tcp')
const optional = {
  ttl: fc.option(fc.integer({ min: 60, max: 300 }), { nil: undefined }),
  comment: fc.option(fc.constantFrom('x', 'owner of y'), { nil: undefined }),
  tags: fc.option(fc.subarray(['a:1', 'b:2']), { nil: undefined }),
}
const number = fc.integer({ min: 1, max: 4 })
const record: fc.Arbitrary<GivenRecord> = fc.oneof(
  fc.record({
    type: fc.constant('A'),
    name,
    content: number.map(n => `192.0.2.${n}`),
    proxied: fc.option(fc.boolean(), { nil: undefined }),
    ...optional,
  }),
  fc.record({
    type: fc.constant('TXT'),
    name,
    content: fc.oneof(
      fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme-ascii' }),
      fc.string({ minLength: 1, maxLength: 20 }).filter(text => !/\p{Cc}/u.test(text)),
    ),
    ...optional,
  }),
  fc.record({
    type: fc.constant('MX'),
    name,
    content: number.map(n => `m${n}.example.net`),
    priority: number,
    ...optional,
  }),
  fc.record({
    type: fc.constant('SRV'),
    name,
    content: number.map(n => `${n} ${n} 50${n} s.example.net`),
    ...optional,
  }),
  // Names of their own: nothing stands beside a CNAME.
  fc.record({
    type: fc.constant('CNAME'),
    name: fc.constantFrom('c', 'd'),
    content: number.map(n => `t${n}.example.net`),
    ...optional,
  }),
)
const key = (given: GivenRecord): string => {
  const { fields } = wantedRecord(given, 'example.com')
  // One CNAME a name; else one record a content.
  const content = fields.type === 'CNAME' ? '' : contentKey(fields, 'example.com')
  return `${fields.type} ${fields.name} ${content}`
}
const file = fc.uniqueArray(record, { maxLength: 8, selector: key })

describe('a plan that is carried out', () => {
  it('leaves nothing to do, for any records before', async () => {
    await fc.assert(
      fc.asyncProperty(file, file, fc.boolean(), async (there, given, prune) => {
        const { service, plan } = await zoneOf(there)
        const first = await plan(given, prune)
        expect(planProblems(first)).toEqual([])
        await carryOut(service, zone, first.changes)
        expect(planLines((await plan(given, prune)).changes, signs)).toEqual([])
        const now = await listRecords(service, zone)
        if (prune) expect(now).toHaveLength(given.length)
        const keys = now.map(each => `${each.type} ${each.name} ${contentKey(each, 'example.com')}`)
        for (const { fields } of wanted(given)) {
          expect(keys).toContain(`${fields.type} ${fields.name} ${contentKey(fields, 'example.com')}`)
        }
      }),
      { numRuns: 60 },
    )
  })

  const several = [
    { type: 'A', name: 'one', content: '192.0.2.1' },
    { type: 'A', name: 'home', content: '192.0.2.2' },
  ]

  it('is one request for all changes', async () => {
    const { service, plan, sent } = await zoneOf([home])
    const { changes } = await plan(several)
    sent.length = 0
    await carryOut(service, zone, changes)
    expect(sent).toMatchObject([{ method: 'POST', url: expect.stringContaining(`${records}/batch`) }])
    expect(doneLines(changes, signs).map(line => line.split(' ', 1)[0])).toEqual(['created', 'updated'])
  })

  it('sends record by record to a service without batches', async () => {
    const dns = await zoneOf([home, { type: 'A', name: 'old', content: '192.0.2.9' }])
    const plain = clientOf(async (request: HttpRequest) =>
      request.url.endsWith('/batch')
        ? { status: 404, headers: [], body: bytes('{"errors":[{"code":7000,"message":"No"}]}') }
        : dns.site.handle(request),
    )
    await carryOut(plain.service, zone, (await dns.plan(several, true)).changes)
    expect(plain.sent.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'PATCH', 'POST'])
    expect((await dns.plan(several, true)).changes).toEqual([])
  })

  it('reports how many changes were made before an error', async () => {
    const dns = await zoneOf([])
    let posts = 0
    const { service } = clientOf(async (request: HttpRequest) => {
      if (request.url.endsWith('/batch')) return { status: 405, headers: [], body: bytes('{"errors":[]}') }
      posts++
      return posts < 2
        ? dns.site.handle(request)
        : { status: 400, headers: [], body: bytes('{"errors":[{"code":1,"message":"full"}]}') }
    })
    await expect(carryOut(service, zone, (await dns.plan(several)).changes)).rejects.toMatchObject({
      message: 'full (1, HTTP 400)',
      label: 'error',
      hints: [
        '1 of 2 changes were made before that, the others were not. Run the command again to make the rest.',
      ],
    })
  })

  it('changes nothing when one of many changes is refused', async () => {
    const dns = await zoneOf([home])
    const { changes } = await dns.plan([...several, { type: 'A', name: 'two', content: '192.0.2.3' }])
    await dns.create({ type: 'CNAME', name: 'two', content: 'example.net' })
    await expect(carryOut(dns.service, zone, changes)).rejects.toThrow(/\(81054, HTTP 400\)/)
    expect((await dns.plan(several)).changes).toHaveLength(2)
  })

  it('keeps the changes of one name in one batch', () => {
    const change = (name: string): Change => ({
      action: 'add',
      wanted: wantedRecord({ type: 'A', name, content: '192.0.2.1' }, 'example.com'),
    })
    const names = (size: number) =>
      batches(['a', 'b', 'a', 'c', 'd'].map(change), size).map(batch =>
        batch.map(each => (each.action === 'delete' ? '' : each.wanted.fields.name[0])).join(''),
      )
    expect(names(9)).toEqual(['aabcd'])
    expect(names(2)).toEqual(['aa', 'bc', 'd'])
    expect(names(1)).toEqual(['aa', 'b', 'c', 'd'])
  })
})

it('reports a record that is twice in one file', () => {
  const at = (line: number) => ({ line, column: 1 })
  const { problems } = checkEntries(
    [
      { given: { type: 'CNAME', name: 'x', content: 'example.net' }, at: at(1) },
      { given: { type: 'A', name: 'x', content: '192.0.2.1' }, at: at(2) },
      { given: { type: 'A', name: 'y', content: '192.0.2.1' }, at: at(3) },
      { given: { type: 'A', name: 'Y.example.com', content: '192.0.2.1', ttl: 60 }, at: at(4) },
    ],
    'example.com',
  )
  expect(problems).toEqual([
    { message: expect.stringMatching(/\(81054\)$/), at: at(2) },
    { message: 'the same record is in line 3', at: at(4) },
  ])
})
