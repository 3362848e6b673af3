import { describe, expect, it } from 'vitest'
import type { DnsRecord } from '../../../src/servers/cloudflare/shapes.js'
import { emulator, records, token } from './support.js'

const a = { type: 'A', name: 'home', content: '192.0.2.1' }

const SRV = { priority: 1, weight: 2, port: 3, target: 'sip.example.com' }
const CAA = { flags: 0, tag: 'issue', value: 'ca.example' }
const URI = { weight: 2, target: 'ftp://a/' }
const LOC = '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m'

const accepted: readonly [what: string, given: object, made: Partial<DnsRecord>][] = [
  ['a relative name', a, { name: 'home.example.com', content: '192.0.2.1', ttl: 1, proxied: false }],
  ['@', { ...a, name: '@' }, { name: 'example.com' }],
  ['capitals and a dot at the end', { ...a, name: 'WWW.Example.COM.' }, { name: 'www.example.com' }],
  ['an IDN', { ...a, name: 'bücher' }, { name: 'xn--bcher-kva.example.com' }],
  ['a wildcard', { ...a, name: '*' }, { name: '*.example.com' }],
  ['a name of another zone', { ...a, name: 'mail.example.net' }, { name: 'mail.example.net.example.com' }],
  ['proxied, which makes the ttl automatic', { ...a, proxied: true, ttl: 300 }, { proxied: true, ttl: 1 }],
  ['members of the service', { ...a, id: 'x', created_on: '0001-01-01T00:00:00Z', t: 'A', data: null }, {}],
  ['AAAA', { ...a, type: 'AAAA', content: '2001:DB8:0::1' }, { content: '2001:db8::1', proxiable: true }],
  ['CNAME', { ...a, type: 'CNAME', content: 'Example.NET.' }, { content: 'example.net' }],
  ['MX', { ...a, type: 'MX', content: 'mail.example.com', priority: 0 }, { priority: 0, proxiable: false }],
  ['TXT', { ...a, type: 'TXT', content: 'a "b"; c', ttl: 120 }, { content: 'a "b"; c', ttl: 120 }],
  [
    'SRV by data',
    { type: 'SRV', name: '_sip._tcp', data: SRV },
    { content: '1 2 3 sip.example.com', priority: 1 },
  ],
  ['SRV by content', { type: 'SRV', name: '_sip._tcp', content: '1 2 3 sip.example.com' }, { priority: 1 }],
  ['CAA', { type: 'CAA', name: '@', data: CAA }, { content: '0 issue "ca.example"' }],
  ['TLSA', { type: 'TLSA', name: '_443._tcp', content: '3 1 1 AB cd' }, { content: '3 1 1 abcd' }],
  ['DS', { type: 'DS', name: 'sub', content: '1 8 2 AB' }, { content: '1 8 2 ab' }],
  ['SSHFP', { type: 'SSHFP', name: '@', content: '4 2 ab' }, { content: '4 2 ab' }],
  ['HTTPS', { type: 'HTTPS', name: '@', content: '1 . alpn="h3,h2"' }, { content: '1 . alpn="h3,h2"' }],
  ['NAPTR', { type: 'NAPTR', name: '@', content: '100 10 "U" "E2U+sip" "!^.*$!sip:a@b!" .' }, {}],
  ['CERT', { type: 'CERT', name: '@', content: '1 2 3 AAAA' }, {}],
  ['DNSKEY', { type: 'DNSKEY', name: '@', content: '257 3 13 AAAA' }, {}],
  ['SMIMEA', { type: 'SMIMEA', name: 'x', content: '0 0 0 ab' }, {}],
  ['SVCB', { type: 'SVCB', name: '_dns', content: '0 svc.example.net' }, {}],
  ['URI', { type: 'URI', name: '_ftp', priority: 1, data: URI }, { content: '2 "ftp://a/"' }],
  ['OPENPGPKEY', { type: 'OPENPGPKEY', name: '@', content: 'AAAA' }, {}],
  ['NS', { type: 'NS', name: 'sub', content: 'ns.example.net' }, {}],
  ['PTR', { type: 'PTR', name: '1', content: 'host.example.net' }, {}],
  ['LOC', { type: 'LOC', name: '@', content: LOC }, { content: LOC }],
]

