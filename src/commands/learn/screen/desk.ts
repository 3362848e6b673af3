import { eventMark } from '../../../lab/state/event-file.js'
import { capstoneNamed } from '../../../learn/capstones/capstone.js'
import { drawnLesson } from '../../../learn/engine/drawn-lesson.js'
import { findLesson, isDone, nextLesson } from '../../../learn/engine/find-lesson.js'
import { letterOf } from '../../../learn/engine/lesson-lines.js'
import { needsOf } from '../../../learn/engine/needs.js'
import { changeProgress } from '../../../learn/engine/progress.js'
import { dueReviews } from '../../../learn/engine/review.js'
import type { Lesson } from '../../../learn/model.js'
import type { HandedOver, LearnOffers } from '../../../show/tui/learn/content.js'
import { toView } from '../../../show/tui/learn/state.js'
import { clientLines } from '../check.js'
import { begin, type Context, lessonOfRoom, type StartFlags } from '../context.js'
import { beginReview } from '../help.js'
import type { LearnerShell } from '../learner-shell.js'
import { asksAgain, keepPrediction } from '../prediction.js'
import { type Board, type BoardPorts, createBoard, createHelp, sessionNow } from './board.js'
import { createLineRunner } from './typed-line.js'

/** Milliseconds between two reads of the event file, and reads between two checks of the lab. */
const PERIOD = 200
const LAB_PERIODS = 10

/** The parts that the work behind the screen needs. */
interface DeskPorts extends BoardPorts {
  /** The lesson to begin; left out: what was begun, else the next one. */
  readonly wanted: Lesson | undefined
  readonly flags: Pick<StartFlags, 'client' | 'user'>
  readonly shell: LearnerShell
  readonly handOver: (command: HandedOver) => void
}

/** Makes the work behind the screen: lessons, verdicts, hints and typed lines. One thing happens at a time. */
export function createDesk(first: Context, ports: DeskPorts): LearnOffers {
  const { store, labs, bookmark, room, wanted, flags, shell, handOver } = ports
  const board = createBoard(first, ports)
  const { later } = board
  const lessons = createLessonOpener(board, ports, flags, handOver)
  const help = createHelp(board, bookmark)
  const lines = createLineRunner(board, { store, help, shell, handOver })
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
    await lines.saved()
    const here = JSON.stringify([await eventMark(home), now.progress])
    if (here === seen) return
    seen = here
    await board.judge()
    room?.changed()
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
        else if (lessonOfRoom(now) !== undefined) await lessons.open(lessonOfRoom(now)!.name, false)
        else if (sessionNow(now)?.task !== undefined || asksAgain(now, sessionNow(now)))
          await lessons.enter(now)
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
        room?.changed()
        if (review) store.update(state => toView(state, 'course'))
        else await lessons.enter(await board.context())
      })
    },
    hint: () => later(help.hint),
    solution: () => later(help.solution),
    explain: () => later(help.explain),
    enter: line => later(() => lines.enter(line)),
    stop: pane => void lines.stop(pane),
    stuck: () => room?.stuck(),
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

/** The ways into a lesson. */
interface LessonOpener {
  /** Shows the present lesson, and then gets its lab. */
  enter(now: Context): Promise<void>
  start(lesson: Lesson): Promise<void>
  /** Starts the next lesson; shows the course when all are done. */
  startNext(): Promise<void>
  /** Opens a lesson of the course: starts it, goes on with it, or shows its end again. */
  open(name: string, again: boolean): Promise<void>
  /** Begins the review that is due. */
  review(): Promise<void>
}

/** The names that a learner chose at an earlier lesson, where several learn on one lab. */
function chosenNames(
  { lessons, progress }: Context,
  flags: Pick<StartFlags, 'client' | 'user'>,
): Pick<StartFlags, 'client' | 'user'> {
  const { current } = progress
  const before = lessons.find(({ name }) => name === current?.lesson)
  if (before === undefined || current === undefined || current.review !== undefined) return flags
  const { client, user } = current
  return {
    ...(client !== before.needs.client && { client }),
    ...(user !== before.needs.user && { user }),
    ...flags,
  }
}

/**
 * Makes the ways into the lessons of a screen.
 * @param flags names that were chosen on the command line
 * @param handOver gives the terminal to a command, as a capstone needs it
 */
function createLessonOpener(
  board: Board,
  { store, labs, bookmark }: BoardPorts,
  flags: Pick<StartFlags, 'client' | 'user'>,
  handOver: (command: HandedOver) => void,
): LessonOpener {
  async function enter(now: Context): Promise<void> {
    const session = sessionNow(now)
    if (session === undefined) return
    bookmark.client = await clientLines(session.lesson, now)
    board.show(now)
    board.busy('Finds or starts the lab of the lesson.')
    await labs.need(needsOf(session.lesson, session.task, now.progress))
    board.busy('')
    await board.judge()
  }

  async function start(lesson: Lesson): Promise<void> {
    board.forget()
    const now = await board.context()
    const progress = await begin(lesson, chosenNames(now, flags), now)
    await enter({ ...now, progress })
  }

  /** Goes on with a lesson that was left for another one. Events from this moment on count. */
  async function resume(lesson: Lesson, now: Context): Promise<void> {
    const { folder, globals, learner } = now
    const mark = await eventMark(globals.home)
    const { client, user } = { ...lesson.needs, ...chosenNames(now, flags) }
    const current = { lesson: lesson.name, mark, client, user, ...(folder !== undefined && { folder }) }
    await changeProgress(globals.home, learner, ({ capstone: _, ...old }) => ({ ...old, current }))
    await enter(await board.context())
  }

  async function open(name: string, again: boolean): Promise<void> {
    const now = await board.context()
    const { progress, learner } = now
    if (capstoneNamed(name) !== undefined) {
      const args = ['learn', 'start', name, ...(learner === undefined ? [] : ['--learner', learner])]
      handOver({ line: `oauth-lab ${args.join(' ')}`, args, screen: false })
      return
    }
    const lesson = findLesson(now.lessons, name)
    const current = progress.current?.lesson === name
    if (again || (!current && progress.lessons[name] === undefined)) return start(lesson)
    board.forget()
    if (current) return enter(now)
    if (!isDone(progress, lesson)) return resume(lesson, now)
    bookmark.reading = drawnLesson(lesson, progress.lessons[name]?.seed)
    board.show(now)
  }

  return {
    enter,
    start,
    open,
    async startNext() {
      const now = await board.context()
      const ofRoom = lessonOfRoom(now)
      if (ofRoom !== undefined) return open(ofRoom.name, false)
      const next = nextLesson(now.course, now.progress)
      if (next !== undefined && now.progress.lessons[next.name] === undefined) return start(next)
      if (next !== undefined) {
        board.forget()
        return resume(next, now)
      }
      store.update(state => toView(state, 'course'))
      board.notice('Every lesson is done.')
    },
    async review() {
      const now = await board.context()
      const [due] = dueReviews(now.lessons, now.progress, Date.now())
      if (due === undefined) return
      board.forget()
      await beginReview(due, now)
      await enter(await board.context())
    },
  }
}
