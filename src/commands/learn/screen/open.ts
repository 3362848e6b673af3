import type { Lesson } from '../../../learn/model.js'
import { pause, runChild, runHere } from '../../../show/tui/home/child.js'
import { runLearnScreen } from '../../../show/tui/learn/run.js'
import { initialState } from '../../../show/tui/learn/state.js'
import { takesClipboard } from '../../../show/tui/screen/clipboard.js'
import { createStore } from '../../../show/tui/screen/store.js'
import { print } from '../../output/output.js'
import { EXIT, watchSignals } from '../../program/exit.js'
import { type Context, type StartFlags, withProgressNow } from '../context.js'
import { createLabKeeper } from '../lab.js'
import { createLearnerShell } from '../learner-shell.js'
import { type Bookmark, courseNow } from './board.js'
import { createDesk } from './desk.js'

/** Ends after which a screen has left nothing to read. */
const WELL: readonly number[] = [EXIT.done, EXIT.refused, EXIT.interrupted]

/**
 * Opens the course on the terminal.
 * @param wanted the lesson to begin; undefined: what was begun, else the next one
 * @returns the exit code
 */
export async function openCourse(
  context: Context,
  flags: Pick<StartFlags, 'client' | 'user'>,
  wanted?: Lesson,
): Promise<number> {
  const { globals } = context
  const store = createStore(initialState(courseNow(context, Date.now())))
  const labs = createLabKeeper(globals, lab => store.update(state => ({ ...state, lab })))
  const shell = createLearnerShell(context, labs)
  const bookmark: Bookmark = { passing: {} }
  async function roomLink() {
    if (context.room === undefined) return undefined
    const { createRoomLink } = await import('./room-link.js')
    return createRoomLink(context.room, context, { store, bookmark, context: () => withProgressNow(context) })
  }
  const room = await roomLink()
  try {
    for (;;) {
      const { signal, handedOver } = await runLearnScreen({
        store,
        clipboard: takesClipboard(process.env),
        ascii: globals.ascii,
        offers: ports => createDesk(context, { ...ports, store, labs, bookmark, room, wanted, flags, shell }),
      })
      if (signal !== undefined) return Number(process.exitCode)
      if (handedOver === undefined) return EXIT.done
      print(`$ ${handedOver.line}`)
      const { line, args } = handedOver
      const { code, signal: ended } = await (args === undefined
        ? runHere(() => shell.start(line, { stdio: 'inherit' }))
        : runChild(args))
      if (ended !== undefined) return ended === 'SIGTERM' ? EXIT.terminated : 129
      const leaving = handedOver.screen && WELL.includes(code) ? undefined : await pause(code, watchSignals())
      if (leaving !== undefined) return leaving
      store.update(state => ({
        ...state,
        notice: { text: `exit ${code}: ${line}`, good: code === EXIT.done },
      }))
    }
  } finally {
    await room?.close()
    await shell.close()
    await labs.close()
  }
}
