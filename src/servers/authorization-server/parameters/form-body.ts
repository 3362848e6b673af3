import { unknownName } from '../../../protocol/events.js'
import {
  FormError,
  type FormPairs,
  parseForm,
  type ReadableForm,
  readableForm,
} from '../../../protocol/http/form.js'
import { type HttpRequest, mediaType, splitUrl } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { butBody, formOfBody } from '../../../protocol/second-reading.js'

/** Longest form, in body bytes. The HTTP adapter enforces the same limit while it reads the body. */
export const MAX_FORM_BYTES = 64 * 1024

/** The error for a body longer than MAX_FORM_BYTES, answered with status 413. */
export class FormTooLarge extends OAuthError<'invalid_request'> {
  override name = 'FormTooLarge'
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true })

/** Returns the error for a query or form that cannot be decoded. */
export function undecodable(problem: FormError, what: string): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', {
    description: `${what} cannot be decoded: ${problem.message}`,
    rule: 'RFC 6749 Appendix B',
  })
}

/** @throws OAuthError `invalid_request` where the query or form text cannot be decoded */
export function readForm(text: string, what: string): FormPairs {
  try {
    return parseForm(text)
  } catch (error) {
    throw error instanceof FormError ? undecodable(error, what) : error
  }
}

/** Queries that were read: several parts of a server read the same one. */
const queriesRead = new WeakMap<HttpRequest, ReadableForm>()

/**
 * Reads the query of a request, as far as it can be decoded.
 * @throws FormError for too many parameters
 */
export function readQuery(request: HttpRequest): ReadableForm {
  const known = queriesRead.get(request)
  if (known !== undefined) return known
  const form = readableForm(splitUrl(request.url).query)
  queriesRead.set(request, form)
  return form
}

/** @throws FormTooLarge */
export function limitBody({ body }: HttpRequest): void {
  if (body.length <= MAX_FORM_BYTES) return
  throw new FormTooLarge('invalid_request', {
    description: `the body is longer than ${MAX_FORM_BYTES} bytes`,
    rule: 'RFC 9110 §15.5.14',
  })
}

/** Forms that were read: several parts of a server read the same one. */
const formsRead = new WeakMap<HttpRequest, FormPairs>()

/**
 * Reads the form of a POST.
 * @throws FormTooLarge, or OAuthError `invalid_request` for another content type or a body that is not a form
 */
export function readFormBody(request: HttpRequest): FormPairs {
  const known = formsRead.get(request)
  if (known !== undefined) return known
  const pairs = parseBody(request)
  formsRead.set(request, pairs)
  return pairs
}

function parseBody(request: HttpRequest): FormPairs {
  limitBody(request)
  const type = mediaType(request)
  // A request without content has no type to name (RFC 9110 §8.3), and all its parameters are missing.
  if (!type && request.body.length === 0) return []
  if (type !== 'application/x-www-form-urlencoded') {
    const other = butBody(formOfBody(Buffer.from(request.body).toString('latin1')), 'a form')
    throw new OAuthError('invalid_request', {
      description: `the content type must be application/x-www-form-urlencoded${other}`,
      rule: 'RFC 6749 Appendix B',
    })
  }
  let text: string
  try {
    text = strictDecoder.decode(request.body)
  } catch {
    throw new OAuthError('invalid_request', {
      description: 'the body cannot be decoded: it is not UTF-8',
      rule: 'RFC 6749 Appendix B',
    })
  }
  const form = formOfBody(text)
  // Read as a form, such a body is one parameter with a strange name: every one that is wanted would be missing.
  if (form !== undefined && form !== 'a form') {
    throw new OAuthError('invalid_request', {
      description: `the body is ${form}, under the content type of a form: send name=value pairs with & between them`,
      rule: 'RFC 6749 Appendix B',
    })
  }
  return readForm(text, 'the body')
}

/** @throws OAuthError `invalid_request` where a known parameter is repeated (RFC 6749 §3.1, §3.2) */
export function refuseRepeated(repeated: readonly string[], rule: Citation): void {
  if (repeated.length === 0) return
  throw new OAuthError('invalid_request', { description: `the parameter ${repeated[0]} is repeated`, rule })
}

/** Most names of ignored parameters that an event has. */
const MAX_IGNORED = 20

/**
 * Returns the names of sent parameters that have no effect, once each, for an event (RFC 6749 §3.1, §3.2); undefined for none.
 * @param known the parameters that the endpoint reads in this request
 */
export function ignoredNames(pairs: FormPairs, known: readonly string[]): readonly string[] | undefined {
  const names = pairs
    .filter(([name, value]) => value !== '' && !known.includes(name))
    .map(([name]) => unknownName(name))
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_IGNORED)
}
