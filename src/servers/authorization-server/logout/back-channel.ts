import { bounded } from '../../../protocol/events.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { defined, parsedObject } from '../../../protocol/values.js'
import { documentKind } from '../client-documents/fetch-failure.js'
import type { Publish } from '../events.js'
import type { ClientCalls } from '../settings.js'
import type { ClientResponses } from '../tokens/client-responses.js'

/** The result of the first attempt: the client confirmed, another attempt follows, or none does. */
export type FirstResult = 'confirmed' | 'retrying' | 'failed'

/** Sends a logout token to a client, and repeats that where it can help. Returns after the first attempt. Never fails. */
type InformClient = (client: Client, ended: EndedSession, publish: Publish) => Promise<FirstResult>

/** Pauses before the second, third and last attempt, in milliseconds. */
const PAUSES = [1000, 5000, 25_000] as const

/** Most clients that wait for another attempt. */
const MAX_WAITING = 200

/** Longest part of a client's error that an event repeats, in UTF-16 units. */
const MAX_ERROR = 200

const RULE = 'OpenID Connect Back-Channel Logout §2.8'

/** The result of one attempt. `again` is true where another attempt can succeed. */
type Attempt =
  | { readonly confirmed: true; readonly status: number }
  | { readonly confirmed: false; readonly status?: number; readonly problem: string; readonly again: boolean }

/** Returns the error of an answer (Back-Channel Logout §2.8, RFC 6749 §5.2); empty for another body. */
function namedError(body: string): string {
  const { error, error_description: description } = parsedObject(body) ?? {}
  const texts = [error, description].filter(each => typeof each === 'string')
  return texts.length === 0 ? '' : `: ${bounded(texts.join(', '), MAX_ERROR)}`
}

/** Judges an answer. 204 counts as 200, because some frameworks send it for an empty body (Back-Channel Logout §2.8). */
function judged(status: number, body: string): Attempt {
  if (status === 200 || status === 204) return { confirmed: true, status }
  const again = status >= 500 || status === 408 || status === 429
  return {
    confirmed: false,
    status,
    problem: `it answered ${status} in place of 200${namedError(body)}`,
    again,
  }
}

/** Makes the function that informs clients through the back channel (Back-Channel Logout §2.5). */
export function createBackChannel(calls: ClientCalls, makeToken: MakeLogoutToken): InformClient {
  let waiting = 0

  async function attempt(
    url: string,
    client: Client,
    ended: EndedSession,
    publish: Publish,
  ): Promise<Attempt> {
    try {
      const token = await makeToken(client, ended, publish)
      const { status, body } = await calls.post(url, [['logout_token', token]], documentKind(client))
      return judged(status, body)
    } catch (error) {
      // A token that cannot be encrypted now can be encrypted when the client publishes its key.
      const problem = error instanceof OAuthError ? error.description : (error as Error).message
      return { confirmed: false, problem: bounded(problem, MAX_ERROR), again: true }
    }
  }

  return async (client, ended, publish) => {
    const { client_id, backchannel_logout_uri: url } = client
    if (url === undefined) return 'failed'
    const { username, sid } = ended
    const about = { client_id, username, sid, url }

    /** Makes one attempt, and reports it. Returns the pause before the next one; undefined when there is none. */
    async function once(address: string, turn: number): Promise<{ result: FirstResult; pause?: number }> {
      publish({ type: 'logout_token.sent', ...about, attempt: turn })
      const made = await attempt(address, client, ended, publish)
      if (made.confirmed) {
        publish({ type: 'logout_token.accepted', ...about, attempt: turn, status: made.status })
        return { result: 'confirmed' }
      }
      const { status, problem, again } = made
      const pause = again && waiting < MAX_WAITING ? PAUSES[turn - 1] : undefined
      const retry_in = pause && pause / 1000
      publish(
        defined({
          type: 'logout_token.failed',
          ...about,
          attempt: turn,
          status,
          description: problem,
          rule: RULE,
          retry_in,
        }),
      )
      return pause === undefined ? { result: 'failed' } : { result: 'retrying', pause }
    }

    async function repeat(url: string, pause: number | undefined, turn: number): Promise<void> {
      if (pause === undefined) return
      waiting++
      try {
        await calls.pause(pause)
      } finally {
        waiting--
      }
      await repeat(url, (await once(url, turn)).pause, turn + 1)
    }

    const { result, pause } = await once(url, 1)
    void repeat(url, pause, 2)
    return result
  }
}

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
type MakeLogoutToken = (client: Client, ended: EndedSession, publish: Publish) => Promise<string>

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
