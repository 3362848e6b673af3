import { FormError, parseForm } from '../http/form.js'
import { splitUrl } from '../http/message.js'
import { OAuthError } from './oauth-error.js'

/** The part of the redirect_uri that holds an authorization response. */
export type AnswerPlace = 'query' | 'fragment'

/** Parameters that only authorization responses have. */
const ANSWERS = new Set(['code', 'access_token', 'id_token', 'error', 'state', 'response'])

const places = {
  query: {
    other: 'fragment',
    rule: 'RFC 6749 §4.1.2',
    why: 'the answer is in the fragment of the address, behind the #; a code belongs in the query',
  },
  fragment: {
    other: 'query',
    rule: 'RFC 6749 §4.2.2',
    why: 'the answer is in the query of the address, which servers log; a token belongs in the fragment, behind the #',
  },
} as const

/** Returns the text after the `#` of a URL, byte for byte; empty without a `#`. */
export function fragmentOf(url: string): string {
  const mark = url.indexOf('#')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function pairsOf(form: string): readonly (readonly [string, string])[] {
  try {
    return parseForm(form)
  } catch (error) {
    // An answer that cannot be decoded is refused where it is read.
    if (error instanceof FormError) return []
    throw error
  }
}

/**
 * Returns the part of an address that an authorization response belongs in.
 * @throws OAuthError `invalid_response` when this part is no response, and the other part is one
 */
export function answerIn(landed: string, place: AnswerPlace): string {
  const parts = { query: splitUrl(landed).query, fragment: fragmentOf(landed) }
  const { other, rule, why } = places[place]
  const holdsAnswer = (form: string) => pairsOf(form).some(([name]) => ANSWERS.has(name))
  if (holdsAnswer(parts[place]) || !holdsAnswer(parts[other])) return parts[place]
  const error = pairsOf(parts[other]).find(([name]) => name === 'error')?.[1]
  const said = error === undefined ? '' : `; it reports ${error}`
  throw new OAuthError('invalid_response', { description: `${why}${said}`, rule })
}
