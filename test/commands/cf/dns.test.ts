import { describe, expect, it } from 'vitest'
import { bytes, textResponse } from '../../../src/protocol/http/message.js'
import type { DnsRecord } from '../../../src/servers/cloudflare/shapes.js'
import { key, token } from '../../servers/cloudflare/support.js'
import { runHere } from '../../support/in-process.js'
import { ends, refused } from '../support.js'
import { dnsService } from './dns-service.js'

const { service, count, cf, dns, said, list, file } = dnsService()

describe('cf zones and cf verify', () => {
  it('list what the credentials reach', async () => {
    const { stdout } = await cf(['zones'])
    expect(stdout.split('\n').map(line => line.split(/ +/, 3))).toEqual([
      ['NAME', 'ID', 'STATUS'],
      ['example.com', '1ab00000000000000000000000000001', 'active'],
      ['example.org', '1ab00000000000000000000000000002', 'active'],
      [''],
    ])
    expect((await cf(['zones', '-o', 'csv'])).stdout).toMatch(/^name,id,status,name_servers\r\nexample\.com,/)
    expect(JSON.parse((await cf(['zones', '--json'])).stdout)).toHaveLength(2)
  })

  it('print the identity and the rest of the budget, and no secret', async () => {
    const { stdout } = await cf(['verify'])
    expect(stdout).toMatch(/^Credentials {2}API key of alice@example\.com \(from CLOUDFLARE_API_KEY and/m)
    expect(stdout).toMatch(/^Zones +2: example\.com, example\.org$/m)
    expect(stdout).toMatch(/^Rate budget +\d+ of 1200 requests left, a window of 300 s, resets in \d+ s$/m)
    const byToken = await cf(['verify', '--json', '--token-file', file('token', `${token}\n`)])
    expect(JSON.parse(byToken.stdout)).toMatchObject({
      credentials: { kind: 'token', status: 'active' },
      rate_budget: { quota: 1200, windowSeconds: 300 },
    })
    expect(stdout + byToken.stdout).not.toMatch(new RegExp(`${key}|${token}`))
  })
})

describe('cf dns list', () => {
  it('prints every output form', async () => {
    expect(await said('list', '--name', 'home')).toBe(
      'TYPE  NAME              CONTENT      TTL  PROXIED  ID        COMMENT\n' +
        'A     home.example.com  203.0.113.1  120  no       7c3d0000  changes with the provider\n',
    )
    expect(await list('--type', 'a')).toHaveLength(8)
    expect((await said('list', '-o', 'jsonl')).trimEnd().split('\n')).toHaveLength(16)
    expect(await said('list', '--type', 'MX', '-o', 'csv')).toMatch(
      /^id,type,name,content,priority,.*\r\n[0-9a-f]{32},MX,example\.com,mail\.example\.com,10,3600,false,,,/,
    )
    expect(await said('list', '-o', 'bind')).toContain(
      'home.example.com.\t120\tIN\tA\t203.0.113.1 ; changes with the provider cf_tags=cf-proxied:false,owner:alice\n',
    )
  })

  it('filters and sorts', async () => {
    const names = async (...args: readonly string[]) =>
      (await list(...args)).map(({ name }) => name.replace('.example.com', ''))
    expect(await names('--search', 'provider')).toEqual(['home'])
    expect(await names('--filter', 'name.startswith=_')).toEqual(['_dmarc', '_sip._tcp'])
    expect(await names('--filter', 'comment.present', '--order', 'name', '--desc')).toEqual(['home', 'admin'])
    expect(await names('--type', 'A', '--no-proxied', '--content', '192.0.2.22')).toEqual(['admin'])
    expect(await names('--name', 'two', '--filter', 'content.endswith=.2', '--match', 'all')).toEqual(['two'])
    expect(await names('--zone', 'example.org', '--type', 'CNAME')).toEqual(['www.example.org'])
    expect(await names('--name', 'www.example.org')).toEqual(['www.example.org'])
  })

  it('says on stderr that no record matches', async () => {
    expect(await dns('list', '--name', 'nope')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No record of example.com matches.\n',
    })
  })

  it('makes text of attackers safe', async () => {
    await said('create', '--type', 'TXT', '--name', 'x', '--content', '=HYPERLINK("http://x")')
    await said('create', '--type', 'A', '--name', 'y', '--content', '192.0.2.1', '--comment', '+1\u202e')
    expect(await said('list', '--name', 'x', '-o', 'csv')).toContain(`,"'=HYPERLINK(""http://x"")",`)
    const table = await said('list', '--name', 'y')
    expect(table).toContain('+1<U+202E>')
    expect(await said('list', '--name', 'y', '-o', 'csv')).toContain(",'+1<U+202E>,")
    expect(await said('list', '--name', 'y', '--json')).toContain('"+1\\u202e"')
  })
})

