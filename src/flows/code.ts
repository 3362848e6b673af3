import type { AuthorizationRequest } from '../oauth/authorization.js'
import { authorizationResponse } from '../oauth/authorization.js'
import { type Check, check } from '../oauth/check.js'
import type { TokenResponse } from '../oauth/token.js'
import { checkTokens } from './check-step.js'
import { codePlan } from './code-plan.js'
import { authorize, newRequest } from './front-channel.js'
import type { FlowOptions } from './options.js'
import type { FlowPorts } from './ports.js'
import { callResource } from './resource-step.js'
import type { FlowRecord } from './step.js'
import { trade } from './token-step.js'
import { concluded, createWalk, type Steps, type Walk } from './walk.js'

export { codePlan } from './code-plan.js'

/** The options of the code flow. */
export type CodeFlowOptions = FlowOptions

/**
 * The authorization code grant as the client lives it (RFC 6749 §4.1). The last record is always the outcome: what a
 * rule refuses and what the network fails are outcomes too.
 */
export function codeFlow(ports: FlowPorts, wanted: CodeFlowOptions): AsyncGenerator<FlowRecord, void, void> {
  return concluded(codeSteps(ports, wanted), ports.signal)
}

async function* codeSteps(ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const walk = createWalk(ports, codePlan(wanted))
  const { tokens } = yield* obtainByCode(walk, ports, wanted)
  yield* callResource(walk, wanted, tokens.access_token)
  return tokens
}

/**
 * Obtains tokens by a code, and verifies them unless that comes later.
 * @param when `verify`: false when the flow continues with the tokens before it verifies any
 */
export async function* obtainByCode(
  walk: Walk,
  ports: FlowPorts,
  wanted: FlowOptions,
  when: { readonly verify: boolean } = { verify: true },
): Steps<{ tokens: TokenResponse; nonce?: string }> {
  const { scope, tokenType } = wanted
  const request = newRequest(ports, wanted, 'code')
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
  if (when.verify) yield* checkTokens(walk, ports, wanted, tokens, { login: true, ...nonce })
  return { tokens, ...nonce }
}

/** PKCE proves itself only when the server takes the verifier. */
function pkceCheck(request: AuthorizationRequest): Check[] {
  if (request.codeVerifier === undefined) return []
  return [check('pkce', true, 'RFC 7636 §4.6', 'the server took the code_verifier')]
}
