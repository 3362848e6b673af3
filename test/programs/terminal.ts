import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { cleanEnv, commandFolder, temporaryFolder, until } from '../support/program.js'

/** A shell in a tmux pane, judged by what is on the screen. */
export interface Terminal {
  /** Returns the text of the visible screen. Its lines do not end with blanks. */
  screen(): string
  /** The visible screen with its escape sequences for colours and the like. */
  coloured(): string
  /** The screen with everything that scrolled out of it. */
  scrollback(): string
  /** Types keys by their tmux names: `Enter`, `q`, `C-c`. */
  keys(...names: readonly string[]): void
  /** Types text as it is. */
  type(text: string): void
  /** Types a command line and Enter. */
  command(line: string): void
  /** Waits until the visible screen matches, and returns it. */
  shows(pattern: RegExp, limit?: number): Promise<string>
  /** Sees that typing is seen again: the shell has the terminal, and raw mode is over. */
  echoes(): Promise<void>
  resize(columns: number, rows: number): void
  /** The process that the shell of the pane has started. */
  foreground(): number
  close(): void
}

let count = 0

/** Opens a terminal of the given size, until the test ends, with `sh` in it, which finds the command `oauth-lab`. */
export function openTerminal(
  columns: number,
  rows: number,
  more: Readonly<Record<string, string>> = {},
): Terminal {
  const home = temporaryFolder()
  const settings = join(home.path, 'tmux.conf')
  const profile = join(home.path, 'profile')
  writeFileSync(settings, 'set -g status off\nset -g escape-time 0\nset -g default-terminal tmux-256color\n')
  writeFileSync(profile, `PS1='$ '\nPATH='${commandFolder(home.path)}':$PATH\n`)
  const socket = `oauth-lab-test-${process.pid}-${count++}`
  const env = cleanEnv(home.path, { TERM: 'xterm-256color', ENV: profile, SHELL: '/bin/sh', ...more })
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-u', '-L', socket, '-f', settings, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  tmux(
    'new-session',
    '-d',
    '-s',
    'lab',
    '-c',
    home.path,
    '-x',
    String(columns),
    '-y',
    String(rows),
    'exec sh -i',
  )

  const trimmed = (text: string) => text.replace(/[ \t]+$/gm, '').replace(/\n+$/, '')
  const terminal: Terminal = {
    screen: () => trimmed(tmux('capture-pane', '-p', '-t', 'lab')),
    coloured: () => tmux('capture-pane', '-p', '-e', '-t', 'lab'),
    scrollback: () => trimmed(tmux('capture-pane', '-p', '-S', '-', '-t', 'lab')),
    keys: (...names) => {
      tmux('send-keys', '-t', 'lab', ...names)
      // A key that comes at once behind Escape would be one with Alt.
      if (names.at(-1) === 'Escape') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    },
    type: text => void tmux('send-keys', '-t', 'lab', '-l', text),
    command: line => {
      terminal.type(line)
      terminal.keys('Enter')
    },
    shows: (pattern, limit) =>
      until(
        () => {
          const screen = terminal.screen()
          return pattern.test(screen) ? screen : undefined
        },
        () => `the screen does not show ${pattern}:\n${terminal.screen()}`,
        limit,
      ),
    echoes: async () => {
      await terminal.shows(/^\$$/m)
      terminal.type('echo typed')
      await terminal.shows(/^\$ echo typed$/m)
    },
    resize: (width, height) =>
      void tmux('resize-window', '-t', 'lab', '-x', String(width), '-y', String(height)),
    foreground: () => {
      const shell = tmux('display-message', '-p', '-t', 'lab', '#{pane_pid}').trim()
      const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      const children = processes.split('\n').map(line => line.trim().split(/ +/))
      return Number(children.find(([, parent]) => parent === shell)?.[0])
    },
    close: () => {
      try {
        tmux('kill-server')
      } catch {
        // it ended by itself
      }
      home.remove()
    },
  }
  onTestFinished(terminal.close)
  return terminal
}

/** Opens a terminal in which a command line runs. What ends it is printed as `exit=0`. */
export async function terminalWith(
  line: string,
  columns = 80,
  rows = 24,
  more: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const terminal = openTerminal(columns, rows, more)
  await terminal.shows(/^\$$/m)
  terminal.command(`${line}; echo "exit=$?"`)
  return terminal
}

/** The stepper does something by itself; what it shows is not what it will show. */
const underWay = /● waiting|under way/
/** Enter is what comes next: the next step, or the login that is filled in. */
const inviting = /enter (?:next|step)|● log in/

/** What Enter changes, and time alone does not: the lines without a countdown. */
const still = (screen: string): string =>
  screen
    .split('\n')
    .filter(line => !/\d (s|min|h|d)\b/.test(line))
    .join('\n')

/**
 * Presses Enter in the stepper, one step at a time, until the screen matches and nothing is under way; returns it.
 * @throws Error where the stepper asks for something else than Enter, as after a request without an answer
 */
export async function enterUntil(terminal: Terminal, pattern: RegExp): Promise<string> {
  for (let presses = 0; presses < 20; presses++) {
    const settled = await until(
      () => {
        const screen = terminal.screen()
        return underWay.test(screen) || !(pattern.test(screen) || inviting.test(screen)) ? undefined : screen
      },
      () => `neither ${pattern} nor something that asks for Enter:\n${terminal.screen()}`,
    )
    if (pattern.test(settled)) return settled
    terminal.keys('Enter')
    await until(
      () => (still(terminal.screen()) === still(settled) ? undefined : true),
      () => `Enter changes nothing:\n${settled}\nis now\n${terminal.screen()}`,
    )
  }
  throw new Error(`not ${pattern} after 20 times Enter:\n${terminal.screen()}`)
}
