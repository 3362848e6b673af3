import type { FlowRecord, PlannedStep, Step } from '../../flows/step.js'
import { parseForm } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'

/** The facts of a recorded run that no record states directly. */
export interface RunFacts {
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
