import { discover } from '../../client/discovery.js'
import { createTransport } from '../../client/transport.js'
import { readKeys } from '../../flows/answers/verify-tokens.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl, quotedUrl } from '../../protocol/http/address.js'
import { type HttpRequest, isLoopbackUrl } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { readKeySet, type VerificationKeys } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { type CheckedNetwork, issuerAddress, networkSettings } from '../options/network.js'
import { givenMetadata } from '../targets/given-metadata.js'
import { type NamedOptions, type NamedPlace, withNamedServer } from '../targets/named-server.js'
import { type TrustOptions, trustedPem } from '../targets/target.js'

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

/** The keys at an address. @throws UsageError, OAuthError, TransportError, TimeoutError */
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

/** The keys of a server that the lab file names: from a file, from their address, or by discovery. */
export async function keysOfNamed(at: string, options: ReachOptions & NamedPlace): Promise<TokenKeys> {
  const named = await withNamedServer<NamedOptions>({ at }, options)
  const given = await givenMetadata(named)
  const issuer = given?.members.issuer ?? named.issuer
  const carried = given?.carriedKeys?.keys
  if (carried !== undefined) return defined({ keys: carried, issuer })
  const cacert = options.cacert ?? named.caFile
  const reach = cacert === undefined ? options : { ...options, cacert }
  const url = given?.members.jwks_uri
  if (url !== undefined) return defined({ ...(await fetchKeySet(url, reach)), issuer })
  if (issuer !== undefined) return fetchIssuerKeys(issuer, reach)
  throw new UsageError(`the server ${at} of the lab file names no keys`, [
    'Give it an issuer, a jwks_uri or a jwks_file',
  ])
}
