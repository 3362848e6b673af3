import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { jsonLines, runProgram, startProgram, until } from '../../../support/program.js'
import { withoutLabLine } from '../../../support/serve.js'
import { sharedFolder, sharedLab } from '../../../support/shared.js'

const lab = sharedLab(['--cluster-port', '0', '--dns-port', '0', '--hostile'])
const folder = sharedFolder()

async function cf(...args: readonly string[]) {
  const ended = await runProgram(['cf', 'events', ...args], { env: lab.env })
  return { ...ended, stderr: withoutLabLine(ended.stderr) }
}
const hookOf = (name: string) =>
  `${(lab.ready.urls as { dns?: string }).dns?.replace('/client/v4', '')}/services/T0/B0/${name}`
const posted = async () => (await lab.events()).filter(({ type }) => type === 'chat.posted')

/** What a terminal or a spreadsheet would obey. */
const hostile = /[\p{Cc}\u202e]/u
const without = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\n', '')

describe('cf events', () => {
  it('lists newest first and marks events that were only logged', async () => {
    const { code, stdout, stderr } = await cf('--since', '1h', '--kind', 'firewall', '--source', 'rateLimit')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^TIME \(UTC\) +ACTION +IP +CC +COLO +HOST +URI +UA$/)
    expect(lines.at(-2)).toMatch(/^\d\d events in 1h: \d+ drop, \d+ simulate$/)
    expect(lines.at(-1)).toMatch(/^\* \d\d of \d\d logged only \(simulate\), .*nothing was enforced$/)
    const rows = lines.slice(1, -2)
    expect(rows.length).toBeGreaterThanOrEqual(40)
    // In the hour after midnight a moment has its date too.
    for (const row of rows) expect(row).toMatch(/^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d +(drop |simulate\*)/)
  })

  it('prints the same over GraphQL, and as JSON', async () => {
    const args = ['--since', '30m', '--until', '5m', '--action', 'drop,simulate', '-o', 'jsonl']
    const [rest, graphql] = await Promise.all([cf(...args), cf(...args, '--api', 'graphql')])
    const ids = (text: string) => jsonLines(text).map(each => each.ray_id)
    expect(ids(rest.stdout).length).toBeGreaterThan(5)
    expect(ids(graphql.stdout)).toEqual(ids(rest.stdout))
    const [json] = await Promise.all([cf(...args.slice(0, -2), '--json')])
    expect(JSON.parse(json.stdout)).toEqual(jsonLines(rest.stdout))
    for (const event of jsonLines(rest.stdout)) {
      expect(event.logged_only).toBe(event.action === 'simulate' ? true : undefined)
    }
  })

  it('shows text of attackers as text', async () => {
    const only = ['--since', '1h', '--ip', '203.0.113.66']
    const [table, csv, json] = await Promise.all([
      cf(...only),
      cf(...only, '-o', 'csv'),
      cf(...only, '-o', 'json'),
    ])
    for (const { stdout } of [table, csv, json]) {
      expect(stdout).toMatch(/HYPERLINK/)
      expect(without(stdout)).not.toMatch(hostile)
    }
    expect(table.stdout.split('\n')[1]).toMatch(/␛\[2J␛\]0;owned/)
    const [heading, row = ''] = csv.stdout.split('\r\n')
    expect(heading).toMatch(/^occurred_at,kind,source,action,ip,ip_class,country,colo,host,uri,ua,/)
    expect(row).toMatch(/,"'=HYPERLINK\(/)
    expect(row).toMatch(/,true$/)
    expect(JSON.parse(json.stdout)[0].ua).toContain('\u001b[2J')
  })

  it('requests no zone when its identifier is given', async () => {
    const asked = async () => (await lab.events()).filter(({ type }) => type === 'dns.zones_read').length
    const before = await asked()
    const zone = '1ab00000000000000000000000000001'
    const { code, stdout } = await cf('--since', '1h', '--top', '1', '--zone', zone)
    expect(code).toBe(0)
    expect(stdout).toContain(`zone ${zone}`)
    expect(await asked()).toBe(before)
    const unknown = await cf('--zone', zone.replace('ab', 'cd'))
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toMatch(/^error: Authentication error \(10000, HTTP 403\)/)
  })

  it('counts, with bars and a timeline', async () => {
    const { stdout: wrapped, code } = await cf('--since', '1h', '--top', '3')
    expect(code).toBe(0)
    // In the hour after midnight the timeline has dates, and so a line of its own.
    const stdout = wrapped.replace(/\n(?=\d\d-\d\d \d\d:\d\d )/, ' ')
    expect(stdout).toMatch(
      /^\d+ events in 1h · zone example\.com · the lab at https:\/\/localhost:\d+ .*[▁-█]{12}.* UTC$/m,
    )
    expect(stdout).toMatch(/^ACTION +SOURCE +COUNTRY +IP +HOST$/m)
    expect(stdout).toMatch(/^drop +\d+ ██/m)
    // The title, a heading, three values each, and what was logged only.
    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
    const grouped = await cf('--since', '1h', '--group-by', 'action,country', '--top', '2', '--json')
    expect(JSON.parse(grouped.stdout)).toMatchObject({
      zone: 'example.com',
      count: expect.any(Number),
      logged_only: expect.any(Number),
      timeline: expect.any(Array),
      groups: [{ action: 'drop', country: 'BR' }, { action: expect.any(String) }],
    })
  })

  it.each([
    [['--since', '2026-01-01 10:00:00'], /has no T/],
    [['--top', '5', '--webhook', 'https://hooks.example/T/B/s3cr3ts3cr3t'], /--top is for lists/],
    [['--webhook', 'hooks.example/T/B/s3cr3ts3cr3t'], /not the URL of a chat webhook/],
    [['--webhook', 'https://hooks.example/a', '--webhook-file', 'x'], /two ways/],
    [
      ['--webhook-file', '/nowhere'],
      /cannot read the address of the webhook \/nowhere: there is no such file/,
    ],
    [['--webhook-file', fileURLToPath(import.meta.url)], /--webhook-file is not the URL of a chat webhook/],
  ])('%j is refused in one line', async (args, says) => {
    const { code, stdout, stderr } = await cf(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(says)
    expect(stderr).not.toMatch(/s3cr3t|hooks\.example/)
  })
})

describe('cf events --follow', () => {
  it('shows every event once, and ends at a signal with 130', async () => {
    const running = startProgram(
      ['cf', 'events', '--follow', '--interval', '1s', '--since', '2m', '-o', 'jsonl'],
      {
        env: lab.env,
      },
    )
    const seen = () => jsonLines(running.stdout().replace(/[^\n]*$/, '')).map(each => each.ray_id)
    const first = await until(() => (seen().length > 0 ? seen().length : undefined), running.stderr)
    await until(() => (seen().length > first ? true : undefined), running.stderr)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect({ code, stderr: withoutLabLine(stderr) }).toEqual({ code: 130, stderr: '' })
    expect(new Set(seen()).size).toBe(seen().length)
  })
})

describe('cf events --webhook', () => {
  it('posts each event as an attachment and never prints the address', async () => {
    const hook = hookOf('Xy9SeCrEtHook42')
    const only = ['--since', '20m', '--action', 'drop', '--batch', '5', '--limit', '8', '--webhook', hook]
    const before = (await posted()).length
    const { code, stdout, stderr } = await cf(...only, '--channel', '#edge', '--username', 'lab')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '8 events posted in 2 posts\n', stderr: '' })
    const posts = (await posted()).slice(before)
    expect(posts.map(({ count, channel, username }) => [count, channel, username])).toEqual([
      [5, '#edge', 'lab'],
      [3, '#edge', 'lab'],
    ])
    const dry = await cf(...only, '--dry-run')
    const printed = jsonLines(dry.stdout) as { attachments: { color: string; fields: object[] }[] }[]
    expect(printed.map(({ attachments }) => attachments.length)).toEqual([5, 3])
    expect(printed[0]!.attachments[0]).toMatchObject({
      color: 'danger',
      fields: expect.arrayContaining([{ title: 'action', value: 'drop', short: true }]),
    })
    expect(dry.stderr).toMatch(/nothing was sent/)
    expect(stdout + stderr + dry.stdout + dry.stderr).not.toMatch(/SeCrEtHook|services/)
    expect((await posted()).length).toBe(before + 2)
  })

  it.each([
    ['archived', 1, /the channel is archived \(channel_is_archived, HTTP 410\); nothing was posted/],
    ['missing', 1, /channel_not_found/],
  ])('a hook that refuses: %s', async (name, exit, says) => {
    const { code, stdout, stderr } = await cf('--since', '10m', '--webhook', hookOf(name))
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(says)
    expect(stderr).not.toMatch(/services|https/)
  })

  it.each(['mattermost', 'rocketchat', 'discord/slack'])('works with %s', async name => {
    const { code, stdout } = await cf('--since', '20m', '--limit', '2', '--webhook', hookOf(name))
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2 events posted in 1 post\n' })
  })

  it('reads the address from a file, from stdin or from the environment, and hides it', async () => {
    const hook = hookOf('Xy9SeCrEtHook42')
    const file = join(folder.path, 'hook')
    writeFileSync(file, `${hook}\n`)
    const only = ['cf', 'events', '--since', '20m', '--limit', '1']
    const { env } = lab
    const variable = { ...env, OAUTH_LAB_WEBHOOK: hook }
    const ran = await Promise.all([
      runProgram([...only, '--webhook-file', file], { env }),
      runProgram([...only, '--webhook-file', '-'], { env, input: `${hook}\n` }),
      runProgram(only, { env: variable }),
    ])
    for (const { code, stdout, stderr } of ran) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: '1 event posted in 1 post\n' })
      expect(stderr).not.toMatch(/SeCrEtHook|services/)
    }
    expect(withoutLabLine(ran[2]!.stderr)).toBe('Posting to the chat webhook of OAUTH_LAB_WEBHOOK.\n')
    const listed = await runProgram([...only, '-o', 'csv'], { env: variable })
    expect(listed.stdout).toMatch(/^occurred_at,/)
    expect(JSON.stringify(await lab.events())).not.toMatch(/SeCrEtHook/)
  })

  it('shows its posts with --show-http, and no part of the address', async () => {
    const hook = hookOf('Xy9SeCrEtHook42')
    const args = ['--since', '20m', '--limit', '1', '--webhook', hook, '--show-http', '--show-secrets']
    const { code, stderr } = await cf(...args)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^> GET \/client\/v4\/zones\/.*\/security\/events/m)
    expect(stderr).toMatch(/^> +"attachments": \[/m)
    expect(stderr).toMatch(/^# curl .* --data-raw .* "\$OAUTH_LAB_WEBHOOK"$/m)
    expect(stderr).not.toMatch(/SeCrEtHook|services/)
  })

  it('claims nothing that it does not know', async () => {
    const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<html>'))
    await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
    const { port } = pages.address() as AddressInfo
    const hook = `http://127.0.0.1:${port}/hook`
    const { code, stdout, stderr } = await cf('--since', '20m', '--limit', '3', '--webhook', hook)
    pages.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /a page in HTML came back.*; it is not known whether 3 events of the last post arrived\n/,
    )
    expect(stderr).not.toMatch(/nothing was posted/)
  })

  it('reports a hook that does not answer', async () => {
    const { code, stderr } = await cf(
      ...'--since 10m --webhook https://127.0.0.1:1/services/T0/B0/Xy9SeCrEtHook42'.split(' '),
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(/cannot reach the chat webhook \(ECONNREFUSED\); nothing was posted/)
    expect(stderr).not.toMatch(/127\.0\.0\.1|SeCrEt|services/)
  })
})
