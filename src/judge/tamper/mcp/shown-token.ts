import type { FormPairs } from '../../../protocol/http/form.js'
import { type HttpRequest, header } from '../../../protocol/http/message.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { defined } from '../../../protocol/values.js'
import { without } from '../messages.js'
import type { Move, NotMade, PresentationMove } from '../move.js'

/** True for a move that shows the MCP server a token which it must not take. */
export function showsToken(move: Move): move is PresentationMove {
  return move.at === 'userinfo_request'
}

/** True for a move whose token is what the flow got, by requests that were wrong. */
export function getsOtherToken(move: Move): boolean {
  return showsToken(move) && (move.ask !== undefined || move.leavesOut !== undefined)
}

/** The token of a request, with its scheme. */
export function tokenOf(
  request: HttpRequest,
): { readonly scheme: string; readonly token: string } | undefined {
  const [, scheme, token] = /^(Bearer|DPoP) (.+)$/i.exec(header(request, 'authorization') ?? '') ?? []
  return scheme === undefined || token === undefined ? undefined : { scheme, token }
}

/** Returns the move as a change of both requests for the token, where the wrong token comes from them. */
export function ofTokenRequests(move: Move): Move {
  if (!showsToken(move) || !getsOtherToken(move)) return move
  const { ask = [], leavesOut = [] } = move
  // The client of this flow names its resource itself, so a further one would be a second resource.
  const names = [...leavesOut, ...ask.map(([name]) => name)]
  const change = (pairs: FormPairs) => [...without(pairs, ...names), ...ask]
  const { name, does, risk, expects, rule } = move
  return {
    name,
    does,
    risk,
    expects,
    rule,
    at: 'token_request',
    authorize: change,
    change: message => ({ ...message, pairs: change(message.pairs) }),
  }
}

/** Returns a message to an MCP server with the token that a move shows, or why there is none. */
export async function withShownToken(
  { present }: PresentationMove,
  request: HttpRequest,
  keys: JwkSet | undefined,
  now: () => number,
): Promise<HttpRequest | NotMade> {
  const own = tokenOf(request)
  if (own === undefined) return request
  const made = await present(
    defined({ endpoint: request.url, tokens: { access_token: own.token }, now, keys }),
  )
  if ('problem' in made) return made
  // A token that is shown as it is keeps its scheme and its proof.
  if (tokenOf(made)?.token === own.token) return { ...request, url: made.url }
  const bare = request.headers.filter(([name]) => name.toLowerCase() !== 'authorization')
  const authorization = header(made, 'authorization')
  const headers = authorization === undefined ? bare : [...bare, ['authorization', authorization] as const]
  return { ...request, url: made.url, headers }
}
