import { UsageError } from '../../../protocol/errors.js'
import type { Header } from '../../../protocol/http/message.js'
import { defined, isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { createExplainer } from '../explain.js'
import { type Explanation, plural } from '../explanation.js'
import { createEventFold } from '../lab-events/fold.js'
import { type Recorded, recordedOf } from '../recorded.js'
import { textOf } from './har-entry.js'
import { jsonLines } from './json-lines.js'
import { openRecording } from './source.js'

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

const headersOf = (value: unknown): Header[] =>
  (Array.isArray(value) ? value : []).flatMap((pair: unknown): Header[] =>
    Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'
      ? [[pair[0], pair[1]]]
      : [],
  )

const numberOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** Reads a step of `flow … --json`. Undefined for a step without a request. */
function readStepLine(value: Readonly<Record<string, unknown>>, entry: number): Recorded | undefined {
  const { exchange, url, name } = value
  if (!isJsonObject(exchange) || !isJsonObject(exchange.request)) {
    // The callback of a headless browser: an address that nothing was sent to.
    return name === 'authorization_response' && typeof url === 'string'
      ? recordedOf(entry, { method: 'GET', url, headers: [], body: '' })
      : undefined
  }
  const { request, response } = exchange
  if (typeof request.method !== 'string' || typeof request.url !== 'string') return undefined
  const body = textOf(request.body)
  const got = isJsonObject(response) && typeof response.status === 'number' ? response : undefined
  const answer = textOf(got?.body)
  return {
    entry,
    exchange: defined({
      request: { method: request.method, url: request.url, headers: headersOf(request.headers), body },
      response: got && { status: Number(got.status), headers: headersOf(got.headers), body: answer },
      wireBytes: { request: Buffer.byteLength(body), response: Buffer.byteLength(answer) },
      bodyBytes: numberOf(exchange.bodyBytes),
      ms: numberOf(exchange.ms),
      at: textOf(exchange.at),
    }),
    sent: Date.parse(textOf(exchange.at)),
    fromPage: false,
    lacks: got === undefined ? ['response'] : [],
  }
}
