import { type WeakName, weakModes } from '../../protocol/rules/weak-modes.js'
import type { CapstoneProgress } from './capstone-progress.js'

/** A thing to find. */
export interface Part {
  /** The name under which the progress keeps it. */
  readonly key: string
  /** The answers that name it. */
  readonly right: readonly string[]
}

/** The things to find in a capstone. */
export type Quiz = readonly Part[]

/** The reply to one answer. */
export type Reply = 'right' | 'known' | 'false alarm' | 'repeated'

/** The answers that were judged. */
type Judged = Pick<CapstoneProgress, 'found' | 'falseAlarms'>

/** Most answers that are kept; further false alarms are not counted. */
const MOST = 200

/** True when everything was found. */
export const isFound = (quiz: Quiz, { found }: Pick<Judged, 'found'>): boolean =>
  quiz.every(({ key }) => found.includes(key))

/** Judges an answer. A false alarm that is repeated counts once. */
export function answerQuiz<Progress extends Judged>(
  quiz: Quiz,
  progress: Progress,
  answer: string,
): { readonly reply: Reply; readonly progress: Progress } {
  const part = quiz.find(({ right }) => right.includes(answer))
  if (part !== undefined) {
    if (progress.found.includes(part.key)) return { reply: 'known', progress }
    return { reply: 'right', progress: { ...progress, found: [...progress.found, part.key] } }
  }
  if (progress.falseAlarms.includes(answer)) return { reply: 'repeated', progress }
  const falseAlarms = [...progress.falseAlarms, answer].slice(0, MOST)
  return { reply: 'false alarm', progress: { ...progress, falseAlarms } }
}

/** The number of false alarms as text. */
export const alarms = ({ falseAlarms: { length } }: Pick<Judged, 'falseAlarms'>): string =>
  length === 0 ? 'no false alarm' : `${length} false ${length === 1 ? 'alarm' : 'alarms'}`

/** A weak mode in one sentence, with its rule. */
export function defenceSentence(name: WeakName): string {
  const [mode] = weakModes([name])
  if (mode === undefined) return name
  return `${name}: the ${mode.at.replaceAll('-', ' ')} ${mode.sentence} (${mode.rule}).`
}
