import type { HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html } from '../../../protocol/http/page.js'
import type { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { RegistrationHelp, RegistrationWays } from '../endpoints/authorization/registration-help.js'
import { errorFacts, refusedPage } from './error-page.js'

const codes = (texts: readonly string[]): readonly Html[] =>
  texts.map(each => html`<dd><code>${each}</code></dd>\n`)

function waysHtml({ serve, labFile, remark }: RegistrationWays, clientId: string): Html {
  return html`<p>To register it, start the lab with it:</p>
<p><code>${serve}</code></p>
<p>Or write this into the entry of <code>${clientId}</code> in the lab file:</p>
<p><code>${labFile}</code></p>
${remark === undefined ? undefined : html`<p class="mark">${remark}</p>\n`}`
}

/**
 * The error page for a redirect_uri that is not registered. It shows the addresses as text: the browser is neither
 * redirected nor offered a link to them (RFC 6749 §4.1.2.1).
 */
export function registrationPage(error: OAuthError, help: RegistrationHelp): HttpResponse {
  const { clientId, sent, registered, closest, differences, ways } = help
  return refusedPage(
    400,
    html`<p role="alert" class="alert">${error.description}</p>
<dl>
${errorFacts(error)}${sent === undefined ? undefined : html`<dt>redirect_uri of the request</dt>\n${codes([sent])}`}<dt>Registered for <code>${clientId}</code></dt>
${registered.length === 0 ? html`<dd>none</dd>\n` : codes(registered)}${closest === undefined ? undefined : html`<dt>Different from <code>${closest}</code></dt>\n${differences.map(each => html`<dd>${each}</dd>\n`)}`}</dl>
${ways === undefined ? undefined : waysHtml(ways, clientId)}`,
  )
}
