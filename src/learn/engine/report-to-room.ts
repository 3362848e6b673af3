import type { KeptEvent } from '../../lab/state/event-file.js'
import { readEvents } from '../../lab/state/event-file.js'
import type { NewFact } from '../../protocol/room/facts.js'
import { shownWeak } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { changeOutbox, type Sending, sendWaiting, withFacts } from '../../session/room/outbox.js'
import { type RoomProfile, readRoom, roomLessons } from '../../session/room/profile.js'
import type { Lesson } from '../model.js'
import { lessonsIn } from '../teacher/lessons-in.js'
import { needsOf } from './needs.js'
import { type Progress, readProgress } from './progress.js'
import { factsBetween, type Learned, learnedOf, type Refusal, refusalsIn } from './room-facts.js'
import { evidenceOf, sessionOf } from './session.js'

/** Milliseconds that a command which ends waits for the teacher’s program. */
const PATIENCE = 1000

/** The lessons of a room: those that the teacher handed out, else the built-in ones. @throws UsageError for broken ones */
const lessonsOfRoom = (
  home: string,
  learner: string | undefined,
  { lessons }: Pick<RoomProfile, 'lessons'>,
): Promise<readonly Lesson[]> => lessonsIn(lessons ? roomLessons(home, learner) : undefined)

/** The refusals of the learner in the lesson that goes on. */
function refusalsOf(
  lessons: readonly Lesson[],
  progress: Progress,
  events: readonly KeptEvent[],
  learner: string | undefined,
): Refusal[] {
  const { current } = progress
  if (events.length === 0 || !lessons.some(({ name }) => name === current?.lesson)) return []
  const { lesson, task } = sessionOf(lessons, progress)
  const { client, user } = current!
  const clients = [client, ...lesson.tasks.flatMap(each => each.clients ?? [])]
  const newcomers = lesson.tasks.some(each => each.newcomers === true)
  const weak = shownWeak(needsOf(lesson, task, progress).weak ?? [])
  return refusalsIn(evidenceOf(events, defined({ clients, user, newcomers, name: learner, weak })).events)
}

/** More than the progress shows. */
interface More {
  /** Facts of the moment, such as `stuck`. */
  readonly facts?: readonly NewFact[]
  /** The task at whose end the learner reads or waits, as `lesson/task`; null: the next task is shown. Left out: as before. */
  readonly at?: string | null | undefined
  /** Milliseconds. */
  readonly patience?: number
}

/**
 * Reports to the teacher what a learner did since the last report. Facts wait where the teacher's program cannot be reached, and arrive in their order.
 * @returns undefined outside of a room
 * @throws UserError, such as a TransportError; the facts wait
 */
export async function reportToRoom(
  home: string,
  learner: string | undefined,
  { facts = [], at, patience = PATIENCE }: More = {},
): Promise<Sending | undefined> {
  const room = await readRoom(home, learner)
  if (room === undefined) return undefined
  const lessons = await lessonsOfRoom(home, learner, room)
  const signal = AbortSignal.timeout(patience)
  await changeOutbox(
    home,
    learner,
    async outbox => {
      const progress = await readProgress(home, learner)
      const { events, mark } = await readEvents(home, outbox.mark)
      const before = (outbox.reported ?? { lessons: {} }) as Learned
      const place = at === undefined ? before.at : (at ?? undefined)
      const after = defined({ ...progress, at: place })
      const refusals = refusalsOf(lessons, progress, events, learner)
      const found = factsBetween(before, after, lessons, refusals, new Date().toISOString())
      const reported = learnedOf(progress, place)
      return withFacts({ ...outbox, reported, mark }, [...found, ...facts])
    },
    signal,
  )
  return sendWaiting(home, learner, room, signal)
}
