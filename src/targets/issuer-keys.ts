import { discover } from '../client/discovery.js'
import { createTransport } from '../client/transport.js'
import { readKeys } from '../flows/verify-tokens.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { VerificationKeys } from '../tokens/verify.js'
import { issuerAddress } from './issuer-address.js'
import { type TrustOptions, trustedPem } from './trust.js'

/** The options that say how an issuer is reached. */
export interface ReachOptions extends TrustOptions {
  readonly timeoutMs: number
}

/** Keys to verify with, and the issuer that their source demands. */
export interface TokenKeys {
  readonly keys: VerificationKeys
  readonly issuer?: string
  /** Remarks on the keys themselves. */
  readonly notes?: readonly string[]
}

/**
 * The published keys of an issuer, found by its discovery document.
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function fetchIssuerKeys(issuer: string, options: ReachOptions): Promise<TokenKeys> {
  issuerAddress(issuer, '--issuer ')
  const caPem = await trustedPem(options, issuer)
  const { timeoutMs } = options
  const transport = createTransport({ timeoutMs, caPem })
  try {
    const metadata = await discover(issuer, transport.send)
    const url = metadata.jwks_uri
    const exchange =
      url === undefined
        ? undefined
        : await transport.send({
            method: 'GET',
            url,
            // Kubernetes answers 406 to a client that takes no JWK Set (RFC 7517 §8.5).
            headers: [['accept', 'application/jwk-set+json, application/json']],
            body: new Uint8Array(),
          })
    const jwks = readKeys(exchange)
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
