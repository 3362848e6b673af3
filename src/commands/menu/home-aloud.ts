import { typedLines } from '../../session/input/typed-lines.js'
import { sentence } from '../../show/render/spoken/spoken-item.js'
import { menuDetails, spokenMenu } from '../../show/render/spoken/spoken-menu.js'
import { runChild } from '../../show/tui/home/child.js'
import { type HomeCommand, homeEntries } from '../../show/tui/home/entries.js'
import { commandList } from '../command-list.js'
import { listedFlows } from '../flow.js'
import { print } from '../output/output.js'
import { prompt } from '../output/spoken.js'
import { EXIT } from '../program/exit.js'
import { watchSignals } from '../program/signals.js'

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
