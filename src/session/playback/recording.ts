import { readRecord } from '../../flows/records/read-record.js'
import { RecordError } from '../../flows/records/record-reader.js'
import type { FlowRecord, PlannedStep, Step } from '../../flows/step.js'
import { UsageError } from '../../protocol/errors.js'
import { parseForm } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import { readInputFile, readStdin } from '../input/input.js'

/** Largest recording, in bytes. One exchange may hold a body of 1 MiB. */
const MAX_RECORDING = 32 * 1024 * 1024
const MAX_RECORDS = 1000

function recordOf(line: string, fail: (problem: string) => UsageError): FlowRecord {
  const value = parsedJson(line)
  if (value === undefined) throw fail('this is not JSON; was the file cut here?')
  try {
    return readRecord(value)
  } catch (error) {
    if (error instanceof RecordError) throw fail(error.message)
    throw error
  }
}

/**
 * Parses the records of a run that `flow … --json` wrote: steps, then one outcome.
 * @param name the file, for messages
 * @throws UsageError that names the file and the line
 */
export function parseRecording(text: string, name: string): FlowRecord[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/)
  const failure = (line: number, problem: string) => {
    const record = 'Record a run:  oauth-lab flow code --json > run.jsonl'
    const whole = parsedJson(text)
    return isJsonObject(whole) && whole.type === undefined
      ? new UsageError(`${name} is no recorded run`, ['Explain a HAR:  oauth-lab explain FILE', record])
      : new UsageError(`${name}, line ${line}: ${problem}`, [record])
  }
  if (text.trim() === '') throw failure(1, 'the recording is empty; did the command before it fail?')
  if (lines.length > MAX_RECORDS) throw failure(MAX_RECORDS + 1, `a run has at most ${MAX_RECORDS} lines`)
  const records: FlowRecord[] = []
  for (const [i, line] of lines.entries()) {
    if (records.at(-1)?.type === 'outcome') throw failure(i + 1, 'the run ended on the line before')
    records.push(recordOf(line, problem => failure(i + 1, problem)))
  }
  if (records.at(-1)?.type !== 'outcome') {
    throw failure(lines.length, 'the file ends here without an outcome; was it cut?')
  }
  return records
}

/** Reads a recording from a file, or from stdin for `-`. @throws UsageError */
export async function readRecording(file: string): Promise<FlowRecord[]> {
  if (file !== '-') return parseRecording(await readInputFile('the recording', file, MAX_RECORDING), file)
  return parseRecording((await readStdin('the recording', MAX_RECORDING)).toString('utf8'), 'stdin')
}

/** The facts of a recorded run that no record states directly. */
interface RunFacts {
  /** The `client_id`, or the user of Basic credentials. */
  readonly clientId: string
  /** The name of the flow, such as `authorization code`. */
  readonly flow: string
  /** Origin of the authorization server. */
  readonly issuer: string
  /** The steps that happened, each once, as the plan that a screen draws. */
  readonly plan: readonly PlannedStep[]
  /** The clock of the recording. It goes on from the last answer, so a token that was valid then is shown as valid. */
  readonly now: () => number
}

/** Reads the facts of a run from its steps. */
export function factsOf(steps: readonly Step[]): RunFacts {
  const parameters = parametersOf(steps)
  const find = (wanted: string) => parameters.find(([name, value]) => name === wanted && value !== '')?.[1]
  const grant = find('grant_type')?.replace(/^.*[:/]/, '') ?? find('response_type')
  const url = steps.find(({ to }) => to === 'authorization_server')?.exchange?.request.url ?? steps[0]?.url
  return {
    clientId: find('client_id') ?? basicUser(steps) ?? 'unknown',
    flow: grant === undefined || grant === 'code' ? 'authorization code' : grant.replaceAll(/[_-]/g, ' '),
    issuer: url === undefined ? '' : splitUrl(url).origin,
    plan: [...new Map(steps.map(step => [step.n, step])).values()],
    now: clockOf(steps),
  }
}

/** The records with the numbers of a plan that has only the steps that happened. */
export function numbered(records: readonly FlowRecord[], plan: readonly PlannedStep[]): FlowRecord[] {
  const steps = records.filter(record => record.type === 'step')
  const recorded = [...new Set(steps.map(({ n }) => n))]
  return records.map(record =>
    record.type === 'step' ? { ...record, n: recorded.indexOf(record.n) + 1, of: plan.length } : record,
  )
}

/** The parameters of every request of the run that can be decoded. */
function parametersOf(steps: readonly Step[]): Array<readonly [name: string, value: string]> {
  const forms = steps.flatMap(({ url, exchange }) => [
    splitUrl(exchange?.request.url ?? url ?? '://').query,
    exchange?.request.body ?? '',
  ])
  return forms.flatMap(form => {
    try {
      return parseForm(form)
    } catch {
      // A body that is not a form has no parameters.
      return []
    }
  })
}

function basicUser(steps: readonly Step[]): string | undefined {
  for (const [name, value] of steps.flatMap(({ exchange }) => exchange?.request.headers ?? [])) {
    const basic = /^authorization$/i.test(name) ? /^basic ([\w+/=]+)/i.exec(value)?.[1] : undefined
    if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8').split(':')[0]
  }
  return undefined
}

function clockOf(steps: readonly Step[]): () => number {
  const last = steps.findLast(({ exchange }) => exchange !== undefined)?.exchange
  if (last === undefined) return Date.now
  const [then, started] = [Date.parse(last.at) + last.ms, Date.now()]
  return () => then + Date.now() - started
}
