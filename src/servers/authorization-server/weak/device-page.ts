import { html } from '../../../protocol/http/page.js'
import type { devicePage } from '../pages/device-pages.js'
import { page } from '../pages/page.js'

/**
 * The page of a device as a plain login: it says neither that a device asks, nor which one, nor for what, and does not show
 * the code. The person who followed a stranger's link sees nothing strange.
 */
export const bareDevicePage: typeof devicePage = ({ request, csrf, message, status = 200 }, headers) =>
  page(
    status,
    'Log in',
    html`<h1>Log in</h1>
${message === undefined ? undefined : html`<p role="alert" class="alert" id="message">${message}</p>\n`}<form method="post" action="/device">
<label for="username">Username</label>
<input type="text" id="username" name="username" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false">
<label for="password">Password</label>
<input type="password" id="password" name="password" required autocomplete="current-password">
<input type="hidden" name="user_code" value="${request.userCode}">
<input type="hidden" name="csrf" value="${csrf}">
<button type="submit">Log in</button>
<button name="cancel" value="yes" formnovalidate>Cancel</button>
</form>`,
    { headers },
  )
