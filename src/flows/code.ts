import type { Exchange } from '../http/exchange.js'
import type { HttpRequest } from '../http/message.js'
import type { AuthorizationRequest } from '../oauth/authorization.js'
import { authorizationRequest, authorizationResponse } from '../oauth/authorization.js'
import type { Check } from '../oauth/check.js'
import { check } from '../oauth/check.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { ClientSecretPlace, TokenResponse } from '../oauth/token.js'
import { tokenRequest, tokenResponse } from '../oauth/token.js'
import { asksForOpenId, codePlan } from './code-plan.js'
import { grantedScope, scopeCheck } from './granted-scope.js'
import { failedCheck, granted, outcomeOf } from './outcome.js'
import type { FlowPorts } from './ports.js'
import type { FlowRecord, PlannedStep, Step, StepName } from './step.js'
import { readUserinfo, userinfoRequest } from './userinfo.js'
import { type CarriedKeys, readKeys, stepTokens, verifyTokens } from './verify-tokens.js'

export { codePlan } from './code-plan.js'

/** What a client wants from the code grant. */
export interface CodeFlowOptions {
  readonly metadata: AuthorizationServerMetadata
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  readonly redirectUri: string
  readonly scope?: string
  /** Whether to bind the code to this client by a code_challenge (RFC 7636). */
  readonly pkce: boolean
  /** Whom the access token must name; absent where that is the resource server's business alone. */
  readonly audience?: string
  /** What verifies the tokens of a server that publishes no keys. */
  readonly carriedKeys?: CarriedKeys
}

/**
 * The authorization code grant as the client lives it (RFC 6749 §4.1). The last record is always the outcome: what a
 * rule refuses and what the network fails are outcomes too.
 */
export async function* codeFlow(
  ports: FlowPorts,
  wanted: CodeFlowOptions,
): AsyncGenerator<FlowRecord, void, void> {
  try {
    yield granted(yield* codeSteps(ports, wanted))
  } catch (error) {
    yield outcomeOf(error, ports.signal)
  }
}

async function* codeSteps(
  ports: FlowPorts,
  wanted: CodeFlowOptions,
): AsyncGenerator<Step, TokenResponse, void> {
  const { metadata, scope } = wanted
  const step = stepMaker(codePlan(wanted))
  const send = (request: HttpRequest): Promise<Exchange> => {
    ports.signal.throwIfAborted()
    return ports.send(request, { signal: ports.signal })
  }

  const request = newRequest(ports, wanted)
  yield step('authorization_request', { url: request.url, checks: requestChecks(request, metadata) })

  const code = yield* authorize(ports, request, step)

  const exchange = await send(codeTokenRequest(code, request, wanted))
  const { tokens, checks } = yield* orRefused(step, 'token_request', exchange, () => {
    const answer = tokenResponse(exchange)
    return { ...answer, checks: [...answer.checks, scopeCheck(scope, answer.tokens.scope)] }
  })
  yield step('token_request', {
    exchange,
    checks: [...pkceCheck(request), ...checks],
    ...stepTokens(tokens),
    note:
      tokens.expires_in === undefined ? tokens.token_type : `${tokens.token_type}, ${tokens.expires_in} s`,
  })

  const openId = asksForOpenId(grantedScope(scope, tokens.scope))
  const keysExchange = metadata.jwks_uri === undefined ? undefined : await send(get(metadata.jwks_uri))
  const keys = yield* orRefused(step, 'keys_request', keysExchange, () => readKeys(keysExchange))
  const verdict = await verifyTokens(tokens, keys, {
    issuer: metadata.issuer,
    clientId: wanted.clientId,
    now: ports.now(),
    openId,
    ...(wanted.carriedKeys && { carriedKeys: wanted.carriedKeys }),
    ...(wanted.audience !== undefined && { audience: wanted.audience }),
    ...(wanted.clientSecret !== undefined && { clientSecret: wanted.clientSecret }),
    ...(request.nonce !== undefined && { nonce: request.nonce }),
  })
  yield step('keys_request', { ...(keysExchange && { exchange: keysExchange }), ...verdict.shown })
  if (verdict.refusal) throw verdict.refusal

  if (openId && metadata.userinfo_endpoint !== undefined) {
    const answer = await send(userinfoRequest(metadata.userinfo_endpoint, tokens.access_token))
    const info = yield* orRefused(step, 'userinfo_request', answer, () =>
      readUserinfo(answer, verdict.subject),
    )
    yield step('userinfo_request', { exchange: answer, checks: info.checks, note: `sub=${info.sub}` })
  }
  return tokens
}

