import { defined } from '../../defined.js'
import { eventMark } from '../../lab/event-file.js'
import { wantEmbeddedEvents } from '../../lab/lesson-events.js'
import { type Progress, withStart, writeProgress } from '../../lessons/engine/progress.js'
import type { Lesson } from '../../lessons/model.js'
import type { Context } from './context.js'
import type { StartFlags } from './flags.js'

/** Records that a lesson starts now. Events from this moment on count. */
export async function begin(
  lesson: Lesson,
  flags: Pick<StartFlags, 'client' | 'user'>,
  context: Context,
): Promise<Progress> {
  const { globals, learner, folder, progress } = context
  const { client, user } = lesson.needs
  const mark = await eventMark(globals.home)
  const names = { client: flags.client ?? client, user: flags.user ?? user }
  const current = defined({ lesson: lesson.name, mark, ...names, folder })
  const at = new Date().toISOString()
  const started = withStart(progress, current, { title: lesson.title, at })
  await writeProgress(globals.home, started, learner)
  await wantEmbeddedEvents(globals.home, true)
  return started
}
