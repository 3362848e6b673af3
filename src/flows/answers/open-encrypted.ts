import type { KeyObject } from 'node:crypto'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Rule } from '../../protocol/rules/rule.js'
import { decryptJwe, isJwe } from '../../protocol/tokens/encryption.js'

/**
 * Returns the text inside a JWE, or any other text unchanged. Anyone can encrypt to a public key, so signatures are
 * checked afterwards (OpenID Connect Core §10.2). @throws OAuthError without the key of a JWE
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
