import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ends, programInHome } from '../../commands/support.js'
import { type HarEntry, har, loginEntries, loginMessages, loginParts } from '../../judge/explain/recording.js'
import { blocksOf } from '../../support/pages.js'
import { jsonLines, launcher, run, runProgram } from '../../support/program.js'

const { oauthLab, env, home, written: file } = programInHome()

function broken(): HarEntry[] {
  const parts = loginParts()
  const messages = loginMessages(parts)
  delete messages.answer.state
  return loginEntries(parts, messages)
}

/** The login of docs/explain.md: the token request has a slash too many, and is refused. */
function documented(): HarEntry[] {
  const parts = loginParts()
  const messages = loginMessages(parts)
  messages.token.redirect_uri += '/'
  const entries = loginEntries(parts, messages).slice(0, 7)
  const token = entries.at(-1)!
  token.response.status = 400
  token.response.content.text = JSON.stringify({ error: 'invalid_grant' })
  return entries
}

describe('oauth-lab explain', () => {
  it('prints what docs/explain.md shows', async () => {
    file('login.har', har(documented(), { creator: { name: 'Firefox', version: '140.0' } }))
    const { stdout } = await oauthLab('explain', 'login.har')
    expect(blocksOf('docs/explain.md', 'text')).toEqual([stdout])
  })

  it('names the break first, masks secrets, and exits 1', async () => {
    const { code, stdout, stderr } = await oauthLab('explain', file('broken.har', har(broken())))
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout.split('\n').slice(2, 3)).toEqual([
      '✗ The callback came back without state. (entry 5, RFC 6749 §4.1.2)',
    ])
    expect(stdout).toContain('1. authorization code, client web, https://id.example: granted')
    const { code: secret, accessToken, refreshToken, verifier } = loginParts()
    for (const value of [secret, accessToken, refreshToken, verifier, 'wonderland'])
      expect(stdout).not.toContain(value)
  })

  it('exits 0 for a right login, from a pipe', async () => {
    const { code, stdout } = await runProgram(['explain', '-'], { env: env(), input: har(loginEntries()) })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^stdin: 10 exchanges of WebInspector 537\.36, 7 of .*\n\n✓ Nothing is wrong\.\n/)
  })

  it('--json prints flows, exchanges, findings, and last the outcome', async () => {
    const { code, stdout } = await oauthLab('explain', file('json.har', har(broken())), '--json')
    const lines = jsonLines(stdout)
    expect(code).toBe(1)
    expect(lines[0]).toEqual({
      type: 'flow',
      n: 1,
      kind: 'code',
      client_id: 'web',
      issuer: 'https://id.example',
      outcome: 'granted',
    })
    expect(lines.filter(({ type }) => type === 'exchange')).toHaveLength(7)
    expect(lines.filter(({ type }) => type === 'finding')).toEqual([
      {
        type: 'finding',
        flow: 1,
        name: 'state-missing',
        severity: 'fault',
        rule: 'RFC 6749 §4.1.2',
        entry: 5,
        text: 'the callback came back without state',
        next: expect.any(String),
      },
    ])
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', outcome: 'fault', flows: 1, faults: 1 })
    expect(stdout).not.toContain(loginParts().accessToken)
  })

  it.each([
    [
      'markdown',
      /^# What this recording shows\n[\s\S]*\*\*The callback came back without state\.[\s\S]*```mermaid\nsequenceDiagram/,
    ],
    [
      'mermaid',
      /^---\ntitle: "1\. authorization code, client web[\s\S]*\nsequenceDiagram\n {2}participant user_agent as Browser/,
    ],
  ])('--export %s -o writes a file', async (format, pattern) => {
    const output = join(home(), `out.${format}`)
    const { code, stdout } = await oauthLab(
      'explain',
      file('x.har', har(broken())),
      '--export',
      format,
      '-o',
      output,
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(readFileSync(output, 'utf8')).toMatch(pattern)
  })

  it('explains a run of this lab, step by step', async () => {
    const flow = await oauthLab('flow', 'code', '--json')
    const { code, stdout } = await oauthLab('explain', file('run.jsonl', flow.stdout))
    expect([code, stdout.split('\n')[2]]).toEqual([0, '✓ Nothing is wrong.'])
  })

  it.each([
    ['page.har', '<!doctype html>', 'It looks like XML or HTML'],
    ['packed.har', Buffer.from([0x1f, 0x8b, 8, 0]), 'gunzip -c FILE'],
  ])('refuses %s', async (name, text, message) => {
    const { code, stdout, stderr } = await oauthLab('explain', file(name, text))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('reads a large file in little memory', async () => {
    const [first, ...rest] = loginEntries()
    const path = file('large.har', `{"log":{"version":"1.2","entries":[${JSON.stringify(first)}`)
    const body = 'x"\\ é'.repeat(20_000)
    const noise = JSON.stringify({
      startedDateTime: '2026-03-01T10:00:00.500Z',
      time: 1,
      request: { method: 'GET', url: 'https://app.example/a.js', headers: [] },
      response: {
        status: 200,
        headers: [],
        content: { size: body.length, mimeType: 'text/javascript', text: body },
      },
    })
    const huge = noise.replace('"text":"', `"text":"${'y'.repeat(8_000_000)}`)
    const more = Array.from({ length: 10 }, () => noise).join(',')
    for (let i = 0; i < 60; i++) writeFileSync(path, `,${i % 15 === 0 ? huge : more}`, { flag: 'a' })
    writeFileSync(path, `,${rest.map(each => JSON.stringify(each)).join(',')}]}}`, { flag: 'a' })
    const { code, stdout, stderr } = await run(
      process.execPath,
      ['--max-old-space-size=64', '--max-semi-space-size=4', launcher, 'explain', path],
      { env: env() },
    )
    expect(stderr).toBe('')
    expect([code, stdout.split('\n')[2]]).toEqual([0, '✓ Nothing is wrong.'])
  })

  it('--redact writes a copy without secrets that shows the same, from a file and from a pipe', async () => {
    const text = har(broken())
    for (const [from, input] of [
      [file('secret.har', text), ''],
      ['-', text],
    ] as const) {
      const copy = join(home(), `clean${from.length}.har`)
      const { code, stdout } = await runProgram(['explain', from, '--redact', '-o', copy], {
        env: env(),
        input,
      })
      expect([code, stdout.split('\n')[2]]).toEqual([
        1,
        '✗ The callback came back without state. (entry 5, RFC 6749 §4.1.2)',
      ])
      const again = await oauthLab('explain', copy)
      expect(again.stdout.split('\n')[2]).toBe(stdout.split('\n')[2])
      const written = readFileSync(copy, 'utf8')
      const { secret, accessToken, code: given } = loginParts()
      for (const value of [secret, accessToken, given, 'wonderland', 'Liddell'])
        expect(written).not.toContain(value)
    }
  })

  it('--redact prints the explanation of the copy: no value that the copy hides', async () => {
    const entries = broken()
    const secret = 'Zk3vQ9sTzYb71LmNwPd4R'
    entries[6]!.request.url += `?ticket=${secret}`
    const api = structuredClone(entries.at(-1)!)
    api.request.url = `https://api.example/users/${secret}/records`
    api.response.status = 401
    const path = file('ticket.har', har([...entries, api]))
    const { stdout, stderr } = await oauthLab(
      'explain',
      path,
      '--redact',
      '-o',
      join(home(), 'ticket-clean.har'),
    )
    expect(stdout).toContain('The callback came back without state.')
    expect(stdout + stderr + readFileSync(join(home(), 'ticket-clean.har'), 'utf8')).not.toContain(secret)
  })

  it('--redact refuses to write over the recording, needs a file, and takes only a HAR', async () => {
    const path = file('own.har', har(loginEntries()))
    expect(await oauthLab('explain', path, '--redact', '-o', path)).toMatchObject(
      ends(2, 'is the recording itself'),
    )
    expect(await oauthLab('explain', path, '--redact')).toMatchObject(ends(2, 'needs a file'))
    const run = file('own.jsonl', (await oauthLab('flow', 'client-credentials', '--json')).stdout)
    const none = join(home(), 'none.har')
    expect(await oauthLab('explain', run, '--redact', '-o', none)).toMatchObject(ends(2, 'is no HAR'))
  })

  it('sends nothing', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      response.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const text = har(loginEntries()).replaceAll('https://id.example', `http://127.0.0.1:${port}`)
    await oauthLab('explain', file('local.har', text))
    server.close()
    expect(asked).toBe(0)
  })
})
