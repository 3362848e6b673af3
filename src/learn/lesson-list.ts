import { contentOf } from './content.js'
import type { Lesson } from './model.js'
import { readLesson } from './teacher/read-lesson.js'

let lessons: Promise<Lesson[]> | undefined

async function read(): Promise<Lesson[]> {
  const files = await contentOf('lessons')
  return Object.entries(files).map(([name, value]) => {
    const report = (path: readonly unknown[], problem: string) => {
      throw new Error(`${name}: ${path.join('.')}: ${problem}`)
    }
    return { ...readLesson({ value, path: [], report }, name, undefined), builtIn: true }
  })
}

/** In the order of the course. */
export function builtInLessons(): Promise<Lesson[]> {
  lessons ??= read()
  return lessons
}
