import { EXIT } from '../errors.js'
import type { FlowRecord, PlannedStep, Step } from '../flows/step.js'
import { parseForm } from '../http/form.js'
import { splitUrl } from '../http/message.js'
import { checkExport, writeExport } from './flow-export.js'
import { lineWriter, recordLines, tellFlow, writeFlow } from './flow-output.js'
import type { Globals } from './globals.js'
import { outputMode } from './output-mode.js'
import type { PlayFlags } from './play-flags.js'
import { readRecording } from './recording.js'
import { watchSignals } from './signals.js'

/** The parameters of everything the run sent, as far as they can be decoded. */
function parametersOf(steps: readonly Step[]): Array<readonly [name: string, value: string]> {
  const forms = steps.flatMap(({ url, exchange }) => [
    splitUrl(exchange?.request.url ?? url ?? '://').query,
    exchange?.request.body ?? '',
  ])
  return forms.flatMap(form => {
    try {
      return parseForm(form)
    } catch {
      // A body that is no form names nobody.
      return []
    }
  })
}

/** The client's name: a parameter says it, or the user of Basic credentials. */
export function clientOf(steps: readonly Step[]): string {
  const named = parametersOf(steps).find(([name, value]) => name === 'client_id' && value !== '')?.[1]
  if (named !== undefined) return named
  const basic = steps
    .flatMap(({ exchange }) => exchange?.request.headers ?? [])
    .map(([name, value]) =>
      /^authorization$/i.test(name) ? /^basic ([\w+/=]+)/i.exec(value)?.[1] : undefined,
    )
    .find(value => value !== undefined)
  return basic === undefined ? 'unknown' : (Buffer.from(basic, 'base64').toString('utf8').split(':')[0] ?? '')
}

/** What the run was, in words. */
function flowOf(steps: readonly Step[]): string {
  const parameters = parametersOf(steps)
  const find = (wanted: string) => parameters.find(([name]) => name === wanted)?.[1]
  const grant = find('grant_type')?.replace(/^.*[:/]/, '') ?? find('response_type')
  return grant === undefined || grant === 'code' ? 'authorization code' : grant.replaceAll(/[_-]/g, ' ')
}

/** The server that the run was about. */
function issuerOf(steps: readonly Step[]): string {
  const url = steps.find(({ to }) => to === 'authorization_server')?.exchange?.request.url ?? steps[0]?.url
  return url === undefined ? '' : splitUrl(url).origin
}

/** The steps that happened, each once, as the plan that the screen draws. */
function planOf(steps: readonly Step[]): PlannedStep[] {
  return [...new Map(steps.map(step => [step.n, step])).values()]
}

/** The clock of the recording: what was valid then is shown as valid. Goes on from the last answer. */
function clockOf(steps: readonly Step[]): () => number {
  const last = steps.findLast(({ exchange }) => exchange !== undefined)?.exchange
  if (last === undefined) return Date.now
  const [then, started] = [Date.parse(last.at) + last.ms, Date.now()]
  return () => then + Date.now() - started
}

async function* again(records: readonly FlowRecord[]): AsyncGenerator<FlowRecord, void, void> {
  yield* records
}

/**
 * `oauth-lab play`: shows a recorded run as it was shown when it happened. Nothing is sent.
 * @returns the exit code: done, whatever the outcome of the recorded run was
 */
export async function playRecording(file: string, flags: PlayFlags, globals: Globals): Promise<number> {
  checkExport(flags.export, globals.json)
  const records = await readRecording(file)
  const steps = records.filter(record => record.type === 'step')
  const clientId = clientOf(steps)
  const { showSecrets, ascii } = globals
  const flow = flowOf(steps)
  const output = flags.output === undefined ? {} : { output: flags.output }
  if (flags.export !== undefined) {
    writeExport(records, { format: flags.export, flow, clientId, showSecrets, ascii, ...output })
    return EXIT.done
  }
  const mode = outputMode({
    json: globals.json,
    plain: flags.plain === true,
    screenReader: flags.screenReader === true,
    toFile: flags.output !== undefined,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  const plan = planOf(steps)
  const now = clockOf(steps)
  if (mode === 'tui') {
    const { runFlowScreen } = await import('../tui/flow/run.js')
    const shown = records.map(record => (record.type === 'step' ? { ...record, of: plan.length } : record))
    const screen = { command: 'play', clientId, issuer: issuerOf(steps), plan, now, showSecrets, ascii }
    await runFlowScreen({ ...screen, start: () => again(shown) })
    return Number(process.exitCode ?? EXIT.done)
  }
  const write = lineWriter(flags.output)
  const text = { flow, clientId, showSecrets, ascii, plan, now, json: mode === 'json' }
  if (mode === 'screen-reader') await tellFlow(again(records), text, write, watchSignals().signal)
  else await writeFlow(again(records), record => recordLines(record, text), write)
  return EXIT.done
}
