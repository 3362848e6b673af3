import { drawsOf } from '../capstones/draw.js'
import type { Lesson } from '../model.js'

/**
 * The lesson as one learner gets it: the answers of its prediction in an order of their own, and its logs as they were drawn.
 * @param seed undefined: as the file has it
 */
export function drawnLesson(lesson: Lesson, seed: number | undefined): Lesson {
  if (seed === undefined) return lesson
  const { prediction, tasks } = lesson
  const options = drawsOf(seed, lesson.name).shuffled(prediction.options)
  return {
    ...lesson,
    prediction: { ...prediction, options },
    tasks: tasks.map(task => task.drawn?.(seed) ?? task),
  }
}
