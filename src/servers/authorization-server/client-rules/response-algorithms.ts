import { RESPONSE_KINDS, registeredAlgorithms } from '../../../protocol/oauth/algorithms.js'
import { encryptionKey } from '../../../protocol/tokens/encryption.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { canKeyHs256 } from '../tokens/id-token-key.js'
import type { ClientMetadata, MemberPath, Report } from './model.js'

/** Checks that a client has the keys and secrets that its registered algorithms need. */
export function checkResponseAlgorithms(client: ClientMetadata, path: MemberPath, report: Report): void {
  const { jwks, jwks_uri: address, client_secret: secret } = client
  for (const kind of RESPONSE_KINDS) {
    const { alg, encryption } = registeredAlgorithms(client, kind)
    const at = (member: string) => [...path, `${kind}_${member}`]
    if (alg === 'HS256' && !canKeyHs256(client)) {
      report(at('signed_response_alg'), 'HS256 needs a client_secret of 32 bytes or more (RFC 7518 §3.2)')
    }
    if (client[`${kind}_encrypted_response_enc`] !== undefined && encryption === undefined) {
      report(
        at('encrypted_response_enc'),
        `it needs ${kind}_encrypted_response_alg beside it (OpenID Connect Registration §2)`,
      )
    }
    if (encryption === undefined) continue
    const { alg: wrap } = encryption
    const where = at('encrypted_response_alg')
    if (wrap === 'dir') {
      if (secret === undefined) report(where, 'dir needs a client_secret (OpenID Connect Core §10.2)')
    } else if (jwks === undefined && address === undefined) {
      report(where, `${wrap} needs jwks or jwks_uri with a public key to encrypt to`)
    } else if (jwks !== undefined && encryptionKey(jwks as unknown as JwkSet, wrap) === undefined) {
      const kty = wrap.startsWith('RSA') ? 'of type RSA' : 'of type EC, or X25519'
      report(
        where,
        `no key of jwks can be used for ${wrap}: it needs a key ${kty} whose use is enc or absent`,
      )
    }
  }
}
