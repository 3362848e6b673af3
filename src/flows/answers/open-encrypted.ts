import type { KeyObject } from 'node:crypto'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Rule } from '../../protocol/rules/rule.js'
import { decryptJwe, isJwe } from '../../protocol/tokens/encryption.js'

/**
 * Returns the text inside a JWE, and any other text as it is. Signatures inside are checked afterwards: anyone can encrypt
 * to a public key (OpenID Connect Core §10.2).
 * @param what the name in messages, such as `id_token`
 * @throws OAuthError without a key, and for a JWE of another key
 */
export async function openEncrypted(
  text: string,
  what: string,
  key: KeyObject | undefined,
  rule: Rule = 'OpenID Connect Core §10.2',
): Promise<string> {
  if (!isJwe(text)) return text
  const refused = (description: string) => new OAuthError('invalid_response', { description, rule })
  if (key === undefined) throw refused(`the ${what} is encrypted; name the private key:  --client-key FILE`)
  try {
    return await decryptJwe(text, key)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw refused(`the ${what} cannot be decrypted with --client-key: ${why}`)
  }
}
