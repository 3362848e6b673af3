import type { UserAgent, Visit } from '../../client/user-agent.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { authorizationResponse } from '../../protocol/oauth/authorization-response.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { tokenTypeUri } from '../../protocol/oauth/scope.js'
import { type TokenResponse, tokenRequest } from '../../protocol/oauth/token.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { defined } from '../../protocol/values.js'
import { stepToken } from '../answers/verify-tokens.js'
import { discoverIssuer } from '../metadata/discovery.js'
import { endpoint } from '../metadata/endpoint.js'
import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import type { StepName } from '../step.js'
import { authorize, newRequest } from '../steps/front-channel.js'
import { trade } from '../steps/token-step.js'
import type { Steps, Walk } from '../walk.js'
import { absentIssCheck, issVerdict, withoutForeignError } from './iss-rules.js'
import type { IdentityProvider, McpOptions, McpPorts } from './options.js'
import { authOf, type McpClient } from './register.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ID_TOKEN = tokenTypeUri('id_token')
const ID_JAG = tokenTypeUri('id-jag')
const RULE = 'MCP Enterprise-Managed Authorization §4'

async function* findProvider(
  walk: Walk,
  { send, signal }: Pick<FlowPorts, 'send' | 'signal'>,
  { issuer }: IdentityProvider,
): Steps<PublishedMetadata> {
  const { steps, metadata, error } = await discoverIssuer(issuer, send, signal)
  for (const { exchange, checks, note, repeats } of steps) {
    const remark = `identity provider: ${note ?? 'asked'}`
    yield walk.step('discovery_request', defined({ exchange, checks, note: remark, repeats }))
  }
  if (metadata === undefined) throw error
  return metadata
}

function readGrant(
  exchange: Exchange,
  asked: { readonly audience: string; readonly resource: string | undefined },
): { grant: string; checks: readonly Check[] } {
  if (exchange.response?.status !== 200) throw refusalIn(exchange, 'the identity provider')
  const members = jsonObject(exchange, 'the identity provider', 'RFC 8693 §2.2.1')
  const { access_token: grant, issued_token_type: type } = members
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule: RULE })
  if (type !== ID_JAG) throw invalid('the identity provider issued another kind of token than an ID-JAG')
  if (typeof grant !== 'string' || grant === '') throw invalid('the identity provider issued no token')
  const decoded = decodeIfJwt(grant)
  const aud = decoded?.claims.aud
  const audience = aud === undefined || [aud].flat().includes(asked.audience)
  const resource = decoded?.claims.resource
  const same =
    resource === undefined || asked.resource === undefined || [resource].flat().includes(asked.resource)
  if (!audience || !same) throw invalid('the grant of the identity provider is for another server')
  return { grant, checks: [check('issued_token_type', true, RULE, 'id-jag')] }
}

/** Trades the ID token of a person for a grant to one MCP server, at the identity provider of the organisation. */
async function* enterpriseGrant(
  walk: Walk,
  ports: Pick<FlowPorts, 'send' | 'signal'>,
  { idp }: Pick<McpOptions, 'idp'>,
  { metadata, resource }: { readonly metadata: PublishedMetadata; readonly resource?: string },
  { scope, token }: { readonly scope: string | undefined; readonly token: string },
): Steps<string> {
  const name = 'exchange_request'
  if (idp === undefined) {
    const description =
      'the grant enterprise needs an identity provider: name it by --idp and --idp-client-id'
    throw new OAuthError('no_assertion_issuer', { description, rule: RULE })
  }
  const provider = yield* findProvider(walk, ports, idp)
  const { clientId, clientSecret } = idp
  const exchange = await walk.send(
    tokenRequest(
      defined({
        endpoint: endpoint(provider, 'token_endpoint'),
        clientId,
        clientSecret,
        auth: authOf(clientSecret, undefined, provider),
        grantType: EXCHANGE,
        parameters: [
          ['requested_token_type', ID_JAG],
          ['audience', metadata.issuer],
          ['resource', resource],
          ['scope', scope],
          ['subject_token', token],
          ['subject_token_type', ID_TOKEN],
        ] as const,
      }),
    ),
  )
  const asked = { audience: metadata.issuer, resource }
  const { grant, checks } = yield* walk.orRefused(name, exchange, () => readGrant(exchange, asked))
  yield walk.step(name, { exchange, checks, token: stepToken('assertion', grant) })
  return grant
}

/**
 * A user agent that shows no error of a foreign issuer, neither where it lands nor in the redirect (MCP 2026-07-28
 * Authorization §7.1). @param goesOn true for a further request in the same session
 */
function withholding(
  userAgent: UserAgent,
  { issPromised, issuer, redirectUri }: AuthorizationRequest,
  goesOn: boolean,
): UserAgent {
  const cleaned = (address: string): string =>
    address.startsWith(redirectUri) ? withoutForeignError(address, issPromised, issuer) : address

  function cleanedExchange(exchange: Exchange): Exchange {
    const { request, response } = exchange
    const url = cleaned(request.url)
    const to = response && header(response, 'location')
    const location = to === undefined ? undefined : cleaned(to)
    if (url === request.url && location === to) return exchange
    return {
      ...exchange,
      request: { ...request, url },
      ...(response && {
        response: {
          ...response,
          headers: response.headers.map(
            ([name, value]) => [name, value === to ? (location ?? value) : value] as const,
          ),
          // The page of a redirect may repeat the address.
          body: location === to ? response.body : '',
        },
      }),
    }
  }

  return {
    async *authorize(task) {
      for await (const visit of userAgent.authorize(goesOn ? { ...task, again: true } : task)) {
        const { exchange, landed } = visit
        const shown: Visit = {
          ...visit,
          ...(exchange && { exchange: cleanedExchange(exchange) }),
          ...(landed !== undefined && { landed: cleaned(landed) }),
        }
        yield shown
      }
    },
  }
}

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
  return yield* trade(walk, flowOptions(wanted, server, wish), {
    grantType,
    parameters: [
      ['assertion', assertion],
      ['scope', wish.scope],
      ['resource', server.resource],
    ],
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
