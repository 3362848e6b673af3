import { discover } from '../client/discovery.js'
import { createTransport } from '../client/transport.js'
import { UsageError } from '../errors.js'
import { readKeys } from '../flows/verify-tokens.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { trustedPem } from '../targets/trust.js'
import type { Globals } from './globals.js'
import type { FoundKeys } from './jwt-flags.js'

/**
 * The published keys of an issuer, found by its discovery document.
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function fetchIssuerKeys(issuer: string, globals: Globals): Promise<FoundKeys> {
  if (!/^https?:\/\//i.test(issuer) || !URL.canParse(issuer)) {
    throw new UsageError(`--issuer ${JSON.stringify(issuer)} is not the address of an issuer`, [
      'It looks like https://localhost:8443',
    ])
  }
  const caPem = await trustedPem(globals, issuer)
  const { timeoutMs } = globals
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
            // Kubernetes answers 406 to who takes no JWK Set (RFC 7517 §8.5).
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
