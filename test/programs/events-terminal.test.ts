import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { terminalWith } from './terminal.js'

describeWith(['tmux', 'ps'], 'cf events on a terminal', () => {
  it('is a screen at 80x24, with the demo offline as the first command ever typed', async () => {
    const terminal = await terminalWith('oauth-lab cf events --since 1h --interval 1s')
    const first = await terminal.shows(/\[2 Events\][\s\S]*\? help +q quit$/m)
    expect(first.split('\n').length).toBeLessThanOrEqual(23)
    expect(first).toMatch(/cf events +example\.com +localhost:\d+ +\d\d events · 1\d logged only\*/)
    // After midnight both moments have their date.
    expect(first).toMatch(/^── 1 Counts ─+ (\d\d-\d\d )?\d\d:\d\d [▁-█ ]{12} (\d\d-\d\d )?\d\d:\d\d UTC ──$/m)
    // New events come by themselves.
    const count = /(\d\d) events/.exec(first)?.[1]
    await terminal.shows(new RegExp(`(?!${count})\\d\\d events`))
    terminal.keys('4')
    await terminal.shows(/\[4 Attachment\][\s\S]*█ color (good|danger)/)
    terminal.keys('2', 'Enter')
    await terminal.shows(/\[Event \d+ of \d+\][\s\S]*"ray_id": "[0-9a-f]{16}"/)
    terminal.resize(60, 20)
    await terminal.shows(/^ cf events +example\.com +\d+ events$/m)
    terminal.keys('q')
    await terminal.shows(/\[2 Events\]/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
    expect(terminal.scrollback()).toMatch(/cf events: \d+ events seen/)
    expect(terminal.scrollback()).not.toMatch(/\? help/)
  })
})
