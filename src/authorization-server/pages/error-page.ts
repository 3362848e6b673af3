import type { HttpResponse } from '../../http/message.js'
import type { OAuthError } from '../../oauth/oauth-error.js'
import { html } from './html.js'
import { page } from './page.js'

/** The error page for a person. It neither names nor links the redirect_uri of the request (RFC 6749 §4.1.2.1). */
export function errorPage(error: OAuthError, status = 400): HttpResponse {
  return page(
    status,
    'Request refused',
    html`<h1>This request was refused</h1>
<p role="alert" class="alert">${error.description}</p>
<dl>
<dt>Error</dt><dd><code>${error.code}</code></dd>
<dt>Rule</dt><dd>${error.rule}</dd>
</dl>
<p>You were not sent back to the application that sent you here. Return to it yourself and try again. If this happens again, show this page to the people who run the application.</p>`,
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
