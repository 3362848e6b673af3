import { type AdviceFacts, advised } from '../../../src/flows/advice/advice.js'
import type { FlowRecord, Outcome, Step, StepName } from '../../../src/flows/step.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { madeStep } from './made-step.js'

/** A run at another server than the lab. */
const facts: AdviceFacts = {
  metadata: {
    issuer: 'https://id.test',
    scopes_supported: ['openid', 'email'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
  clientId: 'web',
  auth: 'client_secret_basic',
  redirectUri: 'http://127.0.0.1:7000/cb',
  pkce: true,
  foreign: true,
  signs: false,
}

/** A request and its empty answer. */
export const answered = (status: number): Exchange => ({
  request: { method: 'POST', url: 'https://id.test/x', headers: [], body: '' },
  response: { status, headers: [], body: '' },
  wireBytes: { request: 0, response: 0 },
  bodyBytes: 0,
  ms: 1,
  at: '2030-01-01T00:00:00.000Z',
})

/** A step whose request was answered with a status. */
export const stepAt = (name: StepName, status: number, more: Partial<Step> = {}): Step =>
  madeStep(name, { exchange: answered(status), ...more })

/** The outcome after an error of the server. */
export const refused = (error: string, error_description = 'no'): Outcome => ({
  type: 'outcome',
  outcome: 'refused',
  error: { error, error_description },
})

/** The outcome of records, with its advice. */
export async function ending(
  records: readonly FlowRecord[],
  more: Partial<AdviceFacts> = {},
): Promise<Outcome> {
  async function* given() {
    yield* records
  }
  let last: FlowRecord | undefined
  for await (const record of advised(given(), { ...facts, ...more })) last = record
  return last as Outcome
}

/** The next moves after records. */
export const hintsOf = async (...args: Parameters<typeof ending>) =>
  (await ending(...args)).error?.hints ?? []
