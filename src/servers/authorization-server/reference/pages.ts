import type { HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import { page } from '../pages/page.js'

/** The warning of this profile: on every page and in the greeting. */
export const REFERENCE_WARNING =
  'Profile reference: this server redirects anywhere, checks no client, no csrf value and no code. For learning, on this machine only.'

/** A page with the warning of this profile. */
function warningPage(status: number, title: string, content: Html): HttpResponse {
  return page(status, title, html`<p class="alert"><strong>${REFERENCE_WARNING}</strong></p>${content}`)
}

/** The login form. It has a csrf value, which nothing checks. */
export function referenceLoginPage(shown: {
  readonly clientId: string | undefined
  readonly csrf: string
  readonly message: string | undefined
}): HttpResponse {
  const { clientId = 'an application that did not say its name', csrf, message } = shown
  return warningPage(
    200,
    'Log in',
    html`<h1>Log in</h1>
<p><strong>${clientId}</strong> wants access.</p>
${message === undefined ? undefined : html`<p role="alert" class="alert">${message}</p>\n`}<form method="post">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autocomplete="username" autofocus>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in</button>
</form>`,
  )
}

/** A short message: 400 text/html. */
export function referenceErrorPage(message: string): HttpResponse {
  return warningPage(400, 'Request refused', html`<h1>Request refused</h1><p role="alert">${message}</p>`)
}
