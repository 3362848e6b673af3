import type { Exchange } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import type { ApiAccess } from './access.js'
import type { GivenError } from './dns-client-errors.js'
import { retryAfter } from './waits.js'

function budgetHint({ response }: Exchange): string {
  const ms = retryAfter(response && header(response, 'retry-after'), Date.now())
  if (!ms) return 'The budget of requests is spent; try again later.'
  const seconds = Math.ceil(ms / 1000)
  return `The budget of requests is spent for ${seconds} s. To wait that long:   --timeout ${seconds}s`
}

/** Returns the next move after a refusal, by its code or else by its status. */
export function refusalHints(errors: readonly GivenError[], exchange: Exchange, access: ApiAccess): string[] {
  const status = exchange.response?.status
  const codes = new Set(errors.flatMap(({ code }) => (code === undefined ? [] : [code])))
  const { credentials, base, via } = access
  if ([6003, 9103, 9106, 9107, 9109].some(code => codes.has(code)) || status === 401) {
    const what = credentials.kind === 'token' ? 'The token' : 'Key and e-mail address'
    return [`${what} came from ${credentials.from}.`]
  }
  if (codes.has(10000)) {
    return ['These credentials do not reach it, or the zone is not theirs:   oauth-lab cf zones']
  }
  if (status === 429) return [budgetHint(exchange)]
  if (codes.has(7000)) return [`The base URL ${base} is from ${via}; it usually ends in /client/v4.`]
  return []
}
