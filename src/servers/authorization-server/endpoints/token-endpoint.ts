import { cut, unknownName } from '../../../protocol/events.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import { type HttpRequest, type HttpResponse, header, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { type BodyCredentials, CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { DPOP_ERRORS, OAuthError, TOKEN_ERRORS } from '../../../protocol/oauth/oauth-error.js'
import { certificateThumbprint } from '../../../protocol/tokens/confirmation.js'
import type { Grant } from '../grants/grant.js'
import { readDetails } from '../parameters/authorization-details.js'
import { knownResource, namedResources, resourceSettings } from '../parameters/resources.js'
import { serverProfile } from '../profiles/profiles.js'
import { refuseGrantOfClient, refuseGrantOfServer } from '../profiles/refusals.js'
import { wantedTokenType } from '../tokens/access-tokens.js'
import { requireEncryptable } from '../tokens/token-issuer.js'
import {
  type Call,
  clientEndpoint,
  NOT_STORED,
  ownerAt,
  readAll,
  readClientForm,
  readOnce,
} from './client-endpoint.js'
import { requireCertificate, requireProof } from './dpop.js'
import { bindingOf, entitlementFor } from './entitlement.js'
import type { ServerParts } from './parts.js'

const COMMON_PARAMETERS = [
  'grant_type',
  'token_type',
  'authorization_details',
  ...CREDENTIAL_PARAMETERS,
] as const

/** Parameters of OAuth and OpenID Connect that no grant reads, or only a token exchange. */
const WITHOUT_EFFECT = ['audience', 'claims', 'acr_values', 'nonce', 'response_type'] as const

/** `/token` (RFC 6749 §3.2). Every response is JSON. */
export function tokenEndpoint(parts: ServerParts): Route {
  const {
    authenticateClient,
    grants,
    issuedTokens,
    issueTokens,
    responses,
    dpop,
    settings,
    defences,
    findKnownResources,
    checkSector,
    ports,
  } = parts
  // Nobody authenticates where an issuer stands for the client (FAPI 2.0 Security Profile §5.3.2.1-3).
  const needsClient = serverProfile(settings.profile)?.demands.confidential !== undefined
  const known = [...new Set([...COMMON_PARAMETERS, ...[...grants.values()].flatMap(each => each.parameters)])]
  /** The OAuth parameters that each grant does not read. */
  const unread = new Map<Grant, readonly string[]>()
  for (const grant of grants.values()) {
    const { parameters, repeatable = [] } = grant
    const read: readonly string[] = [...COMMON_PARAMETERS, 'resource', ...parameters, ...repeatable]
    unread.set(
      grant,
      [...known, ...WITHOUT_EFFECT].filter(name => !read.includes(name)),
    )
  }

  /** Returns the names of the OAuth parameters in a request that its grant does not read; undefined for none. */
  function ignoredIn(pairs: FormPairs, grant: Grant): readonly string[] | undefined {
    const sent = (name: string) => pairs.some(([each, value]) => each === name && value !== '')
    const names = unread.get(grant)?.filter(sent)
    return names?.length ? names : undefined
  }

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const pairs = readClientForm(http)
    const values = readOnce(pairs, known)
    if (values.grant_type !== undefined) refuseGrantOfServer(settings.profile, values.grant_type)
    const grant = findGrant(values.grant_type, grants)
    call.grantType = grant.grantType
    if (values.code !== undefined) call.code = cut(values.code)
    const client =
      (namesClient(http, values) || needsClient ? undefined : await grant.clientFor?.(values)) ??
      (await authenticateClient(http, values, call.publish))
    call.clientId = client.client_id
    call.ignored = ignoredIn(pairs, grant)
    refuseGrantOfClient(client, grant.grantType)
    if (!client.grant_types.includes(grant.grantType)) {
      throw new OAuthError('unauthorized_client', {
        description: `this client is not registered for ${grant.grantType}`,
        rule: 'RFC 6749 §5.2',
      })
    }
    await checkSector(client, call.publish)
    const jkt = await dpop.verify(http, { client, owner: ownerAt(client, http) })
    requireCertificate(http, { client, jkt, mtlsUrl: settings.mtlsUrl?.() })
    requireProof(client, jkt)
    const certificateBound = client.tls_client_certificate_bound_access_tokens === true
    const wanted = wantedTokenType(values.token_type, {
      offered: ports.macTokens !== undefined,
      jkt,
      certificateBound,
    })
    const { publish } = call
    const audiences = readAll(pairs, 'audience')
    const exchanged = grant.repeatable?.includes('audience') ? audiences : []
    const findable = await findKnownResources([...namedResources(pairs), ...exchanged], publish)
    const findableAs = resourceSettings(settings, findable)
    const resources = defences.readResources(pairs, findableAs)
    const details = readDetails(values.authorization_details, client, settings.detailTypes)
    const findResource = (location: string) => knownResource(location, findableAs)
    const certificate = http.certificate && certificateThumbprint(http.certificate)
    const request = { client, grantType: grant.grantType, resources, details, findResource, jkt, certificate }
    const decision = await grant.decide(client, values, {
      audiences,
      resources: findable.resources,
      details,
      remoteAddress: http.remoteAddress,
      binding: bindingOf(request),
      publish,
    })
    const entitlement = entitlementFor(request, decision, issuedTokens.family)
    await requireEncryptable(entitlement, responses, publish)
    const refreshToken = decision.redeem?.(entitlement)
    const tokens = await issueTokens(entitlement, {
      publish,
      requestedScope: values.scope,
      ignored: call.ignored,
      refreshToken,
      wanted,
    })
    return jsonResponse(200, tokens, NOT_STORED)
  }

  return clientEndpoint({
    path: '/token',
    name: 'the token endpoint',
    rule: 'RFC 6749 §3.2',
    errors: [...TOKEN_ERRORS, ...DPOP_ERRORS],
    answer,
    headers: dpop.headers,
    refused: 'token.refused',
  })
}

function namesClient(http: HttpRequest, values: BodyCredentials): boolean {
  const inBody = CREDENTIAL_PARAMETERS.some(name => values[name] !== undefined)
  return inBody || header(http, 'authorization') !== undefined
}

function findGrant(grantType: string | undefined, grants: ReadonlyMap<string, Grant>): Grant {
  const rule = 'RFC 6749 §5.2'
  if (grantType === undefined) {
    throw new OAuthError('invalid_request', { description: 'grant_type is missing', rule })
  }
  const grant = grants.get(grantType)
  if (grant) return grant
  throw new OAuthError('unsupported_grant_type', {
    description: `grant_type is not supported; this server knows: ${[...grants.keys()].join(', ')}`,
    rule,
    evidence: unknownName(grantType),
  })
}
