import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import { imageOrigins } from './about-client.js'
import { askedAccess } from './asked-access.js'
import { page } from './page.js'
import { returnsTo } from './return-address.js'

/** The content of a login page. */
export interface LoginPage {
  readonly request: AcceptedRequest
  /** Description of each scope value. */
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
  readonly csrf: string
  /** Address of the form. Absent: the URL of the page. */
  readonly action: string | undefined
  /** Reason for showing the form again. */
  readonly message?: string
  /** The username of the last attempt. */
  readonly username?: string | undefined
  readonly status?: number
}

/** Longest username that the form repeats, in characters. */
const MAX_KEPT_USERNAME = 256

/** The login form (interface specification, GET /authorization). It works without scripts and styles. */
export function loginPage(shown: LoginPage, headers: HeaderList): HttpResponse {
  const { request, scopes, detailTypes, csrf, action, message } = shown
  const { to } = request
  const username =
    shown.username !== undefined && shown.username.length <= MAX_KEPT_USERNAME ? shown.username : ''
  const focus = html` autofocus`
  // A screen reader skips an alert that is in the page from the start, unless the focused field refers to the alert.
  const describedBy = message === undefined ? undefined : html` aria-describedby="message"`
  return page(
    shown.status ?? 200,
    message === undefined ? 'Log in' : 'Log in again',
    html`<h1>Log in</h1>
${askedAccess(request, scopes, detailTypes)}
${message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<label for="username">Username</label>
<input type="text" id="username" name="username" value="${username}" required autocomplete="username" autocapitalize="none" spellcheck="false"${username === '' ? focus : undefined}>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password"${describedBy}${username === '' ? undefined : focus}>
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in and allow</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>
<p class="mark">Both buttons take you back to ${returnsTo(to.redirectUri)}</p>`,
    { headers, images: imageOrigins(request.client) },
  )
}
