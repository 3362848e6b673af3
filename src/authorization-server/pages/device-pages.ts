import type { HeaderList, HttpResponse } from '../../http/message.js'
import type { DeviceRequest } from '../stores/device-codes.js'
import { html } from './html.js'
import { page } from './page.js'

/** Why a page is shown again, and with which status. */
export interface ShownAgain {
  readonly message: string
  readonly status: number
  readonly retryAfterSeconds?: number | undefined
}

function retryAfter({ retryAfterSeconds }: Partial<ShownAgain>): HeaderList {
  return retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]
}

const alert = (message: string | undefined) =>
  message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`

const describedBy = (message: string | undefined) =>
  message === undefined ? undefined : html` aria-describedby="message"`

/** Asks for the code that the device shows (RFC 8628 §3.3). */
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
    { headers: retryAfter(again) },
  )
}

/** What the page that asks for leave shows. */
export interface DevicePage extends Partial<ShownAgain> {
  readonly request: DeviceRequest
  /** Scope token to its description. */
  readonly scopes: Readonly<Record<string, string>>
  readonly csrf: string
}

/**
 * Says which device asks for what, and lets the person log in and decide. The code is shown again: whoever was sent
 * a link with a stranger's code has no device that shows it (RFC 8628 §5.4).
 */
export function devicePage(shown: DevicePage, headers: HeaderList): HttpResponse {
  const { request, scopes, csrf, message } = shown
  const { client, scope, userCode } = request
  return page(
    shown.status ?? 200,
    'Connect a device',
    html`<h1>Connect a device</h1>
<p>A device with <strong>${client.client_name ?? client.client_id}</strong> asks for your leave to:</p>
<ul>
${scope.map(token => html`<li>${scopes[token] || token}<small><code>${token}</code></small></li>\n`)}</ul>
<p>Go on only if your own device shows this code now:</p>
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
    { headers: [...retryAfter(shown), ...headers] },
  )
}

/** The end of it. */
export function deviceDecidedPage(approved: boolean): HttpResponse {
  return approved
    ? page(
        200,
        'Device connected',
        html`<h1>Your device is connected</h1>
<p>It goes on by itself in a few seconds. You may close this page.</p>`,
      )
    : page(
        200,
        'Device refused',
        html`<h1>You refused</h1>
<p>The device was told so, and gets nothing. You may close this page.</p>`,
      )
}
