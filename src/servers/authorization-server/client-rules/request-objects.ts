import { isUrl } from '../../../protocol/http/address.js'
import { canKeyHs256 } from '../tokens/id-token-key.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'

/** Checks that a client can make the request objects that it is registered for. */
export function checkRequestObjects(client: ClientMetadata, path: MemberPath, report: Report): void {
  const {
    request_object_signing_alg: alg,
    request_object_encryption_alg: wrap,
    request_object_encryption_enc: enc,
    require_signed_request_object: isRequired,
  } = client
  const at = (member: string) => [...path, member]
  const hasKeys = client.jwks !== undefined || client.jwks_uri !== undefined
  if (alg === 'HS256' && !canKeyHs256(client)) {
    report(
      at('request_object_signing_alg'),
      'HS256 needs a client_secret of 32 bytes or more (RFC 7518 §3.2)',
    )
  } else if (alg !== undefined && alg !== 'HS256' && alg !== 'none' && !hasKeys) {
    report(at('request_object_signing_alg'), `${alg} needs jwks or jwks_uri with the public key`)
  }
  if (isRequired && alg === 'none') {
    report(at('require_signed_request_object'), 'request_object_signing_alg none is no signature')
  } else if (isRequired && !hasKeys && !canKeyHs256(client)) {
    const means = 'jwks, jwks_uri or a client_secret of 32 bytes or more'
    report(at('require_signed_request_object'), `the client needs ${means} to sign request objects`)
  }
  if (wrap === 'dir' && client.client_secret === undefined) {
    report(at('request_object_encryption_alg'), 'dir needs a client_secret (OpenID Connect Core §10.2)')
  }
  if (enc !== undefined && wrap === undefined) {
    report(
      at('request_object_encryption_enc'),
      'it needs request_object_encryption_alg beside it (OpenID Connect Registration §2)',
    )
  }
  for (const [i, uri] of (client.request_uris ?? []).entries()) {
    const isHttps = isUrl(uri) && new URL(uri).protocol === 'https:'
    if (!isHttps || uri.length > 512) {
      report(
        [...path, 'request_uris', i],
        'a request_uri is an https address of at most 512 characters (OpenID Connect Core §6.2)',
      )
    }
  }
}
