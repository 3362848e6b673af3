/** The identity of a session. Its tokens, its clients and its cookie share it; a second login of the same person keeps it. */
export interface BrowserSession {
  /** The claim `sid` of its ID tokens and logout tokens (Back-Channel Logout §2.1). It is no secret of the browser. */
  readonly sid: string
  /** The value of the cookie that scripts of the check_session_iframe read (Session Management §3.2). */
  readonly state: string
  /** Ids of the clients that got an ID token, the latest last. */
  readonly clients: Set<string>
  /** True after a logout. It ends the refresh tokens of clients that are informed (Back-Channel Logout §2.7). */
  ended: boolean
}

/** Most clients of a session that are informed of its end. The client that was used longest ago is forgotten. */
export const MAX_CLIENTS = 50

/** Makes the identity of a new session. */
export function newBrowserSession(random: (length: number) => Uint8Array): BrowserSession {
  const text = () => Buffer.from(random(16)).toString('base64url')
  return { sid: text(), state: text(), clients: new Set(), ended: false }
}

/** Notes that a client gets an ID token of a session. */
export function joinSession({ clients }: BrowserSession, clientId: string): void {
  clients.delete(clientId)
  clients.add(clientId)
  if (clients.size > MAX_CLIENTS) clients.delete(clients.values().next().value!)
}