type Shown = Pick<Step, 'url' | 'exchange' | 'checks' | 'token' | 'tokens' | 'note'>
type MakeStep = (name: StepName, shown: Shown) => Step

function stepMaker(plan: readonly PlannedStep[]): MakeStep {
  return (name, shown) => {
    const index = plan.findIndex(each => each.name === name)
    return { type: 'step', n: index + 1, of: plan.length, ...plan[index]!, ...shown }
  }
}

/** Reads an answer; where a rule refuses it, the step is shown with the check that failed before the flow ends. */
async function* orRefused<Read>(
  step: MakeStep,
  name: StepName,
  exchange: Exchange | undefined,
  read: () => Read,
): AsyncGenerator<Step, Read, void> {
  try {
    return read()
  } catch (error) {
    if (error instanceof OAuthError) {
      yield step(name, { ...(exchange && { exchange }), checks: [failedCheck(error)] })
    }
    throw error
  }
}

/** Lets the user agent carry the request to the server and the answer back, and reads the code from it. */
async function* authorize(
  { userAgent, signal }: FlowPorts,
  request: AuthorizationRequest,
  step: MakeStep,
): AsyncGenerator<Step, string, void> {
  for await (const { name, landed, ...shown } of userAgent.authorize({ request, signal })) {
    signal.throwIfAborted()
    if (landed === undefined) {
      yield step(name, shown)
      continue
    }
    const answer = yield* orRefused(step, name, shown.exchange, () => authorizationResponse(landed, request))
    yield step(name, { ...shown, url: landed, checks: answer.checks })
    return answer.code
  }
  throw new OAuthError('invalid_response', {
    description: 'the browser never came back to the redirect_uri',
    rule: 'RFC 6749 §4.1.2',
  })
}

/** 256 bits that nobody can guess, as text. */
function unguessable(random: FlowPorts['random']): string {
  return Buffer.from(random(32)).toString('base64url')
}

function newRequest({ random }: FlowPorts, wanted: CodeFlowOptions): AuthorizationRequest {
  const { metadata, clientId, redirectUri, scope, pkce } = wanted
  return authorizationRequest({
    endpoint: endpoint(metadata, 'authorization_endpoint'),
    issuer: metadata.issuer,
    responseType: 'code',
    clientId,
    redirectUri,
    state: unguessable(random),
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    ...(scope !== undefined && { scope }),
    ...(asksForOpenId(scope) && { nonce: unguessable(random) }),
    ...(pkce && { codeVerifier: unguessable(random) }),
  })
}

function endpoint(
  metadata: AuthorizationServerMetadata,
  name: 'authorization_endpoint' | 'token_endpoint',
): string {
  const url = metadata[name]
  if (url !== undefined) return url
  throw new OAuthError('invalid_metadata', { description: `${name} is missing`, rule: 'RFC 8414 §2' })
}

/** What the client makes sure of before it sends anybody anywhere. */
function requestChecks(request: AuthorizationRequest, metadata: AuthorizationServerMetadata): Check[] {
  const checks = [check('state', true, 'RFC 6749 §10.12', '256 random bits, kept for the answer')]
  if (request.nonce !== undefined) {
    checks.push(
      check('nonce', true, 'OpenID Connect Core §3.1.2.1', '256 random bits, kept for the id_token'),
    )
  }
  if (request.codeVerifier === undefined) return checks
  const announced = metadata.code_challenge_methods_supported?.includes('S256') ?? false
  const found = announced ? 'S256' : 'S256, which the server does not announce'
  return [...checks, check('pkce', true, 'RFC 7636 §4.3', found)]
}

/** PKCE proves itself only when the server takes the verifier. */
function pkceCheck(request: AuthorizationRequest): Check[] {
  if (request.codeVerifier === undefined) return []
  return [check('pkce', true, 'RFC 7636 §4.6', 'the server took the code_verifier')]
}

function codeTokenRequest(code: string, request: AuthorizationRequest, wanted: CodeFlowOptions): HttpRequest {
  const { metadata, clientId, clientSecret, auth } = wanted
  return tokenRequest({
    endpoint: endpoint(metadata, 'token_endpoint'),
    clientId,
    auth,
    ...(clientSecret !== undefined && { clientSecret }),
    grantType: 'authorization_code',
    parameters: [
      ['code', code],
      ['redirect_uri', request.redirectUri],
      ['code_verifier', request.codeVerifier],
    ],
  })
}

function get(url: string): HttpRequest {
  return { method: 'GET', url, headers: [['accept', 'application/json']], body: new Uint8Array() }
}
