import { type Html, html } from '../../http/html.js'
import type { DetailTypes } from '../../oauth/detail-types.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import { askedDetails } from './asked-details.js'

/**
 * Names the scopes, the single claims and the authorization details that a client asks for, together (OpenID Connect Core
 * §3.1.2.4, §5.5; RFC 9396 §3.1).
 */
export function askedAccess(
  { client, scope, claims, claimNames, details }: AcceptedRequest,
  scopes: Readonly<Record<string, string>>,
  detailTypes?: DetailTypes,
): Html {
  const needed = (name: string) =>
    claims.userinfo.get(name)?.essential || claims.idToken.get(name)?.essential ? ', which it needs' : ''
  return html`<p><strong>${client.client_name ?? client.client_id}</strong> wants to:</p>
<ul>
${scope.map(token => html`<li>${scopes[token] || token}<small><code>${token}</code></small></li>\n`)}${claimNames.map(name => html`<li>See your <code>${name}</code>${needed(name)}</li>\n`)}${askedDetails(details, detailTypes)}</ul>`
}
