import { eventMark } from '../../../lab/state/event-file.js'
import { letterOf } from '../../../learn/engine/lesson-lines.js'
import { needsOf } from '../../../learn/engine/needs.js'
import type { Lesson } from '../../../learn/model.js'
import type { HandedOver, LearnOffers } from '../../../show/tui/learn/content.js'
import { toView } from '../../../show/tui/learn/state.js'
import { keepPrediction } from '../check.js'
import type { Context, StartFlags } from '../context.js'
import { type BoardPorts, createBoard, sessionNow } from './board.js'
import { createHelp } from './help.js'
import { createLessonOpener } from './open-lesson.js'
import { createLineRunner } from './typed-line.js'

/** Milliseconds between two reads of the event file, and reads between two checks of the lab. */
const PERIOD = 200
const LAB_PERIODS = 10

/** The parts that the work behind the screen needs. */
export interface DeskPorts extends BoardPorts {
  /** The lesson to begin; left out: what was begun, else the next one. */
  readonly wanted: Lesson | undefined
  readonly flags: Pick<StartFlags, 'client' | 'user'>
  readonly handOver: (command: HandedOver) => void
}

/** Makes the work behind the screen: lessons, verdicts, hints and typed lines. One thing happens at a time. */
export function createDesk(first: Context, ports: DeskPorts): LearnOffers {
  const { store, labs, bookmark, wanted, flags, handOver } = ports
  const board = createBoard(first, ports)
  const { later } = board
  const lessons = createLessonOpener(board, ports, flags, handOver)
  const help = createHelp(board, bookmark)
  const lines = createLineRunner(board, { store, help, handOver })
  const { home } = first.globals
  let seen = ''
  let periods = 0
  let timer: NodeJS.Timeout | undefined

  /** Reads new events, and progress that was made elsewhere. Replaces a lab that has ended. */
  async function watch(): Promise<void> {
    const now = await board.context()
    const session = sessionNow(now)
    if (session !== undefined && ++periods % LAB_PERIODS === 0) {
      const renewed = await labs.renew(needsOf(session.lesson, session.task, now.progress))
      if (renewed !== undefined) board.notice(renewed)
    }
    const here = JSON.stringify([await eventMark(home), now.progress])
    if (here === seen) return
    seen = here
    await board.judge()
  }

  function tick(): void {
    timer = setTimeout(() => {
      later(watch)
      void board.idle().then(() => {
        if (!board.isClosed()) tick()
      })
    }, PERIOD)
  }

  return {
    begin() {
      later(async () => {
        const now = await board.context()
        if (store.get().lesson !== undefined) board.show(now)
        else if (wanted !== undefined) await lessons.start(wanted)
        else if (sessionNow(now)?.task !== undefined) await lessons.enter(now)
        else await lessons.startNext()
      })
      tick()
    },
    predict(option) {
      later(async () => {
        const now = await board.context()
        const session = sessionNow(now)
        if (session === undefined) return
        await keepPrediction(now, session, letterOf(option))
        await board.judge()
      })
    },
    goOn() {
      later(async () => {
        if (bookmark.done === undefined) return lessons.startNext()
        const { review } = bookmark.done
        board.forget()
        if (review) store.update(state => toView(state, 'course'))
        else await lessons.enter(await board.context())
      })
    },
    hint: () => later(help.hint),
    solution: () => later(help.solution),
    explain: () => later(help.explain),
    enter: line => later(() => lines.enter(line)),
    stop: () => void lines.stop(),
    open: (name, again) => later(() => lessons.open(name, again)),
    review: () => later(lessons.review),
    async close() {
      board.close()
      clearTimeout(timer)
      await lines.stop()
      await board.idle()
    },
  }
}
