import { FormError, parseForm } from '../../../protocol/http/form.js'
import { type HttpRequest, headerValues, mediaType, splitUrl, text } from '../../../protocol/http/message.js'
import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import { assertedClientId } from '../assertions/jwt.js'
import { AUTHENTICATION_PATH } from '../backchannel/paths.js'
import { MAX_FORM_BYTES } from '../parameters/form-body.js'
import { isClientUrl } from './client-url.js'

/** Endpoints that people's browsers call with a client_id in the query. */
const BY_QUERY: readonly string[] = ['/authorization', '/end-session']

/** Endpoints that clients call with a form. */
const BY_FORM: readonly string[] = [
  ...BY_QUERY,
  '/par',
  '/token',
  '/revocation',
  '/introspection',
  '/device_authorization',
  AUTHENTICATION_PATH,
]

/** Most documents that one request makes this server fetch. An honest request names one client. */
const MOST = 2

/** Returns the values of a parameter. A form that cannot be read has none: its endpoint refuses it. */
function values(form: string, name: string): readonly string[] {
  try {
    return parseForm(form).flatMap(([each, value]) => (each === name ? [value] : []))
  } catch (error) {
    if (error instanceof FormError) return []
    throw error
  }
}

function formOf({ method, body, ...rest }: HttpRequest): string {
  const isForm = mediaType(rest) === 'application/x-www-form-urlencoded' && body.length <= MAX_FORM_BYTES
  return method === 'POST' && isForm ? text(body) : ''
}

/** Returns the client ids in the form of an address that a request names, by whatever way a client says who it is. */
export function namedClients(http: HttpRequest): readonly string[] {
  const { path, query } = splitUrl(http.url)
  const inQuery = BY_QUERY.includes(path) ? values(query, 'client_id') : []
  if (!BY_FORM.includes(path)) return []
  const form = formOf(http)
  const basic = headerValues(http, 'authorization').flatMap(value => parseBasic(value) ?? [])
  const named = [
    ...inQuery,
    ...values(form, 'client_id'),
    ...values(form, 'client_assertion').flatMap(each => assertedClientId(each) ?? []),
    ...basic.map(({ clientId }) => clientId),
  ]
  return [...new Set(named)].filter(isClientUrl).slice(0, MOST)
}
