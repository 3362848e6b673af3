import type { Fields } from '../../protocol/http/form.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import type { Recorded } from './recorded.js'

/** Good calls that are kept for a token and a server. A page can make thousands, and each shows the same. */
const KEPT = 2

/** Refused calls that are kept for a token and a server. */
const KEPT_REFUSED = 5

/** Most tokens and servers that are counted. */
const MAX_COUNTED = 10_000

/** Decides which calls with an access token are kept. */
export function createBearerLimit() {
  const counts = new Map<string, number>()
  return {
    keep({ exchange: { request, response } }: Recorded, fields: Fields): boolean {
      const refused = response === undefined || response.status >= 400
      const token = header(request, 'authorization') ?? fields.get('access_token') ?? ''
      const key = `${refused} ${fields.has('access_token')} ${splitUrl(request.url).origin} ${token.slice(-40)}`
      const count = (counts.get(key) ?? 0) + 1
      if (count === 1 && counts.size >= MAX_COUNTED) return false
      counts.set(key, count)
      return count <= (refused ? KEPT_REFUSED : KEPT)
    },
  }
}
