import { parsedUrl } from '../../../protocol/http/address.js'
import { encodeForm, parseForm } from '../../../protocol/http/form.js'
import type { Defences } from '../defences.js'
import { RequestRefusal } from '../refusal.js'

/** The parameters that the login page uses itself. */
const OWN = new Set(['return_to', 'issuer'])

/**
 * The mode `open-redirect`: a login leads to any web address, with all other parameters of the visit, as redirectors that
 * count visits do. A code that came here by a wrong redirect address so travels on.
 */
export const anyReturnAddress: Defences['returnTo'] = ({ returnTo = '/notes', query }) => {
  const local = 'https://here.invalid'
  const url = parsedUrl(returnTo, local)
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RequestRefusal(400, 'return_to is no web address', 'RFC 9700 §4.11.1')
  }
  const more = encodeForm(parseForm(query).filter(([name]) => !OWN.has(name)))
  if (more !== '') url.search = url.search === '' ? more : `${url.search}&${more}`
  return url.origin === local ? url.pathname + url.search : url.href
}
