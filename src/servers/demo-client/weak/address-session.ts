import { percentEncode } from '../../../protocol/http/form.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { fieldsOf } from '../forms.js'
import type { SessionPlace } from '../session-place.js'

/**
 * The mode `token-in-url`: the access token of the login stands in every address of a person, in place of a cookie. Anyone
 * who sees one of these addresses has the session.
 */
export const addressSession: SessionPlace = {
  idIn: ({ url }) => fieldsOf(splitUrl(url).query, ['access_token']).access_token,
  newId: ({ accessToken }) => accessToken,
  carry: (address, id) => `${address}${address.includes('?') ? '&' : '?'}access_token=${percentEncode(id)}`,
  give: () => [],
  take: () => [],
}
