import { isUrl } from '../../protocol/http/address.js'
import { type Fields, readFields } from '../../protocol/http/form.js'
import { type HttpResponse, header, splitUrl } from '../../protocol/http/message.js'
import { fragmentOf } from '../../protocol/oauth/authorization-response.js'
import { type Answer, placeOf } from './message.js'

/** Parameters of which an authorization response has at least one. `response` is a JWT (JARM). */
const MARKS = ['code', 'error', 'access_token', 'id_token', 'response']

/** Parameters that make a response certain: other pages have a `code` or an `error` too. */
const PROOFS = ['state', 'iss', 'session_state', 'id_token', 'access_token']

function isAnswer(fields: Fields, expected: boolean): boolean {
  if (fields.has('redirect_uri') || fields.has('grant_type')) return false
  return MARKS.some(fields.has) && (expected || PROOFS.some(fields.has))
}

/**
 * Reads the authorization response in an address: in its query, or in its fragment.
 * @param expected true for an address that a request named as its redirect_uri
 */
export function answerInUrl(url: string, expected: (address: string) => boolean): Answer | undefined {
  const address = placeOf(url)
  const places = [
    ['query', splitUrl(url).query],
    ['fragment', fragmentOf(url)],
  ] as const
  for (const [place, form] of places) {
    const fields = readFields(form)
    if (isAnswer(fields, expected(address))) return { fields, address, place }
  }
  return undefined
}

/** Reads the authorization response in a form (OAuth 2.0 Form Post Response Mode). */
export function answerInForm(url: string, fields: Fields, expected: (address: string) => boolean) {
  const address = placeOf(url)
  const answer: Answer = { fields, address, place: 'form' }
  return isAnswer(fields, expected(address)) ? answer : undefined
}

/** Reads the authorization response that a redirect carries. */
export function answerInLocation(
  from: string,
  response: Pick<HttpResponse, 'headers' | 'status'> | undefined,
  expected: (address: string) => boolean,
): Answer | undefined {
  const location = response && header(response, 'location')
  if (response === undefined || location === undefined || response.status < 300 || response.status > 399)
    return undefined
  return answerInUrl(absolute(location, from), expected)
}

function absolute(location: string, from: string): string {
  // A parser of URLs would normalize an address that is compared letter by letter.
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  return isUrl(location, from) ? new URL(location, from).href : location
}
