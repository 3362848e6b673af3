import { FAPI2_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import { FAPI2_METHODS } from '../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { inGroup, type Publication } from './facts.js'
import { fault, type Judgement, notApplicable, passIf } from './finding.js'

function listsOnly(list: unknown, allowed: readonly string[]): boolean {
  return Array.isArray(list) && list.length > 0 && list.every(each => allowed.includes(each))
}

/** True for a server that announces no more than the FAPI 2.0 Security Profile allows its clients and keys. */
export function announcesFapi2(members: Readonly<Record<string, unknown>>): boolean {
  return (
    listsOnly(members.token_endpoint_auth_methods_supported, FAPI2_METHODS) &&
    listsOnly(members.id_token_signing_alg_values_supported, FAPI2_ALGORITHMS)
  )
}

/** The judgement on rules about public clients at a server that can have none; undefined at any other server. */
export function withoutPublicClients(metadata: AuthorizationServerMetadata): Judgement | undefined {
  return announcesFapi2(metadata)
    ? notApplicable('the server has no public clients (FAPI 2.0 Security Profile §5.3.2.1-3)')
    : undefined
}

/** Judges a list of the metadata: it is there, and holds nothing but allowed values. */
function onlyOf(member: string, allowed: readonly string[]) {
  return ({ members }: Publication): Judgement => {
    const values = members[member]
    if (!Array.isArray(values) || values.length === 0) return fault(`${member} is missing`)
    const foreign = values.filter(each => !allowed.includes(each))
    return passIf(foreign.length === 0, (foreign.length === 0 ? values : foreign).join(', '))
  }
}

/** Judges a member of the metadata that must be true. */
function isTrue(member: string) {
  return ({ members }: Publication): Judgement =>
    passIf(
      members[member] === true,
      members[member] === undefined
        ? `${member} is missing`
        : `${member} is ${JSON.stringify(members[member])}`,
    )
}

/** Demands of OpenID Connect on what a provider publishes. */
export const openIdChecks = inGroup<Publication>('discovery', [
  {
    name: 'openid-configuration',
    title: 'the metadata are where OpenID Connect clients look',
    rule: 'OpenID Connect Discovery §4',
    judge: ({ documents }) => {
      const document = documents.find(({ url }) => url.endsWith('/openid-configuration'))
      const status = document?.exchange.response?.status
      return passIf(document?.members !== undefined, `/.well-known/openid-configuration answered ${status}`)
    },
  },
  {
    name: 'openid-scope',
    title: 'the scope openid is known',
    rule: 'OpenID Connect Discovery §3',
    judge: ({ members: { scopes_supported: scopes } }) =>
      passIf(
        Array.isArray(scopes) && scopes.includes('openid'),
        Array.isArray(scopes) ? scopes.join(', ') : 'scopes_supported is missing',
      ),
  },
])

/** Demands of the FAPI 2.0 Security Profile on what a server publishes. */
export const fapi2Checks = inGroup<Publication>('discovery', [
  {
    name: 'fapi2-authentication',
    title: 'clients authenticate by a key or a certificate alone',
    rule: 'FAPI 2.0 Security Profile §5.3.2.1-6',
    judge: onlyOf('token_endpoint_auth_methods_supported', FAPI2_METHODS),
  },
  {
    name: 'fapi2-bound-tokens',
    title: 'access tokens are bound to a key of their client',
    rule: 'FAPI 2.0 Security Profile §5.3.2.1-5',
    judge: ({ members }) => {
      const dpop = Array.isArray(members.dpop_signing_alg_values_supported)
      const certificate = members.tls_client_certificate_bound_access_tokens === true
      const ways = [...(dpop ? ['DPoP'] : []), ...(certificate ? ['mutual TLS'] : [])]
      return passIf(ways.length > 0, ways.join(', ') || 'neither DPoP nor mutual TLS is announced')
    },
  },
  {
    name: 'fapi2-pushed-requests',
    title: 'every authorization request is pushed beforehand',
    rule: 'FAPI 2.0 Security Profile §5.3.2.2-3',
    judge: isTrue('require_pushed_authorization_requests'),
  },
  {
    name: 'fapi2-response-types',
    title: 'the only response type is code',
    rule: 'FAPI 2.0 Security Profile §5.3.2.2-1',
    judge: onlyOf('response_types_supported', ['code']),
  },
  {
    name: 'fapi2-iss',
    title: 'every authorization response names its issuer',
    rule: 'FAPI 2.0 Security Profile §5.3.2.2-7',
    judge: isTrue('authorization_response_iss_parameter_supported'),
  },
  {
    name: 'fapi2-algorithms',
    title: 'client assertions are signed by PS256, ES256 or EdDSA',
    rule: 'FAPI 2.0 Security Profile §5.4.1-1',
    judge: publication =>
      publication.members.token_endpoint_auth_signing_alg_values_supported === undefined
        ? { result: 'not_applicable', detail: 'no client assertions are announced' }
        : onlyOf('token_endpoint_auth_signing_alg_values_supported', FAPI2_ALGORITHMS)(publication),
  },
])
