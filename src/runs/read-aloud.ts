import { createInterface } from 'node:readline'
import type { FlowRecord, Outcome, PlannedStep, Step } from '../flows/step.js'
import { isBreach } from '../oauth/check.js'
import { announcement, conclusion, introduction, PROMPT, report } from '../render/screen-reader.js'
import { details } from '../render/spoken-details.js'

/** The facts of a flow that is read aloud. */
export interface FlowText {
  /** The name of the flow, such as `authorization code`. */
  readonly flow: string
  readonly clientId: string
  readonly plan: readonly PlannedStep[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Reads the lines that are typed, one at a time; undefined after the last one. */
function lineReader(signal: AbortSignal): { next(): Promise<string | undefined>; close(): void } {
  const reader = createInterface({ input: process.stdin })
  const lines = reader[Symbol.asyncIterator]()
  const stop = () => reader.close()
  signal.addEventListener('abort', stop, { once: true })
  return {
    next: async () => {
      const { value, done } = await lines.next()
      return done ? undefined : String(value)
    },
    close: () => {
      signal.removeEventListener('abort', stop)
      reader.close()
    },
  }
}

/** Asks what to do next. Reads the last step again, or its details, as often as that is asked. */
async function answerTo(
  keys: ReturnType<typeof lineReader>,
  last: Step | undefined,
  write: (line: string) => void,
): Promise<string | undefined> {
  for (;;) {
    process.stderr.write(PROMPT)
    const typed = (await keys.next())?.trim()
    if (typed !== 'r' && typed !== 'd') return typed
    if (last === undefined) write('No step was sent yet.')
    else if (typed === 'r') write(report(last))
    else for (const line of details(last)) write(line)
  }
}

/**
 * Writes a flow as sentences and waits for Enter before each step: `r` repeats the last one, `d` reads its details. After the end of the input it runs on by itself;
 * `q` ends it.
 * @returns the outcome; undefined when the person typed `q` before the end
 */
export async function readAloud(
  records: AsyncGenerator<FlowRecord>,
  { flow, plan, clientId, now }: FlowText,
  write: (line: string) => void,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const keys = lineReader(signal)
  let listening = true
  let next = 0
  let last: Step | undefined
  write(introduction(flow, clientId, plan))
  try {
    for (;;) {
      const planned = plan[next]
      if (planned && listening && !signal.aborted) {
        write(announcement(planned, next + 1, plan.length))
        const typed = await answerTo(keys, last, write)
        listening = typed !== undefined
        if (!listening) process.stderr.write('\n')
        if (typed === 'q') return undefined
      }
      const { value, done } = await records.next()
      if (done) return undefined
      if (value.type === 'outcome') {
        for (const line of conclusion(value, clientId, now())) write(line)
        return value
      }
      write(report(value))
      last = value
      const ended = value.checks?.some(isBreach) ?? false
      next = ended ? plan.length : value.repeats ? value.n - 1 : value.n
    }
  } finally {
    keys.close()
    await records.return(undefined)
  }
}
