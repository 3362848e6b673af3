import { discover } from '../../client/discovery.js'
import { createTransport } from '../../client/transport.js'
import { readKeys } from '../../flows/answers/verify-tokens.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl, quotedUrl } from '../../protocol/http/address.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import { isLoopbackUrl } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { VerificationKeys } from '../../protocol/tokens/keys.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { issuerAddress } from './issuer-address.js'
import { type CheckedNetwork, networkSettings } from './network-options.js'
import { type TrustOptions, trustedPem } from './trust.js'

/** The options that say how an issuer is reached. */
export interface ReachOptions extends TrustOptions {
  readonly timeoutMs: number
  readonly network?: CheckedNetwork
}

const AS_USUAL: CheckedNetwork = { headers: [] }

/** Keys to verify with, and the issuer that their source demands. */
export interface TokenKeys {
  readonly keys: VerificationKeys
  readonly issuer?: string
  /** Remarks on the keys themselves. */
  readonly notes?: readonly string[]
}

function keysRequest(url: string): HttpRequest {
  return {
    method: 'GET',
    url,
    // Kubernetes answers 406 to a client that takes no JWK Set (RFC 7517 §8.5).
    headers: [['accept', 'application/jwk-set+json, application/json']],
    body: new Uint8Array(),
  }
}

/**
 * The keys at an address.
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function fetchKeySet(url: string, options: ReachOptions): Promise<TokenKeys> {
  if (!isUrl(url)) throw new UsageError(`--jwks ${quotedUrl(url)} is no address`)
  const { timeoutMs, network = AS_USUAL } = options
  const reach = networkSettings(network, [url])
  const transport = createTransport({ timeoutMs, caPem: await trustedPem(options, url), ...reach })
  const clear = /^http:/i.test(url) && !isLoopbackUrl(url)
  try {
    return {
      keys: { kind: 'jwks', jwks: readKeySet(await transport.send(keysRequest(url))) },
      notes: clear ? ['The keys came in the clear: anybody on the way could have changed them.'] : [],
    }
  } finally {
    transport.close()
  }
}

/**
 * The published keys of an issuer, found by its discovery document.
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function fetchIssuerKeys(issuer: string, options: ReachOptions): Promise<TokenKeys> {
  issuerAddress(issuer, '--issuer ')
  const caPem = await trustedPem(options, issuer)
  const { timeoutMs, network = AS_USUAL } = options
  const transport = createTransport({ timeoutMs, caPem, ...networkSettings(network, [issuer]) })
  try {
    const metadata = await discover(issuer, transport.send)
    const url = metadata.jwks_uri
    const jwks = readKeys(url === undefined ? undefined : await transport.send(keysRequest(url)))
    if (jwks === undefined) {
      throw new OAuthError('invalid_metadata', {
        description: `${issuer} publishes no keys`,
        rule: 'OpenID Connect Discovery §3',
      })
    }
    return { keys: { kind: 'jwks', jwks }, issuer: metadata.issuer }
  } finally {
    transport.close()
  }
}
