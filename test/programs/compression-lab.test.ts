import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { read } from '../support/source-files.js'
import type { Terminal } from './terminal.js'
import { terminalWith } from './terminal.js'

describeWith(['tmux', 'ps'], 'the compression lab on a terminal', () => {
  async function open(): Promise<Terminal> {
    const terminal = await terminalWith('oauth-lab compress')
    await terminal.shows(/proxy → client +gzip +929 B/)
    return terminal
  }

  it('measures five cases, changes them by keys, keeps its place in a resize, and leaves the screen as it was', async () => {
    const lab = await open()
    const first = lab.screen()
    expect(first.split('\n').length).toBeLessThanOrEqual(23)
    expect(first).toMatch(/\? help {2}q quit$/m)
    expect(first.match(/ 935 B {2}[▏▎]/g)).toHaveLength(6)
    expect(first.match(/ 204,800 B {2}█{30,}/g)).toHaveLength(2)

    lab.keys('Right', 'Right')
    expect(read('docs/compression.md')).toContain(await lab.shows(/^► C [\s\S]*Nobody/m))
    lab.keys('Right')
    await lab.shows(/^► D {2}as C[\s\S]*The\s+proxy decoded it/m)
    lab.resize(60, 20)
    await lab.shows(/case D of A–E[\s\S]*^► D {2}server → proxy/m)
    lab.resize(80, 24)
    await lab.shows(/^► D {2}as C, decompression on the proxy/m)
    lab.keys('b')
    await lab.shows(/\/kb\/2 {2}2,048 B[\s\S]*proxy → client +identity +2,048 B/)
    lab.keys('e')
    await lab.shows(/^► D .*offer br$/m)
    lab.keys('p')
    await lab.shows(/^► D {2}proxy --mode gunzip +offer br$/m)
    await lab.shows(/^► D [\s\S]*server → proxy +br +22 B[\s\S]*2 Why D/m)
    lab.keys('q')
    await lab.shows(/^exit=0$/m)
    expect(lab.scrollback()).not.toMatch(/1 Hops/)
  })

  it('restores the screen at SIGTERM', async () => {
    const lab = await open()
    process.kill(lab.foreground(), 'SIGTERM')
    await lab.shows(/^exit=143$/m)
    await lab.echoes()
    expect(lab.scrollback()).not.toMatch(/1 Hops/)
  })
})
