import type { FormPairs } from '../../http/form.js'
import { html } from '../../http/html.js'
import type { HeaderList, HttpResponse } from '../../http/message.js'
import type { Client } from '../../oauth/client.js'
import { page } from './page.js'

/** The content of the page that asks if the person wants to log out. */
export interface LogoutQuestion {
  readonly username: string
  readonly client: Client | undefined
  /** Parameters of the request. The form sends them again. */
  readonly pairs: FormPairs
  readonly csrf: string
  /** Reason for showing the page again. */
  readonly message: string | undefined
}

/** The page that asks before a logout, because a link on any site can lead here (RP-Initiated Logout §2). */
export function logoutQuestionPage(question: LogoutQuestion, headers: HeaderList): HttpResponse {
  const { username, client, pairs, csrf, message } = question
  const asker =
    client === undefined
      ? undefined
      : html` <strong>${client.client_name ?? client.client_id}</strong> wants to log you out.`
  const alert = message === undefined ? undefined : html`<p role="alert" class="alert">${message}</p>\n`
  const carried = [...pairs, ['csrf', csrf] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  return page(
    message === undefined ? 200 : 403,
    'Log out',
    html`<h1>Log out?</h1>
<p>You are logged in as <strong>${username}</strong>.${asker}</p>
${alert}<form method="post" action="/end-session">
${carried}<button type="submit" name="logout" value="yes">Log out</button>
<button name="cancel" value="yes">Stay logged in</button>
</form>`,
    { headers },
  )
}

/** The page after a logout without a registered address to return to. */
export function loggedOutPage(headers: HeaderList): HttpResponse {
  return page(
    200,
    'Logged out',
    html`<h1>You are logged out</h1>
<p>Applications that you used may hold tokens until these expire. You may close this page.</p>`,
    { headers },
  )
}

/** The page after the person chose to stay logged in. */
export function stillLoggedInPage(username: string): HttpResponse {
  return page(
    200,
    'Still logged in',
    html`<h1>You are still logged in</h1>
<p>You are logged in as <strong>${username}</strong>. You may close this page.</p>`,
  )
}