const TTL = 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.'
const refused: readonly [what: string, given: object, code: number, message?: string][] = [
  ['no type', { ...a, type: undefined }, 9004],
  ['an unknown type', { ...a, type: 'SOA' }, 9004],
  ['no name', { ...a, name: undefined }, 9000],
  ['a name with a space', { ...a, name: 'a b' }, 9000],
  ['a label of 64 characters', { ...a, name: 'a'.repeat(64) }, 9000],
  ['an empty label', { ...a, name: 'a..b' }, 9000],
  ['a ttl that is too short', { ...a, ttl: 59 }, 9021, TTL],
  ['a ttl that is too long', { ...a, ttl: 86_401 }, 9021],
  ['a ttl that is a text', { ...a, ttl: '120' }, 9021],
  ['no address', { ...a, content: '' }, 9005, 'Content for A record must be a valid IPv4 address.'],
  ['a wrong IPv4 address', { ...a, content: '192.0.2.256' }, 9005],
  ['an IPv6 address in A', { ...a, content: '::1' }, 9005],
  ['a wrong IPv6 address', { ...a, type: 'AAAA', content: '1.2.3.4' }, 9006],
  ['an IPv6 address with a zone', { ...a, type: 'AAAA', content: 'fe80::1%eth0' }, 9006],
  [
    'an address as CNAME',
    { ...a, type: 'CNAME', content: '192.0.2.1' },
    9007,
    'Content for CNAME record is invalid.',
  ],
  ['a sentence as CNAME', { ...a, type: 'CNAME', content: 'not a name' }, 9007],
  ['an address as mail server', { ...a, type: 'MX', content: '192.0.2.1', priority: 1 }, 9009],
  ['no priority', { ...a, type: 'MX', content: 'mail.example.com' }, 9100],
  ['proxied as text', { ...a, proxied: 'yes' }, 9003],
  ['a proxied TXT', { ...a, type: 'TXT', proxied: true }, 9041],
  ['missing data', { type: 'SRV', name: 'x', data: { weight: 1 } }, 9101],
  ['the ttl before the content', { ...a, ttl: 2, content: 'x' }, 9021],
  ['the content before proxied', { ...a, type: 'MX', content: '', priority: 1, proxied: true }, 9009],
]

describe('a record', () => {
  it.each(accepted)('is created: %s', async (_, given, made) => {
    const { ask, create } = emulator()
    const record = await create(given)
    expect(record).toMatchObject(made)
    expect(record.id).toMatch(/^[0-9a-f]{32}$/)
    expect(record.created_on).toBe('2026-06-15T12:00:00.000Z')
    expect((await ask(`${records}/${record.id}`)).result()).toEqual(record)
  })

  it.each(refused)('is refused: %s', async (_, given, code, message) => {
    const { ask } = emulator()
    const answer = await ask(records, { method: 'POST', body: given })
    expect([answer.status, answer.code]).toEqual([400, code])
    if (message) expect(answer.errors[0]!.message).toBe(message)
    expect((await ask(records)).result()).toEqual([])
  })

  it.each(['', '{', '[]', 'null', '"x"'])('is refused for the body %j', async rawBody => {
    const answer = await emulator().ask(records, { method: 'POST', rawBody })
    expect([answer.status, answer.code]).toEqual([400, 9207])
  })

  it.each([
    ['A', 'CNAME', 81053],
    ['CNAME', 'CNAME', 81053],
    ['CNAME', 'A', 81054],
    ['CNAME', 'AAAA', 81054],
    ['A', 'A', 81058],
  ] as const)('%s does not let %s stand beside it', async (first, second, code) => {
    const contents = { A: '192.0.2.1', AAAA: '2001:db8::1', CNAME: 'a.example.net' }
    const { ask, create } = emulator()
    await create({ type: first, name: 'x', content: contents[first] })
    const content = code === 81053 && first === second ? 'b.example.net' : contents[second]
    const answer = await ask(records, { method: 'POST', body: { type: second, name: 'x', content } })
    expect([answer.status, answer.code]).toEqual([400, code])
  })

  it('is changed in part, replaced, and deleted', async () => {
    const { ask, create, clock } = emulator()
    const made = await create({ ...a, ttl: 120, comment: 'mine', tags: ['owner:a'] })
    const at = `${records}/${made.id}`
    clock.ms += 1000
    const patched = (await ask(at, { method: 'PATCH', body: { content: '192.0.2.2' } })).result()
    expect(patched).toEqual({ ...made, content: '192.0.2.2', modified_on: '2026-06-15T12:00:01.000Z' })
    const put = (await ask(at, { method: 'PUT', body: { ...a, name: 'other' } })).result()
    expect(put).toMatchObject({ id: made.id, name: 'other.example.com', ttl: 1, comment: null, tags: [] })
    expect(put.created_on).toBe(made.created_on)
    const typed = await ask(at, { method: 'PATCH', body: { type: 'AAAA', content: '::1' } })
    expect(typed.status).toBe(400)
    const gone = await ask(at, { method: 'DELETE', body: {} })
    expect(gone.text).toBe(`{"result":{"id":"${made.id}"},"success":true,"errors":[],"messages":[]}`)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await ask(at, { method, body: a })
      expect(answer).toMatchObject({
        status: 404,
        errors: [{ code: 81044, message: 'Record does not exist.' }],
      })
    }
  })
})

