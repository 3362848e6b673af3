import { answerMembers } from '../../flows/answers/answer-members.js'
import type { Outcome, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import { defined } from '../../protocol/values.js'
import type { Channel, Move, Refusal } from './move.js'
import { expectation } from './moves.js'
import type { Situation } from './situation.js'

/** The observed answer to a wrong move. */
export type Observed =
  | {
      readonly kind: 'refused'
      readonly by: Channel
      readonly status?: number | undefined
      readonly error?: string | undefined
      readonly description?: string | undefined
    }
  /** The other side accepted the move. `what` says what it did. */
  | { readonly kind: 'accepted'; readonly what: string }
  /** Less was given than asked for, which the rule allows. */
  | { readonly kind: 'narrowed'; readonly what: string }
  /** The wrong part of the request did not count, which the rule asks for. */
  | { readonly kind: 'ignored'; readonly what: string }

/** The judgement on the answer to a move. */
export interface Verdict {
  readonly move: Move
  readonly expected: boolean
  /** The observed answer, for people. */
  readonly found: string
  readonly observed: Observed
  /** Why the accepted move harms nobody here; absent where it does, and for a refused one. */
  readonly harmless?: string
}

const usual: Readonly<Record<Channel, (status: number) => boolean>> = {
  page: status => status < 500,
  question: () => true,
  redirect: () => true,
  token: status => status === 400 || status === 401,
  resource: status => status === 400 || status === 401,
  client: () => true,
}

function fits({ at }: Move, wanted: Refusal, { by, status, error }: Observed & { kind: 'refused' }): boolean {
  if (wanted.by !== by) return false
  // Every page is a refusal of a forged login.
  const statusFits =
    at === 'login' ||
    status === undefined ||
    (wanted.status ? wanted.status.includes(status) : usual[by](status))
  if (!statusFits) return false
  if (wanted.errors.length === 0) return true
  // RFC 6750 §3.1 lets a resource server answer 401 without a code.
  return error === undefined ? by === 'resource' : wanted.errors.includes(error)
}

function words(observed: Observed): string {
  if (observed.kind !== 'refused') return observed.what
  const { by, status, error } = observed
  const code = [status, error].filter(each => each !== undefined).join(' ') || 'an error'
  if (by === 'question') return 'a question before the logout'
  if (by === 'page') return `an error page (${code})`
  return by === 'redirect' ? `${code}, by redirect` : by === 'client' ? `${code}, by the client` : code
}

/** Compares the result of a move with the refusal that the rule requires. */
export function judge(move: Move, observed: Observed, situation: Situation): Verdict {
  const expected =
    observed.kind === 'refused'
      ? move.expects.some(each => fits(move, each, observed))
      : observed.kind !== 'accepted'
  const harmless = observed.kind === 'accepted' ? move.harmless?.(situation) : undefined
  return defined({ move, expected, found: words(observed), observed, harmless })
}

/** A verdict as the check of a step. The check is advice where the answer harms nobody, such as a refusal in another form. */
export function tamperCheck({ move, expected, found, observed, harmless }: Verdict): Check {
  if (expected) {
    const how = observed.kind === 'ignored' ? 'as expected' : 'refused as expected'
    return check('tamper', true, move.rule, `${how}: ${found}`)
  }
  const detail = `expected ${expectation(move)}; got ${found}`
  if (observed.kind === 'refused') {
    return advice('tamper', false, move.rule, `refused in another way: ${detail}`)
  }
  return harmless === undefined
    ? check('tamper', false, move.rule, detail)
    : advice('tamper', false, move.rule, `${detail}; ${harmless}`)
}

function verdictNote({ expected, found, observed, harmless }: Verdict): string {
  if (expected) return `as expected: ${found}`
  if (harmless !== undefined) return `not refused, which harms nobody here: ${found}`
  return observed.kind === 'refused'
    ? `refused in another way: ${found}`
    : `not refused as expected: ${found}`
}

/** The step with its verdict. */
export function judgedStep(step: Step, verdict: Verdict): Step {
  return {
    ...step,
    checks: [...(step.checks ?? []), tamperCheck(verdict)],
    note: verdictNote(verdict),
  }
}

/** Returns the outcome of a flow together with the result of its move. */
export function concluded(
  outcome: Outcome,
  move: Move,
  expected = false,
  { found, harmless }: Partial<Pick<Verdict, 'found' | 'harmless'>> = {},
): Outcome {
  const tamper = defined({ move: move.name, wanted: expectation(move), found, harmless })
  return { ...outcome, expected, tamper }
}

/** The end of a flow in which the move was not possible. */
export function notHere(move: Move, why: string): Outcome {
  const error = { error: 'not_here', error_description: why, rule: move.rule }
  return concluded({ type: 'outcome', outcome: 'failed', error }, move)
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
export function unreadablePage({ error: seen }: Outcome, move: Move): Outcome {
  const error = {
    error: 'unreadable_page',
    error_description: seen?.error_description ?? 'the page cannot be read',
    rule: move.rule,
    hints: [nextMoveFor(move)],
  }
  return concluded({ type: 'outcome', outcome: 'failed', error }, move)
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The refusal in an answer, with the error and the description of its JSON. */
export function refusalIn(exchange: Exchange, by: Channel): Observed & { readonly kind: 'refused' } {
  const { error, error_description: description } = answerMembers(exchange)
  return {
    kind: 'refused',
    by,
    status: exchange.response?.status,
    error: textOf(error),
    description: textOf(description),
  }
}

/** Reads the answer of an endpoint (RFC 6749 §5.2). */
export function observeToken(exchange: Exchange): Observed {
  const status = exchange.response?.status
  if (answerMembers(exchange).access_token !== undefined)
    return { kind: 'accepted', what: `a token (${status})` }
  if (status !== undefined && status < 400) return { kind: 'accepted', what: `the answer ${status}` }
  return refusalIn(exchange, 'token')
}

/** Reads the answer of a protected resource (RFC 6750 §3). */
export function observeResource(exchange: Exchange): Observed {
  const { response } = exchange
  const status = response?.status
  if (status !== undefined && status < 400) return { kind: 'accepted', what: `the answer ${status}` }
  const challenge = (response && header(response, 'www-authenticate')) ?? ''
  const refused = refusalIn(exchange, 'resource')
  return {
    ...refused,
    error: /\berror="([^"]*)"/.exec(challenge)?.[1] ?? refused.error,
    description: /\berror_description="([^"]*)"/.exec(challenge)?.[1] ?? refused.description,
  }
}
