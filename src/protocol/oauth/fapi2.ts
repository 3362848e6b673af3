import type { TokenEndpointAuthMethod } from './client.js'
import type { SigningAlgorithm } from './response-algorithms.js'

/** The methods by which clients authenticate (FAPI 2.0 Security Profile §5.3.2.1-6). */
export const FAPI2_METHODS: readonly TokenEndpointAuthMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
]

/** The algorithms of signatures (FAPI 2.0 Security Profile §5.4.1-1). Ed25519 is EdDSA by its newer name (RFC 9864 §2.2). */
export const FAPI2_ALGORITHMS: readonly SigningAlgorithm[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']
