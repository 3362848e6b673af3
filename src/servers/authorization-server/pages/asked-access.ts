import { type Html, html } from '../../../protocol/http/page.js'
import type { DetailTypes } from '../../../protocol/oauth/authorization-details.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import { type AllowedBefore, NOTHING_ALLOWED } from '../logins/consents.js'
import { linksOf, logoOf } from './about-client.js'
import { askedDetails } from './asked-details.js'
import { introduction } from './introduction.js'

/**
 * Names the scopes, the single claims and the authorization details that a client asks for, together (OpenID Connect Core
 * §3.1.2.4, §5.5; RFC 9396 §3.1). What the person allowed before comes apart, because it is not the question. A client that
 * nobody vouches for is shown with the host it introduced itself from.
 */
export function askedAccess(
  { client, to, scope, claims, claimNames, details }: AcceptedRequest,
  scopes: Readonly<Record<string, string>>,
  detailTypes?: DetailTypes,
  allowed: AllowedBefore = NOTHING_ALLOWED,
): Html {
  const before = [...allowed.scope, ...allowed.claims]
  const added = scope.filter(token => !allowed.scope.includes(token))
  const addedClaims = claimNames.filter(name => !allowed.claims.includes(name))
  const needed = (name: string) =>
    claims.userinfo.get(name)?.essential || claims.idToken.get(name)?.essential ? ', which it needs' : ''
  return html`${logoOf(client)}<p><strong>${client.client_name ?? client.client_id}</strong> ${before.length > 0 ? 'now also wants to' : 'wants to'}:</p>
<ul>
${added.map(token => html`<li>${scopes[token] || token}<small><code>${token}</code></small></li>\n`)}${addedClaims.map(name => html`<li>See your <code>${name}</code>${needed(name)}</li>\n`)}${askedDetails(details, detailTypes)}</ul>${before.length > 0 ? html`\n<p>You allowed it before: ${before.map((name, i) => html`${i > 0 ? ', ' : ''}<code>${name}</code>`)}</p>` : undefined}${introduction(client, to.redirectUri)}${linksOf(client)}`
}
