import type { HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import type { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { page } from './page.js'

/** Returns the error code and the rule, as entries of a list. */
export function errorFacts({ code, rule }: OAuthError): Html {
  return html`<dt>Error</dt><dd><code>${code}</code></dd>
<dt>Rule</dt><dd>${rule}</dd>
`
}

/** The frame of an error page. The person is not sent back, and gets no link (RFC 6749 §4.1.2.1). */
export function refusedPage(status: number, content: Html): HttpResponse {
  return page(
    status,
    'Request refused',
    html`<h1>This request was refused</h1>
${content}
<p>You were not sent back to the application that sent you here. Return to it yourself and try again. If this happens again, show this page to the people who run the application.</p>`,
  )
}

/** The error page for a person. */
export function errorPage(error: OAuthError, status = 400): HttpResponse {
  return refusedPage(
    status,
    html`<p role="alert" class="alert">${error.description}</p>
<dl>
${errorFacts(error)}</dl>`,
  )
}

/** The page for an internal error. */
export function failurePage(): HttpResponse {
  return page(
    500,
    'Server error',
    html`<h1>Something went wrong</h1>
<p role="alert" class="alert">The server failed to answer this request (server_error). This is not your fault. Try again.</p>`,
  )
}
