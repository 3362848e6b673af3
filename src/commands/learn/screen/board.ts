import { CAPSTONES, type Capstone } from '../../../learn/capstones/capstone.js'
import { progressLines } from '../../../learn/engine/certificate.js'
import { isDone, nextLesson } from '../../../learn/engine/find-lesson.js'
import { HINTS, taskNumber } from '../../../learn/engine/lesson-lines.js'
import {
  changeProgress,
  FRESH_TASK,
  type Progress,
  shownHints,
  withTask,
} from '../../../learn/engine/progress.js'
import { dueReviews, nextReview } from '../../../learn/engine/review.js'
import { type Session, sessionOf } from '../../../learn/engine/session.js'
import type { Lesson, Task } from '../../../learn/model.js'
import { UserError } from '../../../protocol/errors.js'
import type { RoomPhase } from '../../../protocol/room/messages.js'
import { defined } from '../../../protocol/values.js'
import type { Course, CourseRow } from '../../../show/tui/learn/content.js'
import {
  freePane,
  type LearnState,
  withLesson,
  withOutput,
  withVerdict,
} from '../../../show/tui/learn/state.js'
import type { Notice } from '../../../show/tui/screen/key-rows.js'
import type { Store } from '../../../show/tui/screen/store.js'
import { judgeNow, type Outcome, runLines } from '../check.js'
import { type Context, caFor, namesFor, withProgressNow } from '../context.js'
import { explainNow } from '../help.js'
import type { LabKeeper } from '../lab.js'
import { asksAgain } from '../prediction.js'
import { lessonPage, type Passing, seenEvents, toldEvent } from './page.js'

/** Each with the number of its last lesson. */
const PARTS = [
  { name: 'Foundations', last: 6 },
  { name: 'Tokens', last: 13 },
  { name: 'Login', last: 15 },
  { name: 'Why not', last: 20 },
  { name: 'Stronger', last: 23 },
  { name: 'Labs', last: 99 },
] as const

/** @param name `NN-name` */
function partOf(name: string): string {
  const number = Number.parseInt(name, 10)
  return PARTS.find(({ last }) => number <= last)?.name ?? ''
}

/** The place in the lesson that only the screen knows; kept while a command has the terminal. */
export interface Bookmark {
  passing: Passing
  /** The task that was just done, until Enter; and whether it was a review. */
  done?: { readonly task: Task; readonly review: boolean } | undefined
  /** Lines about the step of the learner's own client in the lesson; none where it has no step. */
  client?: readonly string[] | undefined
  /** A lesson that is read again. */
  reading?: Lesson | undefined
}

/** The room of a teacher beside the screen of a lesson. */
export interface RoomLink {
  /** The phase as it was heard last. */
  readonly phase: () => RoomPhase
  /** Something changed: it is reported to the teacher. */
  readonly changed: () => void
  /** The learner asks for help. */
  readonly stuck: () => void
  readonly close: () => Promise<void>
}

/** The parts that the board needs. */
export interface BoardPorts {
  readonly store: Store<LearnState>
  readonly labs: LabKeeper
  readonly bookmark: Bookmark
  /** The room that the learner is in. */
  readonly room?: RoomLink | undefined
  /** Leaves the screen with an error. */
  readonly failed: (error: unknown) => void
}

/** The way of the present lesson to the screen. */
export interface Board {
  /** The course with the progress as it is in its file. */
  readonly context: () => Promise<Context>
  /** Shows the page of a lesson, where it differs from the one that is shown. */
  readonly show: (now: Context) => void
  readonly refresh: () => Promise<void>
  /** Judges the present task, and shows what the servers saw. */
  readonly judge: () => Promise<void>
  /** Prints lines into the output pane. */
  readonly say: (line: string, ...lines: readonly string[]) => void
  readonly busy: (text: string) => void
  readonly notice: (notice: Notice) => void
  /** Forgets what the screen alone knows of a lesson. */
  readonly forget: () => void
  /** Does something after everything that was asked for before. A problem of the person is shown; any other one ends the screen. */
  readonly later: (work: () => Promise<void>) => void
  /** Waits for the work that is under way. */
  readonly idle: () => Promise<void>
  readonly isClosed: () => boolean
  readonly close: () => void
}

