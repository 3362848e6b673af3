import type { Outcome } from '../../../flows/step.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, line, span } from '../text/spans.js'
import { pad, wrap } from '../text/text.js'
import { nextMoves } from './next-move.js'
import { type TamperEnding, tamperEnding } from './tamper-ending.js'

function row(name: string, text: string, columns: number, signs: Signs): Line[] {
  return wrap(foreign(text, signs), columns - 12).map((part, i) => [
    span(`  ${pad(i === 0 ? name : '', 10)}`, 'name'),
    span(part),
  ])
}

/** How a wrong move ended: whether it was refused as it should be, and by which rule. */
function endingLines(
  { good, text, said }: TamperEnding,
  outcome: Outcome,
  columns: number,
  signs: Signs,
): Line[] {
  const { error } = outcome
  const tone = good ? 'done' : 'refused'
  const [first = '', ...more] = wrap(foreign(text, signs), columns - 2)
  return [
    [span(`${good ? signs.done : signs.refused} `, tone), span(first, 'strong')],
    ...more.map(part => [span(`  ${part}`, 'strong')]),
    line(''),
    ...(said === undefined ? [] : row('Server', said, columns, signs)),
    ...(good || error === undefined ? [] : row('Error', error.error_description, columns, signs)),
    ...(error?.rule === undefined ? [] : row('Rule', error.rule, columns, signs)),
    ...row('Next', 'r runs the flow again', columns, signs),
  ]
}

/** How a flow ended: for a refusal what happened, which rule says so, and what to do next. */
export function outcomeLines(outcome: Outcome, columns: number, signs: Signs): Line[] {
  const { error, tokens } = outcome
  const ending = tamperEnding(outcome)
  if (ending) return endingLines(ending, outcome, columns, signs)
  if (outcome.logged_out) {
    return [
      [
        span(`${signs.done} `, 'done'),
        span('logged out: the session has ended, the tokens have not', 'strong'),
      ],
    ]
  }
  if (outcome.outcome === 'granted') {
    const lifetime = tokens?.expires_in === undefined ? '' : `, ${tokens.expires_in} s`
    const scope = tokens?.scope === undefined ? '' : `, scope ${tokens.scope}`
    const text = `granted: ${tokens?.token_type ?? 'a token'}${lifetime}${scope}`
    return [[span(`${signs.done} `, 'done'), span(foreign(text, signs), 'strong')]]
  }
  const code = error?.error ?? outcome.outcome
  const unreached = outcome.outcome === 'failed' ? 'see that the server runs: oauth-lab serve' : undefined
  const moves = nextMoves(outcome)
  const next = moves.length > 0 || unreached === undefined ? moves : [unreached]
  return [
    [span(`${signs.refused} `, 'refused'), span(foreign(code, signs), 'strong')],
    line(''),
    ...wrap(foreign(error?.error_description ?? 'no reason was given', signs), columns - 2).map(part =>
      line(`  ${part}`),
    ),
    line(''),
    ...(error?.rule === undefined ? [] : row('Rule', error.rule, columns, signs)),
    ...next.flatMap((move, i) => row(i === 0 ? 'Client' : '', move, columns, signs)),
    ...row('Next', 'r runs the flow again', columns, signs),
  ]
}
