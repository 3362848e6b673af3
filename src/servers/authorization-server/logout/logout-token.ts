import type { Client } from '../../../protocol/oauth/client.js'
import type { Publish } from '../events.js'
import type { ClientResponses } from '../tokens/client-responses.js'

/** The event of a logout token (Back-Channel Logout §2.4). */
const BACK_CHANNEL_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Lifetime of a logout token, in seconds: at most two minutes are recommended (Back-Channel Logout §4). */
const LIFETIME = 120

/** A session that ended, as one of its clients knows it. */
export interface EndedSession {
  readonly username: string
  /** The `sub` by which the client knows the user. */
  readonly sub: string
  readonly sid: string
}

/** Makes a logout token of a client. Each one has an id of its own, also when it repeats an earlier one. */
export type MakeLogoutToken = (client: Client, ended: EndedSession, publish: Publish) => Promise<string>

/**
 * Makes the function that signs logout tokens, and encrypts them where the ID tokens of the client are (Back-Channel Logout
 * §2.4). A logout token never has a nonce, so that nobody takes it for an ID token.
 */
export function createLogoutTokens(parts: {
  readonly issuer: string
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  readonly responses: ClientResponses
}): MakeLogoutToken {
  const { issuer, now, random, responses } = parts
  return (client, { sub, sid }, publish) => {
    const iat = Math.floor(now() / 1000)
    const claims = {
      iss: issuer,
      sub,
      aud: client.client_id,
      iat,
      exp: iat + LIFETIME,
      jti: Buffer.from(random(16)).toString('base64url'),
      sid,
      events: { [BACK_CHANNEL_EVENT]: {} },
    }
    return responses.protect(claims, { client, kind: 'id_token', publish, typ: 'logout+jwt' })
  }
}
