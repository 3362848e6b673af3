import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import type { DeviceRequest } from '../stores/device-codes.js'
import { askedList, askedSentence, introduction } from './asked-access.js'
import { alert, describedBy, page, retryAfter, type ShownAgain } from './page.js'

/** The page that asks for the user code (RFC 8628 §3.3). */
export function userCodePage(again: Partial<ShownAgain> = {}): HttpResponse {
  const { message, status = 200 } = again
  return page(
    status,
    'Connect a device',
    html`<h1>Connect a device</h1>
<p>Type the code that your device shows.</p>
${alert(message)}<form method="get" action="/device">
<label for="user_code">Code</label>
<input type="text" id="user_code" name="user_code" required autofocus maxlength="32" placeholder="XXXX-XXXX" autocomplete="off" autocapitalize="characters" spellcheck="false"${describedBy(message)}>
<button type="submit">Continue</button>
</form>`,
    { headers: retryAfter(again.retryAfterSeconds) },
  )
}

export interface DevicePage extends Partial<ShownAgain> {
  readonly request: DeviceRequest
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
  readonly csrf: string
}

/**
 * The page that names the device and its scope, and lets the person log in and decide. It repeats the user code: a
 * person who followed a stranger's link has no device that shows this code (RFC 8628 §5.4).
 */
export function devicePage(shown: DevicePage, headers: HeaderList): HttpResponse {
  const { request, csrf, message } = shown
  const { client, userCode } = request
  return page(
    shown.status ?? 200,
    'Connect a device',
    html`<h1>Connect a device</h1>
<p>A device with ${askedSentence(request, shown)}</p>
${askedList(request, shown)}${introduction(client)}
<p>Continue only if your own device shows this code now:</p>
<p><strong><code>${userCode}</code></strong></p>
${alert(message)}<form method="post" action="/device">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false"${describedBy(message)}>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="user_code" value="${userCode}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in and allow</button>
<button name="cancel" value="yes" formnovalidate>Refuse</button>
</form>`,
    { headers: [...retryAfter(shown.retryAfterSeconds), ...headers] },
  )
}

/** The page after the decision. */
export function deviceDecidedPage(approved: boolean): HttpResponse {
  const [title, heading, text] = approved
    ? ['Device connected', 'Your device is connected', 'It continues by itself in a few seconds.']
    : ['Device refused', 'Access refused', 'The device gets no access.']
  return page(
    200,
    title,
    html`<h1>${heading}</h1>
<p>${text} You may close this page.</p>`,
  )
}