describe('a batch', () => {
  it('deletes, patches, puts and posts, in this order', async () => {
    const { ask, create, published } = emulator()
    const [one, two] = [await create(a), await create({ ...a, name: 'two' })]
    const three = await create({ ...a, name: 'three' })
    const body = {
      posts: [{ ...a, type: 'CNAME', content: 'example.net' }],
      puts: [{ ...a, id: three.id, name: 'put' }],
      patches: [{ id: two.id, ttl: 60 }],
      deletes: [{ id: one.id }],
    }
    const answer = await ask(`${records}/batch`, { method: 'POST', body })
    expect(Object.keys(answer.result<object>())).toEqual(['deletes', 'patches', 'puts', 'posts'])
    const names = (await ask(records)).result<DnsRecord[]>().map(({ type, name, ttl }) => [type, name, ttl])
    expect(names).toEqual([
      ['A', 'two.example.com', 60],
      ['A', 'put.example.com', 1],
      ['CNAME', 'home.example.com', 1],
    ])
    expect(published.at(-2)).toMatchObject({ type: 'dns.batch_applied', created: 1, changed: 2, deleted: 1 })
  })

  it('does all or nothing', async () => {
    const { ask, create } = emulator()
    const [one, two] = [await create(a), await create({ ...a, name: 'two' })]
    const body = {
      deletes: [{ id: one.id }],
      patches: [{ id: two.id, name: 'three' }],
      posts: ['192.0.2.9', 'bad'].map(content => ({ ...a, name: 'ok', content })),
    }
    const answer = await ask(`${records}/batch`, { method: 'POST', body })
    expect(answer.errors).toEqual([expect.objectContaining({ code: 9005, source: { pointer: '/posts/1' } })])
    expect((await ask(records)).result()).toEqual([one, two])
    const codes = async (name: string) =>
      (await ask(records, { method: 'POST', body: { ...a, name } })).errors.map(({ code }) => code)
    for (const name of [one.name, 'two']) expect(await codes(name)).toEqual([81058])
    for (const name of ['three', 'ok']) expect(await codes(name)).toEqual([])
  })
})

