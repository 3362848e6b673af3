import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { testLab } from '../support/shared.js'
import { enterUntil, openTerminal, type Terminal } from './terminal.js'

describeWith(['tmux', 'ps'], 'flow code on a terminal', () => {
  /** A terminal with some history, in which the flow has been started. */
  async function startFlow(
    columns: number,
    rows: number,
    {
      env = {},
      before = '',
      after = '',
    }: { env?: Record<string, string>; before?: string; after?: string } = {},
  ): Promise<Terminal> {
    const terminal = openTerminal(columns, rows, env)
    await terminal.shows(/^\$$/m)
    terminal.command('clear; for i in 1 2 3; do echo "before $i"; done')
    await terminal.shows(/^before 3$/m)
    terminal.command(`${before}oauth-lab flow code --client demo${after}; echo "exit=$?"`)
    return terminal
  }

  /** The shell's screen is back, with its history once and the flow's last line. */
  async function expectRestored(terminal: Terminal, exit: number): Promise<void> {
    await terminal.shows(new RegExp(`^exit=${exit}$`, 'm'))
    await terminal.shows(/^\$$/m)
    const history = terminal.scrollback()
    expect(history.match(/^before \d$/gm)).toEqual(['before 1', 'before 2', 'before 3'])
    expect(history).not.toMatch(/\? help/)
    // Typing is seen again: raw mode is over.
    await terminal.echoes()
  }

  it.each([
    [100, 30],
    [80, 24],
    [60, 20],
  ])('is granted at %ix%i by pressing Enter, and leaves the screen as it was', async (columns, rows) => {
    const terminal = await startFlow(columns, rows)
    const first = await terminal.shows(/1 of 7/)
    expect(first.split('\n').length).toBeLessThanOrEqual(rows - 1)
    expect(first).toMatch(/\? help {2,3}q( quit)?$/m)
    const granted = await enterUntil(terminal, /granted/)
    expect(granted).toMatch(/7 of 7/)
    expect(granted.split('\n').length).toBeLessThanOrEqual(rows - 1)
    expect(granted).not.toMatch(/wonderland|eyJ[\w-]{60,}/)
    terminal.keys('q')
    await expectRestored(terminal, 0)
    expect(terminal.screen()).toMatch(/flow code demo: granted/)
  })

  it('follows every resize and keeps its place', async () => {
    const terminal = await startFlow(100, 30)
    await terminal.shows(/step 1 of 7/)
    await enterUntil(terminal, /step 2 of 7/)
    terminal.resize(60, 20)
    await terminal.shows(/browser ⇄ server[\s\S]*2 of 7|2 of 7[\s\S]*browser ⇄ server/)
    terminal.resize(48, 14)
    await terminal.shows(/needs 60x20/)
    terminal.resize(80, 24)
    const screen = await terminal.shows(/step 2 of 7/)
    expect(screen.split('\n').length).toBeLessThanOrEqual(23)
    expect(screen).toMatch(/\? help {2}q quit$/m)
    await enterUntil(terminal, /granted/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
  })

  it.each([
    ['q', 'q', 0],
    ['Ctrl-C', 'C-c', 130],
  ])('restores the screen at %s before the end', async (_what, key, exit) => {
    const terminal = await startFlow(80, 24)
    await terminal.shows(/step 1 of 7/)
    await enterUntil(terminal, /step 2 of 7/)
    terminal.keys(key)
    await expectRestored(terminal, exit)
  })

  it('shows the form again after a wrong password, and goes on with the right one', async () => {
    const terminal = await startFlow(80, 24)
    await terminal.shows(/step 1 of 7/)
    await enterUntil(terminal, /● log in/)
    terminal.keys('Tab', 'C-u')
    terminal.type('wrong')
    await terminal.shows(/password +•{5}▏?$|password +•{5}\D/m)
    expect(terminal.screen()).not.toContain('wrong')
    terminal.keys('Enter')
    await terminal.shows(/● 3 .*200 login form again/)
    const again = await enterUntil(terminal, /● log in/)
    // The name stays; the password is asked for anew.
    expect(again).toMatch(/username +alice[\s\S]*► password +▏[\s\S]*✗ Username or password is wrong/)
    terminal.type('wonderland')
    await enterUntil(terminal, /granted/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
  })

  it('says what failed when the server goes in mid-flow', async () => {
    const lab = await testLab()
    const terminal = await startFlow(100, 30, { env: { OAUTH_LAB_HOME: lab.env.OAUTH_LAB_HOME ?? '' } })
    await terminal.shows(/step 1 of 7/)
    await enterUntil(terminal, /step 3 of 7/)
    await lab.stop('SIGKILL')
    const asked = await enterUntil(terminal, /✗ no answer/)
    expect(asked).toMatch(/ECONNREFUSED[\s\S]*Send it again once the server is back/)
    expect(asked).toMatch(/enter send it again .*esc let the flow fail/)
    terminal.keys('Escape')
    await terminal.shows(/✗ failed/)
    terminal.keys('q')
    await expectRestored(terminal, 3)
  })

  it.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['--no-color', { after: ' --no-color' }],
  ])('draws without colours: %s', async (_what, options) => {
    const terminal = await startFlow(80, 24, options)
    await terminal.shows(/step 1 of 7/)
    expect(terminal.coloured()).not.toMatch(/\x1b\[[0-9;]*(3[0-7]|38|9[0-7])[;m]/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
  })

  it('draws with colours otherwise', async () => {
    const terminal = await startFlow(80, 24)
    await terminal.shows(/step 1 of 7/)
    expect(terminal.coloured()).toMatch(/\x1b\[[0-9;]*m/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
  })

  it.each([
    ['CI', { env: { CI: '1' } }],
    ['TERM=dumb', { before: 'TERM=dumb ' }],
    ['--plain', { after: ' --plain' }],
    ['no terminal to read from', { after: ' </dev/null' }],
  ])('runs to the end in plain lines: %s', async (_what, options) => {
    const terminal = await startFlow(100, 30, options)
    await terminal.shows(/^exit=0$/m)
    const history = terminal.scrollback()
    expect(history).toMatch(/granted/)
    expect(history).toMatch(/^before 1$/m)
    expect(history).not.toMatch(/\? help/)
  })
})
