import type { FlowName } from '../../flows/flows.js'
import type { ClientExtras } from '../../flows/middleware/client-middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { UsageError } from '../../protocol/errors.js'
import { FAPI2_ALGORITHMS } from '../../protocol/oauth/algorithms.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { Rule } from '../../protocol/rules/rule.js'

/** The profiles that a client can insist on. */
export const CLIENT_PROFILES = ['fapi2'] as const
export type ClientProfile = (typeof CLIENT_PROFILES)[number]

function refusal(problem: string, rule: Rule, ...hints: readonly string[]): UsageError {
  return new UsageError(`--profile fapi2: ${problem} (${rule})`, hints)
}

/** Grants that a client under FAPI 2.0 leaves alone. */
const OTHER_GRANTS: readonly FlowName[] = ['implicit', 'hybrid', 'password']

/** Refuses a flow that a client under FAPI 2.0 does not use, before anything is sent. @throws UsageError */
export function checkClientProfile(
  name: FlowName,
  {
    profile,
    pkce,
    tokenType,
  }: { readonly profile?: ClientProfile; readonly pkce?: boolean; readonly tokenType?: string },
): void {
  if (profile === undefined) return
  if (OTHER_GRANTS.includes(name)) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.2-1'
    throw refusal(`clients use the code grant, and not flow ${name}`, rule, 'Step through:  flow code')
  }
  if (pkce === false) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.2-3'
    throw refusal('clients use PKCE with S256', rule, 'Leave --no-pkce out')
  }
  if (tokenType === 'mac') {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.1-1'
    throw refusal('tokens are bound by DPoP or by a certificate', rule, 'Leave --token-type out')
  }
}

/** The means of a client. */
interface Means<Options> {
  readonly options: Options
  readonly extras: ClientExtras
}

/** Refuses a client without the means that FAPI 2.0 asks for. @throws UsageError */
export function checkMeans({ options, extras }: Means<Pick<FlowOptions, 'requestObject'>>): void {
  const { key, dpop, certificate } = extras
  if (key === undefined && !certificate?.authenticates) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.1-2'
    const how = ['--client-key FILE', '--auth tls_client_auth --cert FILE --cert-key FILE']
    throw refusal('clients authenticate by private_key_jwt or by a certificate', rule, ...how)
  }
  if (dpop === undefined && certificate === undefined) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.1-1'
    throw refusal(
      'tokens are bound by DPoP or by a certificate',
      rule,
      '--dpop',
      '--cert FILE --cert-key FILE',
    )
  }
  const signer = [key, options.requestObject?.key].find(each => each && !isAllowed(each.alg))
  if (signer !== undefined) {
    const rule = 'FAPI 2.0 Security Profile §5.4.1-1'
    throw refusal(`the key signs by ${signer.alg}; allowed: ${FAPI2_ALGORITHMS.join(', ')}`, rule)
  }
}

/**
 * Makes a client insist on FAPI 2.0: it pushes, binds its tokens, and accepts the algorithms of the profile alone.
 * @throws UsageError where it has not the means, or its server does not offer what it needs
 */
export function underFapi2<Options extends Partial<FlowOptions>>(
  { options, extras }: Means<Options>,
  metadata: AuthorizationServerMetadata,
): Means<Options & Pick<FlowOptions, 'push' | 'registeredAlgorithms' | 'requiresDpop'>> {
  checkMeans({ options, extras })
  if (metadata.pushed_authorization_request_endpoint === undefined) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.2-2'
    throw refusal('clients push their authorization requests, and this server announces no PAR', rule)
  }
  if (metadata.authorization_response_iss_parameter_supported !== true) {
    const rule = 'FAPI 2.0 Security Profile §5.3.3.2-5'
    throw refusal('clients check iss in answers, and this server does not announce it', rule)
  }
  const { idToken, userinfo, authorization } = options.registeredAlgorithms ?? {}
  const allowed = (own: typeof idToken) =>
    typeof own === 'string' && isAllowed(own) ? own : FAPI2_ALGORITHMS
  const registeredAlgorithms = {
    idToken: allowed(idToken),
    userinfo: allowed(userinfo),
    authorization: allowed(authorization),
  }
  const requiresDpop = extras.dpop !== undefined
  return { extras, options: { ...options, push: true, registeredAlgorithms, requiresDpop } }
}

function isAllowed(alg: string): boolean {
  return FAPI2_ALGORITHMS.some(each => each === alg)
}
