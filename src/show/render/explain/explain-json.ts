import type { Explanation, Judged } from '../../../judge/explain/explanation.js'
import type { Message } from '../../../judge/explain/message.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'
import { defined } from '../../../protocol/values.js'

function exchangeLine(flow: number, { kind, recorded }: Message, showSecrets: boolean) {
  const { entry, exchange } = recorded
  const { request, response, at, ms } = showSecrets ? exchange : maskExchange(exchange, 'all')
  const lacks = recorded.lacks.length === 0 ? undefined : recorded.lacks
  return defined({
    type: 'exchange',
    flow,
    name: kind,
    entry,
    at: at || undefined,
    ms,
    request,
    response,
    lacks,
  })
}

function flowLines({ conversation, findings }: Judged, showSecrets: boolean): object[] {
  const { n, kind, clientId, username, issuer, outcome, messages } = conversation
  return [
    defined({ type: 'flow', n, kind, client_id: clientId, username, issuer, outcome }),
    ...messages.map(message => exchangeLine(n, message, showSecrets)),
    ...findings.map(({ name, severity, rule, entry, text, next, cookie, words }) =>
      defined({ type: 'finding', flow: n, name, severity, rule, entry, text, next, cookie, words }),
    ),
  ]
}

/** An explanation as lines of JSON: flows, each with its exchanges and findings, then the outcome. */
export function explainJson(explanation: Explanation, showSecrets: boolean): object[] {
  const { facts, flows } = explanation
  const { outcome } = explanation.verdict
  const faults = flows.flatMap(({ findings }) =>
    findings.filter(({ severity }) => severity === 'fault'),
  ).length
  return [
    ...flows.flatMap(flow => flowLines(flow, showSecrets)),
    defined({
      type: 'outcome',
      outcome,
      flows: flows.length,
      faults,
      entries: facts.entries,
      creator: facts.creator,
      gaps: facts.gaps,
    }),
  ]
}
