import type { Send } from '../protocol/http/exchange.js'
import { jsonObject } from '../protocol/oauth/answers.js'
import type { PublishedMetadata } from '../protocol/oauth/metadata.js'
import { metadataUrls, parseMetadata } from '../protocol/oauth/metadata.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'

const usedEndpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const

/** Refuses an endpoint over plain HTTP when the issuer uses TLS: secrets would travel in the clear (RFC 6749 §3.1, §3.2). */
function refusePlainHttp(metadata: PublishedMetadata): void {
  if (!metadata.issuer.startsWith('https:')) return
  for (const name of usedEndpoints) {
    if (metadata[name] !== undefined && !/^https:/i.test(metadata[name])) {
      throw new OAuthError('invalid_metadata', {
        description: `${name} is not https`,
        rule: 'RFC 8414 §2',
        evidence: metadata[name],
      })
    }
  }
}

/**
 * Fetches the metadata of an issuer: OpenID Connect Discovery first, then RFC 8414. Redirects are not followed.
 * @throws OAuthError when the issuer publishes no metadata or the metadata breaks a rule; UnreadableAnswer, TransportError, TimeoutError
 */
export async function discover(issuer: string, send: Send, signal?: AbortSignal): Promise<PublishedMetadata> {
  const statuses: string[] = []
  for (const url of metadataUrls(issuer)) {
    const exchange = await send(
      { method: 'GET', url, headers: [['accept', 'application/json']], body: new Uint8Array() },
      signal && { signal },
    )
    if (exchange.response?.status === 200) {
      const document = jsonObject(exchange, 'the metadata address', 'RFC 8414 §3.2')
      const metadata = parseMetadata(document, issuer)
      refusePlainHttp(metadata)
      return metadata
    }
    statuses.push(`${url} answered ${exchange.response?.status ?? 'nothing'}`)
  }
  throw new OAuthError('invalid_metadata', {
    description: `${issuer} publishes no metadata: ${statuses.join(', ')}`,
    rule: 'RFC 8414 §3',
  })
}
