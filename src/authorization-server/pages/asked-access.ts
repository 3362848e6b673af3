import { type Html, html } from '../../http/html.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'

/** Names the scopes and the single claims that a client asks for (OpenID Connect Core §3.1.2.4, §5.5). */
export function askedAccess(
  { client, scope, claims, claimNames }: AcceptedRequest,
  scopes: Readonly<Record<string, string>>,
): Html {
  const needed = (name: string) =>
    claims.userinfo.get(name)?.essential || claims.idToken.get(name)?.essential ? ', which it needs' : ''
  return html`<p><strong>${client.client_name ?? client.client_id}</strong> wants to:</p>
<ul>
${scope.map(token => html`<li>${scopes[token] || token}<small><code>${token}</code></small></li>\n`)}${claimNames.map(name => html`<li>See your <code>${name}</code>${needed(name)}</li>\n`)}</ul>`
}