/** The task that a learner does now; undefined before the first lesson. */
export const sessionNow = ({ lessons, progress }: Context): Session | undefined =>
  progress.current === undefined ? undefined : sessionOf(lessons, progress)

/** The section about a task that was just done: the runs of a probe, or the events that showed it. */
function passedSection({ facts, task, session, verdict }: Outcome): Passing {
  const { lesson, current } = session
  const { tasks } = lesson
  const number = taskNumber(lesson, task)
  const review = current.review !== undefined
  const what = review ? `the review of ${lesson.name}` : `task ${number} of ${tasks.length}, ${task.name}`
  const runs = facts.probe ? runLines(facts.probe).map(text => `  ${text}`) : []
  const shown = runs.length > 0 || verdict.events.length === 0 ? [] : verdict.events.map(toldEvent)
  const texts = [...runs, ...(shown.length > 0 ? ['The servers saw it:', ...shown] : [])]
  return { passed: { title: `Done: ${what}`, texts, tone: 'done' } }
}

/** The sentence below a task that is done. @param again true when the prediction is asked once more at the end */
function goOnText({ task, session: { lesson, current } }: Outcome, again: boolean): string {
  const end = again ? 'the prediction, once more' : 'the explanation'
  const last = lesson.tasks.at(-1) === task
  return `Done. Enter goes on to ${current.review ? 'the course' : last ? end : 'the next task'}.`
}

/** Makes the board of a screen. */
export function createBoard(first: Context, { store, labs, bookmark, room, failed }: BoardPorts): Board {
  const { update } = store
  const { home } = first.globals
  let shown = ''
  let closed = false
  let queue: Promise<void> = Promise.resolve()

  const context = async (): Promise<Context> => ({
    ...(await withProgressNow(first)),
    ...(first.room && room && { room: { ...first.room, phase: room.phase() } }),
  })
  function show(now: Context): void {
    update(state => ({ ...state, course: courseNow(now, Date.now()) }))
    const session = sessionNow(now)
    const { reading, done, passing, client = [] } = bookmark
    const lesson = reading ?? session?.lesson
    if (lesson === undefined) return
    const { progress, course } = now
    const lab = labs.get()
    const { width: _, ...names } = namesFor(reading ? lesson.needs : (session?.current ?? lesson.needs), lab)
    const page = lessonPage({
      ...passing,
      lesson,
      task: reading ? undefined : (done?.task ?? session?.task),
      review: reading ? false : (done?.review ?? session?.current.review !== undefined),
      again: reading === undefined && done === undefined && asksAgain(now, session),
      ...{
        client,
        progress,
        course,
        names: { ...names, ...defined({ hidden: session?.hidden }) },
      },
      ca: caFor(lab, home),
    })
    const text = JSON.stringify(page)
    if (text === shown) return
    shown = text
    update(state => withLesson(state, page))
  }

  async function judge(): Promise<void> {
    const now = await context()
    const session = sessionNow(now)
    const read = bookmark.done !== undefined || bookmark.reading !== undefined
    if (session?.task === undefined || read || session.predicts) {
      show(now)
      return
    }
    const outcome = await judgeNow(now, session, session.task, labs.get())
    const { verdict, evidence, lost } = outcome
    const gone = lost ? ' Older events are gone from the bounded file: do the task once more.' : ''
    const after = { ...now, progress: outcome.progress }
    const again = asksAgain(after, sessionNow(after))
    const text = verdict.done ? goOnText(outcome, again) : `${verdict.why}${gone}`
    const shownVerdict = { done: verdict.done, tried: verdict.done || verdict.events.length > 0, text }
    update(state => withVerdict(state, seenEvents(evidence.withAnonymous, verdict.events), shownVerdict))
    if (verdict.done) {
      bookmark.done = { task: session.task, review: session.current.review !== undefined }
      bookmark.passing = passedSection(outcome)
    }
    show(after)
  }

  const say = (line: string, ...lines: readonly string[]): void =>
    update(state => {
      const pane = freePane(state)
      if (pane === undefined) return { ...state, notice: lines.join(' ') }
      return withOutput(state, { line, lines, cut: false, running: false }, pane)
    })
  const busy = (text: string): void => update(state => ({ ...state, busy: text }))

  return {
    context,
    show,
    judge,
    say,
    busy,
    refresh: async () => show(await context()),
    notice: notice => update(state => ({ ...state, notice })),
    forget() {
      bookmark.passing = {}
      bookmark.done = undefined
      bookmark.reading = undefined
      bookmark.client = undefined
      shown = ''
    },
    later(work) {
      queue = queue
        .then(() => (closed ? undefined : work()))
        .catch((error: unknown) => {
          if (closed) return
          busy('')
          if (error instanceof UserError && store.get().lesson !== undefined)
            say('', error.message, ...error.hints)
          else failed(error)
        })
    },
    idle: () => queue,
    isClosed: () => closed,
    close() {
      closed = true
    },
  }
}

