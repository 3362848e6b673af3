import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FREE_PORTS } from '../../support/free-ports.js'
import { describeWith } from '../../support/requires.js'
import { enterUntil, openTerminal } from '../terminal.js'
import { newcomer } from './newcomer.js'
import { terminalSvg } from './terminal-svg.js'

const serve = 'oauth-lab serve --seed 7 --now 2030-01-01T12:00:00Z'

/** The screen with constants in place of the parts that differ in spite of seed and clock. */
const levelled = (screen: string): string =>
  screen
    .replace(/localhost:\d{5}/g, 'localhost:8443 ')
    .replace(/(code=)[\w-]{4}…[\w-]{3}/g, '$1w0Ci…2HQ')
    .replace(/(state=)[\w-]{8}…/g, '$1EYmoFQBF…')
    // The escape sequence of the colour stands between name and value.
    .replace(/(kid \x1b\[39m)[\w-]{4}…[\w-]{3}/g, '$1mEYs…4V4')

describeWith(['bash', 'tmux', 'ps'], 'docs/flow-code.svg', () => {
  it('is what a flow draws on a terminal; `npm run docs` records it again', { timeout: 60_000 }, async () => {
    const who = newcomer()
    await who.starts([serve, ...FREE_PORTS].join(' '))
    const terminal = openTerminal(80, 24, { OAUTH_LAB_HOME: join(who.home, '.local/share/oauth-lab') })
    try {
      await terminal.shows(/^\$$/m)
      terminal.command('oauth-lab flow code --client demo')
      await terminal.shows(/step 1 of 7/)
      await enterUntil(terminal, /● 5.*◄─.*200/)
      terminal.keys('3')
      await terminal.shows(/\[3 Access token/)
      const svg = terminalSvg(
        'oauth-lab flow code --client demo',
        levelled(terminal.coloured().trimEnd()),
        80,
      )
      expect(Buffer.byteLength(svg)).toBeLessThan(60_000)
      await expect(svg).toMatchFileSnapshot('../../../docs/flow-code.svg')
    } finally {
      terminal.close()
      await who.leaves()
    }
  })
})
