import { builtInLessons } from '../lesson-list.js'
import type { Lesson } from '../model.js'

/** The lessons of a folder, or the built-in ones. @throws UsageError for broken lessons */
export async function lessonsIn(folder: string | undefined): Promise<readonly Lesson[]> {
  if (folder === undefined) return builtInLessons()
  const [{ loadLessons }, { EVENTS }] = await Promise.all([
    import('./load-lessons.js'),
    import('../../protocol/event-catalogue.js'),
  ])
  return loadLessons(folder, Object.keys(EVENTS))
}
