import { afterEach, expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { enterUntil, openTerminal, type Terminal } from './terminal.js'

describeWith(['tmux', 'ps'], 'flows on a terminal', () => {
  const opened: Terminal[] = []
  afterEach(() => {
    for (const terminal of opened.splice(0)) terminal.close()
  })

  it.each([
    ['implicit', 100, 30, 6, /#access_token=/],
    ['implicit', 60, 20, 6, /granted/],
    ['resource', 100, 30, 9, /resource server/],
    ['resource', 80, 24, 9, /resource/],
    ['resource', 60, 20, 9, /client {2}⇄ resource/],
    ['password', 80, 24, 3, /username password|username pa…/],
    ['assertion', 80, 24, 4, /sign a JWT assertion/],
  ] as const)('%s at %ix%i is granted by pressing Enter', async (flow, columns, rows, steps, shown) => {
    const terminal = openTerminal(columns, rows)
    opened.push(terminal)
    await terminal.shows(/^\$$/m)
    terminal.command(`clear; oauth-lab flow ${flow}; echo "exit=$?"`)
    const first = await terminal.shows(new RegExp(`0 of ${steps}|1 of ${steps}`))
    expect(first.split('\n').length).toBeLessThanOrEqual(rows - 1)
    const granted = await enterUntil(terminal, /granted/)
    expect(granted).toMatch(new RegExp(`${steps} of ${steps}`))
    expect(granted).toMatch(shown)
    expect(granted).not.toMatch(/wonderland|eyJ[\w-]{60,}/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
    expect(terminal.screen()).toMatch(new RegExp(`flow ${flow} demo: granted`))
  })
})
