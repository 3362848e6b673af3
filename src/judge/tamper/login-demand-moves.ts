import { without } from './messages.js'
import type { AuthorizationMove, Situation } from './move.js'

function needsDemand({ essentialAcr, flow, pushed, requestObject }: Situation): string | undefined {
  if (flow !== undefined && flow.grants.at(-1) !== 'code') return 'the flow is about another grant'
  if (pushed) return 'nobody in the browser can change a pushed request'
  if (requestObject !== undefined) return 'nobody in the browser can change a request object'
  if (essentialAcr) return undefined
  const claims = '{"id_token":{"acr":{"essential":true,"value":"urn:oauth-lab:acr:mfa"}}}'
  return `the request demands no acr: --scope openid --claims '${claims}'`
}

/** Wrong moves about the login that a request asks for. The server sees an honest request, so the client has to notice. */
export const loginDemandMoves: readonly AuthorizationMove[] = [
  {
    name: 'dropped-login-demand',
    at: 'authorization_request',
    codeOnly: true,
    until: 'keys_request',
    does: 'takes the demand for a strong login out of the request (claims, acr_values, max_age)',
    risk: 'a password alone opens what the client guards by a second factor',
    rule: 'OpenID Connect Core §3.1.3.7',
    expects: [{ by: 'client', errors: ['invalid_token'] }],
    notHere: needsDemand,
    change: pairs => without(pairs, 'claims', 'acr_values', 'max_age'),
  },
]