describe('cf dns create', () => {
  it.each([
    [
      ['--type', 'A', '--name', 'new', '--content', '192.0.2.9'],
      'created A new.example.com   192.0.2.9   (ttl automatic, not proxied)',
    ],
    [
      ['--type', 'MX', '--name', '@', '--content', '20 mx2.example.com', '--ttl', '5m'],
      'created MX example.com   20 mx2.example.com   (ttl 300, not proxied)',
    ],
    [
      ['--type', 'srv', '--name', '_x._tcp', '--content', '1 2 3 x.example.com'],
      'created SRV _x._tcp.example.com   1 2 3 x.example.com   (ttl automatic, not proxied)',
    ],
    [
      ['--type', 'CNAME', '--name', 'n.example.org', '--content', 'example.org', '--proxied'],
      'created CNAME n.example.org   example.org   (ttl automatic, proxied)',
    ],
  ])('%j', async (args, line) => {
    const before = await list()
    const dry = await said('create', ...args, '--dry-run')
    expect(dry).toBe(
      `${line.replace('created', '+')}\n0 to change, 1 to add, 0 to delete. Nothing was sent (--dry-run).\n`,
    )
    expect(await list()).toEqual(before)
    const made = await said('create', ...args)
    expect(made.startsWith(`${line}   id `)).toBe(true)
    const { stderr, stdout, code } = await dns('create', ...args)
    expect({ stderr, stdout, code }).toEqual({
      stderr: 'error: An identical record already exists. (81058, HTTP 400)\n',
      stdout: '',
      code: 1,
    })
  })

  it('prints the record as JSON', async () => {
    const record = ['--type', 'A', '--name', 'new', '--content', '192.0.2.9', '--tag', 'a:b']
    expect(JSON.parse(await said('create', ...record, '--json'))).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'new.example.com',
      tags: ['a:b'],
    })
  })
})

describe('cf dns set', () => {
  const home = ['set', '--type', 'A', '--name', 'home', '--content', '203.0.113.77'] as const

  it('plans with --dry-run, then updates, then has nothing to do', async () => {
    const change = 'A home.example.com   content 203.0.113.1 → 203.0.113.77   (ttl 120, not proxied)\n'
    expect(await said(...home, '--dry-run')).toBe(
      `~ ${change}1 to change, 0 to add, 0 to delete. Nothing was sent (--dry-run).\n`,
    )
    expect(await said(...home)).toBe(`updated ${change}`)
    expect(await said(...home)).toBe('unchanged A home.example.com   203.0.113.77   (ttl 120, not proxied)\n')
    expect(await list('--name', 'home')).toMatchObject([{ comment: 'changes with the provider' }])
  })

  it('prints the outcome as JSON', async () => {
    const outcome = async (...args: readonly string[]) =>
      (JSON.parse(await said(...args, '--json')) as { outcome: string }).outcome
    const fresh = 'set --type AAAA --name home --content 2001:DB8::1 --ttl 60'.split(' ')
    expect(await outcome(...fresh, '--dry-run')).toBe('created')
    expect(await outcome(...fresh)).toBe('created')
    expect(await outcome(...fresh)).toBe('unchanged')
    expect(await outcome(...fresh, '--comment', 'x')).toBe('updated')
  })

  it('refuses to choose between several records', async () => {
    const { code, stdout, stderr } = await dns(...'set --type A --name two --content 192.0.2.3'.split(' '))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^error: 2 A records match two\.example\.com, .*\n {2}5f1c… A 192\.0\.2\.1 ttl 300\n/,
    )
    expect(await said('set', '--type', 'A', '--name', 'two', '--content', '192.0.2.2', '--ttl', '60')).toBe(
      'updated A two.example.com   ttl 300 → 60   (not proxied)\n',
    )
  })
})

