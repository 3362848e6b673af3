import { afterEach, expect, it } from 'vitest'
import { describeWith } from '../support/requires.js'
import { openTerminal, type Terminal } from './terminal.js'

const TASK = 'oauth-lab flow password --client demo-legacy --user alice'
const SECOND = 'oauth-lab flow code --client course --user alice'

describeWith(['tmux', 'ps'], 'learn on a terminal', () => {
  const opened: Terminal[] = []
  afterEach(() => {
    for (const terminal of opened.splice(0)) terminal.close()
  })

  async function open(columns: number, rows: number, line: string): Promise<Terminal> {
    const terminal = openTerminal(columns, rows)
    opened.push(terminal)
    await terminal.shows(/^\$$/m)
    terminal.command(`clear; ${line}; echo "exit=$?"`)
    return terminal
  }

  /** Reads the text to its end, and goes on. */
  async function goOn(terminal: Terminal): Promise<void> {
    let read = ''
    while (/enter read on/.test(terminal.screen())) {
      const before = terminal.screen()
      if (before !== read) terminal.keys('Enter')
      read = before
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    terminal.keys('Enter')
  }

  it.each([
    [80, 24],
    [60, 20],
  ])(
    'a lesson is done at %ix%i, from its prediction to its end',
    {
      timeout: 90_000,
    },
    async (columns, rows) => {
      const terminal = await open(columns, rows, 'oauth-lab learn')
      await terminal.shows(/First predict/)
      terminal.keys('a')
      await terminal.shows(/Task 1 of 2/)
      // A wrong attempt gets its own sentence, and the screen keeps the task.
      terminal.command(`${TASK}:wrong`)
      await terminal.shows(/! Not yet: The password was wrong/)
      expect(terminal.screen()).toContain('Task 1 of 2')
      terminal.keys('h')
      await terminal.shows(/Hint 1 of 2/)
      // Enter opens the line, Tab fills in the task's.
      terminal.keys('Enter', 'Tab')
      await terminal.shows(/alice▏/)
      terminal.keys('Enter')
      await terminal.shows(/✓ Done\. Enter goes on to the next task/)
      terminal.resize(48, 14)
      await terminal.shows(/needs 60x20/)
      terminal.resize(100, 30)
      await terminal.shows(/╭─ \[1 Lesson\]/)
      terminal.resize(columns, rows)
      await terminal.shows(/── \[1 Lesson\]/)
      await goOn(terminal)
      await terminal.shows(/Task 2 of 2/)
      // From the second task on the line is to be found.
      terminal.type(`:${SECOND}`)
      terminal.keys('Enter')
      await terminal.shows(/✓ Done\. Enter goes on to the explanation/)
      await goOn(terminal)
      await terminal.shows(/You predicted (?:a\. It was [bc]\.|it)/)
      expect(terminal.screen()).not.toContain('scope-is-what-the-user-may')
      terminal.keys('Escape')
      await terminal.shows(/✓ 00-printing-service/)
      terminal.keys('Q')
      await terminal.shows(/^exit=0$/m)
      await terminal.echoes()
    },
  )

  it('runs the attack without the defence by w, and is there again afterwards', {
    timeout: 90_000,
  }, async () => {
    const terminal = openTerminal(80, 24)
    opened.push(terminal)
    await terminal.shows(/^\$$/m)
    terminal.command('oauth-lab learn start 5 --plain >/dev/null; oauth-lab learn start 5')
    await terminal.shows(/First predict/)
    terminal.keys('b')
    await terminal.shows(/Task 1/)
    terminal.type(': oauth-lab attack run code-injection --weak pkce-ignored')
    terminal.keys('Enter')
    await terminal.shows(/attack code-injection/)
    terminal.keys('q')
    await terminal.shows(/Task 1/)
    terminal.keys('C-c')
    await terminal.echoes()
  })

  it('two learners work on one lab, and each sees the own events alone', { timeout: 90_000 }, async () => {
    const terminal = await open(80, 24, 'oauth-lab learn start 1 --user bob --learner bob')
    await terminal.shows(/First predict/)
    terminal.keys('a')
    await terminal.shows(/Task 1[\s\S]*--user bob/)
    terminal.command('oauth-lab flow code --client course --user alice')
    const screen = await terminal.shows(/counts\s+client\s+course\s+and\s+user\s+bob/)
    expect(screen).not.toMatch(/✓ Done/)
    terminal.keys('q')
    await terminal.shows(/^exit=0$/m)
    await terminal.echoes()
  })

  it.each(['--plain', '--screen-reader'])('prints lines with %s', { timeout: 60_000 }, async flag => {
    const terminal = await open(80, 24, `oauth-lab learn ${flag}`)
    const screen = await terminal.shows(/Lesson 0|00-printing-service/)
    expect(screen).not.toMatch(/── |a b c predict/)
    terminal.keys('C-c')
  })

  it('reads a command of the lesson aloud too', { timeout: 60_000 }, async () => {
    const terminal = await open(80, 24, 'oauth-lab learn --screen-reader')
    await terminal.shows(/Your prediction/)
    terminal.keys('b', 'Enter')
    await terminal.shows(/learn>/)
    terminal.command(TASK)
    const screen = await terminal.shows(/Step 1 of 3[\s\S]*Press Enter to send/)
    expect(screen).not.toMatch(/── /)
    // The terminal echoes the key, so that the answer begins on a line of its own.
    terminal.command('')
    await terminal.shows(/^Step 1 of 3, done/m)
    terminal.command('q')
    await terminal.shows(/learn>/)
    terminal.keys('C-c')
  })
})
