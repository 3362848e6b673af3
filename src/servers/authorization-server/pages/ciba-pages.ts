import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import { APPROVAL_PATH } from '../backchannel/paths.js'
import type { BackchannelRequest } from '../stores/device-codes.js'
import { askedList, askedSentence, introduction } from './asked-access.js'
import { alert, describedBy, page, retryAfter, type ShownAgain } from './page.js'

/** The page on which a person logs in, to see the requests that wait for them. */
export function cibaLoginPage(
  { csrf, ...again }: Partial<ShownAgain> & { readonly csrf: string },
  headers: HeaderList,
): HttpResponse {
  const { message, status = 200 } = again
  return page(
    status,
    'Log in',
    html`<h1>Log in</h1>
<p>Then you see the requests of applications that wait for you.</p>
${alert(message)}<form method="post" action="${APPROVAL_PATH}">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false"${describedBy(message)}>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in</button>
</form>`,
    { headers: [...retryAfter(again.retryAfterSeconds), ...headers] },
  )
}

/** A request on the page, with what its form needs. */
export interface ShownRequest {
  readonly request: BackchannelRequest
  readonly csrf: string
  /** True when the client wants a stronger login than the person has. */
  readonly needsCode: boolean
}

export interface WaitingPage extends Partial<ShownAgain> {
  readonly username: string
  readonly waiting: readonly ShownRequest[]
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
}

/**
 * The page that asks a logged-in person about the requests of clients that they started elsewhere (OpenID Connect CIBA
 * Core §8). No button has the focus: a stray Enter must not allow anything.
 */
export function waitingPage(shown: WaitingPage, headers: HeaderList): HttpResponse {
  const { username, waiting, message } = shown
  const none = html`<p>No request waits for you.</p>\n`
  return page(
    shown.status ?? 200,
    'Requests that wait for you',
    html`<h1>Requests that wait for you</h1>
<p>You are logged in as <strong>${username}</strong>.</p>
${alert(message)}${waiting.length === 0 ? none : waiting.map(each => askedRequest(each, shown))}<p class="mark"><a href="${APPROVAL_PATH}">Look again</a> · <a href="${APPROVAL_PATH}?login=other">Log in as someone else</a></p>`,
    { headers: [...retryAfter(shown.retryAfterSeconds), ...headers] },
  )
}

function askedRequest({ request, csrf, needsCode }: ShownRequest, shown: WaitingPage): Html {
  const { client, bindingMessage, handle, expiresAt } = request
  const ends = new Date(expiresAt).toISOString()
  const code = html`<label for="otp-${handle}">Code of your authenticator app</label>
<input type="text" id="otp-${handle}" name="otp" required inputmode="numeric" maxlength="16" autocomplete="one-time-code" spellcheck="false">
`
  return html`<section>
<p>${askedSentence(request, shown)}</p>
${askedList(request, shown)}${introduction(client)}
${bindingMessage === undefined ? html`<p>Allow it only if you started it yourself just now.</p>\n` : html`<p>Allow it only if you started it yourself just now, and the application shows this message:</p>\n<p><strong><bdi>${bindingMessage}</bdi></strong></p>\n`}<form method="post" action="${APPROVAL_PATH}">
${needsCode ? code : undefined}<input type="hidden" name="request" value="${handle}">
<input type="hidden" name="csrf" value="${csrf}">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate class="quiet">Deny</button>
</form>
<p class="mark">The client is <code>${client.client_id}</code>. It ends at <time datetime="${ends}">${ends.slice(11, 19)} UTC</time>.</p>
</section>
`
}

/** The page after a decision. */
export function cibaDecidedPage(approved: boolean): HttpResponse {
  const [title, text] = approved
    ? ['Access allowed', 'The application continues by itself in a few seconds.']
    : ['Access refused', 'The application gets no access.']
  return page(
    200,
    title,
    html`<h1>${title}</h1>
<p>${text} You may close this page.</p>
<p class="mark"><a href="${APPROVAL_PATH}">Other requests that wait for you</a></p>`,
  )
}