describe('cf dns delete', () => {
  it('refuses several matches and deletes none', async () => {
    expect(await dns('delete', '--name', 'two.example.com', '--yes')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: 2 records match two.example.com; name one by id or add --all:\n' +
        '  5f1c… A 192.0.2.1 ttl 300\n  9a77… A 192.0.2.2 ttl 300\n',
    })
    expect(await list('--name', 'two')).toHaveLength(2)
  })

  it('does not ask without a terminal', async () => {
    expect(await dns('delete', '--name', 'home')).toMatchObject(refused('--yes'))
    expect(await list('--name', 'home')).toHaveLength(1)
  })

  it.each([
    ['a name and content', ['--name', 'two', '--content', '192.0.2.1'], ['5f1c']],
    ['content alone', ['--type', 'mx', '--content', '10 mail.example.com'], ['f214']],
    ['all of a name', ['--name', 'two', '--all'], ['5f1c', '9a77']],
    ['identifiers', ['5f1c', '9a770000000000000000000000000002', '5f1c…'], ['5f1c', '9a77']],
  ])('deletes by %s', async (_, args, ids) => {
    expect(await said('delete', ...args, '--dry-run')).toContain(
      `0 to change, 0 to add, ${ids.length} to delete. Nothing was sent (--dry-run).`,
    )
    expect(await count()).toBe(16)
    const { deleted } = JSON.parse(await said('delete', ...args, '--yes', '--json')) as {
      deleted: DnsRecord[]
    }
    expect(deleted.map(({ id }) => id.slice(0, 4))).toEqual(ids)
    expect(await count()).toBe(16 - ids.length)
  })
})

describe('cf dns diff and apply', () => {
  it.each(['json', 'jsonl', 'bind'])(
    'the output of list -o %s changes nothing, and creates the zone again',
    async form => {
      const written = file(`zone.${form}`, await said('list', '-o', form))
      expect(await said('diff', written, '--prune')).toBe(
        '0 to change, 0 to add, 0 to delete. 16 unchanged. Nothing was sent.\n',
      )
      await said('delete', '--type', 'A', '--all', '--yes')
      await said('set', '--type', 'TXT', '--name', 'more', '--content', 'x')
      const { stdout } = await dns('apply', written, '--prune', '--yes')
      expect(stdout).toMatch(/\n0 changed, 8 added, 1 deleted\. 8 unchanged\.\n$/)
      expect(await said('apply', written, '--prune')).toBe('0 changed, 0 added, 0 deleted. 16 unchanged.\n')
    },
  )

  it('reads stdin, finds the zone, and keeps records that are not in the file', async () => {
    const { code, stdout } = await cf(['dns', 'apply', '-'], '$ORIGIN example.org.\nn 300 IN A 192.0.2.7\n')
    expect(code).toBe(0)
    expect(stdout).toBe(
      'created A n.example.org   192.0.2.7   (ttl 300, not proxied)\n' +
        '0 changed, 1 added, 0 deleted. 2 only in the zone (--prune deletes them).\n',
    )
  })

  it.each([
    [
      'bad.zone',
      'a IN A 192.0.2.1\nb IN A 192.0.2.999\n',
      2,
      'oauth-lab: FILE:2:8: Content for A record must be a valid IPv4 address. (9005)',
    ],
    ['open.zone', 'a IN A 192.0.2.1\nb IN TXT "x\n', 2, 'oauth-lab: FILE:2:10: a quote has no end'],
    [
      'far.zone',
      'a IN A 192.0.2.1\nb.example.org. IN A 192.0.2.1',
      2,
      'oauth-lab: FILE:2:1: b.example.org is not within the zone example.com',
    ],
    [
      'bad.json',
      '[{"type":"A","name":"a","content":"192.0.2.1"},\n{"type":"A","name":"b"}]',
      2,
      'oauth-lab: FILE:2:1: Content for A record must be a valid IPv4 address. (9005)',
    ],
    ['half.json', '[{"type":"A"', 2, 'oauth-lab: FILE:1:13: this is no JSON'],
    [
      'beside.zone',
      'a IN A 192.0.2.1\nhome IN CNAME example.net.',
      1,
      'error: FILE:2:1: CNAME home.example.com: An A, AAAA, or CNAME record with that host already exists. (81053)',
    ],
  ])('refuses %s in one line and changes nothing', async (name, text, code, line) => {
    const bad = file(name, text)
    const args = ['apply', bad, '--zone', 'example.com']
    expect(await dns(...args)).toEqual({ code, stdout: '', stderr: `${line.replace('FILE', bad)}\n` })
    expect(await count()).toBe(16)
  })
})

