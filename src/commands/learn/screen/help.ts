import { changeProgress, FRESH_TASK, withTask } from '../../../learn/engine/progress.js'
import { explainNow } from '../help.js'
import { type Board, type Bookmark, sessionNow } from './board.js'

/** The help in a lesson: hints one by one, the solution, the events behind the verdict. */
export interface Help {
  hint(): Promise<void>
  solution(): Promise<void>
  explain(): Promise<void>
}

/** Hints of a task. */
const HINTS = 3

/** Makes the help of a screen. */
export function createHelp(board: Board, bookmark: Bookmark): Help {
  async function give(what: 'hint' | 'solution'): Promise<void> {
    const { globals, learner, ...now } = await board.context()
    const session = sessionNow({ globals, learner, ...now })
    if (session?.task === undefined || bookmark.done !== undefined) return
    const { lesson, task } = session
    const { hints } = now.progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
    if (what === 'hint' && hints >= HINTS) {
      board.notice('That was the last hint. s shows the solution.')
      return
    }
    bookmark.passing = {}
    const changed = what === 'solution' ? { solution: true } : { hints: hints + 1 }
    await changeProgress(globals.home, learner, old => withTask(old, lesson.name, task.name, changed))
    await board.refresh()
  }

  return {
    hint: () => give('hint'),
    solution: () => give('solution'),
    async explain() {
      const now = await board.context()
      if (sessionNow(now) === undefined || bookmark.done !== undefined) return
      const texts = await explainNow(now)
      bookmark.passing = { explained: { title: 'The events behind the verdict', texts } }
      board.show(now)
    },
  }
}
