import { isPace, MAX_SENTENCE, type Pace, type RoomPhase } from '../../protocol/room/messages.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'
import type { Board, LeadAction } from './model.js'
import { taskKey } from './person.js'

function readPace(value: unknown): Pace | undefined {
  if (!isPace(value)) return undefined
  if (value.kind === 'free') return { kind: value.kind }
  if (value.kind === 'together') return { kind: value.kind, share: value.share }
  return { kind: value.kind, at: new Date(value.at).toISOString() }
}

const isOptionalName = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && value.length <= 200)

const actions: Readonly<Record<LeadAction['do'], (value: JsonObject) => LeadAction | undefined>> = {
  phase({ lesson, pace }) {
    const read = readPace(pace)
    if (read === undefined || !isOptionalName(lesson)) return undefined
    return { do: 'phase', pace: read, ...(lesson !== undefined && { lesson }) }
  },
  open: ({ task }) => (typeof task === 'string' ? { do: 'open', task } : undefined),
  say({ text, who }) {
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_SENTENCE) return undefined
    if (!isOptionalName(who)) return undefined
    return { do: 'say', text: text.trim().toWellFormed(), ...(who !== undefined && { who }) }
  },
  hint({ who }) {
    if (!isOptionalName(who)) return undefined
    return { do: 'hint', ...(who !== undefined && { who }) }
  },
  end: () => ({ do: 'end' }),
}

/** Reads an action. Returns undefined for anything that is not one. The room checks the names in it. */
export function readLead(value: unknown): LeadAction | undefined {
  if (!isJsonObject(value) || typeof value.do !== 'string' || !Object.hasOwn(actions, value.do))
    return undefined
  return actions[value.do as LeadAction['do']](value)
}

/** Returns the phase after an action; undefined when the room has no such lesson or task, and for actions that change no phase. */
export function phaseAfter(
  phase: RoomPhase,
  action: LeadAction,
  known: ReadonlySet<string>,
): RoomPhase | undefined {
  if (action.do === 'phase') {
    const { lesson, pace } = action
    if (lesson !== undefined && (lesson.includes('/') || !known.has(lesson))) return undefined
    return { pace, open: phase.open, ...(lesson !== undefined && { lesson }) }
  }
  if (action.do !== 'open' || !action.task.includes('/') || !known.has(action.task)) return undefined
  return phase.open.includes(action.task) ? phase : { ...phase, open: [...phase.open, action.task] }
}

/**
 * Returns what a teacher means by "next": to open the first task of the room's lesson that holds people, and behind the last one, or where nobody is
 * held, the next lesson. Undefined at the end.
 */
export function nextAction({ lessons, phase }: Pick<Board, 'lessons' | 'phase'>): LeadAction | undefined {
  const at = lessons.findIndex(({ name }) => name === phase.lesson)
  const tasks = lessons[at]?.tasks.map(task => taskKey(phase.lesson!, task)) ?? []
  const held =
    phase.pace.kind === 'free' ? undefined : tasks.slice(0, -1).find(task => !phase.open.includes(task))
  if (held !== undefined) return { do: 'open', task: held }
  const next = lessons[at + 1]
  // A time is over with the lesson that it was for.
  const pace: Pace = phase.pace.kind === 'until' ? { kind: 'free' } : phase.pace
  return next && { do: 'phase', lesson: next.name, pace }
}
