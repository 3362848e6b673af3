import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatProblem } from '../../lab/lab-file/lab-file-problems.js'
import { type Path, parseLabFile } from '../../lab/lab-file/lab-file-source.js'
import { fileProblem, UsageError } from '../../protocol/errors.js'
import { openingLines } from '../engine/lesson-lines.js'
import { placesOf } from '../engine/texts.js'
import { builtInLessons } from '../lesson-list.js'
import type { Lesson } from '../model.js'
import type { EventTypes } from './read-check.js'
import { readLesson } from './read-lesson.js'
import { checkMembers, items, member, word } from './reader.js'

/** Before the first thing to do. */
const MAX_LINES = 18
const MAX_COLUMNS = 76

/** The broken rules of a good lesson, one sentence each. */
export function lessonProblems(lesson: Lesson): string[] {
  const problems: string[] = []
  const names = { client: lesson.needs.client, user: lesson.needs.user, ...placesOf() }
  const opening = openingLines(lesson, names)
  if (!/^\d\d-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(lesson.name)) {
    problems.push(`the name ${lesson.name} is not like 04-state: two digits and lower-case words`)
  }
  if (opening.length > MAX_LINES) {
    problems.push(`${opening.length} lines stand before the first thing to do; at most ${MAX_LINES} are read`)
  }
  const long = opening.find(line => line.length > MAX_COLUMNS)
  if (long !== undefined) problems.push(`a line has more than ${MAX_COLUMNS} characters: ${long}`)
  const { options } = lesson.prediction
  const right = options.filter(each => each.misconception === undefined)
  if (options.length < 2) problems.push('the prediction has fewer than two options')
  if (right.length !== 1) {
    problems.push(
      `${right.length} options of the prediction have no misconception; the right one alone has none`,
    )
  }
  if (lesson.tasks.length === 0) problems.push('there is no task')
  for (const { name, nearMisses, solutions } of lesson.tasks) {
    if (nearMisses.length < 2) {
      problems.push(
        `the task ${name} has ${nearMisses.length} near misses; two at least prove that its check refuses`,
      )
    }
    if (solutions.cli.length === 0) problems.push(`the task ${name} has no solution with oauth-lab`)
  }
  return problems
}

/** It names lessons of the folder and of the program, in the order of the course. */
const COURSE = 'course.yaml'

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
    throw new UsageError(
      `cannot read the lessons in ${folder}: ${fileProblem(error, 'there is no such folder')}`,
      ['Write a first lesson there:  oauth-lab learn new DIR'],
    )
  })
  return names
    .filter(name => /\.ya?ml$/.test(name) && name !== COURSE)
    .sort()
    .slice(0, MAX_FILES)
}

/**
 * The lessons that the course file of a folder names, in its order. A lesson of the folder takes the place of a built-in one of its
 * name; lessons that are left out are no prerequisites. Undefined without the file.
 * @throws UsageError that names file and line
 */
async function courseIn(folder: string, own: readonly Lesson[]): Promise<Lesson[] | undefined> {
  const file = join(folder, COURSE)
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) return undefined
  const source = await parseLabFile(file, content)
  const problems: string[] = []
  const report = (path: Path, problem: string) => problems.push(formatProblem(source, { path, problem }))
  const place = { value: source.value, path: [], report }
  const known = new Map([...(await builtInLessons()), ...own].map(lesson => [lesson.name, lesson]))
  checkMembers(place, ['lessons'])
  const named = items(member(place, 'lessons')).flatMap(each => {
    const found = known.get(word(each, [...known.keys()]) ?? '')
    return found === undefined ? [] : [found]
  })
  const names = named.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) report(['lessons'], `${twice} is named twice`)
  if (problems.length > 0) throw new UsageError(problems[0]!, problems.slice(1, MAX_PROBLEMS))
  return named.map(lesson => ({ ...lesson, after: lesson.after.filter(each => names.includes(each)) }))
}

/**
 * Reads the YAML files of a folder, one lesson each, named `NN-name.yaml`. The file `course.yaml` puts them among the built-in ones.
 * @param types of events, which checks may name
 * @throws UsageError that names file, line, and what is allowed
 */
export async function loadLessons(folder: string, types: EventTypes): Promise<Lesson[]> {
  const files = await filesIn(folder)
  if (files.length === 0) {
    const course = await courseIn(folder, [])
    if (course !== undefined) return course
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
  if (first === undefined) return (await courseIn(folder, lessons)) ?? lessons
  const shown = rest.slice(0, MAX_PROBLEMS - 1)
  if (rest.length > shown.length) shown.push(`and ${rest.length - shown.length} more`)
  throw new UsageError(first, [...shown, 'Every member:  docs/lessons.md'])
}
