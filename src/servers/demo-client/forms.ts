import { FormError, type Parameters, parseForm, readParameters } from '../../protocol/http/form.js'
import { type HttpRequest, mediaType } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { MAX_BODY_BYTES } from './settings.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(body: Uint8Array): string {
  try {
    return decoder.decode(body)
  } catch {
    throw new RequestRefusal(400, 'the form is not UTF-8', 'RFC 6749 Appendix B')
  }
}

/**
 * Returns the form of a POST as text.
 * @throws RequestRefusal for another content type, a body that is too large, and text that is not UTF-8
 */
export function formText(request: HttpRequest): string {
  if (request.body.length > MAX_BODY_BYTES) {
    throw new RequestRefusal(413, `the form is larger than ${MAX_BODY_BYTES} bytes`, 'RFC 9110 §15.5.14')
  }
  if (request.body.length > 0 && mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new RequestRefusal(415, 'this page takes forms only', 'RFC 9110 §15.5.16')
  }
  return decoded(request.body)
}

/**
 * Reads the named parameters of a form or query.
 * @throws RequestRefusal where it cannot be decoded, or a parameter is repeated
 */
export function fieldsOf<Name extends string>(
  text: string,
  names: readonly Name[],
): Parameters<Name>['values'] {
  try {
    const { values, repeated } = readParameters(parseForm(text), names)
    if (repeated.length === 0) return values
    throw new RequestRefusal(400, `the parameter ${repeated[0]} is repeated`, 'RFC 6749 §3.1')
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    throw new RequestRefusal(400, `the request cannot be decoded: ${error.message}`, 'RFC 6749 Appendix B')
  }
}

/** A refusal of a request by this site itself, with the status of its page. */
export class RequestRefusal extends OAuthError<'invalid_request'> {
  override name = 'RequestRefusal'

  constructor(
    readonly status: number,
    description: string,
    rule: Citation,
  ) {
    super('invalid_request', { description, rule })
  }
}
