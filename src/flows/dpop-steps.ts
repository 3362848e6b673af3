import type { Exchange } from '../http/exchange.js'
import { header } from '../http/message.js'
import { advice, check, shown } from '../oauth/check.js'
import type { DpopKey } from '../tokens/dpop.js'
import type { Step } from './step.js'
import { decodeIfJwt } from './verify-tokens.js'

/** The step as it was first tried. */
export function nonceAsked(step: Step, exchange: Exchange): Step {
  const { token: _token, tokens: _tokens, ...rest } = step
  return {
    ...rest,
    exchange,
    checks: [check('dpop_nonce', true, 'RFC 9449 §8', 'the server names a nonce that the proof has to hold')],
    note: 'asks for a proof with its nonce',
    repeats: true,
  }
}

/** Shows whether a token is bound to the key, where the client can see it (RFC 9449 §6.1). */
export function withBinding(step: Step, dpop: DpopKey | undefined): Step {
  const { token, exchange } = step
  if (dpop === undefined || token?.kind !== 'access_token' || !exchange) return step
  if (header(exchange.request, 'dpop') === undefined) return step
  const cnf = decodeIfJwt(token.value)?.claims.cnf
  if (typeof cnf !== 'object' || cnf === null || !('jkt' in cnf)) return step
  const ok = cnf.jkt === dpop.jkt
  const found = ok ? 'the token names our key' : `the token names another key: ${shown(cnf.jkt)}`
  return { ...step, checks: [...(step.checks ?? []), advice('cnf', ok, 'RFC 9449 §6.1', found)] }
}
