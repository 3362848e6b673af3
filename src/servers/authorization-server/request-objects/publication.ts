import type { JWK } from 'jose'
import {
  CONTENT_ENCRYPTIONS,
  encryptionKeyKind,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
} from '../../../protocol/oauth/algorithms.js'
import { wantedEncryptionKeys } from '../../../protocol/oauth/client.js'
import type { DecryptionKeys } from '../../../protocol/tokens/encryption.js'
import type { AuthorizationServerSettings } from '../settings.js'

type Settings = Pick<
  AuthorizationServerSettings,
  'clients' | 'requireSignedRequestObject' | 'requestUriHosts'
>

/** Returns the metadata about request objects (OpenID Connect Discovery §3, RFC 9101 §10.5). */
export function requestObjectMetadata(settings: Settings) {
  const { clients, requireSignedRequestObject = false, requestUriHosts: hosts = [] } = settings
  const kinds = wantedEncryptionKeys(clients)
  const fetches = hosts.length > 0
  return {
    request_parameter_supported: true,
    // An absent member would mean true (OpenID Connect Discovery §3).
    request_uri_parameter_supported: fetches,
    ...(fetches && { require_request_uri_registration: true }),
    require_signed_request_object: requireSignedRequestObject,
    request_object_signing_alg_values_supported: REQUEST_OBJECT_ALGORITHMS.filter(
      alg => alg !== 'none' || !requireSignedRequestObject,
    ),
    request_object_encryption_alg_values_supported: KEY_ENCRYPTIONS.filter(alg => {
      const kind = encryptionKeyKind(alg)
      return kind === undefined || kinds.includes(kind)
    }),
    request_object_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
  }
}

/** Returns the public keys that clients encrypt request objects to. */
export async function requestObjectKeys(
  { clients }: Settings,
  decryptionKeys: DecryptionKeys,
): Promise<readonly JWK[]> {
  const made = await Promise.all(wantedEncryptionKeys(clients).map(decryptionKeys))
  return made.map(([{ publicJwk }]) => publicJwk)
}
