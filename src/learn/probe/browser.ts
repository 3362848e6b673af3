import { createHeadlessAgent } from '../../client/headless.js'
import { answerOnce, type KnownUser } from '../../client/known-login.js'
import type { Send } from '../../protocol/http/exchange.js'

/**
 * Opens an authorization request as a browser without a screen does, and logs in there.
 * @returns the address at which the browser ends; undefined when the login leads nowhere
 * @throws OAuthError for a request that the server refuses
 */
export async function openRequest(
  request: URL,
  { send, user, signal }: { readonly send: Send; readonly user: KnownUser; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const agent = createHeadlessAgent({ send, askLogin: answerOnce(user) })
  const of = (name: string) => request.searchParams.get(name) ?? ''
  const task = {
    request: {
      url: request.href,
      endpoint: `${request.origin}${request.pathname}`,
      responseType: of('response_type'),
      clientId: of('client_id'),
      redirectUri: of('redirect_uri') || 'http://127.0.0.1/callback',
      state: of('state'),
      issPromised: true,
    },
    signal,
  }
  for await (const { landed } of agent.authorize(task)) if (landed !== undefined) return landed
  return undefined
}
