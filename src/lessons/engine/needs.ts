import { defined } from '../../defined.js'
import type { Lesson, Needs, Task } from '../model.js'

/** The lab that a task needs: that of its lesson, at the stage of the task. */
export function needsOf({ needs }: Pick<Lesson, 'needs'>, task: Pick<Task, 'stage'> | undefined): Needs {
  return { ...needs, ...defined({ stage: task?.stage }) }
}
