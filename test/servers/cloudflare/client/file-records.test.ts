import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planChanges, wantedRecord } from '../../../../src/servers/cloudflare/client/plan.js'
import {
  checkEntries,
  jsonRecords,
  namesInZoneFile,
  zoneFileRecords,
} from '../../../../src/servers/cloudflare/client/record-file.js'
import { zoneText } from '../../../../src/servers/cloudflare/records/zone-file.js'
import { type DnsRecord, RECORD_TYPES } from '../../../../src/servers/cloudflare/shapes.js'
import { forAll } from '../../../support/for-all.js'
import { start } from '../support.js'

const zone = 'example.com'
const TTL = 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.'
const found = (text: string) =>
  zoneFileRecords(text, zone).problems.map(({ at, message }) => `${at?.line}:${at?.column} ${message}`)

describe('a zone file', () => {
  it.each([
    ['bad IN A 192.0.2.999', '1:10 Content for A record must be a valid IPv4 address. (9005)'],
    ['$TTL 300\n\nx 5 IN A 192.0.2.1', `3:1 ${TTL} (9021)`],
    ['x IN A 192.0.2.1\n  IN AAAA nope', '2:11 Content for AAAA record must be a valid IPv6 address. (9006)'],
    ['x IN TXT "open', '1:10 a quote has no end'],
    ['x IN A (\n192.0.2.1', '2:10 a ( has no )'],
    ['x IN NOPE 1', '1:6 NOPE is not a type of record here'],
    ['other.org. IN A 192.0.2.1', '1:1 other.org is not within the zone example.com'],
    ['notexample.com. IN A 192.0.2.1', '1:1 notexample.com is not within the zone example.com'],
    ['a IN A 192.0.2.1\na IN A 192.0.2.1', '2:1 the same record is in line 1'],
  ])('%j is refused', (text, problem) => expect(found(text)).toEqual([problem]))

  it('reports all its mistakes in order', () => {
    const lines = [
      ...['a IN A x', 'a.example.org. IN A 192.0.2.1', 'b IN A 192.0.2.1', 'b IN A 192.0.2.1', 'c IN A y'],
    ]
    expect(found(lines.join('\n')).map(each => each.split(':', 1)[0])).toEqual(['1', '2', '4', '5'])
  })

  it('shows which zone it belongs to', () => {
    const text = '$ORIGIN example.org.\n@ IN A 192.0.2.1\nx.example.net. IN A 192.0.2.1\n. IN NS a.\n'
    expect(namesInZoneFile(text)).toEqual(['example.org.', 'x.example.net.'])
    expect(namesInZoneFile('x IN TXT "')).toEqual([])
  })

  it('that this program exported changes nothing when it is read again', async () => {
    const content: { readonly [type: string]: fc.Arbitrary<string> } = {
      A: fc.ipV4(),
      AAAA: fc.ipV6(),
      CNAME: fc.domain(),
      NS: fc.domain(),
      PTR: fc.domain(),
      MX: fc.domain(),
      TXT: fc
        .string({ minLength: 1, maxLength: 600, unit: 'grapheme' })
        .filter(text => !/\p{Cc}/u.test(text)),
      CAA: fc.domain().map(name => `0 issue "${name}; x=\\"y\\""`),
      SRV: fc.domain().map(name => `1 2 3 ${name}`),
      HTTPS: fc.domain().map(name => `1 ${name} alpn="h3,h2" port=8443`),
      URI: fc.domain().map(name => `5 "https://${name}/?a=;b"`),
      LOC: fc.constant('52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m'),
    }
    const record = fc.constantFrom(...Object.keys(content)).chain(type =>
      fc.record({
        type: fc.constant(type),
        name: fc.constantFrom('@', 'x', '*.w', '_a._tcp', 'bücher'),
        content: content[type]!,
        priority: fc.constant(10),
        ttl: fc.constantFrom(1, 60, 86_400),
        comment: fc.constantFrom(null, 'a note; with marks', 'cf_tags'),
        tags: fc.constantFrom([], ['a:b', 'c']),
      }),
    )
    await fc.assert(
      fc.property(record, given => {
        const { fields } = wantedRecord(given, zone)
        const own = { id: 'x', proxiable: false, meta: {}, created_on: '', modified_on: '' }
        const there: DnsRecord = { ...fields, ...own }
        fc.pre(!(fields.type === 'NS' && fields.name === zone))
        const text = zoneText({ name: zone, nameServers: ['ns.example.net'] }, [there], start)
        const { wanted, problems } = zoneFileRecords(text, zone)
        expect(problems).toEqual([])
        expect(planChanges([there], wanted, { zone, prune: true }).changes).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('reports mistakes and does not fail, for any text', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...['$ORIGIN', '$TTL', 'IN', '300', '1h', '@', '(', ')', ';', '"', '\\', '\n', '\t', '.', '..'],
      ),
      fc.constantFrom(...RECORD_TYPES),
      fc.string({ maxLength: 6 }),
      fc.domain(),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), words => {
        for (const { at } of zoneFileRecords(words.join(' '), zone).problems) {
          expect(at?.line).toBeGreaterThan(0)
          expect(at?.column).toBeGreaterThan(0)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a JSON file', () => {
  const place = async (text: string) => {
    const { entries, problem } = await jsonRecords(text)
    return problem
      ? `${problem.at?.line}:${problem.at?.column} ${problem.message}`
      : entries.map(({ at }) => `${at.line}:${at.column}`)
  }
  it.each([
    ['[{"a":[1,{"b":2}]},\n  {"c":"]{,"}]', ['1:2', '2:3']],
    ['{"errors":[1,[2]],"result":[{},\n{}],"records":[5]}', ['1:29', '2:1']],
    ['{"records":[{}]}', ['1:13']],
    ['{"type":"A"}', ['1:1']],
    ['{"type":"A"}\n\n {"type":"B"}\n', ['1:1', '3:2']],
    ['[]', []],
    ['[{},5]', '1:5 a record is an object'],
    ['{"a":1}', '1:1 records are a list, alone or as the member result'],
    ['{"type":"A"}\n{"type":\n', '2:1 this line is no JSON'],
    ['[{"a":1},\n {"b" 2}]', '2:7 this is no JSON'],
    ['[{"a":1', '1:8 this is no JSON'],
  ])('%j', async (text, expected) => expect(await place(text)).toEqual(expected))

  it('reports the place of every record', async () => {
    const value = fc.array(fc.dictionary(fc.string(), fc.jsonValue()))
    await forAll(value, fc.constantFrom(undefined, 1, 2), async (list, indent) => {
      const text = JSON.stringify(list, undefined, indent)
      const { entries = [] } = await jsonRecords(text)
      expect(entries.map(({ given }) => given)).toEqual(JSON.parse(text))
      const lines = text.split('\n')
      for (const { at } of entries) expect(lines[at.line - 1]?.[at.column - 1]).toBe('{')
    })
  })

  it('reports mistakes and does not fail, for any records', () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string(), fc.integer(), fc.domain())
    const record = fc.record(
      {
        type: fc.oneof(fc.constantFrom(...RECORD_TYPES), member),
        name: fc.oneof(fc.constantFrom('@', 'x'), member),
        content: member,
        data: fc.oneof(member, fc.dictionary(fc.string(), member)),
        priority: member,
        ttl: member,
        proxied: member,
        comment: member,
        tags: member,
        settings: member,
      },
      { requiredKeys: [] },
    )
    const at = { line: 1, column: 1 }
    fc.assert(
      fc.property(fc.array(record, { maxLength: 3 }), list => {
        const { wanted, problems } = checkEntries(
          list.map(given => ({ given, at })),
          zone,
        )
        expect(wanted.length + problems.length).toBeGreaterThanOrEqual(list.length)
      }),
      { numRuns: 300 },
    )
  })
})
