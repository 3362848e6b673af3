import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import { page } from './page.js'
import { returnsTo } from './return-address.js'

/** The content of the page that asks for a one-time code. */
export interface SecondFactorPage {
  readonly request: AcceptedRequest
  readonly username: string
  /** The id of the login that waits for the code. */
  readonly pending: string
  readonly csrf: string
  /** Address of the form. Absent: the URL of the page. */
  readonly action: string | undefined
  /** Reason for showing the page again. */
  readonly message?: string
  readonly status?: number
}

/** The second login page, which asks for a one-time code (RFC 6238). It works without scripts and styles. */
export function secondFactorPage(shown: SecondFactorPage, headers: HeaderList): HttpResponse {
  const { request, username, pending, csrf, action, message } = shown
  const { client, to } = request
  const describedBy =
    message === undefined ? html` aria-describedby="hint"` : html` aria-describedby="message hint"`
  return page(
    shown.status ?? 200,
    message === undefined ? 'Enter a code' : 'Enter a code again',
    html`<h1>Enter a code</h1>
<p><strong>${client.client_name ?? client.client_id}</strong> wants a stronger login for <strong>${username}</strong> than a password.</p>
${message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<label for="otp">Code of your authenticator app</label>
<input type="text" id="otp" name="otp" required inputmode="numeric" maxlength="16" autocomplete="one-time-code" spellcheck="false"${describedBy} autofocus>
<p class="mark" id="hint">Six digits, new every 30 seconds. In this lab, <code>oauth-lab user otp</code> prints them.</p>
<input type="hidden" name="second_factor" value="${pending}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Continue</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>
<p class="mark">Cancel takes you back to ${returnsTo(to.redirectUri)}</p>`,
    { headers },
  )
}
