import { UsageError } from '../../protocol/errors.js'
import { bounded } from '../../protocol/events.js'
import { isUrl } from '../../protocol/http/address.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { MAC_DRAFT } from '../../protocol/oauth/mac.js'
import type { DpopNonces } from '../../protocol/tokens/dpop.js'
import { createReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { defined } from '../../protocol/values.js'
import { type AcceptedToken, createTokenVerifier } from './access-token.js'
import { invalidToken, scopeOf } from './claim-checks.js'
import { type DefendedSettings, STRICT } from './defences.js'
import type { Context, Scheme } from './events.js'
import { createFetchedKeys, fetchPublishedKeys } from './fetched-keys.js'
import { createIntrospection } from './introspection.js'
import { configuredKeys, type KeySource } from './key-source.js'
import { createMacVerifier } from './mac-access.js'
import { presentedToken } from './presented.js'
import type { ResourceServerPorts } from './settings.js'

/** The accepted credentials of a request, and the access that they give. */
export interface Access extends AcceptedToken {
  readonly scheme: Scheme
  /** The token, or the id of a MAC key. Events show it cut. */
  readonly token: string
  readonly scope: readonly string[]
}

/**
 * Authenticates a request. Returns undefined for a request without credentials, and throws OAuthError for credentials that
 * are not accepted.
 * @param audiences the audiences of a resource with an identifier of its own; absent: those of the resource server
 */
export type Authenticate = (
  request: HttpRequest,
  context: Context,
  audiences?: readonly string[],
) => Promise<Access | undefined>

/**
 * Makes the function that authenticates a request.
 * @param nonces the nonces that DPoP proofs need; undefined: none
 * @throws UsageError for a configured key or an issuer that cannot be used
 */
export function createAuthenticator(
  settings: DefendedSettings,
  ports: ResourceServerPorts,
  nonces: DpopNonces | undefined,
): Authenticate {
  const { baseUrl, issuer, tolerance, defences = STRICT } = settings
  const { now, fetchJson, postForm, macKeys } = ports
  const replay = createReplayGuard({ now })
  const keys = settings.keys.kind === 'discovery' ? publishedKeys() : configuredKeys(settings.keys)
  const { introspection } = settings
  const introspect =
    introspection && postForm
      ? createIntrospection({ settings: introspection, issuer, keys, postForm, now })
      : undefined
  const verifyToken = createTokenVerifier({
    defences,
    keys,
    replay,
    nonces,
    introspect,
    proofAlgorithms: settings.proofAlgorithms,
    now,
  })
  const verifyMac = macKeys && createMacVerifier({ defences, baseUrl, macKeys, replay, now })

  function publishedKeys(): KeySource {
    if (!/^https?:\/\//i.test(issuer) || !isUrl(issuer)) {
      throw new UsageError(`the issuer ${bounded(issuer)} is no http or https address`)
    }
    const fetchKeys = (cause: number | undefined) => fetchPublishedKeys(issuer, fetchJson, { cause })
    return createFetchedKeys({ issuer, fetchKeys, now })
  }

  return async (request, context, audiences) => {
    const rules = audiences === undefined ? settings : defined({ issuer, tolerance, audiences })
    const presented = presentedToken(request)
    if (presented === undefined) return undefined
    const { scheme } = presented
    if (scheme === 'MAC') {
      if (!verifyMac) throw invalidToken('tokens of type mac are not accepted here', `${MAC_DRAFT} §4`)
      const accepted = await verifyMac(request, presented.parameters, rules)
      return { ...accepted, scheme, token: presented.parameters.id, scope: scopeOf(accepted.claims) }
    }
    const accepted = await verifyToken(request, context, presented, rules)
    return { ...accepted, scheme, token: presented.token, scope: scopeOf(accepted.claims) }
  }
}
