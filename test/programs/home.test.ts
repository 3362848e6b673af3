import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { read } from '../support/source-files.js'
import type { Terminal } from './terminal.js'
import { terminalWith } from './terminal.js'

describeWith(['tmux', 'ps'], 'a bare oauth-lab on a terminal', () => {
  async function open(): Promise<Terminal> {
    const terminal = await terminalWith('oauth-lab')
    await terminal.shows(/What to see/)
    return terminal
  }

  it('runs a flow in its place, stops with it and goes on with it, comes back, and quits', async () => {
    const menu = await open()
    const first = menu.screen()
    expect(first.split('\n').length).toBeLessThanOrEqual(23)
    expect(first).toMatch(/^ ► flow code +the authorization code grant/m)
    expect(first).toMatch(/^ \$ oauth-lab flow code --client demo$/m)
    expect(first).toMatch(/\? help {2}q quit$/m)

    // The list grows; the page shows the start of it.
    const listed = first.split('\n').filter(line => /^ [ ►] /.test(line))
    expect(listed.length).toBeGreaterThan(10)
    for (const line of listed) expect(read('docs/reference/command-line.md')).toContain(`${line}\n`)

    menu.keys('Enter')
    await menu.shows(/flow code {3}client demo .*step 1 of 7/)
    // Every key is the flow's: none is read by the menu behind it.
    for (const expected of [/esc back/, /step 1 of 7/, /esc back/, /step 1 of 7/]) {
      menu.keys('?')
      await menu.shows(expected)
    }
    menu.keys('C-z')
    await menu.shows(/Stopped/)
    menu.command('fg')
    await menu.shows(/step 1 of 7/)
    menu.keys('q')
    await menu.shows(/exit 0: oauth-lab flow code --client demo/)
    menu.keys('q')
    await menu.shows(/^\$$/m)
    menu.command('echo "then=$?"')
    await menu.shows(/^then=0$/m)
    expect(menu.scrollback()).not.toMatch(/What to see|\? help/)
  })

  it('filters, keeps its place in a resize, and lets what a command printed be read', async () => {
    const menu = await open()
    menu.keys('/')
    menu.type('whoami')
    menu.keys('Enter')
    await menu.shows(/^ ► k8s whoami/m)
    menu.resize(60, 20)
    await menu.shows(/filter whoami ──$/m)
    menu.resize(48, 14)
    await menu.shows(/needs 60x20/)
    menu.resize(80, 24)
    await menu.shows(/^ ► k8s whoami {2,}/m)

    menu.keys('Enter')
    const said = await menu.shows(/enter back to the menu/)
    expect(said).toMatch(/^\$ oauth-lab k8s whoami$/m)
    expect(said).toMatch(/^Username +admin$/m)
    menu.keys('Enter')
    await menu.shows(/^ ► k8s whoami/m)
    menu.keys('q')
    await menu.shows(/^exit=0$/m)
    expect(menu.scrollback()).not.toMatch(/What to see/)
    await menu.echoes()
  })

  it('passes SIGTERM to the running command, and restores the terminal', async () => {
    const menu = await open()
    menu.keys('Enter')
    await menu.shows(/step 1 of 7/)
    process.kill(menu.foreground(), 'SIGTERM')
    await menu.shows(/^exit=143$/m)
    await menu.echoes()
    expect(menu.scrollback()).not.toMatch(/\? help/)
  })
})
