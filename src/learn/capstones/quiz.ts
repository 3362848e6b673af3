import { type WeakName, weakModes } from '../../protocol/rules/weak-modes.js'
import type { CapstoneProgress } from './capstone-progress.js'

export interface Part {
  /** Its name in the progress. */
  readonly key: string
  readonly right: readonly string[]
}

export type Quiz = readonly Part[]

export type Reply = 'right' | 'known' | 'false alarm' | 'repeated'

type Judged = Pick<CapstoneProgress, 'found' | 'falseAlarms'>

/** Further false alarms are not counted. */
const MOST = 200

export const isFound = (quiz: Quiz, { found }: Pick<Judged, 'found'>): boolean =>
  quiz.every(({ key }) => found.includes(key))

/** A repeated false alarm counts once. */
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

export const alarms = ({ falseAlarms: { length } }: Pick<Judged, 'falseAlarms'>): string =>
  length === 0 ? 'no false alarm' : `${length} false ${length === 1 ? 'alarm' : 'alarms'}`

/** With its rule. */
export function defenceSentence(name: WeakName): string {
  const [mode] = weakModes([name])
  if (mode === undefined) return name
  return `${name}: the ${mode.at.replaceAll('-', ' ')} ${mode.sentence} (${mode.rule}).`
}
