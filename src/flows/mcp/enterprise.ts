import type { Exchange } from '../../protocol/http/exchange.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import { type Check, check } from '../../protocol/oauth/check.js'
import type { PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { tokenTypeUri } from '../../protocol/oauth/scope.js'
import { tokenRequest } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { decodeIfJwt, stepToken } from '../answers/verify-tokens.js'
import { discoverIssuer } from '../metadata/discovery.js'
import { endpoint } from '../metadata/endpoint.js'
import type { FlowPorts } from '../ports.js'
import type { Steps, Walk } from '../walk.js'
import type { IdentityProvider, McpOptions } from './options.js'
import { authOf } from './register.js'

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
export async function* enterpriseGrant(
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
