import type { CapstoneName } from '../../../learn/capstones/capstone.js'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import type { Quiz } from '../../../learn/capstones/quiz.js'
import { serverQuiz } from '../../../learn/capstones/weak-server.js'
import { UsageError } from '../../../protocol/errors.js'
import { WEAK_NAMES } from '../../../protocol/rules/weak-modes.js'
import type { Context } from '../context.js'

/** The capstone that a learner does now. */
export interface Begun {
  readonly name: CapstoneName
  readonly progress: CapstoneProgress
}

/** @throws UsageError where none was begun */
export function begunCapstone({ progress: { capstone, capstones } }: Context): Begun {
  const progress = capstone && capstones?.[capstone]
  if (capstone === undefined || progress === undefined) {
    throw new UsageError('no capstone was begun', ['See all:  oauth-lab learn list'])
  }
  return { name: capstone, progress }
}

/** The capstones that ask questions. */
export type QuizName = Exclude<CapstoneName, 'capstone-client'>

/** The questions of a capstone, and the answers that may be typed. */
export interface Questions {
  readonly quiz: Quiz
  readonly candidates: readonly string[]
  /** The rest of the sentence about any other answer. */
  readonly what: string
}

export async function quizOf(name: QuizName, { seed }: CapstoneProgress): Promise<Questions> {
  if (name === 'capstone-server') {
    return { quiz: serverQuiz(seed), candidates: WEAK_NAMES, what: 'the name of no weak mode' }
  }
  const { theftLog } = await import('../../../learn/capstones/log/theft-log.js')
  const { quiz, lines, names } = await theftLog(seed)
  return {
    quiz,
    candidates: [...WEAK_NAMES, ...names, ...lines.map((_, i) => String(i + 1))],
    what: `neither the number of a line (1 to ${lines.length}), nor an address, client or user of the log, nor a weak mode`,
  }
}
