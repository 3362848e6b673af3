import { jsonResponse } from '../../protocol/http/message.js'

/** The response of `/public`, which everybody gets. */
export const PUBLIC_ANSWER = jsonResponse(200, {
  message: 'Anyone may read this: no token is needed here, and none is checked.',
})
