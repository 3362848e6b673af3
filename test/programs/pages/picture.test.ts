import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { FREE_PORTS } from '../../support/free-ports.js'
import { describeWith } from '../../support/requires.js'
import { enterUntil, openTerminal, type Terminal } from '../terminal.js'
import { newcomer } from './newcomer.js'
import { terminalSvg } from './terminal-svg.js'

/**
 * The texts of a picture without what differs from run to run: times (an hour before midnight with a date), ports, random
 * values, and the length of arrows.
 */
const gist = (svg: string): string =>
  [...svg.matchAll(/>([^<]+)<\/text>/g)]
    .map(([, text = '']) => text.replace(/─+/g, '─').replace(/\S*[\d…]\S*(?: \S*[\d…]\S*)*/g, '#'))
    .join('\n')

/** Screens of a command, each with the key that leads to it and a text that it has. */
type Film = ReadonlyArray<readonly [key: string, shows: RegExp]>

const pictures: ReadonlyArray<readonly [name: string, line: string, film: Film]> = [
  [
    'flow-code',
    'oauth-lab flow code --client demo',
    [
      ...[1, 2, 3, 4, 5].map(step => ['Enter', new RegExp(`● ${step}`)] as const),
      ['3', /\[3 Access token/],
      ['Enter', /● 7/],
    ],
  ],
  [
    'attack',
    'oauth-lab attack run login-csrf --own-lab',
    [
      ...[1, 2, 3, 4, 5].map(step => ['Enter', new RegExp(`●.*Step ${step} of`, 's')] as const),
      ['Enter', /stolen: /],
      ['d', /defended: /],
    ],
  ],
]

/** Records the first screen of a command, and one after each key. */
async function record(terminal: Terminal, line: string, film: Film): Promise<string[]> {
  await terminal.shows(/^\$$/m)
  terminal.command(line)
  await terminal.shows(/enter (?:next|step)/)
  const screens = [terminal.coloured().trimEnd()]
  for (const [key, shows] of film) {
    if (key === 'Enter') await enterUntil(terminal, shows)
    else terminal.keys(key)
    await terminal.shows(shows)
    await terminal.shows(/^(?!.*under way)/s)
    screens.push(terminal.coloured().trimEnd())
  }
  return screens
}

describeWith(['bash', 'tmux', 'ps'], 'moving pictures', () => {
  it.each(pictures)(
    'docs/%s.svg is what a terminal shows; `npm run docs` records it again',
    {
      timeout: 60_000,
    },
    async (name, line, film) => {
      const who = newcomer()
      await who.starts(['oauth-lab serve', ...FREE_PORTS].join(' '))
      const terminal = openTerminal(80, 24, { OAUTH_LAB_HOME: join(who.home, '.local/share/oauth-lab') })
      try {
        const svg = terminalSvg(line, await record(terminal, line, film), 80)
        expect(Buffer.byteLength(svg)).toBeLessThan(300_000)
        const file = resolve(`docs/${name}.svg`)
        const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
        // A picture is made anew only where it shows something else.
        await expect(gist(kept) === gist(svg) ? kept : svg).toMatchFileSnapshot(file)
      } finally {
        terminal.close()
        await who.leaves()
      }
    },
  )
})
