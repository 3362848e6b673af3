import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { html, pageScript } from '../../../protocol/http/page.js'
import type { ResponsePairs, VerifiedRedirectUri } from '../../../protocol/oauth/redirect-uri.js'
import { page } from './page.js'

const submit = pageScript('document.forms[0].submit()')

/**
 * The page that posts a response to the client (OAuth 2.0 Form Post Response Mode §2). Without scripts, a button sends
 * the form. The referrer policy is `origin`, because a client may check the Origin of the POST, and 'same-origin' would
 * set Origin to `null`.
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
