import { pause, runChild } from '../show/tui/home/child.js'
import { homeEntries } from '../show/tui/home/entries.js'
import { initialState } from '../show/tui/home/state.js'
import { takesClipboard } from '../show/tui/screen/clipboard.js'
import { commandList } from './command-list.js'
import { listedFlows } from './flow.js'
import { print } from './output/output.js'
import { asciiWanted } from './output/output-mode.js'
import { EXIT } from './program/exit.js'
import { watchSignals } from './program/signals.js'

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
    state = { ...left.state, notice: `exit ${code}: ${chosen.line}` }
  }
}
