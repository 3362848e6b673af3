import type { Exchange } from '../../../src/protocol/http/exchange.js'
import type { HttpResponse } from '../../../src/protocol/http/message.js'
import { UnreadableAnswer } from '../../../src/protocol/oauth/answers.js'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { recorded } from './network.js'

/** The exchange of an answer to a request that does not matter. */
export function answered(response: HttpResponse): Exchange {
  const request = { method: 'GET', url: 'https://as.test/x', headers: [], body: new Uint8Array() }
  return recorded(request, response)
}

/** The code and the rule of the OAuthError that `act` throws; undefined where it throws none. */
export function refusal(act: () => unknown): { code: string; rule: string; unreadable: boolean } | undefined {
  try {
    act()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { code: error.code, rule: error.rule, unreadable: error instanceof UnreadableAnswer }
  }
  return undefined
}