describe('a zone file', () => {
  it('is the same after an export and an import', async () => {
    const from = emulator()
    for (const [, given] of accepted.slice(1)) await from.ask(records, { method: 'POST', body: given })
    const exported = await from.ask(`${records}/export`)
    expect(exported.header('content-type')).toMatch(/^text\/plain/)
    const to = emulator()
    const answer = await to.ask(`${records}/import`, { method: 'POST', rawBody: exported.text })
    expect(answer.status, answer.text).toBe(200)
    const plain = (list: DnsRecord[]) =>
      list
        .map(({ type, name, content, proxied, ttl }) => JSON.stringify([type, name, content, proxied, ttl]))
        .sort()
    const wanted = plain((await from.ask(records)).result<DnsRecord[]>())
    expect(plain((await to.ask(records)).result<DnsRecord[]>())).toEqual(wanted)
    const again = await to.ask(`${records}/import`, { method: 'POST', rawBody: exported.text })
    expect(again.result<object>()).toEqual({ recs_added: 0, total_records_parsed: wanted.length })
  })

  it.each([
    ['line feeds alone, as cloudflare-go sends', '\n', ''],
    ['the line ends of RFC 7578', '\r\n', '\r\n'],
  ])('comes in a form with %s', async (_, end, last) => {
    const { ask } = emulator()
    // The names of cloudflare-go 0.116: its boundary begins with dashes.
    const boundary = '------------------------BOUNDARY'
    const upload = (...parts: readonly (readonly [head: string, content: string])[]) =>
      ask(`${records}/import`, {
        method: 'POST',
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['Content-Type', `multipart/form-data; boundary=${boundary}`],
        ],
        rawBody: `${parts
          .map(
            ([head, content]) =>
              `--${boundary}${end}Content-Disposition: form-data; ${head}${end}${end}${content}${end}`,
          )
          .join('')}--${boundary}--${last}`,
      })
    const file = 'name="file"; filename="bind.txt"'
    const plain = await upload([file, 'a.example.com. 60 IN A 192.0.2.1\n;--x\n'])
    expect(plain.result<object>()).toEqual({ recs_added: 1, total_records_parsed: 1 })
    const proxied = await upload([file, 'b.example.com. 1 IN A 192.0.2.2'], ['name="proxied"', 'true'])
    expect(proxied.result<object>()).toEqual({ recs_added: 1, total_records_parsed: 1 })
    const list = (await ask(records)).result<DnsRecord[]>()
    expect(list.map(({ name, proxied: on }) => [name, on])).toEqual([
      ['a.example.com', false],
      ['b.example.com', true],
    ])
    expect((await upload([file, ''])).result<object>()).toEqual({ recs_added: 0, total_records_parsed: 0 })
    expect((await upload(['name="other"', 'x'])).errors[0]?.message).toMatch(/the form has no file/)
  })

  it.each([
    ['no end', '--b\nContent-Disposition: form-data; name="file"\n\nx'],
    ['no headers', '--b\nx\n--b--'],
    ['no name', '--b\nContent-Disposition: form-data; filename="file"\n\nx\n--b--'],
    ['no part', ''],
    ['too many parts', `${'--b\nContent-Disposition: form-data; name="a"\n\n\n'.repeat(21)}--b--`],
  ])('in a form with %s is refused', async (_, rawBody) => {
    const answer = await emulator().ask(`${records}/import`, {
      method: 'POST',
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', 'multipart/form-data; boundary=b'],
      ],
      rawBody,
    })
    expect([answer.status, answer.code]).toEqual([400, 9207])
  })

  it.each([
    ['"one"', 'one'],
    ['"one" "two"', '"one" "two"'],
    ['one two', '"one" "two"'],
    ['"v=DKIM1; " "p=\\"x\\""', '"v=DKIM1; " "p=\\"x\\""'],
    ['"\\"one\\""', '"\\"one\\""'],
    ['"a" ""', '"a" ""'],
    [`"${'x'.repeat(255)}" "y"`, `${'x'.repeat(255)}y`],
  ])('keeps the strings of TXT %j, in quotes where there are several', async (written, content) => {
    const { ask } = emulator()
    const rawBody = `t 60 IN TXT ${written}\n`
    await ask(`${records}/import`, { method: 'POST', rawBody })
    expect((await ask(records)).result<DnsRecord[]>()[0]?.content).toBe(content)
    const exported = await ask(`${records}/export`)
    const again = await ask(`${records}/import`, { method: 'POST', rawBody: exported.text })
    expect(again.result<object>()).toEqual({ recs_added: 0, total_records_parsed: 1 })
  })

  it.each([
    ['entries', 'a A 192.0.2.1\n'.repeat(60_001), /line 60001, column 1: there are more than 60000 entries/],
    ['words', `a TXT ${'x '.repeat(5000)}`, /this entry has too many words/],
  ])('of too many %s is refused before it is read', async (_, rawBody, message) => {
    const answer = await emulator().ask(`${records}/import`, { method: 'POST', rawBody })
    expect(answer.errors[0]?.message).toMatch(message)
  })

  it('with a mistake is refused with the position of the mistake', async () => {
    const { ask } = emulator()
    const answer = await ask(`${records}/import`, {
      method: 'POST',
      rawBody: 'a 60 IN A 192.0.2.1\nb IN "x\n',
    })
    expect(answer.errors[0]!.message).toBe('file: line 2, column 6: a quote has no end')
    expect((await ask(records)).result()).toEqual([])
  })
})
