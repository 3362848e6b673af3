import type { Outcome } from '../../flows/step.js'
import { defined } from '../../protocol/values.js'
import type { Channel, Move } from './move.js'
import { expectation } from './moves.js'
import type { Verdict } from './verdict.js'

/** Returns the outcome of a flow together with the result of its move. */
export function concluded(
  outcome: Outcome,
  move: Move,
  expected: boolean,
  { found, harmless }: Partial<Pick<Verdict, 'found' | 'harmless'>> = {},
): Outcome {
  const tamper = defined({ move: move.name, wanted: expectation(move), found, harmless })
  return { ...outcome, expected, tamper }
}

/** The end of a flow in which the move was not possible. */
export function notHere(move: Move, why: string): Outcome {
  const error = { error: 'not_here', error_description: why, rule: move.rule }
  return concluded({ type: 'outcome', outcome: 'failed', error }, move, false)
}

/** The next moves of a person after a page that this program cannot read. */
function nextMoveFor({ at }: Move): string {
  return at === 'authorization_request'
    ? 'open it in your browser, where only an error page is right: --browser'
    : at === 'login'
      ? 'send the changed form from your own browser'
      : 'log in with your own browser: --browser'
}

/** The outcome at a page that this program cannot read. The answer of the server to the move is unknown. */
export function unreadablePage({ error }: Outcome, move: Move): Outcome {
  const description = error?.error_description ?? 'the page cannot be read'
  return concluded(
    {
      type: 'outcome',
      outcome: 'failed',
      error: {
        error: 'unreadable_page',
        error_description: description,
        rule: move.rule,
        hints: [nextMoveFor(move)],
      },
    },
    move,
    false,
  )
}

/** The outcome of a move that was made. */
export function outcomeFor(verdict: Verdict): Outcome {
  const { move, expected, found, observed } = verdict
  const { rule, name } = move
  const end = (outcome: Outcome['outcome'], error: string, error_description: string): Outcome =>
    concluded(
      { type: 'outcome', outcome, error: { error, error_description, rule } },
      move,
      expected,
      verdict,
    )
  switch (observed.kind) {
    case 'accepted':
      return end('granted', 'not_refused', `${name} was not refused: the answer was ${observed.what}`)
    case 'narrowed':
      return end('refused', 'narrowed', `granted ${observed.what}`)
    case 'ignored':
      return end('refused', 'ignored', observed.what)
    default: {
      const unnamed: Partial<Record<Channel, string>> = { page: 'error_page', question: 'asked_first' }
      const code = observed.error ?? unnamed[observed.by] ?? `http_${observed.status}`
      return end('refused', code, observed.description ?? `refused with ${found}`)
    }
  }
}