describe('bad input', () => {
  const a = ['--type', 'A', '--name', 'x', '--content', '192.0.2.1'] as const
  it.each([
    [
      ['create', ...a.slice(0, 4), '--content', 'x'],
      1,
      'error: Content for A record must be a valid IPv4 address. (9005, HTTP 400)',
    ],
    [['create', '--type', 'AAAA', ...a.slice(2)], 1, '(9006, HTTP 400)'],
    [
      ['create', '--type', 'CNAME', ...a.slice(2)],
      1,
      'error: Content for CNAME record is invalid. (9007, HTTP 400)',
    ],
    [
      ['create', ...a, '--ttl', '5'],
      1,
      'error: TTL must be between 60 and 86400 seconds, or 1 for Automatic. (9021, HTTP 400)',
    ],
    [['create', '--type', 'NOPE', ...a.slice(2)], 1, '(9004, HTTP 400)'],
    [['create', '--type', 'A', '--name', 'a..b', ...a.slice(4)], 1, '(9000, HTTP 400)'],
    [['create', '--type', 'TXT', ...a.slice(2), '--proxied'], 1, '(9041, HTTP 400)'],
    [['create', '--type', 'CNAME', '--name', 'home', '--content', 'x.example'], 1, '(81053, HTTP 400)'],
    [['create', '--type', 'A', '--name', 'www', '--content', '192.0.2.1'], 1, '(81054, HTTP 400)'],
    [
      ['set', ...a.slice(0, 4), '--content', 'x'],
      1,
      'error: Content for A record must be a valid IPv4 address. (9005)',
    ],
    [['create', ...a, '--ttl', 'soon'], 2, 'It is seconds, a duration such as 5m, or auto.'],
    [['create', ...a.slice(0, 4)], 2, "required option '--content <content>' not specified"],
    [['delete'], 2, 'Nothing is deleted without an id'],
    [['delete', '--all', '--yes'], 2, 'Nothing is deleted without an id'],
    [['delete', '5f1c', '--name', 'x'], 2, 'two ways'],
    [['delete', 'xyz', '--yes'], 2, 'is no identifier of a record'],
    [['delete', 'eeee', '--yes'], 1, 'error: no record of example.com has an id that begins with eeee'],
    [
      ['delete', '5f1c0000000000000000000000000009', '--yes'],
      1,
      'error: Record does not exist. (81044, HTTP 404)',
    ],
    [['delete', '--name', 'nope', '--yes'], 1, 'error: no record matches nope'],
    [['diff', '/nowhere'], 2, 'cannot read the records /nowhere: there is no such file'],
    [['list', '--zone', 'nope.example'], 1, 'error: no zone nope.example is reached with these credentials'],
    [['list', '--zone', 'exmple.com'], 1, 'Did you mean example.com?'],
    [['list', '--type', 'CNAM'], 0, 'No record of example.com matches. Did you mean CNAME?'],
    [['set', '--type', 'CNAM', ...a.slice(2)], 1, 'Did you mean CNAME?'],
    [['list', '--zone', 'a b'], 2, 'is neither the name of a zone nor an identifier'],
    [
      ['list', '--zone', '1ab00000000000000000000000000009'],
      1,
      'error: Authentication error (10000, HTTP 403)',
    ],
    [['list', '--filter', 'nme.contains=x'], 2, 'Did you mean name.contains?'],
    [['list', '--filter', 'name.contains'], 2, 'has no value'],
    [['list', '--json', '-o', 'csv'], 2, 'two forms'],
    [['list', '-o', 'xml'], 2, 'Allowed choices are table, json, jsonl, csv, bind'],
    [['list', '--order', 'size'], 2, 'Allowed choices'],
    [
      ['apply', 'x', '--max-delete', '101%'],
      2,
      'It is a number of records, or a share of the zone such as 30%.',
    ],
    [['apply', 'x', '--max-delete', 'all'], 2, 'It is a number of records'],
    [
      ['create', '--type', 'A', '--name', 'x.example.net.', ...a.slice(4)],
      2,
      'x.example.net is not within the zone example.com',
    ],
    [
      ['set', '--type', 'A', '--name', 'x.example.net.', ...a.slice(4)],
      2,
      'is not within the zone example.com',
    ],
    [
      ['list', '--api-url', 'https://1ab0c0ffee@x/client/v4'],
      2,
      '--api-url "https://…@x/client/v4" is not the base URL of a DNS API',
    ],
    [['list', '--api-url', 'ftp://x'], 2, 'is not the base URL of a DNS API'],
    [['list', '--api-url', 'http://api.example.com/client/v4'], 2, 'your key would travel readable'],
    [
      ['list', '--api-url', 'https://localhost:1/client/v4'],
      3,
      'cannot reach https://localhost:1 (ECONNREFUSED)',
    ],
  ])('%j', async (args, code, words) => {
    const found = await dns(...args)
    expect(found.stderr).toContain(words)
    expect({ code: found.code, stdout: found.stdout }).toEqual({ code, stdout: '' })
    expect(found.stderr).not.toMatch(/ {4}at |1ab0c0ffee/)
    expect(await count()).toBe(16)
  })

  it('refuses an empty file with --prune', async () => {
    expect(await dns('apply', file('empty.json', '[]'), '--prune', '--zone', 'example.com')).toMatchObject(
      ends(2, '--prune would empty the zone example.com'),
    )
  })
})

