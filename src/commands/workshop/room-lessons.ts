import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CourseName, courseOf } from '../../learn/courses.js'
import { letterOf } from '../../learn/engine/lesson-lines.js'
import { fill, placesOf } from '../../learn/engine/texts.js'
import type { Lesson } from '../../learn/model.js'
import { lessonsIn } from '../../learn/teacher/lessons-in.js'
import { UsageError } from '../../protocol/errors.js'
import type { RoomFile } from '../../protocol/room/messages.js'
import type { BoardLesson } from '../../servers/room/model.js'

/** Bytes of all files that people get. */
const MAX_BYTES = 2 * 1024 * 1024

/** The lesson as the board has it: texts with the names that each learner has, and the usual places of a lab. */
function boardLesson({ name, title, tasks, prediction, needs }: Lesson): BoardLesson {
  const { question, options } = prediction
  const filled = (text: string) => fill(text, { ...placesOf(), client: needs.client, user: needs.user })
  return {
    name,
    title,
    tasks: tasks.map(task => task.name),
    question: filled(question),
    options: options.map(({ text }) => filled(text)),
    right: letterOf(options.findIndex(({ misconception }) => misconception === undefined)),
  }
}

/** The lessons of a room: as the board has them, and the files that people get. */
interface RoomLessons {
  readonly lessons: readonly BoardLesson[]
  /** None for the built-in lessons. */
  readonly files: readonly RoomFile[]
}

/**
 * Reads and checks the lessons of a room.
 * @param folder of the teacher's lessons; left out: the built-in ones
 * @throws UsageError for lessons that are broken, or too many to hand out
 */
export async function roomLessons(
  folder: string | undefined,
  course: string | undefined,
): Promise<RoomLessons> {
  const lessons = courseOf(await lessonsIn(folder), course as CourseName | undefined).map(boardLesson)
  if (folder === undefined) return { lessons, files: [] }
  const names = (await readdir(folder)).filter(name => /\.ya?ml$/.test(name)).sort()
  const files = await Promise.all(
    names.map(async name => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  )
  if (files.reduce((sum, { text }) => sum + text.length, 0) > MAX_BYTES) {
    throw new UsageError(`the lessons in ${folder} are larger than 2 MB together`)
  }
  return { lessons, files }
}
