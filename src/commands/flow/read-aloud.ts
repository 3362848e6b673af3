import type { FlowRecord, Outcome, PlannedStep, Step } from '../../flows/step.js'
import { isBreach } from '../../protocol/oauth/check.js'
import { type TypedLines, typedLines } from '../../session/input/input.js'
import {
  announcement,
  conclusion,
  details,
  END_PROMPT,
  introduction,
  promptFor,
  report,
} from '../../show/render/spoken/screen-reader.js'
import { count, sentence } from '../../show/render/spoken/spoken-item.js'
import { placeOf } from '../../show/render/steps/sequence.js'
import { prompt } from '../output/output.js'

/** The facts of a flow that is read aloud. */
export interface FlowText {
  /** The name of the flow, such as `authorization code`. */
  readonly flow: string
  readonly clientId: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** A step or an end of a flow as sentences. */
export function spokenRecord(record: FlowRecord, clientId: string): string[] {
  return record.type === 'outcome' ? conclusion(record, clientId, Date.now()) : [report(record)]
}

/** A walk of a flow, with or without a wrong move. */
export interface SpokenWalk {
  readonly plan: readonly PlannedStep[]
  readonly records: AsyncGenerator<FlowRecord>
}

/** The wrong moves of a flow, and how a walk with one begins. */
export interface SpokenMoves {
  readonly moves: readonly { readonly name: string; readonly does: string }[]
  begin(name: string): SpokenWalk
}

/** A line that a person typed before a step, or the wrong move to start again with. */
type Typed = string | undefined | { readonly move: SpokenMoves['moves'][number] }

/** Lists the wrong moves, and returns the chosen one; undefined where none was chosen. */
async function chosenMove(
  keys: TypedLines,
  { moves }: SpokenMoves,
  write: (line: string) => void,
): Promise<SpokenMoves['moves'][number] | undefined> {
  write(`${count(moves.length, 'wrong move')}.`)
  for (const [i, { name, does }] of moves.entries()) write(sentence(`${i + 1}. ${name}: ${does}`))
  for (;;) {
    prompt('Type a number or a name, or press Enter to go on without one: ')
    const typed = await keys.next()
    if (typed === undefined || typed === '') return undefined
    const found = moves.find(({ name }, i) => name === typed || String(i + 1) === typed)
    if (found) return found
    write(sentence(`There is no wrong move ${JSON.stringify(typed)}`))
  }
}

/** Lets the person hear the end, and the details of the last step, as often as they want. */
async function listenAgain(
  keys: TypedLines,
  last: Step | undefined,
  ended: readonly string[],
  write: (line: string) => void,
): Promise<void> {
  for (;;) {
    prompt(END_PROMPT)
    const typed = await keys.next()
    if (typed === undefined) prompt('\n')
    if (typed !== 'r' && typed !== 'd') return
    for (const line of typed === 'r'
      ? [...(last ? [report(last)] : []), ...ended]
      : last
        ? details(last)
        : []) {
      write(line)
    }
  }
}

/** Asks what to do next. Reads the last step again, or its details, as often as that is asked. */
async function answerTo(
  keys: TypedLines,
  last: Step | undefined,
  write: (line: string) => void,
  moves: SpokenMoves | undefined,
): Promise<Typed> {
  for (;;) {
    prompt(promptFor(moves !== undefined))
    const typed = await keys.next()
    if (typed === 't' && moves) {
      const move = await chosenMove(keys, moves, write)
      if (move) return { move }
    } else if (typed !== 'r' && typed !== 'd') return typed
    else if (last === undefined) write('No step was sent yet.')
    else if (typed === 'r') write(report(last))
    else for (const line of details(last)) write(line)
  }
}

/**
 * Writes a flow as sentences and waits for Enter before each step. `r` repeats the last step, `d` reads its details, `t`
 * starts again with a wrong move, `q` ends. After the end of the input the flow runs on by itself.
 * @param moves left out: no wrong move can be chosen
 * @returns the outcome; undefined when the person typed `q` before the end
 */
export async function readAloud(
  first: SpokenWalk,
  { flow, clientId, now }: FlowText,
  write: (line: string) => void,
  signal: AbortSignal,
  moves?: SpokenMoves,
): Promise<Outcome | undefined> {
  const keys = typedLines(signal)
  let { plan, records } = first
  let listening = true
  let next = 0
  let last: Step | undefined
  write(introduction(flow, clientId, plan))
  try {
    for (;;) {
      const planned = plan[next]
      if (planned && listening && !signal.aborted) {
        const of = last?.of ?? plan.length
        write(announcement(planned, next + 1 - plan.length + of, of))
        const typed = await answerTo(keys, last, write, moves)
        listening = typed !== undefined
        if (!listening) prompt('\n')
        if (typed === 'q') return undefined
        if (moves && typeof typed === 'object') {
          const { name, does } = typed.move
          await records.return(undefined)
          ;({ plan, records } = moves.begin(name))
          next = 0
          last = undefined
          write(
            `${sentence(`Starts again with the wrong move ${name}: ${does}`)} ${count(plan.length, 'step')}.`,
          )
          continue
        }
      }
      const { value, done } = await records.next()
      if (done) return undefined
      if (value.type === 'outcome') {
        const ended = conclusion(value, clientId, now())
        for (const line of ended) write(line)
        if (listening && !signal.aborted) await listenAgain(keys, last, ended, write)
        return value
      }
      write(report(value))
      last = value
      const ended = value.checks?.some(isBreach) ?? false
      const place = placeOf(value, plan)
      next = ended ? plan.length : value.repeats ? place : place + 1
    }
  } finally {
    keys.close()
    await records.return(undefined)
  }
}
