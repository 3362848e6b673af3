import { describe, expect, it } from 'vitest'
import { key, token } from '../../servers/cloudflare/support.js'
import { ends } from '../support.js'
import { dnsService } from './dns-service.js'

const { count, dns, said, list, file } = dnsService()

describe('cf dns apply --prune', () => {
  const keep = (count: number) => async () => {
    const records = await list()
    return file('kept.json', JSON.stringify(records.slice(0, count)))
  }

  it('deletes nothing unasked, without a terminal', async () => {
    const written = await keep(14)()
    const { code, stdout, stderr } = await dns('apply', written, '--prune')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^- .*\n- .*\noauth-lab: there is no terminal to ask on, so that nothing was changed\n {2}.*--yes/,
    )
    expect(await count()).toBe(16)
    expect((await dns('apply', written, '--prune', '--yes')).code).toBe(0)
    expect(await count()).toBe(14)
  })

  it.each([
    // The zone has 16 records: 30 % of them are 4, and five may always go.
    [11, [], true],
    [10, [], false],
    [10, ['--max-delete', '6'], true],
    [10, ['--max-delete', '5'], false],
    [10, ['--max-delete', '37%'], false],
    [10, ['--max-delete', '38%'], true],
    [15, ['--max-delete', '0'], false],
    [1, ['--max-delete', '100%'], true],
  ] as const)('that keeps %i of 16 records with %j: %s', async (kept, args, done) => {
    const written = await keep(kept)()
    const { code, stdout, stderr } = await dns('apply', written, '--prune', '--yes', ...args)
    expect(code).toBe(done ? 0 : 1)
    expect(await count()).toBe(done ? kept : 16)
    if (done) return
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^error: \d+ of 16 records of example\.com would be deleted \(\d+ %\); the limit is \d\. Nothing was changed\.\n/,
    )
    const dry = await dns('apply', written, '--prune', '--dry-run', ...args)
    expect(dry).toMatchObject(ends(0, /^apply would refuse this: /))
  })

  it('asks for no record that is added or changed', async () => {
    const written = file('new.zone', 'new 300 IN A 192.0.2.9\nhome 300 IN A 192.0.2.9\n')
    expect((await dns('apply', written, '--zone', 'example.com')).code).toBe(0)
  })
})

describe('cf dns diff --exit-code', () => {
  it('is 1 with differences and 0 without', async () => {
    const same = file('same.zone', await said('list', '-o', 'bind'))
    expect((await dns('diff', same, '--prune', '--exit-code')).code).toBe(0)
    const other = file('other.zone', 'new 300 IN A 192.0.2.9\n')
    const { code, stdout } = await dns('diff', other, '--exit-code', '--zone', 'example.com')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^\+ A new\.example\.com/)
    expect((await dns('diff', other, '--zone', 'example.com')).code).toBe(0)
    expect((await dns('diff', other, '--exit-code', '--json', '--zone', 'example.com')).code).toBe(1)
  })
})

describe('cf --show-http', () => {
  it('prints each exchange and the equal curl line on stderr, without the key', async () => {
    const { code, stdout, stderr } = await dns('list', '--name', 'home', '--json', '--show-http')
    expect({ code, records: JSON.parse(stdout).length }).toEqual({ code: 0, records: 1 })
    expect(stderr).toMatch(/^> GET \/client\/v4\/zones\?/m)
    expect(stderr).toMatch(/^> x-auth-key: •+$/m)
    expect(stderr).toMatch(/^< HTTP\/1\.1 200 /m)
    expect(stderr).toMatch(
      /^# curl {5}curl --globoff -H 'x-auth-email: alice@example\.com' -H "x-auth-key: \$CLOUDFLARE_API_KEY" -H 'content-type: application\/json' 'http:\/\/127\.0\.0\.1:\d+\/client\/v4\/zones\/.*name=home\.example\.com/m,
    )
    expect(stderr).not.toContain(key)
    const shown = await dns('list', '--name', 'home', '--json', '--show-http', '--show-secrets')
    expect(shown.stderr).toContain(`x-auth-key: ${key}`)
  })

  it('prints refused requests, their bodies and other methods', async () => {
    const { code, stderr } = await dns(...'create --type A --name x --content y --show-http'.split(' '))
    expect(code).toBe(1)
    expect(stderr).toMatch(/^> +"content": "y"/m)
    expect(stderr).toMatch(/^< HTTP\/1\.1 400 /m)
    expect(stderr).toMatch(/^# curl .* --data-raw '\{.*"content":"y"\}' http:/m)
    const deleted = await dns(
      ...'delete --name home --yes --show-http --token-file'.split(' '),
      file('token', token),
    )
    expect(deleted.stderr).toMatch(
      /^# curl {5}curl --globoff -X DELETE -H "authorization: Bearer \$CLOUDFLARE_API_TOKEN"/m,
    )
    expect(deleted.stderr).not.toContain(token)
  })
})
