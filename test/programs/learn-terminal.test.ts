import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { lesson } from '../servers/room/example.js'
import { until } from '../support/program.js'
import { describeWith } from '../support/requires.js'
import { startTeacher } from '../support/teacher.js'
import { openTerminal, type Terminal, terminalWith } from './terminal.js'

const TASK = 'oauth-lab flow password --client demo-legacy --user alice'
const SECOND = 'oauth-lab flow code --client course --user alice'

describeWith(['tmux', 'ps'], 'learn on a terminal', () => {
  const open = (columns: number, rows: number, line: string) => terminalWith(`clear; ${line}`, columns, rows)

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

  it('asks the prediction once more in a room, before the explanation', { timeout: 90_000 }, async () => {
    const lessons = [lesson('00-printing-service', ['password', 'token'])]
    const teacher = await startTeacher({ lessons })
    try {
      const join = `oauth-lab join ${teacher.address} ${teacher.code} --as Dora`
      const terminal = await open(80, 24, `${join} && clear && oauth-lab learn`)
      await terminal.shows(/First predict/)
      terminal.keys('a')
      for (const [line, task] of [
        [TASK, /Task 1 of 2/],
        [SECOND, /Task 2 of 2/],
      ] as const) {
        await terminal.shows(task)
        terminal.command(`:${line}`)
        await terminal.shows(/✓ Done\. Enter goes on/)
        await goOn(terminal)
      }
      await terminal.shows(/You have seen it: predict once more/)
      expect(terminal.screen()).not.toMatch(/▸|Remember/)
      terminal.keys('b')
      await terminal.shows(/You predicted/)
      const poll = () => teacher.room.board().polls[0]
      await until(
        () => (Object.keys(poll()?.after ?? {}).length === 1 ? true : undefined),
        () => JSON.stringify(poll()),
      )
      terminal.keys('q')
      await terminal.shows(/^exit=0$/m)
    } finally {
      await teacher.stop()
    }
  })

  it('runs the attack without the defence by w, and is there again afterwards', {
    timeout: 90_000,
  }, async () => {
    const terminal = openTerminal(80, 24)
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

  it('runs lines of the shell in panes beside the lesson, and stops all of them', {
    timeout: 90_000,
  }, async () => {
    const terminal = await open(80, 24, 'SHELL=/bin/sh oauth-lab learn start 7')
    await terminal.shows(/First predict/)
    terminal.keys('a')
    await terminal.shows(/Task 1 of 3/)
    terminal.keys('Enter')
    terminal.command(
      'oauth-lab flow code --client course --json --show-secrets | tail -1 | oauth-lab jwt decode -',
    )
    await terminal.shows(/exit code 0[\s\S]*Not yet: The resource server took that token/)
    // Two lines run at once, and a third one has its pane beside them.
    terminal.command(':echo leader $$; sleep 987 & sleep 987')
    await terminal.shows(/leader \d+[\s\S]*runs; x stops it/)
    terminal.command(':tail -f /dev/null')
    await terminal.shows(/3 ● .* 4 ● tail -f/)
    terminal.command(':test -t 0 || echo "the input is not a terminal"; exit 3')
    await terminal.shows(/not a terminal[\s\S]*With ! in front/)
    terminal.keys('3')
    const [, group = ''] = /leader (\d+)/.exec(await terminal.shows(/\[3 ● /)) ?? []
    /** The programs of the line; one that has ended may wait for its parent (Z). */
    const alive = () =>
      spawnSync('ps', ['-o', 'pgid=,stat=,args=', '-e'], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(text => text.trim().startsWith(`${group} `) && !/^\s*\d+ Z/.test(text))
    expect(alive()).toHaveLength(3)
    terminal.keys('x')
    await terminal.shows(/exit code 1\d\d/)
    expect(alive()).toEqual([])
    // The whole terminal, with its keyboard.
    terminal.command(':! read word && echo "read $word"')
    await terminal.shows(/^\$ read word/m)
    terminal.command('hello')
    await terminal.shows(/read hello[\s\S]*enter back/)
    terminal.keys('Enter')
    await terminal.shows(/Task 1 of 3/)
    terminal.command(':sleep 986')
    await terminal.shows(/runs; x stops it/)
    terminal.keys('C-c')
    await terminal.shows(/^exit=130$/m)
    await terminal.echoes()
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toMatch(/^sleep 98[67]$/m)
  })

  it('runs lines of the shell in a lesson of lines', { timeout: 60_000 }, async () => {
    const terminal = await open(80, 24, 'SHELL=/bin/sh oauth-lab learn start 7 --screen-reader')
    await terminal.shows(/Your prediction/)
    terminal.keys('b', 'Enter')
    await terminal.shows(/learn>/)
    terminal.command('printf "%s-%s\\n" "$LAB" two | tr a-z A-Z')
    await terminal.shows(/^HTTPS:\S+-TWO$/m)
    terminal.command('sleep 985')
    const programs = () => spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout
    await expect.poll(programs, { timeout: 20_000 }).toMatch(/^sleep 985$/m)
    terminal.keys('C-c')
    // Ctrl-C ended the line alone.
    terminal.command('echo $((40 + 2))')
    await terminal.shows(/^42$/m)
    terminal.command('q')
    await terminal.shows(/^exit=0$/m)
  })

  it('prints lines with --plain', { timeout: 60_000 }, async () => {
    const terminal = await open(80, 24, 'oauth-lab learn --plain')
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
