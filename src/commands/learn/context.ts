import { join, resolve } from 'node:path'
import type { LabUrls } from '../../lab/listening/listeners.js'
import { eventMark } from '../../lab/state/event-file.js'
import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import type { RunningLab } from '../../lab/state/running.js'
import { usualSeed } from '../../learn/capstones/draw.js'
import { COURSE_NAMES, type CourseName, courseOf } from '../../learn/courses.js'
import { isDone, lessonNamed, nextLesson } from '../../learn/engine/find-lesson.js'
import type { Names } from '../../learn/engine/lesson-lines.js'
import {
  type CurrentLesson,
  type Progress,
  readProgress,
  withStart,
  writeProgress,
} from '../../learn/engine/progress.js'
import { placesOf } from '../../learn/engine/texts.js'
import type { Lesson, Needs } from '../../learn/model.js'
import type { SkeletonName } from '../../learn/skeletons.js'
import { lessonsIn } from '../../learn/teacher/lessons-in.js'
import { shownWeak } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { type RoomProfile, readRoom, roomLessons } from '../../session/room/profile.js'
import { terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'

/** The parts that every subcommand of `learn` works with. */
export interface Context {
  readonly globals: Globals
  readonly lessons: readonly Lesson[]
  /** The lessons of the course that was chosen; all without one. */
  readonly course: readonly Lesson[]
  /** Absolute path of the folder of a teacher's lessons; undefined for the built-in ones. */
  readonly folder: string | undefined
  readonly learner: string | undefined
  readonly progress: Progress
  /** The room of a teacher that the learner is in. */
  readonly room?: RoomProfile
}

/** @throws UsageError for broken lessons, and for a progress file that cannot be read */
export async function learnContext(flags: LearnFlags, globals: Globals): Promise<Context> {
  const { learner } = flags
  // Commands that a lesson starts say whose they are.
  if (learner !== undefined) process.env.OAUTH_LAB_LEARNER = learner
  const progress = await readProgress(globals.home, learner)
  const room = await readRoom(globals.home, learner)
  const named = flags.lessons ?? process.env.OAUTH_LAB_LESSONS
  const usual = room?.lessons ? roomLessons(globals.home, learner) : progress.current?.folder
  const folder = named === undefined ? usual : named === BUILT_IN ? undefined : resolve(named)
  const lessons = await lessonsIn(folder)
  const ofRoom = COURSE_NAMES.find(each => each === room?.course)
  const course = courseOf(lessons, flags.course ?? ofRoom)
  return { globals, lessons, course, folder, learner, progress, ...(room && { room }) }
}

/** The same with the progress as its file has it now. */
export const withProgressNow = async (context: Context): Promise<Context> => ({
  ...context,
  progress: await readProgress(context.globals.home, context.learner),
})

/** The same with the room as it is now. A teacher who cannot be reached costs a second. */
export async function inRoomNow(context: Context): Promise<Context> {
  const { room, globals, learner } = context
  if (room === undefined) return context
  const { atPresent } = await import('../../session/room/follow.js')
  return { ...context, room: await atPresent(globals.home, learner, room) }
}

/** The lesson of the room, where the learner neither does it nor has done it. */
export function lessonOfRoom({ room, lessons, progress }: Context): Lesson | undefined {
  const lesson = lessons.find(({ name }) => name === room?.phase.lesson)
  const isThere = lesson === undefined || progress.current?.lesson === lesson.name
  return isThere || isDone(progress, lesson) ? undefined : lesson
}

/** The value of `--lessons` that leads from a teacher's lessons back to those of the program. */
const BUILT_IN = 'built-in'

/**
 * Leaves the lessons of a teacher, which nobody named in this command, where they have no lesson of that name, or all are done.
 * @param name of the wanted lesson; left out: the next one
 */
export async function orBuiltIn(context: Context, flags: LearnFlags, name?: string): Promise<Context> {
  const { folder, lessons, course, progress, globals } = context
  const chosen = flags.lessons ?? process.env.OAUTH_LAB_LESSONS
  if (folder === undefined || chosen !== undefined) return context
  const here = name === undefined ? nextLesson(course, progress) : lessonNamed(lessons, name)
  const isOpen = here !== undefined && (name !== undefined || !isDone(progress, here))
  return isOpen ? context : learnContext({ ...flags, lessons: BUILT_IN }, globals)
}

/** The start of a lab that a lesson needs, as a line to type. */
export function serveLine({ stage, weak = [] }: Needs): string {
  const options = [
    ...(stage === undefined ? [] : ['--stage', stage]),
    ...(weak.length === 0 ? [] : ['--weak', weak.join(',')]),
  ]
  return ['oauth-lab serve', ...options].join(' ')
}

/** The reason why a running lab is not the one that a lesson needs; undefined when it is. */
export function misfit(lab: RunningLab, { stage, weak = [] }: Needs): string | undefined {
  const has = lab.weak ?? []
  const wanted = shownWeak(weak)
  const missing = wanted.filter(each => !has.includes(each))
  if (missing.length > 0) return `it is not started with --weak ${missing.join(',')}`
  const extra = has.filter(each => !wanted.includes(each))
  if (extra.length > 0) return `it is weak on purpose (${extra.join(', ')}), and this lesson needs it strict`
  if (stage !== undefined && (lab.stage ?? 'published-keys') !== stage) return `its stage is ${lab.stage}`
  return undefined
}

/** A lab as texts name it. */
export type ShownLab = { readonly urls: Partial<LabUrls> } | undefined

/** Texts of the learner's names and of the lab in use. @param lab a running one */
export function namesFor({ client, user }: Pick<CurrentLesson, 'client' | 'user'>, lab: ShownLab): Names {
  const columns = terminalColumns()
  const names = { client, user, ...placesOf(lab?.urls) }
  return columns === undefined ? names : { ...names, width: columns - 1 }
}

/** Path of the CA file, for solutions with curl. */
export const caFor = (lab: { readonly ca: string } | undefined, home: string): string =>
  lab?.ca ?? join(home, 'ca.pem')

/** The options of every subcommand of `learn`. */
export interface LearnFlags {
  readonly lessons?: string
  readonly learner?: string
  readonly plain?: true
  readonly screenReader?: true
  readonly course?: CourseName
}

/** The options of `learn start`. */
export interface StartFlags extends LearnFlags {
  readonly client?: string
  readonly user?: string
  readonly watch?: boolean
  /** The seed of a capstone, or of a lesson that hides something. */
  readonly seed?: number
  /** True to begin a capstone again. */
  readonly reset?: true
}

/** The options of `learn check`. */
export interface CheckFlags extends LearnFlags {
  readonly answer?: string
  readonly watch?: boolean
}

/** The options of `learn show`. */
export interface ShowFlags extends LearnFlags {
  readonly source?: true
}

/** The options of `learn new`. */
export interface NewFlags extends LearnFlags {
  readonly language: SkeletonName
  readonly lesson?: string
  readonly output?: string
}

/** The seed of a lesson. A lesson that was begun keeps its seed. */
function seedFor(
  { name }: Lesson,
  { seed }: Pick<StartFlags, 'seed'>,
  { learner, progress, room }: Context,
): number {
  const old = progress.lessons[name]
  if (seed !== undefined) return seed
  if (old?.seed !== undefined && old.doneAt === undefined) return old.seed
  return room?.seed ?? usualSeed(learner)
}

/** Records that a lesson starts now. Events from this moment on count. */
export async function begin(
  lesson: Lesson,
  flags: Pick<StartFlags, 'client' | 'user' | 'seed'>,
  context: Context,
): Promise<Progress> {
  const { globals, learner, folder, progress } = context
  const { client, user } = lesson.needs
  const mark = await eventMark(globals.home)
  const names = { client: flags.client ?? client, user: flags.user ?? user }
  const current = defined({ lesson: lesson.name, mark, ...names, folder })
  const at = new Date().toISOString()
  const seed = seedFor(lesson, flags, context)
  const started = withStart(progress, current, { title: lesson.title, at, seed })
  await writeProgress(globals.home, started, learner)
  await wantEmbeddedEvents(globals.home, true)
  return started
}
