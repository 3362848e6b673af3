import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatProblem } from '../../lab/lab-file/lab-file-problems.js'
import { type Path, parseLabFile } from '../../lab/lab-file/lab-file-source.js'
import { UsageError } from '../../protocol/errors.js'
import { lessonProblems } from '../engine/lesson-problems.js'
import { builtInLessons } from '../lesson-list.js'
import type { Lesson } from '../model.js'
import type { EventTypes } from './read-check.js'
import { readLesson } from './read-lesson.js'

/** Files of a folder, and bytes of a file. */
const MAX_FILES = 100
const MAX_BYTES = 256 * 1024

/** Printed at once. */
const MAX_PROBLEMS = 10

interface Read {
  readonly lesson: Lesson
  readonly problems: readonly string[]
}

async function readOne(file: string, name: string, types: EventTypes): Promise<Read> {
  const content = await readFile(file)
  if (content.length > MAX_BYTES) throw new UsageError(`the lesson ${file} is larger than 256 kB`)
  const source = await parseLabFile(file, content.toString('utf8').replace(/^\ufeff/, ''))
  const problems: string[] = []
  const report = (path: Path, problem: string) => {
    problems.push(formatProblem(source, { path, problem }))
  }
  const lesson = readLesson({ value: source.value, path: [], report }, name, types)
  // Rules about a whole lesson make sense only for one that could be read.
  const broken = problems.length > 0 ? [] : lessonProblems(lesson).map(problem => `${file}: ${problem}`)
  return { lesson, problems: [...problems, ...broken] }
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such folder' : (error.code ?? error.message)
    throw new UsageError(`cannot read the lessons in ${folder}: ${why}`, [
      'Write a first lesson there:  oauth-lab learn new DIR',
    ])
  })
  return names
    .filter(name => /\.ya?ml$/.test(name))
    .sort()
    .slice(0, MAX_FILES)
}

/**
 * Reads the YAML files of a folder, one lesson each, named `NN-name.yaml`.
 * @param types of events, which checks may name
 * @throws UsageError that names file, line, and what is allowed
 */
export async function loadLessons(folder: string, types: EventTypes): Promise<Lesson[]> {
  const files = await filesIn(folder)
  if (files.length === 0) {
    throw new UsageError(`there is no lesson in ${folder}: a lesson is a file NN-name.yaml`, [
      `Write a first one:  oauth-lab learn new ${folder}`,
    ])
  }
  const read = await Promise.all(
    files.map(file => readOne(join(folder, file), file.replace(/\.ya?ml$/, ''), types)),
  )
  const lessons = read.map(({ lesson }) => lesson)
  const own = lessons.map(({ name }) => name)
  const strange = lessons.some(({ after }) => after.some(each => !own.includes(each)))
  const names = strange ? [...own, ...(await builtInLessons()).map(({ name }) => name)] : own
  const unknown = lessons.flatMap(({ name, after }) =>
    after
      .filter(each => !names.includes(each))
      .map(each => `${name}: after names ${each}, which is not in ${folder}`),
  )
  const [first, ...rest] = [...read.flatMap(({ problems }) => problems), ...unknown]
  if (first === undefined) return lessons
  const shown = rest.slice(0, MAX_PROBLEMS - 1)
  if (rest.length > shown.length) shown.push(`and ${rest.length - shown.length} more`)
  throw new UsageError(first, [...shown, 'Every member:  docs/lessons.md'])
}
