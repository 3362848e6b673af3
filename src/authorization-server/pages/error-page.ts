import type { HttpResponse } from '../../http/message.js'
import type { OAuthError } from '../../oauth/oauth-error.js'
import { html } from './html.js'
import { page } from './page.js'

/** An error shown to the person. It never names or links the address the request gave (RFC 6749 §4.1.2.1). */
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
<p>You were not sent back to the application that sent you here. Go back to it yourself and try again; if this happens again, show this page to the people who run it.</p>`,
  )
}

/** The page of a failure that is ours. */
export function failurePage(): HttpResponse {
  return page(
    500,
    'Server error',
    html`<h1>Something went wrong here</h1>
<p role="alert" class="alert">The server failed to answer this request (server_error). It is not your fault; try again.</p>`,
  )
}
