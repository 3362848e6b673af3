import { alone } from '../../lab/state/alone.js'
import type { EventMark, KeptEvent } from '../../lab/state/event-file.js'
import { readState, writeState } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import { defined, parsedJson } from '../../protocol/values.js'
import { CAPSTONE_NAMES, type CapstoneName } from '../capstones/capstone.js'
import type { CapstoneProgress } from '../capstones/capstone-progress.js'
import type { ProbeReport } from '../model.js'

type Test = (value: unknown) => boolean

const isText: Test = value => typeof value === 'string'
const isCount: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
const isTime: Test = value => isText(value) && !Number.isNaN(Date.parse(value as string))
const isFlag: Test = value => typeof value === 'boolean'
const listOf =
  (test: Test): Test =>
  value =>
    Array.isArray(value) && value.every(test)
const optional =
  (test: Test): Test =>
  value =>
    value === undefined || test(value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapOf =
  (test: Test): Test =>
  value =>
    isObject(value) && Object.values(value).every(test)
const shape =
  (members: Readonly<Record<string, Test>>): Test =>
  value =>
    isObject(value) && Object.entries(members).every(([name, test]) => test(value[name]))

const isMark = shape({ generation: isCount, offset: isCount })
const isEvent = shape({ type: isText, at: isText, lab: isText })
const isRun = shape({ finished: isFlag, expected: isText, received: isText, wrong: optional(isText) })
const isReport = shape({ probe: isText, runs: listOf(isRun), failed: optional(isText) })

const isTask = shape({
  // A test marks earlier tasks with a word.
  doneAt: optional(isText),
  hints: isCount,
  given: optional(isCount),
  solution: isFlag,
  guesses: optional(isCount),
  answers: listOf(isText),
  events: listOf(isEvent),
  probe: optional(isReport),
})

const isLesson = shape({
  title: isText,
  startedAt: isTime,
  doneAt: optional(isTime),
  prediction: optional(isText),
  predictedAgain: optional(isText),
  since: optional(isMark),
  seed: optional(isCount),
  helped: optional(shape({ hints: isCount, solutions: isCount, guesses: isCount })),
  tasks: mapOf(isTask),
  reviews: listOf(isTime),
})

const started = {
  lesson: isText,
  mark: isMark,
  client: isText,
  user: isText,
  folder: optional(isText),
}
const isCurrent = shape({ ...started, review: optional(isText), before: optional(shape(started)) })

const isCapstone = shape({
  seed: isCount,
  startedAt: isTime,
  doneAt: optional(isTime),
  file: optional(isText),
  found: listOf(isText),
  falseAlarms: listOf(isText),
  failedChecks: isCount,
})

/** Members of later versions do no harm. */
const hasProgressShape = shape({
  version: value => value === 1,
  current: optional(isCurrent),
  lessons: mapOf(isLesson),
  capstone: optional(value => CAPSTONE_NAMES.some(each => each === value)),
  capstones: optional(mapOf(isCapstone)),
})

export interface CurrentLesson {
  readonly lesson: string
  /** The beginning of the lesson in the event file. */
  readonly mark: EventMark
  readonly client: string
  readonly user: string
  /** Of the teacher's lessons; absent for a built-in lesson. */
  readonly folder?: string
  /** The task that a review asks again. */
  readonly review?: string
  /** The lesson that goes on after the review. */
  readonly before?: CurrentLesson
}

export interface TaskProgress {
  /** ISO 8601 UTC; absent while the task is not done. */
  readonly doneAt?: string
  /** That were taken: 0 to 2. */
  readonly hints: number
  /** Hints that the teacher of a room gave. They are shown, and count as no help. */
  readonly given?: number
  readonly solution: boolean
  /** Wrong answers. */
  readonly guesses?: number
  /** Oldest first. */
  readonly answers: readonly string[]
  readonly events: readonly KeptEvent[]
  /** On the learner's client. */
  readonly probe?: ProbeReport
}

/** Help that was taken, as counts. */
export interface HelpTaken {
  readonly hints: number
  readonly solutions: number
  readonly guesses: number
}

/** Times are ISO 8601 UTC. */
export interface LessonProgress {
  readonly title: string
  readonly startedAt: string
  readonly doneAt?: string
  /** A letter. */
  readonly prediction?: string
  /** The letter of the answer after the tasks, where a room asked once more. */
  readonly predictedAgain?: string
  /** The moment in the event file at which the present task was shown: its prediction, or the end of the task before. */
  readonly since?: EventMark
  readonly tasks: Readonly<Record<string, TaskProgress>>
  /** It drew the order of the answers, the logs, and the missing defences of the lab. */
  readonly seed?: number
  /** Before the lesson was started again. */
  readonly helped?: HelpTaken
  /** Times of passed reviews. */
  readonly reviews: readonly string[]
}

export interface Progress {
  readonly version: 1
  readonly current?: CurrentLesson
  readonly lessons: Readonly<Record<string, LessonProgress>>
  /** Done now, instead of a lesson. */
  readonly capstone?: CapstoneName
  readonly capstones?: Readonly<Partial<Record<CapstoneName, CapstoneProgress>>>
}

export const FRESH_TASK: TaskProgress = { hints: 0, solution: false, answers: [], events: [] }

/** Number of hints of a task that are shown: those that were taken, and those of the teacher. */
export const shownHints = ({ hints, given = 0 }: TaskProgress = FRESH_TASK): number => hints + given

/** Answers and events of a task that are kept. */
const MOST = 20

const NOTHING: Progress = { version: 1, lessons: {} }

/** Several learners may share a state folder. */
function progressFile(learner?: string): string {
  if (learner === undefined) return 'learn.json'
  if (/^[\w-]{1,40}$/.test(learner)) return `learn-${learner}.json`
  throw new UsageError(`the learner ${JSON.stringify(learner)} has a name that no file can have`, [
    'Use at most 40 letters, digits, - and _',
  ])
}

/** @throws UsageError for a file that this program did not write */
export async function readProgress(home: string, learner?: string): Promise<Progress> {
  const file = progressFile(learner)
  const text = await readState(home, file)
  if (text === undefined) return NOTHING
  const value = parsedJson(text)
  if (hasProgressShape(value)) return value as Progress
  throw new UsageError(`the progress in ${file} of the state folder ${home} cannot be read`, [
    'Begin again:  oauth-lab learn reset',
  ])
}

/** A killed program leaves the old or the new progress. */
export async function writeProgress(home: string, progress: Progress, learner?: string): Promise<void> {
  await writeState(home, progressFile(learner), `${JSON.stringify(progress, undefined, 2)}\n`)
}

export async function changeProgress(
  home: string,
  learner: string | undefined,
  change: (progress: Progress) => Progress,
): Promise<Progress> {
  return alone(home, progressFile(learner), async () => {
    const changed = change(await readProgress(home, learner))
    await writeProgress(home, changed, learner)
    return changed
  })
}

export function withLesson(
  progress: Progress,
  name: string,
  change: (lesson: LessonProgress) => LessonProgress,
): Progress {
  const lesson = progress.lessons[name]
  if (lesson === undefined) return progress
  return { ...progress, lessons: { ...progress.lessons, [name]: change(lesson) } }
}

export function withTask(
  progress: Progress,
  lesson: string,
  task: string,
  change: { readonly [Name in keyof TaskProgress]?: TaskProgress[Name] },
): Progress {
  return withLesson(progress, lesson, old => {
    const merged = { ...(old.tasks[task] ?? FRESH_TASK), ...change }
    const bounded = {
      ...merged,
      answers: merged.answers.slice(-MOST),
      events: merged.events.slice(-MOST),
    }
    return { ...old, tasks: { ...old.tasks, [task]: bounded } }
  })
}

/** All help that was taken in a lesson. */
export function helpTaken({ tasks, helped }: Pick<LessonProgress, 'tasks' | 'helped'>): HelpTaken {
  const all = Object.values(tasks)
  const sum = (count: (task: TaskProgress) => number) => all.reduce((before, each) => before + count(each), 0)
  return {
    hints: (helped?.hints ?? 0) + sum(({ hints }) => hints),
    solutions: (helped?.solutions ?? 0) + sum(({ solution }) => (solution ? 1 : 0)),
    guesses: (helped?.guesses ?? 0) + sum(({ guesses = 0 }) => guesses),
  }
}

/** A lesson begins now. Earlier results of it stay in its reviews only, and the help that was taken is kept. */
export function withStart(
  progress: Progress,
  current: CurrentLesson,
  { title, at, seed }: { readonly title: string; readonly at: string; readonly seed?: number | undefined },
): Progress {
  const { capstone: _, ...others } = progress
  const old = progress.lessons[current.lesson]
  const helped = old && helpTaken(old)
  const lesson = defined({ title, startedAt: at, tasks: {}, reviews: old?.reviews ?? [], seed, helped })
  return { ...others, current, lessons: { ...progress.lessons, [current.lesson]: lesson } }
}

export function withoutCapstone(progress: Progress, name: CapstoneName): Progress {
  const { capstone, capstones: { [name]: _, ...capstones } = {}, ...others } = progress
  return { ...others, capstones, ...(capstone !== undefined && capstone !== name && { capstone }) }
}

/** A capstone is done now, instead of a lesson. */
export function withCapstone(progress: Progress, name: CapstoneName, capstone: CapstoneProgress): Progress {
  const { current: _, ...others } = progress
  return { ...others, capstone: name, capstones: { ...progress.capstones, [name]: capstone } }
}
