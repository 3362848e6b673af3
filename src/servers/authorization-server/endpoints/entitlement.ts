import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type Decision, invalidGrant, invalidRequest, type RequiredKey } from '../grants/grant.js'
import type { AuthenticatedClient, Binding, Entitlement, Family } from '../model.js'
import { detailsForAudience, locationsOf, narrowedDetails } from '../parameters/authorization-details.js'
import { narrowedResources } from '../parameters/resources.js'

/** The parts of a token request that bind its tokens. They are the same for every grant. */
export interface TokenRequest {
  readonly client: AuthenticatedClient
  readonly grantType: string
  /** The `resource` parameters, each a known resource (RFC 8707 §2). */
  readonly resources: readonly string[]
  /** `authorization_details` (RFC 9396 §6). Undefined: the request has none. */
  readonly details?: AuthorizationDetails | undefined
  /** Returns the registered identifier of a resource; undefined for an unknown one. */
  readonly findResource: (location: string) => string | undefined
  /** Thumbprint of the key that the request proves to hold (RFC 9449 §5). */
  readonly jkt: string | undefined
  readonly certificate?: string | undefined
}

/**
 * Binds a grant's decision to the client, the key and the resources of the request. All grants come through here, so
 * that none can forget one of them.
 * @throws OAuthError `invalid_target` for a resource that was not authorized (RFC 8707 §2.2);
 * `invalid_authorization_details` for details that were not authorized (RFC 9396 §6); `invalid_grant` or
 * `invalid_request` when the request does not prove to hold a required key (RFC 9449)
 */
export function entitlementFor(
  request: TokenRequest,
  decision: Decision,
  newFamily: (owner: string) => Family,
): Entitlement {
  const { client, grantType, resources: named, jkt, certificate, findResource } = request
  const {
    requiredKeys = [],
    authorizedResources,
    authorizedDetails,
    defaultResources = [],
    audiences = [],
  } = decision
  for (const key of requiredKeys) {
    if (key.of === 'certificate') {
      if (key.thumbprint !== certificate) throw certificateRefusal(key, certificate)
    } else if (key.jkt !== jkt) throw keyRefusal(key, jkt)
  }
  const chosen = narrowedResources(named, authorizedResources)
  const asked = narrowedDetails(request.details, authorizedDetails)
  const own = chosen.length + audiences.length === 0 ? located(asked, findResource) : chosen
  const resources = own.length === 0 ? defaultResources : own
  const audience = audiences.length === 0 ? resources : [...new Set([...resources, ...audiences])]
  return {
    subject: decision.subject,
    scope: decision.scope,
    login: decision.login,
    withoutIdToken: decision.withoutIdToken,
    claims: decision.claims,
    act: decision.act,
    notAfter: decision.notAfter,
    issuedTokenType: decision.issuedTokenType,
    client,
    grantType,
    resources: audience,
    details: detailsForAudience(asked, audience, each => findResource(each) !== undefined),
    binding: bindingOf(request),
    family: decision.family ?? newFamily(client.client_id),
  }
}

/** Returns the resources at the locations of details: the audience of a token whose request names none (RFC 9396 §2.2). */
function located(
  details: AuthorizationDetails,
  findResource: TokenRequest['findResource'],
): readonly string[] {
  const found = locationsOf(details).map(findResource)
  return [...new Set(found.filter(each => each !== undefined))]
}

/** Returns the binding of new tokens. `requireCertificate` has refused requests that lack the certificate for it. */
export function bindingOf({
  client,
  jkt,
  certificate,
}: Pick<TokenRequest, 'client' | 'jkt' | 'certificate'>): Binding {
  if (client.tls_client_certificate_bound_access_tokens === true && certificate !== undefined) {
    return { kind: 'certificate', thumbprint: certificate }
  }
  return jkt === undefined ? { kind: 'bearer' } : { kind: 'dpop', jkt }
}

type ProofKey = Exclude<RequiredKey, { of: 'certificate' }>

function certificateRefusal(
  { token, evidence }: Exclude<RequiredKey, ProofKey>,
  certificate: string | undefined,
): OAuthError<'invalid_grant' | 'invalid_request'> {
  const problem = certificate === undefined ? 'the connection has none' : 'the connection has another one'
  const description = `${token} is bound to a certificate: ${problem}`
  return token === 'refresh_token'
    ? invalidGrant(description, 'RFC 8705 §4', evidence)
    : invalidRequest(description, 'RFC 8705 §3')
}

function keyRefusal(key: ProofKey, jkt: string | undefined): OAuthError<'invalid_grant' | 'invalid_request'> {
  switch (key.of) {
    case 'dpop_jkt':
      return invalidGrant(
        jkt === undefined
          ? 'the authorization request had dpop_jkt; a DPoP proof is missing'
          : 'the key of the DPoP proof is not the dpop_jkt of the authorization request',
        'RFC 9449 §10',
      )
    case 'refresh_token': {
      const problem = jkt === undefined ? 'a DPoP proof is missing' : 'the DPoP proof is by another key'
      return invalidGrant(`the refresh token is bound to a key: ${problem}`, 'RFC 9449 §5', key.evidence)
    }
    case 'subject_token':
    case 'actor_token':
      return invalidRequest(
        `${key.of} is bound to a key, which the request does not prove to hold`,
        'RFC 9449 §7.1',
      )
  }
}
