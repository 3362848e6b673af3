import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import { isConfidential, isNative } from '../../../protocol/oauth/client.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import type { AllowedBefore } from '../logins/consents.js'
import { imageOrigins } from './about-client.js'
import { askedAccess } from './asked-access.js'
import { page } from './page.js'
import { receiverOf } from './return-address.js'

/** The content of a consent page. */
export interface ConsentPage {
  readonly request: AcceptedRequest
  readonly username: string
  /** The part of the request that the person allowed before. */
  readonly allowed: AllowedBefore
  /** Description of each scope value. */
  readonly scopes: Readonly<Record<string, string>>
  readonly detailTypes?: DetailTypes | undefined
  readonly csrf: string
  /** Address of the form. Absent: the URL of the page. */
  readonly action: string | undefined
  /** Reason for showing the page again. */
  readonly message?: string
  readonly status?: number
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
${askedAccess(request, scopes, detailTypes, allowed)}
<dl>
<dt>You are logged in as</dt><dd><strong>${username}</strong></dd>
<dt>Client</dt><dd><code>${client.client_id}</code></dd>
<dt>The answer goes to</dt><dd>${receiverOf(to.redirectUri)}</dd>
</dl>
${proven ? undefined : html`<p>Nothing proves the name of this client. Allow it only if you started it yourself just now.</p>\n`}${message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`}<form method="post"${action === undefined ? undefined : html` action="${action}"`}>
<input type="hidden" name="csrf" value="${csrf}">
<button name="consent" value="allow">Allow</button>
<button name="consent" value="deny" class="quiet">Deny</button>
<button name="consent" value="switch" class="quiet">Log in as someone else</button>
</form>
<p class="mark">Allow and Deny take you back to the client</p>`,
    { headers, images: imageOrigins(client) },
  )
}
