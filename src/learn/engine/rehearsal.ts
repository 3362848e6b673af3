import { setTimeout as sleep } from 'node:timers/promises'
import { openEventFile } from '../../lab/state/event-file.js'
import { makeFolder } from '../../lab/state/make-folder.js'
import type { NewFact } from '../../protocol/room/facts.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { followRoom } from '../../session/room/follow.js'
import { joinRoom, leaveRoom } from '../../session/room/join.js'
import { writeRoom } from '../../session/room/profile.js'
import { type Draw, drawsOf } from '../capstones/draw.js'
import type { Lesson } from '../model.js'
import { letterOf } from './lesson-lines.js'
import { changeProgress, type Progress, withLesson, withStart, withTask } from './progress.js'
import { reportToRoom } from './report-to-room.js'
import { createRoomGate, type RoomGate } from './room-gate.js'

/** The pupils of a rehearsal: a name, and how many times the usual time each one needs. */
export const REHEARSAL_PUPILS: readonly (readonly [name: string, pace: number])[] = [
  ['Ada', 0.6],
  ['Ben', 0.6],
  ['Cem', 1],
  ['Dora', 1],
  ['Eva', 1],
  ['Finn', 1],
  ['Gina', 1],
  ['Hugo', 2.2],
  ['Ines', 2.2],
  ['Jon and Kim', 2.2],
]

/** Seconds that a usual pupil needs for a step, at least and at most. */
const STEP = [8, 40] as const

/** Mistakes that a class makes, as a server refuses them. */
const MISTAKES: readonly (readonly [error: string, rule: Citation])[] = [
  ['invalid_grant', 'RFC 7636 §4.6'],
  ['invalid_grant', 'RFC 6749 §4.1.3'],
  ['invalid_client', 'RFC 6749 §5.2'],
]

/** The parts of a rehearsal. */
export interface Rehearsal {
  readonly address: string
  readonly code: string
  /** A folder for the pupils: each has a home of their own in it. */
  readonly folder: string
  readonly lessons: readonly Lesson[]
  /** How many times faster than in a class. */
  readonly speed: number
  readonly signal: AbortSignal
}

/** Plays a pupil: joins by the code, does the lessons with mistakes, and leaves. Each draws the same in every rehearsal. */
export async function playPupil(
  [name, pace]: (typeof REHEARSAL_PUPILS)[number],
  { address, code, folder, lessons, speed, signal }: Rehearsal,
): Promise<void> {
  const home = `${folder}/${name.replaceAll(' ', '-')}`
  await makeFolder(home)
  const { profile } = await joinRoom(home, undefined, { address, code, name })
  await writeRoom(home, undefined, { ...profile, lessons: false })
  const draw = drawsOf(profile.seed, 'rehearsal')
  const gate = createRoomGate(profile.phase)
  const following = followRoom(
    home,
    undefined,
    profile,
    { message: gate.hear, online: gate.online },
    signal,
  ).catch(() => {})
  const pupil = createPupil(home, { draw, gate, pause: pausesOf(draw, pace / speed, signal) })
  try {
    for (const lesson of lessons) await pupil.doLesson(lesson)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  await leaveRoom(home, undefined, profile)
  await following
}

const pausesOf = (draw: Draw, factor: number, signal: AbortSignal) => (): Promise<void> => {
  const [least, most] = STEP
  return sleep(1000 * factor * (least + draw.below(most - least)), undefined, { signal })
}

interface PupilParts {
  readonly draw: Draw
  readonly gate: RoomGate
  readonly pause: () => Promise<void>
}

function createPupil(home: string, { draw, gate, pause }: PupilParts) {
  const report = (facts: readonly NewFact[] = [], at: string | null = null) =>
    reportToRoom(home, undefined, { facts, at, patience: 5000 }).catch(() => {})
  const change = (work: (old: Progress) => Progress) => changeProgress(home, undefined, work)
  /** True once in that many cases, on average. */
  const oneIn = (cases: number): boolean => draw.below(cases) === 0

  /** The same mistake, some times: a server refuses it, and the event file has it. */
  async function fail({ needs }: Lesson): Promise<void> {
    const [error, rule] = draw.one(MISTAKES)
    const times = 1 + draw.below(3)
    for (let i = 0; i < times; i++) {
      const file = await openEventFile(home)
      const about = { client_id: needs.client, username: needs.user }
      file.add({ type: 'token.refused', at: new Date().toISOString(), error, rule, ...about })
      await file.close()
      await report()
      await pause()
    }
  }

  async function doTask(lesson: Lesson, task: string): Promise<void> {
    await pause()
    if (oneIn(3)) await fail(lesson)
    const hints = oneIn(3) ? 1 + draw.below(2) : 0
    if (hints > 0) await change(old => withTask(old, lesson.name, task, { hints, solution: oneIn(3) }))
    if (oneIn(12)) await report([{ at: new Date().toISOString(), fact: 'stuck', lesson: lesson.name, task }])
    else await report()
    await pause()
    await change(old => withTask(old, lesson.name, task, { doneAt: new Date().toISOString() }))
    await report([], `${lesson.name}/${task}`)
    while (gate.reason({ lesson, task }, Date.now()) !== undefined) await pause()
    await report()
  }

  return {
    async doLesson(lesson: Lesson): Promise<void> {
      const { name, title, needs, prediction, tasks } = lesson
      const current = { lesson: name, mark: { generation: 1, offset: 0 }, ...needs }
      await change(old => withStart(old, current, { title, at: new Date().toISOString() }))
      await report()
      await pause()
      const letter = letterOf(draw.below(prediction.options.length))
      await change(old => withLesson(old, name, each => ({ ...each, prediction: letter })))
      await report()
      for (const task of tasks) await doTask(lesson, task.name)
      await pause()
      const right = prediction.options.findIndex(each => each.misconception === undefined)
      const again = letterOf(oneIn(6) ? draw.below(prediction.options.length) : right)
      await change(old => withLesson(old, name, each => ({ ...each, predictedAgain: again })))
      await report()
    },
  }
}