describe('credentials', () => {
  it.each([
    [['--token-file', 'TOKEN'], {}, /^Credentials {2}API token \(from --token-file .*active/m],
    [
      ['--key-file', 'KEY', '--email', 'ALICE@example.com'],
      {},
      /^Credentials {2}API key of ALICE@example\.com/m,
    ],
    [[], { CLOUDFLARE_API_TOKEN: token }, /^Credentials {2}API token \(from CLOUDFLARE_API_TOKEN/m],
  ])('%j %j', async (args, more, line) => {
    const files = { TOKEN: file('token', `${token}\n`), KEY: file('key', key) }
    const words = args.map(each => files[each as 'KEY'] ?? each)
    const { stdout } = await runHere(['cf', 'verify', ...words], { env: { ...service.env, ...more } })
    expect(stdout).toMatch(line)
  })

  it.each([
    ['no e-mail', { CLOUDFLARE_EMAIL: '' }, [], 2, 'needs the e-mail address it belongs to'],
    ['both kinds', {}, ['--token-file', 'x', '--key-file', 'y'], 2, 'two ways'],
    ['a line break', { CLOUDFLARE_API_TOKEN: 'a\nb' }, [], 2, 'something that no header can carry'],
    [
      'a wrong form',
      { CLOUDFLARE_API_TOKEN: 'short' },
      [],
      1,
      'Invalid format for Authorization header (6111)',
    ],
    [
      'another key',
      { CLOUDFLARE_API_KEY: key.replace('1', '2') },
      [],
      1,
      'Unknown X-Auth-Key or X-Auth-Email (9103, HTTP 403)',
    ],
    [
      'another token',
      { CLOUDFLARE_API_TOKEN: token.replace('1', '2') },
      [],
      1,
      'Invalid access token (9109, HTTP 403)',
    ],
  ])('with %s are refused', async (_, more, args, code, words) => {
    const found = await runHere(['cf', 'zones', ...args], { env: { ...service.env, ...more } })
    expect(found.stderr).toContain(words)
    expect({ code: found.code, stdout: found.stdout }).toEqual({ code, stdout: '' })
    for (const secret of [key, token, 'a\nb']) expect(found.stderr).not.toContain(secret)
  })
})

describe('a service', () => {
  it('without zones works with the identifier of its zone', async () => {
    const { site } = service.api
    service.handle = async request =>
      /dns_records(\?|\/[0-9a-f]{32}$|$)/.test(request.url)
        ? site.handle(request)
        : textResponse(404, 'no such page')
    const zone = ['--zone', '1ab00000000000000000000000000001']
    const record = ['--type', 'A', '--name', 'new.example.com', ...zone]
    expect(await list(...record)).toEqual([])
    await said('create', ...record, '--content', '192.0.2.9')
    expect(await said('list', ...record, '-o', 'csv')).toContain(',new.example.com,192.0.2.9,')
    expect(await said('delete', ...record, '--yes')).toMatch(/^deleted A new\.example\.com /)
    expect(await dns('set', ...record, '--content', '192.0.2.9')).toMatchObject(
      ends(1, 'does not return the name of the zone 1ab00000000000000000000000000001'),
    )
  })

  it('that ignores filters does not make more records match', async () => {
    const { site } = service.api
    service.handle = request =>
      site.handle({ ...request, url: request.url.replace(/&?(name|type)=[^&]*/g, '') })
    expect(await said('delete', '--name', 'home', '--yes')).toMatch(/^deleted A home\.example\.com .*\n$/)
    expect(await said('set', '--type', 'A', '--name', 'x', '--content', '192.0.2.1')).toMatch(
      /^created A x\./,
    )
    expect(await count()).toBe(16)
  })

  it('without budget is asked again after a wait, and its refusal is final then', async () => {
    let left = 1
    const spent = { success: false, errors: [{ code: 971, message: 'More than 5 requests' }] }
    const { site } = service.api
    service.handle = async request =>
      left-- > 0
        ? site.handle(request)
        : { status: 429, headers: [['retry-after', '0']], body: bytes(JSON.stringify(spent)) }
    const { code, stdout, stderr } = await cf(['zones'])
    expect({ code, stdout: stdout.split('\n').length }).toEqual({ code: 0, stdout: 4 })
    const again = await cf(['zones'])
    expect(again).toEqual({
      code: 1,
      stdout: '',
      stderr: `${[1, 2, 3].map(n => `The service wants a pause (HTTP 429): asking again in 0 s, ${n} of 3\n`).join('')}error: More than 5 requests (971, HTTP 429)\n  The budget of requests is spent; try again later.\n`,
    })
    expect(stderr).toBe('')
  })

  it.each([
    ['<html>', 200, 'with HTML (HTTP 200)'],
    ['oops', 500, 'that is no JSON (HTTP 500)'],
    ['{"result":[{"id', 200, 'with JSON that ends too early or is broken (HTTP 200)'],
    ['{"success":true,"result":[{"id":"x"}]}', 200, 'a zone that has no id or no name'],
  ])('that answers %j is reported in one line', async (body, status, words) => {
    service.handle = async () => ({
      status,
      headers: [['content-type', 'application/json']],
      body: bytes(body),
    })
    const { code, stdout, stderr } = await dns('set', '--type', 'A', '--name', 'x', '--content', '192.0.2.1')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr.split('\n')[0]).toContain(words)
  })
})
