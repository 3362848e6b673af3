import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FREE_PORTS } from '../support/free-ports.js'
import { ask } from '../support/https.js'
import { temporaryFolder } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { openTerminal, type Terminal } from './terminal.js'

const ports = FREE_PORTS.join(' ')

describeWith(['tmux', 'ps'], 'the dashboard on a terminal', () => {
  /** A terminal with some history, in which a command with a dashboard has been started. */
  async function start(columns: number, rows: number, line: string): Promise<Terminal & { home: string }> {
    const home = temporaryFolder()
    onTestFinished(home.remove)
    const terminal = openTerminal(columns, rows, { OAUTH_LAB_HOME: join(home.path, 'lab') })
    await terminal.shows(/^\$$/m)
    terminal.command('clear; echo before')
    await terminal.shows(/^before$/m)
    terminal.command(`${line}; echo "exit=$?"`)
    return { ...terminal, home: join(home.path, 'lab') }
  }

  /** Sends requests to the lab that is on the screen, a few at a time. */
  async function load(
    { screen, home }: { screen: () => string; home: string },
    count: number,
  ): Promise<void> {
    const [url = ''] = /https:\/\/localhost:\d+/.exec(screen()) ?? []
    const ca = readFileSync(join(home, 'ca.pem'), 'utf8')
    const send = (n: number) =>
      n % 10 === 0 ? ask(`${url}/token`, { ca, method: 'POST' }) : ask(`${url}/kb/1?n=${n}`, { ca })
    for (let n = 1; n <= count; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => send(n + i)))
  }

  it('follows a load, filters, keeps its place through resizes and a suspension, restores the screen', {
    timeout: 90_000,
  }, async () => {
    const terminal = await start(100, 30, `oauth-lab serve ${ports}`)
    const first = await terminal.shows(/following · 0[\s\S]*\? help {3}q quit$/)
    expect(first.split('\n').length).toBeLessThanOrEqual(29)
    await load(terminal, 100)
    await terminal.shows(/following · 100[\s\S]*\/kb\/1\?n=9\d/)

    terminal.keys('/')
    terminal.type('status:4')
    await terminal.shows(/10 of 100 · filter status:4/)
    terminal.keys('Enter', 'k', 'k')
    const filtered = await terminal.shows(/─ 10 of 100 · filter status:4 ─/)
    expect(filtered.match(/ POST +\/token +400 ! /g)?.length).toBeGreaterThan(4)
    terminal.keys('Enter')
    const request = await terminal.shows(/\[Request \d+\][\s\S]*✗ 400 Bad Request[\s\S]*token\.refused/)
    const [name = ''] = /Request \d+/.exec(request) ?? []

    terminal.resize(60, 20)
    await terminal.shows(new RegExp(`── \\[${name}\\]`))
    terminal.resize(48, 14)
    await terminal.shows(/needs 60x20/)
    terminal.resize(80, 24)
    const normal = await terminal.shows(new RegExp(`── \\[${name}\\][\\s\\S]*\\? help {2}q quit$`))
    expect(normal.split('\n').length).toBeLessThanOrEqual(23)

    terminal.keys('C-z')
    await terminal.shows(/Stopped[\s\S]*^\$$/m)
    expect(terminal.screen()).not.toContain('? help')
    terminal.command('fg')
    await terminal.shows(new RegExp(`── \\[${name}\\]`))

    terminal.keys('q', 'q')
    await terminal.shows(/^serve: 100 requests answered\n\$$/m)
    terminal.command('echo "left=$?"')
    await terminal.shows(/^left=0$/m)
    const history = terminal.scrollback()
    expect(history.match(/^before$/gm)).toHaveLength(1)
    expect(history).not.toMatch(/\? help/)
  })

  it('reads events from a pipe and keys from the terminal', async () => {
    const terminal = await start(80, 24, `oauth-lab serve --json ${ports} | oauth-lab play -`)
    await terminal.shows(/play - .*https:\/\/localhost[\s\S]*following · 0/)
    await load(terminal, 20)
    await terminal.shows(/following · 20 /)
    terminal.keys('9')
    await terminal.shows(/\[9 Events\][\s\S]*►.*token\.refused/)
    terminal.keys('C-c')
    await terminal.shows(/^exit=130$/m)
    expect(terminal.screen()).toMatch(/^play -: 20 requests$/m)
    await terminal.echoes()
  })

  it('ends the server before the pipe when q leaves the screen', async () => {
    const terminal = await start(80, 24, `oauth-lab serve --json ${ports} | oauth-lab play -`)
    await terminal.shows(/play - .*https:\/\/localhost[\s\S]*following · 0/)
    terminal.keys('q')
    await terminal.shows(/^play -: 0 requests\n[\s\S]*exit=0$/m, 5000)
    await terminal.echoes()
  })
})