/** Sentences about a lesson: how far it went, its rule, and its review. */
function aboutOf(lesson: Lesson, progress: Progress, due: readonly string[]): string[] {
  const { name, minutes, tasks, rule } = lesson
  const record = progress.lessons[name]
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, ${minutes} minutes. Rule: ${rule}.`
  if (record === undefined) return [count]
  const [, line = ''] = progressLines([lesson], { ...progress, lessons: { [name]: record } })
  const next = nextReview([lesson], progress)
  const review = due.includes(name)
    ? ['Its review is due: v.']
    : next === undefined
      ? []
      : [`Its review is due on ${new Date(next).toISOString().slice(0, 10)}.`]
  return [count, `${line.slice(name.length + 2)}.`, ...review]
}

/** A capstone in the list. */
function capstoneRow({ name, title, minutes, part, after, say }: Capstone, progress: Progress): CourseRow {
  const record = progress.capstones?.[name]
  return {
    name,
    title,
    minutes,
    part: partOf(String(part)),
    mark: record?.doneAt !== undefined ? 'done' : record !== undefined ? 'begun' : 'open',
    missing: after.filter(each => progress.lessons[each]?.doneAt === undefined),
    about: [say[0] ?? '', 'Enter prints the task. Answer it with oauth-lab learn answer.'],
  }
}

/** Puts each capstone behind the lessons of its part. */
function withCapstones(rows: readonly CourseRow[], progress: Progress): CourseRow[] {
  const capstones = CAPSTONES.map(each => ({ at: each.part + 0.5, row: capstoneRow(each, progress) }))
  const lessons = rows.map(row => ({ at: Number.parseInt(row.name, 10), row }))
  return [...lessons, ...capstones].sort((a, b) => a.at - b.at).map(({ row }) => row)
}

/** The course as the screen lists it. @param now milliseconds since the epoch */
export function courseNow({ lessons, course, folder, progress }: Context, now: number): Course {
  const due = dueReviews(lessons, progress, now).map(({ lesson }) => lesson.name)
  const next = nextLesson(course, progress)
  const rows = course.map((lesson): CourseRow => {
    const { name, title, minutes, after } = lesson
    const begun = progress.current?.lesson === name || progress.lessons[name] !== undefined
    return {
      name,
      title,
      minutes,
      part: folder === undefined ? partOf(name) : '',
      mark: isDone(progress, lesson) ? 'done' : begun ? 'begun' : next === lesson ? 'next' : 'open',
      missing: after.filter(each => progress.lessons[each]?.doneAt === undefined),
      about: aboutOf(lesson, progress, due),
    }
  })
  const whole = folder === undefined && course.length === lessons.length
  return { rows: whole ? withCapstones(rows, progress) : rows, due }
}

/** The help in a lesson: hints one by one, the solution, the events behind the verdict. */
export interface Help {
  hint(): Promise<void>
  solution(): Promise<void>
  explain(): Promise<void>
}

/** Makes the help of a screen. */
export function createHelp(board: Board, bookmark: Bookmark): Help {
  async function give(what: 'hint' | 'solution'): Promise<void> {
    const { globals, learner, ...now } = await board.context()
    const session = sessionNow({ globals, learner, ...now })
    if (session?.task === undefined || session.predicts || bookmark.done !== undefined) return
    const { lesson, task } = session
    const record = now.progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
    if (what === 'hint' && shownHints(record) >= HINTS) {
      board.notice('That was the last hint. s shows the solution.')
      return
    }
    bookmark.passing = {}
    const changed = what === 'solution' ? { solution: true } : { hints: record.hints + 1 }
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
