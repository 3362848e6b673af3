import type { CapstoneName } from '../../../learn/capstones/capstone.js'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import {
  alarms,
  answerQuiz,
  defenceSentence,
  isFound,
  type Quiz,
  type Reply,
} from '../../../learn/capstones/quiz.js'
import { missingDefences, serverQuiz } from '../../../learn/capstones/weak-server.js'
import { changeProgress, withCapstone } from '../../../learn/engine/progress.js'
import { wrap } from '../../../learn/engine/texts.js'
import { UsageError } from '../../../protocol/errors.js'
import { nearestHint } from '../../../protocol/nearest.js'
import { WEAK_NAMES } from '../../../protocol/rules/weak-modes.js'
import { print, printJson } from '../../output/output.js'
import { EXIT } from '../../program/exit.js'
import type { Context } from '../context.js'

/** Most answers of one line, and most characters of one. */
const MOST = { answers: 10, characters: 100 } as const

/** The answers of a line: with spaces or commas between them. @throws UsageError */
function answersIn(text: string): string[] {
  const answers = text.split(/[\s,]+/).filter(each => each !== '')
  if (answers.length === 0)
    throw new UsageError('the answer is empty', ['Answer as  learn answer code-reuse'])
  if (answers.length > MOST.answers || answers.some(({ length }) => length > MOST.characters)) {
    throw new UsageError(`at most ${MOST.answers} answers of ${MOST.characters} characters are read at once`)
  }
  return answers
}

/** The sentence about one answer. */
function sentenceOf(answer: string, reply: Reply): string {
  const mode = WEAK_NAMES.find(name => name === answer)
  switch (reply) {
    case 'right':
      return mode === undefined ? `Right: ${answer}.` : `Right: ${defenceSentence(mode)}`
    case 'known':
      return `You found ${answer} before.`
    case 'false alarm':
      return `False alarm: it is not ${answer}.`
    case 'repeated':
      return `It is still not ${answer}.`
  }
}

/** @throws UsageError for an answer that cannot be right, which is no false alarm */
function checkAnswer(answer: string, candidates: readonly string[], what: string): void {
  if (candidates.includes(answer)) return
  throw new UsageError(`${JSON.stringify(answer)} is ${what}`, [
    ...nearestHint(answer, candidates),
    ...wrap(`Weak modes: ${WEAK_NAMES.join(', ')}`),
    'What each one does:  oauth-lab weak list',
  ])
}

/** The sentences about everything that was to find. */
async function foundIn(name: CapstoneName, { seed }: CapstoneProgress): Promise<readonly string[]> {
  if (name === 'capstone-server') return missingDefences(seed).map(defenceSentence)
  const { theftOf } = await import('../../../learn/capstones/log/theft-log.js')
  const { story, weak } = theftOf(seed)
  return [story, `Missing: ${defenceSentence(weak)}`]
}

/** The lines after the last thing was found. */
export async function doneLines(name: CapstoneName, progress: CapstoneProgress): Promise<string[]> {
  const found = await foundIn(name, progress)
  return [
    `Done: ${name}, with ${alarms(progress)}.`,
    ...found.flatMap(text => wrap(text)),
    'It stands in your certificate:  oauth-lab learn progress --markdown',
  ]
}

/** `oauth-lab learn answer TEXT…` in a capstone. @returns the exit code: 0 when every answer was right */
export async function answerCapstone(text: string, context: Context): Promise<number> {
  const { globals, learner } = context
  const { name, progress: before } = begunCapstone(context)
  if (name === 'capstone-client') {
    throw new UsageError(`${name} has no questions`, ['Judge your client:  oauth-lab learn check'])
  }
  if (before.doneAt !== undefined) {
    if (globals.json) printJson({ capstone: name, done: true, false_alarms: before.falseAlarms.length })
    else print(...(await doneLines(name, before)), `Once more:  oauth-lab learn start ${name} --reset`)
    return EXIT.done
  }
  const answers = answersIn(text.toLowerCase())
  const { quiz, candidates, what } = await quizOf(name, before)
  for (const answer of answers) checkAnswer(answer, candidates, what)
  let now = before
  const replies: Reply[] = []
  for (const answer of answers) {
    const { reply, progress } = answerQuiz(quiz, now, answer)
    replies.push(reply)
    now = progress
  }
  const done = isFound(quiz, now)
  if (done) now = { ...now, doneAt: new Date().toISOString() }
  await changeProgress(globals.home, learner, old => withCapstone(old, name, now))
  await report(name, { answers, replies, now, quiz, done }, context)
  return replies.every(reply => reply === 'right' || reply === 'known') ? EXIT.done : EXIT.refused
}

interface Result {
  readonly answers: readonly string[]
  readonly replies: readonly Reply[]
  readonly now: CapstoneProgress
  readonly quiz: Quiz
  readonly done: boolean
}

async function report(name: CapstoneName, result: Result, { globals }: Context): Promise<void> {
  const { answers, replies, now, quiz, done } = result
  if (globals.json) {
    const each = answers.map((answer, i) => ({ answer, reply: replies[i] }))
    const counts = { found: now.found.length, of: quiz.length, false_alarms: now.falseAlarms.length }
    printJson({ capstone: name, answers: each, ...counts, done })
    return
  }
  for (const [i, answer] of answers.entries()) print(...wrap(sentenceOf(answer, replies[i] ?? 'repeated')))
  if (done) print(...(await doneLines(name, now)))
  else print(`${now.found.length} of ${quiz.length} found, ${alarms(now)}.`)
}

/** @throws UsageError where none was begun */
export function begunCapstone({ progress: { capstone, capstones } }: Context): {
  readonly name: CapstoneName
  readonly progress: CapstoneProgress
} {
  const progress = capstone && capstones?.[capstone]
  if (capstone === undefined || progress === undefined) {
    throw new UsageError('no capstone was begun', ['See all:  oauth-lab learn list'])
  }
  return { name: capstone, progress }
}

/** The capstones that ask questions. */
type QuizName = Exclude<CapstoneName, 'capstone-client'>

/** The questions of a capstone, and the answers that may be typed. */
interface Questions {
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
