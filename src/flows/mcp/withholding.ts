import type { UserAgent, Visit } from '../../client/user-agent.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { withoutForeignError } from './iss-rules.js'

/**
 * A user agent that shows no error of a foreign issuer, neither where it lands nor in the redirect (MCP 2026-07-28
 * Authorization §7.1). @param goesOn true for a further request in the same session
 */
export function withholding(
  userAgent: UserAgent,
  { issPromised, issuer, redirectUri }: AuthorizationRequest,
  goesOn: boolean,
): UserAgent {
  const cleaned = (address: string): string =>
    address.startsWith(redirectUri) ? withoutForeignError(address, issPromised, issuer) : address

  function cleanedExchange(exchange: Exchange): Exchange {
    const { request, response } = exchange
    const url = cleaned(request.url)
    const to = response && header(response, 'location')
    const location = to === undefined ? undefined : cleaned(to)
    if (url === request.url && location === to) return exchange
    return {
      ...exchange,
      request: { ...request, url },
      ...(response && {
        response: {
          ...response,
          headers: response.headers.map(
            ([name, value]) => [name, value === to ? (location ?? value) : value] as const,
          ),
          // The page of a redirect may repeat the address.
          body: location === to ? response.body : '',
        },
      }),
    }
  }

  return {
    async *authorize(task) {
      for await (const visit of userAgent.authorize(goesOn ? { ...task, again: true } : task)) {
        const { exchange, landed } = visit
        const shown: Visit = {
          ...visit,
          ...(exchange && { exchange: cleanedExchange(exchange) }),
          ...(landed !== undefined && { landed: cleaned(landed) }),
        }
        yield shown
      }
    },
  }
}
