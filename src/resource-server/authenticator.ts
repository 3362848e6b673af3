import { UsageError } from '../errors.js'
import { bounded } from '../events/outside-text.js'
import type { HttpRequest } from '../http/message.js'
import type { Check } from '../oauth/check.js'
import { MAC_DRAFT } from '../oauth/mac.js'
import type { DecodedJwt } from '../tokens/decode.js'
import { createReplayGuard } from '../tokens/replay-guard.js'
import { createTokenVerifier } from './access-token.js'
import { scopeOf } from './claim-checks.js'
import type { Context, Scheme } from './events.js'
import { createFetchedKeys } from './fetched-keys.js'
import { configuredKeys, type KeyOrigin, type KeySource } from './key-source.js'
import { createMacVerifier } from './mac-access.js'
import { presentedToken } from './presented.js'
import { fetchPublishedKeys } from './published-keys.js'
import { invalidToken } from './refusal.js'
import type { ResourceServerPorts, ResourceServerSettings } from './settings.js'

/** The accepted credentials of a request, and the access that they give. */
export interface Access {
  readonly scheme: Scheme
  /** The token, or the id of a MAC key. Events show it cut. */
  readonly token: string
  readonly claims: DecodedJwt['claims']
  readonly scope: readonly string[]
  /** The checks, in the order they ran. All of them passed. */
  readonly checks: readonly Check[]
  /** The origin of the keys that verified the token. */
  readonly keys?: KeyOrigin
}

/**
 * Makes the function that authenticates a request. The function returns undefined for a request without credentials,
 * and throws OAuthError for credentials that are not accepted.
 * @throws UsageError for a configured key or an issuer that cannot be used
 */
export function createAuthenticator(
  settings: ResourceServerSettings,
  ports: ResourceServerPorts,
): (request: HttpRequest, context: Context) => Promise<Access | undefined> {
  const { baseUrl, issuer } = settings
  const { now, fetchJson, macKeys } = ports
  const replay = createReplayGuard({ now })
  const keys = settings.keys.kind === 'discovery' ? publishedKeys() : configuredKeys(settings.keys)
  const verifyToken = createTokenVerifier({ rules: settings, keys, replay, now })
  const verifyMac = macKeys && createMacVerifier({ baseUrl, rules: settings, macKeys, replay, now })

  function publishedKeys(): KeySource {
    if (!/^https?:\/\//i.test(issuer) || !URL.canParse(issuer)) {
      throw new UsageError(`the issuer ${bounded(issuer)} is no http or https address`)
    }
    const fetchKeys = (cause: number | undefined) => fetchPublishedKeys(issuer, fetchJson, { cause })
    return createFetchedKeys({ issuer, fetchKeys, now })
  }

  return async (request, context) => {
    const presented = presentedToken(request)
    if (presented === undefined) return undefined
    const { scheme } = presented
    if (scheme === 'MAC') {
      if (!verifyMac) throw invalidToken('tokens of type mac are not accepted here', `${MAC_DRAFT} §4`)
      const { claims, checks } = await verifyMac(request, presented.parameters)
      return { scheme, token: presented.parameters.id, claims, scope: scopeOf(claims), checks }
    }
    const { claims, checks, keys: from } = await verifyToken(request, context, presented)
    return {
      scheme,
      token: presented.token,
      claims,
      scope: scopeOf(claims),
      checks,
      ...(from !== undefined && { keys: from }),
    }
  }
}
