import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { width } from '../../src/show/render/text/text.js'
import { describeWith } from '../support/requires.js'
import { root } from '../support/source-files.js'
import { enterUntil, terminalWith } from './terminal.js'

/** The folder in which people look at the screens of the walk. */
const SCREENS = join(root, '.vitest/walk')

/** A step of the walk: what somebody types, and the lines that the screen must have then. */
type Step = readonly [name: string, keys: readonly string[], lines: readonly RegExp[]]

const typed = (text: string): string[] => [...text].map(each => (each === ' ' ? 'Space' : each))

/** From the menu through the help, a login, a wrong move, a lesson and an attack. */
const WALK: readonly Step[] = [
  [
    'menu',
    [],
    [
      /everything runs on this machine/,
      /► flow code/,
      /\$ oauth-lab flow code --client demo/,
      /\? help +q quit/,
    ],
  ],
  ['menu-help', ['?'], [/keys/, /► .*move/, /enter do it +\/ filter/]],
  ['menu-help-filter', ['/', ...typed('copy')], [/\/copy▏/, /y +copy the command line/]],
  ['menu-filter', ['Escape', 'Escape', '/', ...typed('login')], [/\/login▏/, /enter keep +esc cancel/]],
  ['flow', ['Escape', 'Enter'], [/flow code +client demo/, /step 1 of/, /enter next/]],
  ['flow-step', ['Enter'], [/● 1 .*◄─+ open/, /enter next/]],
]

describeWith(['tmux', 'ps'], 'the first walk of a newcomer', () => {
  it.each([
    [80, 24],
    [120, 40],
  ])('sees whole screens at %ix%i', { timeout: 120_000 }, async (columns, rows) => {
    const walker = await terminalWith('clear; oauth-lab', columns, rows)
    const folder = join(SCREENS, `${columns}x${rows}`)
    mkdirSync(folder, { recursive: true })
    let count = 0
    /** Waits for the lines of a screen, and keeps it. */
    async function see(name: string, ...lines: readonly RegExp[]): Promise<string> {
      let screen = ''
      for (const line of lines) screen = await walker.shows(line)
      expect(Math.max(...screen.split('\n').map(width))).toBeLessThanOrEqual(columns)
      count += 1
      writeFileSync(join(folder, `${String(count).padStart(2, '0')}-${name}.txt`), `${screen}\n`)
      return screen
    }
    async function step(name: string, keys: readonly string[], ...lines: readonly RegExp[]): Promise<string> {
      for (const key of keys) walker.keys(key)
      return see(name, ...lines)
    }

    for (const [name, keys, lines] of WALK) await step(name, keys, ...lines)

    await enterUntil(walker, /● log in/)
    await see('flow-login', /demo asks you to log in/, /username +alice/, /enter log in/)
    walker.keys('Enter')
    await enterUntil(walker, /✓ granted/)
    await see('flow-granted', /✓ granted/, /POST \/token/, /r restart/, /\? help +q quit/)

    await step(
      'tamper',
      ['t'],
      /Tamper/,
      /In the authorization request/,
      /\d+ hidden that do not apply: a shows/,
    )
    await step(
      'tamper-filter',
      ['/', ...typed('reuse-code')],
      /\/reuse-code▏/,
      /redeems the code a second time/,
    )
    await step('tamper-move', ['Enter', 'Enter'], /--tamper reuse-code/)
    await enterUntil(walker, /✓ refused as expected/)
    await see('tamper-refused', /invalid_grant/, /w again without it/)
    await step('tamper-without', ['w'], /flow code +client demo/, /step 1 of/)
    await step('back-to-menu', ['q'], /everything runs on this machine/)
    await step('shell', ['q'], /^exit=0$/m)

    walker.command('clear; oauth-lab learn; echo "exit=$?"')
    await see('lesson', /First predict/, /[abc]\) Read her records/, /a b c predict/)
    const task = await step(
      'lesson-task',
      ['b'],
      /Task 1 of 2/,
      /2 What the servers saw/,
      /enter type a line/,
    )
    // More room shows more: the explanation stays beside the task.
    if (columns >= 120) expect(task).toMatch(/The explanation[\s\S]*alice keeps records/)
    await step('lesson-copy', ['y'], /copied[\s\S]*--client\s+demo-legacy\s+--user\s+alice/)
    await step('lesson-line', ['Enter', 'Tab'], /learn> .*alice▏/)
    await step('lesson-done', ['Enter'], /✓ Done\. Enter goes on to the next task/)
    await step('lesson-search', ['1', '/', ...typed('password'), 'Enter'], /hit \d+\/\d+/)
    await step('course', ['Escape', 'Escape'], /The course/, /► ● 00-printing-service/)
    await step('course-filter', ['/', ...typed('pkce'), 'Enter'], /05-pkce/, /filter pkce/)
    await step('lesson-left', ['Q'], /^exit=0$/m)

    walker.command('clear; oauth-lab attack run stolen-code; echo "exit=$?"')
    await see('attack', /attack stolen-code/, /The attacker/, /enter step +.*d defence/)
    await step('attack-stolen', ['Space'], /stolen: /)
    await step('attack-defended', ['d'], /defended: /)
    await step('attack-left', ['q'], /^exit=\d$/m)
  })
})
