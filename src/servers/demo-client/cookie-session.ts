import { cookie, splitUrl } from '../../protocol/http/message.js'
import { RequestRefusal } from './refusal.js'
import type { SessionPlace } from './session-place.js'

const COOKIE_NAME = '__Host-demo-web-session'

/** Lax: the way back from the authorization server is a visit from another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Keeps the id of a session in a cookie that no script reads and no other host sets (RFC 6265bis §4.1.3.2). */
export const STRICT_SESSION_PLACE: SessionPlace = {
  idIn(request) {
    if (/(?:^|&)access_token=/.test(splitUrl(request.url).query)) {
      throw new RequestRefusal(400, 'an access token stands in the address', 'RFC 9700 §4.3.2')
    }
    return cookie(request, COOKIE_NAME)
  },
  newId: (_, random) => Buffer.from(random(32)).toString('base64url'),
  carry: address => address,
  give: id => [['set-cookie', `${COOKIE_NAME}=${id}; ${ATTRIBUTES}`]],
  take: () => [['set-cookie', `${COOKIE_NAME}=; ${ATTRIBUTES}; Max-Age=0`]],
}
