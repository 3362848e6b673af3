import { UsageError } from '../../protocol/errors.js'
import { baseUrl, quotedUrl } from '../../protocol/http/address.js'
import { isLoopbackUrl } from '../../protocol/http/message.js'

/**
 * Checks the address of an issuer (RFC 8414 §2), and keeps it as it was typed: issuers are compared as strings (§3.3).
 * @param from the option before the address in messages
 * @throws UsageError
 */
export function issuerAddress(text: string, from: '' | '--issuer ' = ''): string {
  if (baseUrl(text)) return text
  throw new UsageError(`${from}${quotedUrl(text)} is not the address of an issuer`, [
    'It looks like https://id.example or http://localhost:8080',
  ])
}

/**
 * Checks the address of an issuer to which secrets, codes and tokens go.
 * @throws UsageError where they would travel in the clear (RFC 6749 §3.1, §3.2), or where it is no issuer
 */
export function trustworthyIssuer(text: string): string {
  const issuer = issuerAddress(text)
  const document = issuer.search(/\/\.well-known\/(openid-configuration|oauth-authorization-server)/)
  if (document >= 0) {
    throw new UsageError(`${issuer} is the address of a metadata document`, [
      `Name the issuer in it:  --issuer ${issuer.slice(0, document)}`,
    ])
  }
  if (/^https:/i.test(issuer) || isLoopbackUrl(issuer)) return issuer
  throw new UsageError(
    `${issuer} has no TLS: passwords, codes and tokens would travel in the clear (RFC 6749 §3.1, §3.2)`,
    ['Name its https address; http is for servers on this computer, such as http://localhost:8080'],
  )
}
