import { expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { enterUntil, terminalWith } from './terminal.js'

describeWith(['tmux', 'ps'], 'flows on a terminal', () => {
  it.each([
    ['implicit', 100, 30, 6, /#access_token=/],
    ['resource', 60, 20, 9, /client {2}⇄ resource/],
    ['password', 80, 24, 3, /username password|username pa…/],
    ['assertion', 80, 24, 4, /sign a JWT assertion/],
  ] as const)('%s at %ix%i is granted by pressing Enter', async (flow, columns, rows, steps, shown) => {
    const terminal = await terminalWith(`clear; oauth-lab flow ${flow}`, columns, rows)
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

  it('shows a token expire when the clock of its lab is moved, and wrong moves refused', {
    timeout: 90_000,
  }, async () => {
    const terminal = await terminalWith('clear; oauth-lab flow code')
    await terminal.shows(/step 1 of 7/)
    await enterUntil(terminal, /step 5 of 7/)
    terminal.keys('3')
    await terminal.shows(/\[3 Access token[\s\S]*exp .*✓ \d+ min/)
    terminal.keys('+')
    await terminal.shows(/Move the lab's clock/)
    terminal.keys('2')
    await terminal.shows(/! clock \+1 h[\s\S]*exp .*✗ expired/)
    // What a key led to stands where the hints are; the next one takes it away.
    terminal.keys('2')
    await terminal.shows(/\[2 Exchange[\s\S]*enter next/)
    const refused = await enterUntil(terminal, /✗ refused/)
    expect(refused).toMatch(/401/)

    terminal.keys('t')
    await terminal.shows(
      /Tamper ─[\s\S]*► +names a client that nobody registered[\s\S]*--tamper unknown-client/,
    )
    terminal.keys('Enter')
    await enterUntil(terminal, /✓ refused as expected/)
    expect(terminal.screen()).toMatch(/✓ unknown-client as expected: an error page/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
  })
})
