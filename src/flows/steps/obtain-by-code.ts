import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import { loginDemand } from '../requests/login-demand.js'
import type { Steps, Walk } from '../walk.js'
import { checkTokens } from './check-step.js'
import { authorize, newRequest } from './front-channel.js'
import { trade } from './token-step.js'

/** @param when `verify`: false when the flow verifies the tokens later */
export async function* obtainByCode(
  walk: Walk,
  ports: FlowPorts,
  wanted: FlowOptions,
  when: { readonly verify: boolean } = { verify: true },
): Steps<{ tokens: TokenResponse; nonce?: string }> {
  const { scope, tokenType } = wanted
  const request = newRequest(ports, wanted, 'code')
  const demand = loginDemand(wanted, ports.now())
  const { code } = yield* authorize(walk, ports, request, wanted, landed =>
    authorizationResponse(landed, request),
  )
  const tokens = yield* trade(walk, wanted, {
    grantType: 'authorization_code',
    parameters: [
      ['code', code],
      ['redirect_uri', request.redirectUri],
      ['code_verifier', request.codeVerifier],
      ['token_type', tokenType],
    ],
    scope,
    details: wanted.authorizationDetails,
    checks: pkceCheck(request),
  })
  const nonce = request.nonce === undefined ? {} : { nonce: request.nonce }
  if (when.verify) yield* checkTokens(walk, ports, wanted, tokens, { login: true, demand, ...nonce })
  return { tokens, ...nonce }
}

/** PKCE proves itself only when the server takes the verifier. */
function pkceCheck(request: AuthorizationRequest): Check[] {
  if (request.codeVerifier === undefined) return []
  return [check('pkce', true, 'RFC 7636 §4.6', 'the server took the code_verifier')]
}
