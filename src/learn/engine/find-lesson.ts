import { UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import { CAPSTONE_NAMES } from '../capstones/capstone.js'
import type { Lesson } from '../model.js'
import type { Progress } from './progress.js'

const bare = (name: string): string => name.replace(/^\d+-/, '')

/** By name, number, or name without the number. */
export function lessonNamed(lessons: readonly Lesson[], text: string): Lesson | undefined {
  const wanted = text.toLowerCase()
  return lessons.find(({ name }) => {
    const number = /^\d+/.exec(name)?.[0]
    return (
      name === wanted || bare(name) === wanted || (/^\d+$/.test(wanted) && Number(number) === Number(wanted))
    )
  })
}

/** The lesson of that name. @throws UsageError that names the nearest lesson */
export function findLesson(lessons: readonly Lesson[], text: string): Lesson {
  const wanted = text.toLowerCase()
  const found = lessonNamed(lessons, text)
  if (found) return found
  const names = lessons.map(each => each.name)
  const words = names.flatMap(name =>
    bare(name)
      .split('-')
      .filter(word => word.length > 3),
  )
  const near = nearest(wanted, names) ?? nearest(bare(wanted), [...names.map(bare), ...words])
  const full = names.find(
    name => name === near || bare(name) === near || name.split('-').includes(near ?? ''),
  )
  const capstone = wanted.startsWith('cap') ? nearest(wanted, CAPSTONE_NAMES) : undefined
  if (capstone === wanted) {
    throw new UsageError(`${capstone} is a capstone, and no lesson: each learner gets one of their own`, [
      `Start it:  oauth-lab learn start ${capstone}`,
    ])
  }
  throw new UsageError(`there is no lesson ${JSON.stringify(text)}`, [
    ...((capstone ?? full) === undefined ? [] : [`Did you mean ${capstone ?? full}?`]),
    'See all:  oauth-lab learn list',
  ])
}

/** Every task is done. */
export const isDone = (progress: Progress, { name }: Lesson): boolean =>
  progress.lessons[name]?.doneAt !== undefined

/** The first lesson that is not done and whose prerequisites are. */
export function nextLesson(lessons: readonly Lesson[], progress: Progress): Lesson | undefined {
  const open = lessons.filter(lesson => !isDone(progress, lesson))
  return (
    open.find(({ after }) => after.every(name => progress.lessons[name]?.doneAt !== undefined)) ?? open[0]
  )
}
