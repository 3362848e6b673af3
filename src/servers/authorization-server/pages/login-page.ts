import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import { isConfidential, isNative } from '../../../protocol/oauth/client.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import type { AllowedBefore } from '../logins/consents.js'
import type { User } from '../model.js'
import { askedAccess, imageOrigins } from './asked-access.js'
import { alert, describedBy, page, receiverOf, returnsTo } from './page.js'

/** The members of every page with a form about an authorization request. */
interface FormPage {
  readonly request: AcceptedRequest
  readonly csrf: string
  /** Address of the form. Absent: the URL of the page. */
  readonly action: string | undefined
  readonly message?: string
  readonly status?: number
}

interface LoginPage extends FormPage {
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
  /** The username of the last attempt. */
  readonly username?: string | undefined
  /** Users to choose from. */
  readonly offered: readonly User[]
}

/** Longest username that the form repeats, in characters. */
const MAX_KEPT_USERNAME = 256

/** Most users that the page offers. All others type their names. */
const MAX_OFFERED = 12

/** The login form (interface specification, GET /authorization). It works without scripts and styles. */
export function loginPage(shown: LoginPage, headers: HeaderList): HttpResponse {
  const { request, scopes, detailTypes, csrf, action, message } = shown
  const { to } = request
  const username =
    shown.username !== undefined && shown.username.length <= MAX_KEPT_USERNAME ? shown.username : ''
  const focus = html` autofocus`
  return page(
    shown.status ?? 200,
    message === undefined ? 'Log in' : 'Log in again',
    html`<h1>Log in</h1>
${askedAccess(request, { scopes, detailTypes })}
${alert(message)}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<label for="username">Username</label>
<input type="text" id="username" name="username" value="${username}" required autocomplete="username" autocapitalize="none" spellcheck="false"${username === '' ? focus : undefined}>
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password"${describedBy(message)}${username === '' ? undefined : focus}>
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in and allow</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
${accountChooser(shown.offered)}</form>
<p class="mark">The buttons take you back to ${returnsTo(to.redirectUri)}</p>`,
    { headers, images: imageOrigins(request.client) },
  )
}

/** Buttons of the same form: scripts read the one csrf value of a login page. */
function accountChooser(offered: readonly User[]): Html | undefined {
  if (offered.length === 0) return undefined
  const button = ({ username, claims: { name } }: User) =>
    html`<button name="pick" value="${username}" formnovalidate>${typeof name === 'string' ? html`<bdi>${name}</bdi> (<bdi>${username}</bdi>)` : html`<bdi>${username}</bdi>`}</button>\n`
  return html`<fieldset>
<legend>Or allow it with one click, as one of the people of this lab:</legend>
${offered.slice(0, MAX_OFFERED).map(button)}</fieldset>
`
}

interface SecondFactorPage extends FormPage {
  readonly username: string
  /** The id of the login that waits for the code. */
  readonly pending: string
}

/** The second login page, which asks for a one-time code (RFC 6238). It works without scripts and styles. */
export function secondFactorPage(shown: SecondFactorPage, headers: HeaderList): HttpResponse {
  const { request, username, pending, csrf, action, message } = shown
  const { client, to } = request
  const describing = message === undefined ? 'hint' : 'message hint'
  return page(
    shown.status ?? 200,
    message === undefined ? 'Enter a code' : 'Enter a code again',
    html`<h1>Enter a code</h1>
<p><strong>${client.client_name ?? client.client_id}</strong> wants a stronger login for <strong>${username}</strong> than a password.</p>
${alert(message)}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<label for="otp">Code of your authenticator app</label>
<input type="text" id="otp" name="otp" required inputmode="numeric" maxlength="16" autocomplete="one-time-code" spellcheck="false" aria-describedby="${describing}" autofocus>
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

interface ConsentPage extends FormPage {
  readonly username: string
  /** The part of the request that the person allowed before. */
  readonly allowed: AllowedBefore
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
}

/**
 * The page that asks a logged-in person to allow a client (OpenID Connect Core §3.1.2.4). No button has the focus: a
 * stray Enter must not allow anything.
 */
export function consentPage(shown: ConsentPage, headers: HeaderList): HttpResponse {
  const { request, username, allowed, scopes, detailTypes, csrf, action, message } = shown
  const { client, to, responseType } = request
  // The secret of a client that registered itself proves that the same stranger came back.
  const known = client.introduced !== 'registration' && isConfidential(client)
  const proven = known && responseType === 'code' && !isNative(client, to.redirectUri)
  return page(
    shown.status ?? 200,
    'Allow access',
    html`<h1>Allow access?</h1>
${askedAccess(request, { scopes, detailTypes }, allowed)}
<dl>
<dt>You are logged in as</dt><dd><strong>${username}</strong></dd>
<dt>Client</dt><dd><code>${client.client_id}</code></dd>
<dt>The answer goes to</dt><dd>${receiverOf(to.redirectUri)}</dd>
</dl>
${proven ? undefined : html`<p>Nothing proves the name of this client. Allow it only if you started it yourself just now.</p>\n`}${alert(message)}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<input type="hidden" name="csrf" value="${csrf}">
<button name="consent" value="allow">Allow</button>
<button name="consent" value="deny" class="quiet">Deny</button>
<button name="consent" value="switch" class="quiet">Log in as someone else</button>
</form>
<p class="mark">Allow and Deny take you back to the client</p>`,
    { headers, images: imageOrigins(client) },
  )
}
