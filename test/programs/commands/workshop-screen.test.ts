import { expect, it } from 'vitest'
import { describeWith } from '../../support/requires.js'
import { openTerminal } from '../terminal.js'

describeWith(['tmux'], 'workshop on a terminal', () => {
  it.each([
    [80, 24],
    [120, 40],
  ])('is a screen of %i by %i, which says how people join, leads, and ends', async (columns, rows) => {
    const terminal = openTerminal(columns, rows)
    terminal.command('oauth-lab workshop --address 127.0.0.3 --port 0 --http-port 0 --name Friday')
    await terminal.shows(/Nobody has joined yet/)
    terminal.keys('i')
    expect(await terminal.shows(/how people join +esc back/)).toMatch(
      /npx oauth-lab join 127\.0\.0\.3:\d+ [\w-]{29}/,
    )
    terminal.keys('Escape')
    terminal.keys('p')
    await terminal.shows(/together, once all are done/)
    terminal.keys('a')
    await terminal.shows(/goes on together/)
    terminal.keys('q')
    await terminal.shows(/\$ *$/)
  })
})
