import type { FormPairs } from '../../../protocol/http/form.js'
import type { HeaderList, HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html, pageScript } from '../../../protocol/http/page.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { frameSource, type InformedClient } from '../logout/end-session.js'
import { page } from './page.js'

export interface LogoutQuestion {
  readonly username: string
  readonly client: Client | undefined
  /** Parameters of the request. The form sends them again. */
  readonly pairs: FormPairs
  readonly csrf: string
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

/** Goes on when all frames are loaded, or after the time that a person is ready to wait. */
const goOn = pageScript(
  "const go=()=>location.replace(document.getElementById('continue').href);addEventListener('load',go);setTimeout(go,5000)",
)

const BACK_CHANNEL = {
  confirmed: 'confirmed that it ended its session',
  waiting: 'was informed, and has not answered yet',
  retrying: 'did not confirm; this server tries again',
  failed: 'did not confirm; its session may go on',
} as const

/** Returns a client of the ended session, and the way in which it learns of the end. */
function informed({ client, backChannel, frame }: InformedClient): Html {
  const ways = [
    ...(backChannel === undefined ? [] : [BACK_CHANNEL[backChannel]]),
    ...(frame === undefined ? [] : ['is informed by a frame of this page']),
  ]
  const way = ways.length === 0 ? 'is not informed; its session lasts until its own end' : ways.join(', and ')
  return html`<li><strong>${client.client_name ?? client.client_id}</strong> ${way}</li>\n`
}

export interface LoggedOut {
  readonly clients: readonly InformedClient[]
  /** The registered address to go on to, with state. */
  readonly to?: string
}

/**
 * The page after a logout. Its frames inform clients (Front-Channel Logout §3). With an address, a script goes on to that
 * when the frames are loaded.
 */
export function loggedOutPage({ clients, to }: LoggedOut, headers: HeaderList): HttpResponse {
  const frames = clients.flatMap(({ frame }) => frame ?? [])
  const list =
    clients.length === 0
      ? undefined
      : html`<p>Applications that you used in this browser:</p>\n<ul>\n${clients.map(informed)}</ul>\n`
  const shown = frames.map(url => html`<iframe hidden title="Logout" src="${url}"></iframe>\n`)
  const end =
    to === undefined
      ? html`<p>Applications may hold tokens until these expire. You may close this page.</p>`
      : html`<p><a id="continue" href="${to}">Continue to the application</a></p>`
  return page(
    200,
    'Logged out',
    html`<h1>You are logged out</h1>
${list}${shown}${end}`,
    { headers, frames: frames.map(frameSource), ...(to !== undefined && { script: goOn }) },
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
