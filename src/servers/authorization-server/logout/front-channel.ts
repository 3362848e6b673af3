import { encodeForm } from '../../../protocol/http/form.js'
import type { Client } from '../../../protocol/oauth/client.js'
import type { EndedSession } from './logout-token.js'

/** Returns the address that a frame of the logout page opens, with iss and sid (Front-Channel Logout §3); undefined for other clients. */
export function frontChannelAddress(
  { frontchannel_logout_uri: uri }: Client,
  issuer: string,
  { sid }: Pick<EndedSession, 'sid'>,
): string | undefined {
  if (uri === undefined) return undefined
  const added = encodeForm([
    ['iss', issuer],
    ['sid', sid],
  ])
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`
}

/**
 * Returns the source expression that allows a frame: its address without the query, which a policy cannot hold. A comma or
 * semicolon would end the expression (CSP Level 3 §2.3.1).
 */
export function frameSource(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`
}
