import { FormError, parseForm } from '../http/form.js'
import { type HttpRequest, mediaType, splitUrl, text } from '../http/message.js'
import type { Citation } from '../rules/rule.js'

/** A place in a request that holds a token. */
export interface TokenPlace {
  /** The name of the place, such as `the query`. */
  readonly place: string
  readonly rule: Citation
}

function holdsToken(form: string): boolean {
  // A readable token counts even when the rest of the form cannot be decoded.
  if (/(?:^|&)access_token=/.test(form)) return true
  try {
    return parseForm(form).some(([name]) => name === 'access_token')
  } catch (error) {
    if (error instanceof FormError) return false
    throw error
  }
}

/** Returns the tokens of a request outside of the Authorization header, in the other places of RFC 6750 §2. */
export function otherTokenPlaces(request: HttpRequest): readonly TokenPlace[] {
  const form = mediaType(request) === 'application/x-www-form-urlencoded'
  const places: TokenPlace[] = []
  if (holdsToken(splitUrl(request.url).query)) places.push({ place: 'the query', rule: 'RFC 6750 §2.3' })
  if (form && holdsToken(text(request.body))) places.push({ place: 'the form body', rule: 'RFC 6750 §2.2' })
  return places
}
