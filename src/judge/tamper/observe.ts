import { answerMembers } from '../../flows/answers/answer-members.js'
import type { Outcome, Step } from '../../flows/step.js'
import { type FormPairs, readPairs } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import { landedPairs, peekedClaims } from '../../protocol/oauth/authorization-response.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import type { LogoutMove, Move } from './move.js'
import { codeShape, verificationStep } from './shape.js'
import type { Situation } from './situation.js'
import type { Tampering } from './tampering.js'
import { type Observed, observeToken } from './verdict.js'

/**
 * Errors of a page that is not an error page and that this program cannot fill in: scripts draw it, it asks for the name
 * alone, or it is at another origin. Only a person in a browser understands such a page.
 */
const unreadable = new Set(['unknown_page', 'foreign_login_form'])

/** True when a flow ended at a page that this program cannot read, which says nothing about the server. */
export function endsUnread({ outcome, error }: Outcome): boolean {
  return outcome === 'refused' && error !== undefined && unreadable.has(error.error)
}

/** Errors of a flow whose resource owner never got in: they say nothing about the move. */
const notLoggedIn = new Set(['login_failed', 'login_cancelled'])

/** The parameters at an address, those of a response JWT among them. Its signature is for the client to check. */
function landedAt(url: string): FormPairs {
  const pairs = readPairs(`${splitUrl(url).query}&${url.split('#', 2)[1] ?? ''}`)
  const claims = peekedClaims(pairs.find(([name]) => name === 'response')?.[1] ?? '')
  return typeof claims === 'object' ? landedPairs(claims) : pairs
}

/** Reads what the server answered to an authorization request, from the address the browser landed at. */
function observeLanding(url: string, move: Move): Observed | undefined {
  const pairs = new Map(landedAt(url))
  const error = pairs.get('error')
  if (error !== undefined) {
    return { kind: 'refused', by: 'redirect', error, description: pairs.get('error_description') }
  }
  if (move.at === 'authorization_request' && move.until !== undefined && pairs.has('code')) return undefined
  const forbidden = move.at === 'authorization_request' ? move.forbiddenScope : undefined
  const scope = pairs.get('scope')
  if (forbidden !== undefined && scope !== undefined && !parseScope(scope)?.includes(forbidden)) {
    return { kind: 'narrowed', what: `less than was asked for: ${scope}` }
  }
  if (move.at === 'authorization_request' && move.mayIgnore !== undefined) {
    return { kind: 'ignored', what: move.mayIgnore }
  }
  return {
    kind: 'accepted',
    what: pairs.has('code') ? 'a code' : pairs.has('access_token') ? 'a token' : 'a redirect to the client',
  }
}

function observeGrantedScope(step: Step, forbidden: string): Observed | undefined {
  if (!step.exchange || observeToken(step.exchange).kind === 'refused') return undefined
  const { scope } = answerMembers(step.exchange)
  const granted = typeof scope === 'string' ? parseScope(scope) : undefined
  // No scope in the answer means: as asked (RFC 6749 §5.1).
  if (granted === undefined || granted.includes(forbidden)) return undefined
  return { kind: 'narrowed', what: `less than was asked for: ${scope}` }
}

/** The decision of the client, which ends the flow where it refuses. */
export function observeClient(ended: Outcome | undefined): Observed {
  if (ended?.error === undefined) return { kind: 'accepted', what: 'the answer taken' }
  const { error, error_description: description } = ended.error
  return { kind: 'refused', by: 'client', error, description }
}

/** An error page; the flow reads the code off it. */
function shownPage(status: number, ended: Outcome | undefined): Observed {
  const { error, error_description: description } = ended?.error ?? {}
  return {
    kind: 'refused',
    by: 'page',
    status,
    error: error === 'error_page' ? undefined : error,
    description,
  }
}

