import { encodeForm } from '../../../protocol/http/form.js'
import type { HeaderList, HttpRequest } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import type { Session } from '../logins/sessions.js'
import type { TokenParts } from '../tokens/token-parts.js'
import { createBackChannel, createLogoutTokens, type EndedSession, type FirstResult } from './back-channel.js'

/** A client of an ended session, and the ways in which it learns of the end. */
export interface InformedClient {
  readonly client: Client
  /** The state of the back channel; `waiting`: no answer has come yet. Absent: the client does not use the channel. */
  readonly backChannel?: FirstResult | 'waiting'
  /** The address for a frame in the browser. Absent: the client does not use the front channel. */
  readonly frame?: string
}

/** Ends a session for all of its clients, the latest first. The cookies of the browser are the caller's. */
export type EndSession = (
  session: Session,
  publish: Publish,
  /** The client that asked for the logout. */
  by?: Client,
) => Promise<readonly InformedClient[]>

/** Longest wait for first answers, in milliseconds. The person sees no page meanwhile. */
const PATIENCE = 2000

/** Makes the function that ends sessions (Back-Channel Logout §2.5, Front-Channel Logout §3). */
export function createEndSession(parts: TokenParts): EndSession {
  const { issuer, ports, registry, subjects, responses } = parts
  const { clientCalls } = ports
  const inform =
    clientCalls && createBackChannel(clientCalls, createLogoutTokens({ ...ports, issuer, responses }))

  return async ({ username, browser }, publish, by) => {
    browser.ended = true
    publish(defined({ type: 'session.ended', username, client_id: by?.client_id }))
    const clients = [...browser.clients].reverse().flatMap(id => registry.client(id) ?? [])
    const enabled = clients.filter(each => each.enabled)
    const known = await Promise.all(
      enabled.map(async client => {
        const sub = await subjects.subFor(client, username)
        return { client, ended: { username, sub, sid: await subjects.sidFor(client, browser.sid) } }
      }),
    )
    const results = new Map<Client, FirstResult>()
    const answers = known
      .filter(({ client }) => client.backchannel_logout_uri !== undefined)
      .map(async ({ client, ended }) => {
        if (inform !== undefined) results.set(client, await inform(client, ended, publish))
      })
    if (clientCalls && answers.length > 0) {
      await Promise.race([Promise.all(answers), clientCalls.pause(PATIENCE)])
    }
    return known.map(({ client, ended }) => {
      const backChannel =
        inform && client.backchannel_logout_uri !== undefined ? (results.get(client) ?? 'waiting') : undefined
      const frame = frontChannelAddress(client, issuer, ended)
      if (frame !== undefined) {
        publish({ type: 'logout.framed', client_id: client.client_id, username, sid: ended.sid, url: frame })
      }
      return defined({ client, backChannel, frame })
    })
  }
}

/** Returns the address that a frame of the logout page opens, with iss and sid (Front-Channel Logout §3); undefined for other clients. */
function frontChannelAddress(
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

/** Starts a session in the browser that sent a request. Returns the headers that set its cookies. */
export type StartSession = (
  visit: { readonly http: HttpRequest; readonly publish: Publish },
  session: Session,
) => Promise<HeaderList>

/** Makes the start of sessions. A session of another person in the browser ends for its clients too. */
export function createSessionStart({
  sessions,
  endSession,
}: Pick<TokenParts, 'sessions'> & { readonly endSession: EndSession }): StartSession {
  return async ({ http, publish }, session) => {
    const former = sessions.find(http)
    const headers = sessions.start(http, session)
    if (former !== undefined && former.browser !== session.browser) await endSession(former, publish)
    return headers
  }
}
