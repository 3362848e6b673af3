import { defined } from '../../protocol/values.js'
import { hiddenModes } from '../capstones/weak-server.js'
import type { Lesson, Needs, Task } from '../model.js'
import { hiddenOf } from './hidden.js'
import type { Progress } from './progress.js'

/** The lab of the lesson at the stage of the task, without the drawn defences. */
export function needsOf(
  lesson: Pick<Lesson, 'name' | 'needs'>,
  task: Pick<Task, 'stage'> | undefined,
  progress: Pick<Progress, 'lessons'>,
): Needs {
  const hidden = hiddenOf(lesson, progress)
  return { ...lesson.needs, ...defined({ stage: task?.stage, weak: hidden && hiddenModes(hidden) }) }
}