/** Reads what the server does with a wrong logout request: it refuses, asks, sends the browser back, or ends the session. */
function observeLogout(
  { name, exchange, checks = [], repeats }: Step,
  { mustAsk }: LogoutMove,
  { tampering, ended }: Pick<Made, 'tampering' | 'ended'>,
): Observed | undefined {
  const status = exchange?.response?.status ?? 0
  switch (name) {
    case 'logout_request':
      return status >= 400 ? shownPage(status, ended) : undefined
    case 'logout_confirmation':
      if (mustAsk) return { kind: 'refused', by: 'question', description: 'the server asks the person' }
      return status >= 400 ? shownPage(status, ended) : undefined
    case 'logout_response':
      if (mustAsk || tampering.noted.returned === undefined) return undefined
      return { kind: 'accepted', what: 'a return to the address of the request' }
    case 'ended_session_check': {
      if (repeats) return undefined
      if (!mustAsk) return { kind: 'ignored', what: 'the browser is sent nowhere' }
      const isEnded = checks.some(each => each.name === 'session_ended' && each.ok)
      return isEnded
        ? { kind: 'accepted', what: 'the end of the session, without a question' }
        : { kind: 'ignored', what: 'the session goes on' }
    }
    default:
      return undefined
  }
}

/** The facts about a move by which a step is read. */
export interface Made {
  readonly situation: Pick<Situation, 'flow'>
  readonly tampering: Pick<Tampering, 'noted' | 'forbidden'>
  /** The outcome, where the step is the last one. */
  readonly ended: Outcome | undefined
  /** True when the changed message was sent. */
  readonly made: boolean
}

/** Reads the answer to the move from a step. Returns undefined while there is none. */
export function observeStep(step: Step, move: Move, facts: Made): Observed | undefined {
  const { situation, tampering, ended, made } = facts
  const { lure, landed: url, exchange: sent } = tampering.noted
  if (lure !== undefined) return { kind: 'accepted', what: `a redirect to ${lure.split('?', 1)[0]}` }
  const { name, exchange } = step
  const status = exchange?.response?.status ?? 0
  switch (move.at) {
    case 'authorization_request': {
      if (move.until === 'keys_request') {
        // A hybrid flow refuses the id_token of the browser before.
        const early = name === 'id_token_verification' && ended?.error !== undefined
        if (early || name === 'keys_request') return observeClient(ended)
      }
      if (name === 'pushed_authorization_request' && status >= 400 && exchange) return observeToken(exchange)
      if (name === 'login_form' && status >= 400) return shownPage(status, ended)
      if (name === 'authorization_response' && url !== undefined) return observeLanding(url, move)
      if (name !== 'token_request' || !exchange || move.until === 'keys_request') return undefined
      return (
        (move.forbiddenScope !== undefined && observeGrantedScope(step, move.forbiddenScope)) ||
        observeToken(exchange)
      )
    }
    case 'login':
      if (name === 'login' && status >= 400) return { kind: 'refused', by: 'page', status }
      return made && name === 'authorization_response' && url !== undefined
        ? observeLanding(url, move)
        : undefined
    case 'backchannel_authentication_request':
      return name === move.at && exchange ? observeToken(exchange) : undefined
    case 'logout_request':
      return observeLogout(step, move, facts)
    case 'logout_response':
      return name === 'logout_response' ? observeClient(ended) : undefined
    case 'authorization_response':
      if (move.jwt && name === 'authorization_response' && ended?.error === undefined) return undefined
      if (move.jwt && name === 'response_verification') return observeClient(ended)
      if (name !== (move.holds ? verificationStep(situation.flow ?? codeShape) : 'authorization_response'))
        return undefined
      return observeClient(ended)
    case 'assertion':
    case 'token_request': {
      if (exchange === undefined || exchange !== sent) return undefined
      if (move.at === 'assertion') return observeToken(exchange)
      if (move.again) return undefined
      const forbidden = tampering.forbidden()
      return (forbidden !== undefined && observeGrantedScope(step, forbidden)) || observeToken(exchange)
    }
    default:
      return undefined
  }
}

/**
 * Reads the answer to the move from the end of a flow, where no step shows it. Returns undefined where the flow ended
 * for another reason.
 */
export function observeEnd(ended: Outcome, move: Move, made: boolean): Observed | undefined {
  const { outcome, error } = ended
  if (outcome !== 'refused' || !error || !made || endsUnread(ended)) return undefined
  const { error: code, error_description: description } = error
  // A person saw it in their own browser.
  if (code === 'sent_elsewhere') return { kind: 'accepted', what: 'a redirect to another address' }
  if (move.at === 'logout_request') return { kind: 'refused', by: 'page', description }
  // The form came again, so the changed one was refused.
  if (move.at === 'login') return { kind: 'refused', by: 'page', description }
  if (move.at !== 'authorization_request' || notLoggedIn.has(code)) return undefined
  return { kind: 'refused', by: 'page', description }
}
