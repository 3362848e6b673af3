import type { HttpResponse } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { failurePage } from '../pages/error-page.js'
import { jsonError } from './client-endpoint.js'

/** Paths whose responses are pages for people. */
const pages = new Set(['/authorization', '/end-session', '/device'])

/** Returns the response to an internal error: a page for people, JSON for programs. */
export function internalFailure(path: string): HttpResponse {
  if (pages.has(path)) return failurePage()
  const error = new OAuthError('server_error', {
    description: 'the server failed to answer this request',
    rule: 'RFC 6749 §4.1.2.1',
  })
  return jsonError(error, 500)
}
