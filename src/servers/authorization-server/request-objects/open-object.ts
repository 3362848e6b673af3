import {
  CONTENT_ENCRYPTIONS,
  type ContentEncryption,
  encryptionKeyKind,
} from '../../../protocol/oauth/algorithms.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { decodeJweHeader, isEncrypted, TokenFormatError } from '../../../protocol/tokens/decode.js'
import type { DecryptionKeys } from '../../../protocol/tokens/encryption.js'
import { contentKey, decryptJwe } from '../../../protocol/tokens/encryption.js'
import { invalidObject } from './invalid-object.js'

/** A request object without its encryption. */
export interface OpenedObject {
  readonly jwt: string
  /** The algorithms of an encrypted object, such as `RSA-OAEP-256 A128GCM`. */
  readonly encryption: string | undefined
}

const rule = 'RFC 9101 §6.1'

/**
 * Decrypts a request object, with the server's key or with the client's secret (OpenID Connect Core §10.2). One that is not
 * encrypted stays as it is.
 * @throws OAuthError `invalid_request_object`
 */
export async function openObject(
  object: string,
  client: Client,
  decryptionKeys: DecryptionKeys,
): Promise<OpenedObject> {
  if (!isEncrypted(object)) return { jwt: object, encryption: undefined }
  const { alg, enc, kid } = headerOf(object)
  const encryption = `${shown(alg)} ${shown(enc)}`
  const refuse = (problem: string) =>
    invalidObject(`the request object cannot be decrypted: ${problem}`, { rule, evidence: encryption })
  const key = await decryptionKey()
  try {
    return { jwt: await decryptJwe(object, key), encryption }
  } catch (error) {
    throw refuse((error as Error).message)
  }

  async function decryptionKey() {
    const kind = encryptionKeyKind(alg)
    if (kind !== undefined) {
      const keys = await decryptionKeys(kind)
      const named = kid === undefined ? keys[0] : keys.find(each => each.kid === kid)
      if (named === undefined) throw refuse('kid names no key of this server')
      return named.privateKey
    }
    if (alg !== 'dir') throw refuse('this server does not support its alg')
    const known = CONTENT_ENCRYPTIONS.find((each): each is ContentEncryption => each === enc)
    if (known === undefined) throw refuse('this server does not support its enc')
    if (client.client_secret === undefined) throw refuse('alg dir needs a client_secret')
    return contentKey(client.client_secret, known)
  }
}

function headerOf(object: string) {
  try {
    return decodeJweHeader(object)
  } catch (error) {
    if (!(error instanceof TokenFormatError)) throw error
    throw invalidObject(`the request object is no JWE: ${error.message}`, { rule })
  }
}
