import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { decodeIfJwt } from '../answers/verify-tokens.js'
import type { FlowOptions } from '../options.js'
import type { StepName } from '../step.js'
import { authorize, newRequest } from '../steps/front-channel.js'
import { trade } from '../steps/token-step.js'
import type { Steps, Walk } from '../walk.js'
import { enterpriseGrant } from './enterprise.js'
import { absentIssCheck, issVerdict } from './iss-rules.js'
import type { McpOptions, McpPorts } from './options.js'
import type { McpClient } from './register.js'
import { withholding } from './withholding.js'

export interface Counterpart {
  readonly metadata: PublishedMetadata
  readonly client: McpClient
  /** Absent in a revision without resource indicators. */
  readonly resource?: string
}

export interface TokenWish {
  readonly scope?: string
  readonly checks: readonly Check[]
  readonly again?: boolean
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

function flowOptions(
  { redirectUri, dpop }: McpOptions,
  { metadata, client, resource }: Counterpart,
  { scope }: TokenWish,
): FlowOptions {
  const extra = [
    ...(resource === undefined ? [] : [['resource', resource] as const]),
    ...(dpop === undefined ? [] : [['dpop_jkt', dpop.jkt] as const]),
  ]
  return defined({
    metadata,
    ...client,
    redirectUri,
    scope,
    pkce: true,
    push: metadata.require_pushed_authorization_requests === true,
    authorizationParameters: extra,
  })
}

async function* withChecks<Result>(
  steps: Steps<Result>,
  name: StepName,
  more: readonly Check[],
): Steps<Result> {
  try {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      yield value.name === name ? { ...value, checks: [...(value.checks ?? []), ...more] } : value
    }
  } finally {
    await steps.return(undefined as never)
  }
}

function resourceChecks({ resource }: Counterpart): Check[] {
  if (resource === undefined) return []
  return [check('resource', true, 'MCP 2026-07-28 Authorization §8', resource)]
}

/** Remarks on the audience of a readable access token (RFC 8707 §2). */
function audienceCheck({ access_token: token }: TokenResponse, { resource }: Counterpart): Check[] {
  const aud = decodeIfJwt(token)?.claims.aud
  if (resource === undefined || aud === undefined) return []
  const named = (Array.isArray(aud) ? aud : [aud]).map(String)
  return [advice('aud', named.includes(resource), 'RFC 8707 §2', `the token is for ${named.join(', ')}`)]
}

async function* byCode(
  walk: Walk,
  ports: McpPorts,
  wanted: McpOptions,
  server: Counterpart,
  wish: TokenWish,
): Steps<TokenResponse> {
  const { metadata, resource } = server
  const options = flowOptions(wanted, server, wish)
  const request = newRequest(ports, options, 'code')
  const userAgent = withholding(ports.userAgent, request, wish.again === true)
  const asked = authorize(walk, { ...ports, userAgent }, request, options, landed => {
    const answer = authorizationResponse(landed, request)
    const iss = new URL(landed).searchParams.get('iss') ?? undefined
    const verdict = issVerdict(request.issPromised, iss, metadata.issuer)
    return { ...answer, checks: [...answer.checks, ...absentIssCheck(verdict)] }
  })
  const { code } = yield* withChecks(asked, 'authorization_request', [
    ...wish.checks,
    ...resourceChecks(server),
  ])
  return yield* trade(walk, options, {
    grantType: 'authorization_code',
    parameters: [
      ['code', code],
      ['redirect_uri', request.redirectUri],
      ['code_verifier', request.codeVerifier],
      ['resource', resource],
    ],
    ...(wish.scope !== undefined && { scope: wish.scope }),
    checks: [
      check('pkce', true, 'RFC 7636 §4.6', 'the server took the code_verifier'),
      ...resourceChecks(server),
    ],
    check: tokens => audienceCheck(tokens, server),
  })
}

async function* byRequest(
  walk: Walk,
  wanted: McpOptions,
  server: Counterpart,
  wish: TokenWish,
  grantType: string,
  assertion?: string,
): Steps<TokenResponse> {
  const { scope } = wish
  return yield* trade(walk, flowOptions(wanted, server, wish), {
    grantType,
    parameters: [
      ['assertion', assertion],
      ['scope', scope],
      ['resource', server.resource],
    ],
    ...(scope !== undefined && { scope }),
    checks: [...wish.checks, ...resourceChecks(server)],
    check: tokens => audienceCheck(tokens, server),
  })
}

function assertionOf({ assertion, grant }: McpOptions): string {
  if (assertion !== undefined) return assertion
  const description = `the grant ${grant} needs an assertion: give it by --assertion -`
  throw new OAuthError('no_assertion_issuer', { description, rule: 'RFC 7523 §2.1' })
}

/** Gets a token for the MCP server by the grant of the options. */
export async function* obtainToken(
  walk: Walk,
  ports: McpPorts,
  wanted: McpOptions,
  server: Counterpart,
  wish: TokenWish,
): Steps<TokenResponse> {
  switch (wanted.grant) {
    case 'authorization_code':
      return yield* byCode(walk, ports, wanted, server, wish)
    case 'client_credentials':
      return yield* byRequest(walk, wanted, server, wish, 'client_credentials')
    case 'jwt-bearer':
      return yield* byRequest(walk, wanted, server, wish, JWT_BEARER, assertionOf(wanted))
    default: {
      const idJag = yield* enterpriseGrant(walk, ports, wanted, server, {
        scope: wish.scope,
        token: assertionOf(wanted),
      })
      return yield* byRequest(walk, wanted, server, wish, JWT_BEARER, idJag)
    }
  }
}
