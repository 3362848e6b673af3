import { eventMark } from '../../lab/state/event-file.js'
import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { usualSeed } from '../../learn/capstones/draw.js'
import { type Progress, withStart, writeProgress } from '../../learn/engine/progress.js'
import type { Lesson } from '../../learn/model.js'
import { defined } from '../../protocol/values.js'
import type { Context } from './context.js'
import type { StartFlags } from './flags.js'

/** The seed of a lesson that hides something. A lesson that was begun keeps its seed. */
function seedFor(
  { name }: Lesson,
  { seed }: Pick<StartFlags, 'seed'>,
  { learner, progress }: Context,
): number {
  const old = progress.lessons[name]
  if (seed !== undefined) return seed
  if (old?.seed !== undefined && old.doneAt === undefined) return old.seed
  return usualSeed(learner)
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
  const seed = lesson.needs.hidden && seedFor(lesson, flags, context)
  const started = withStart(progress, current, { title: lesson.title, at, seed })
  await writeProgress(globals.home, started, learner)
  await wantEmbeddedEvents(globals.home, true)
  return started
}
