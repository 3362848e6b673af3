import { UsageError } from '../../../protocol/errors.js'
import type { JsonObject } from '../../../protocol/values.js'
import { createExplainer } from '../explain.js'
import type { Explanation } from '../explanation.js'
import { createEventFold } from '../lab-events/fold.js'
import { plural } from '../plural.js'
import { jsonLines } from './json-lines.js'
import { openRecording } from './source.js'
import { readStepLine } from './step-line.js'

/** The type of an event of a lab, such as `token.issued`. Steps of a run have no dot in it. */
const EVENT = /^[a-z][a-z_]*(?:\.[a-z_]+)+$/

const isEvent = ({ type }: JsonObject): boolean => typeof type === 'string' && EVENT.test(type)

/** The kind that the first line of either kind gives a recording of lines. */
const kindOf = (value: JsonObject): 'run' | 'lab' | undefined =>
  isEvent(value) ? 'lab' : value.type === 'step' ? 'run' : undefined

/** True for a recording of lines that are events of a lab. */
export async function holdsEvents(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  const { bytes } = await openRecording(source)
  for await (const { value } of jsonLines(bytes)) {
    const kind = value && kindOf(value)
    if (kind !== undefined) return kind === 'lab'
  }
  return false
}

/** The sentences about lines that are not explained. */
function problemsOf(broken: number, other: number, isLab: boolean): string[] {
  const beside = isLab ? 'a run of flow --json' : 'a lab'
  return [
    ...(broken === 0 ? [] : [`${plural(broken, 'line')} could not be read.`]),
    ...(other === 0
      ? []
      : [
          `${plural(other, 'line')} of ${beside} stood between the others and were left out: explain each file by itself.`,
        ]),
  ]
}

/**
 * Explains JSON lines: the steps of a run (`flow … --json`), or the events of a lab (`serve --json`). The first line of either
 * kind decides.
 * @param name the file, for messages
 * @param how lines about how to make a recording
 * @throws UsageError for lines without exchanges
 */
export async function explainLines(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  how: readonly string[],
): Promise<Explanation> {
  const run = createExplainer()
  const lab = createExplainer({ keep: 'last' })
  const fold = createEventFold()
  let kind: 'run' | 'lab' | undefined
  let [steps, broken, other] = [0, 0, 0]
  for await (const { value } of jsonLines(bytes)) {
    if (value === undefined) broken += 1
    if (value === undefined) continue
    const own = kindOf(value)
    if (own === undefined) continue
    kind ??= own
    if (own !== kind) {
      other += 1
      continue
    }
    if (own === 'run') steps += 1
    const recorded = own === 'lab' ? fold.add(value) : readStepLine(value, steps)
    if (recorded) (own === 'lab' ? lab : run).add(recorded)
  }
  const problems = problemsOf(broken, other, kind === 'lab')
  if (kind === undefined) throw new UsageError(`${name} holds no exchanges`, [...problems, ...how])
  if (kind === 'run') return run.end({ creator: 'oauth-lab', problems })
  if (fold.exchanges() > 0) return lab.end({ creator: 'a lab', problems: [...problems, ...fold.remarks()] })
  throw new UsageError(`${name} holds the events of a lab, and no request with its answer`, [
    ...problems,
    ...fold.remarks(),
    'Record a lab until the login is over:  oauth-lab serve --json > lab.jsonl',
    'Show its events:  oauth-lab play FILE',
  ])
}
