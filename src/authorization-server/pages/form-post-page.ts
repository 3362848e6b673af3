import type { HeaderList, HttpResponse } from '../../http/message.js'
import type { ResponsePairs, VerifiedRedirectUri } from '../../oauth/redirect-uri.js'
import { html } from './html.js'
import { page, pageScript } from './page.js'

const submit = pageScript('document.forms[0].submit()')

/**
 * A page that posts the answer to the client (OAuth 2.0 Form Post Response Mode §2); a button does it where no
 * scripts run. The policy is `origin`, since a client may look at the Origin of the POST, and same-origin would
 * make it `null`.
 */
export function formPostPage(
  to: VerifiedRedirectUri,
  pairs: ResponsePairs,
  headers: HeaderList,
): HttpResponse {
  const fields = [...pairs].flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`],
  )
  return page(
    200,
    'Continue',
    html`<h1>Continue</h1>
<p>You are being sent back to the application. If nothing happens, press the button.</p>
<form method="post" action="${to}">
${fields}<button type="submit">Continue</button>
</form>`,
    { headers, script: submit, referrerPolicy: 'origin' },
  )
}
