import { isLoopbackUrl } from '../../protocol/http/message.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'

const usedEndpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
] as const

const isHttps = (url: string | undefined): boolean => url !== undefined && /^https:/i.test(url)

/** Secrets travel under TLS, or not beyond this machine (RFC 6749 §3.1, §3.2). @throws OAuthError */
export function refusePlainHttp(metadata: AuthorizationServerMetadata): void {
  const tls = isHttps(metadata.issuer)
  for (const name of usedEndpoints) {
    const url = metadata[name]
    if (url === undefined || /^https:/i.test(url) || (!tls && isLoopbackUrl(url))) continue
    throw new OAuthError('invalid_metadata', {
      description: `${name} is not https`,
      rule: 'RFC 8414 §2',
      evidence: url,
    })
  }
}

/** Checks of metadata for a client of the code grant; none is fatal. */
export function metadataChecks(metadata: AuthorizationServerMetadata, unusable: readonly string[]): Check[] {
  const {
    issuer,
    jwks_uri: jwks,
    token_endpoint: token,
    userinfo_endpoint: userinfo,
    response_types_supported: types,
    code_challenge_methods_supported: challenges,
    authorization_response_iss_parameter_supported: iss,
    id_token_signing_alg_values_supported: algorithms,
  } = metadata
  const tls = isHttps(issuer)
  const checks = [
    advice('https', tls, 'RFC 8414 §2', tls ? 'the issuer is https' : 'no TLS: good on this machine only'),
    advice('token_endpoint', token !== undefined, 'RFC 8414 §2', token ?? 'missing'),
    advice('jwks_uri', jwks !== undefined, 'RFC 8414 §2', jwks ?? 'missing: tokens cannot be verified'),
    advice(
      'response_types',
      types?.includes('code') ?? false,
      'RFC 8414 §2',
      types === undefined ? 'missing, though required' : types.join(', '),
    ),
    advice(
      'pkce',
      challenges?.includes('S256') ?? false,
      'RFC 9700 §2.1.1',
      challenges === undefined ? 'no code_challenge_methods are announced' : challenges.join(', '),
    ),
    advice(
      'iss_promised',
      iss === true,
      'RFC 9207 §3',
      iss === true ? 'every authorization response names its issuer' : 'answers may not name their issuer',
    ),
  ]
  // Members of OpenID Connect are required only of OpenID providers.
  if (algorithms !== undefined) {
    const rule = 'OpenID Connect Discovery §3'
    checks.push(
      advice('id_token_alg', algorithms.includes('RS256'), rule, algorithms.join(', ')),
      advice('userinfo', userinfo !== undefined, rule, userinfo ?? 'there is no userinfo_endpoint'),
    )
  }
  return [
    ...checks,
    ...unusable.map(problem => advice('metadata', false, 'RFC 8414 §2', `${problem}; it is left out`)),
  ]
}
