import type { Lesson } from './model.js'

/** Loads a built-in lesson. The order is that of the course. */
const loaders: readonly (() => Promise<Lesson>)[] = [
  async () => (await import('./00-printing-service.js')).lesson,
]

/** The built-in lessons, in the order of the course. */
export function builtInLessons(): Promise<Lesson[]> {
  return Promise.all(loaders.map(load => load()))
}
