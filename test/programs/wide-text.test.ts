import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { terminalWith } from './terminal.js'

describeWith(['tmux'], 'long text on a terminal', () => {
  it.each([
    ['serve --profile reference --stage shared-secret --explain', /metadata and public keys/],
    ['doctor', /^score \d+ %/m],
  ])('%s leaves the last of 80 columns empty', async (line, end) => {
    const terminal = await terminalWith(`oauth-lab ${line}`)
    await terminal.shows(/^exit=0$/m, 60_000)
    const text = terminal.scrollback().split('\n').slice(1)
    expect(text.join('\n')).toMatch(end)
    // A line that the terminal broke fills it.
    expect(text.filter(each => each.length >= 80)).toEqual([])
  })
})
