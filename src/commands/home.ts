import { typedLines } from '../session/input/input.js'
import { menuDetails, sentence, spokenMenu } from '../show/render/spoken/spoken-item.js'
import { pause, runChild } from '../show/tui/home/child.js'
import { type HomeCommand, homeEntries } from '../show/tui/home/entries.js'
import { initialState } from '../show/tui/home/state.js'
import { takesClipboard } from '../show/tui/screen/clipboard.js'
import { commandList } from './command-list.js'
import { listedFlows } from './flow.js'
import { print, prompt } from './output/output.js'
import { asciiWanted } from './output/output-mode.js'
import { EXIT, watchSignals } from './program/exit.js'

/** Ends after which a screen has left nothing to read: done, refused on the screen, quit by Ctrl-C. */
const WELL: readonly number[] = [EXIT.done, EXIT.refused, EXIT.interrupted]

/**
 * The menu that a bare `oauth-lab` opens: runs what is chosen in the same terminal, and comes back.
 * @param options the arguments that were typed, which are options of every command
 * @returns the exit code
 */
export async function home(options: readonly string[]): Promise<number> {
  const { runHome } = await import('../show/tui/home/run.js')
  const entries = homeEntries(listedFlows, commandList, options)
  let state = initialState(entries)
  for (;;) {
    const left = await runHome({ state, clipboard: takesClipboard(process.env), ascii: asciiWanted() })
    if (left.signal !== undefined) return Number(process.exitCode)
    const chosen = entries.find(({ line }) => line === left.chosen?.line)
    if (chosen === undefined) return EXIT.done
    print(`$ ${chosen.line}`)
    const { code, signal } = await runChild(chosen.argv)
    if (signal !== undefined) return signal === 'SIGTERM' ? EXIT.terminated : 129
    const leaving = chosen.screen && WELL.includes(code) ? undefined : await pause(code, watchSignals())
    if (leaving !== undefined) return leaving
    state = { ...left.state, notice: { text: `exit ${code}: ${chosen.line}`, good: code === EXIT.done } }
  }
}

const PROMPT = 'Type a number to run a command, d and a number for its details, r to repeat, q to quit: '

/** Finds a command by its number or its name. */
function chosen(entries: readonly HomeCommand[], text: string): HomeCommand | undefined {
  return entries.find(({ name }, i) => String(i + 1) === text || name === text)
}

/** Runs a command, which reads its screens aloud too. Returns the exit code of a signal. */
async function run({ line, argv }: HomeCommand): Promise<number | undefined> {
  print(`$ ${line}`)
  process.env.INK_SCREEN_READER = 'true'
  const { code, signal } = await runChild(argv)
  if (signal !== undefined) return signal === 'SIGTERM' ? EXIT.terminated : 129
  print(`The command ended with exit code ${code}.`)
  return undefined
}

/**
 * Reads the menu aloud: a number runs a command, `d` and a number reads its details, `r` repeats the menu or the last
 * details, `q` ends.
 * @param options the arguments that were typed, which are options of every command
 * @returns the exit code
 */
export async function homeAloud(options: readonly string[]): Promise<number> {
  const entries = homeEntries(listedFlows, commandList, options)
  const menu = spokenMenu(entries)
  let last = menu
  print(...menu)
  const ended = new AbortController()
  const watch = () => {
    const watched = watchSignals()
    watched.signal.addEventListener('abort', () => ended.abort(), { once: true })
    return watched
  }
  let interruption = watch()
  const keys = typedLines(ended.signal)
  try {
    for (;;) {
      prompt(PROMPT)
      const typed = await keys.next()
      if (typed === undefined) prompt('\n')
      if (typed === undefined || typed === 'q') return interruption.exitCode() ?? EXIT.done
      const [, details, name = ''] = /^(d )?(.*)$/.exec(typed) ?? []
      const entry = chosen(entries, name)
      if (typed === 'r' || typed === '') print(...last)
      else if (entry === undefined) print(sentence(`There is no command ${JSON.stringify(name)}`))
      else if (details !== undefined) {
        last = menuDetails(entry)
        print(...last)
      } else {
        last = menu
        // Signals and keys of the terminal are for the command.
        keys.pause()
        interruption.ignore()
        const code = await run(entry)
        if (code !== undefined) return code
        interruption = watch()
      }
    }
  } finally {
    keys.close()
    interruption.ignore()
  }
}
