import type { Fact } from '../../../protocol/room/facts.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'

/** The place of a fact: `05-pkce/verifier`. */
const placeOf = ({ lesson, task }: Fact): string => [lesson, task].filter(Boolean).join('/')

const sentences: Readonly<Record<Fact['fact'], (fact: Fact, place: string) => string>> = {
  'lesson.opened': (_, place) => `opens ${place}`,
  'task.shown': (_, place) => `begins ${place}`,
  'task.done': (_, place) => `has done ${place}`,
  'hint.taken': (_, place) => `takes a hint at ${place}`,
  'solution.taken': (_, place) => `takes the solution of ${place}`,
  'prediction.answered': ({ answer }, place) => `predicts ${answer} in ${place}`,
  refused: ({ rule }, place) => `is refused at ${place}: ${rule}`,
  idle: () => 'does nothing',
  stuck: (_, place) => `asks for help${place === '' ? '' : ` at ${place}`}`,
}

/** A fact as a line for the teacher: `09:12:03  K7-03  Dora begins 05-pkce/verifier`. */
export function factLine(fact: Fact): string {
  const { at, who, name } = fact
  return `${at.slice(11, 19)}  ${who}  ${makeSafe(name)} ${sentences[fact.fact](fact, placeOf(fact))}`
}
