import { bounded } from '../../protocol/events.js'
import type { HeaderList, HttpResponse } from '../../protocol/http/message.js'
import { createPage, type Html, html } from '../../protocol/http/page.js'
import type { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import type { Grant } from './code-grant.js'
import type { Note } from './notes.js'
import type { Session } from './sessions.js'
import type { Issuer } from './settings.js'
import { MAX_NOTE_LENGTH } from './settings.js'

const page = createPage('demo-web, a client of oauth-lab')

/** Returns the host of an issuer, which people know it by. */
const hostOf = ({ issuer }: Pick<Issuer, 'issuer'>): string => new URL(issuer).host

function loginForms(issuers: readonly Issuer[]): readonly Html[] {
  return issuers.map(
    (each, i) => html`<form action="/login">
<input type="hidden" name="issuer" value="${each.key}">
<button type="submit"${i === 0 ? undefined : html` class="quiet"`}>Log in with ${hostOf(each)}</button>
</form>
`,
  )
}

/** The first page, for a person who is not logged in. */
export function frontPage(issuers: readonly Issuer[]): HttpResponse {
  return page(
    200,
    'Notes',
    html`<h1>Your notes</h1>
<p>This application keeps notes for you. It never sees your password: you log in at an authorization server, and this application learns who you are from its answer.</p>
${loginForms(issuers)}`,
  )
}

/** The addresses and csrf values of the forms of a page. */
export interface Forms {
  /** Returns the address of a form or link. */
  readonly to: (path: string) => string
  /** Returns the csrf value of the forms. */
  readonly csrf: string
}

const hiddenCsrf = ({ csrf }: Forms): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

function noteItem(note: Note, forms: Forms): Html {
  return html`<li>
<p class="note" dir="auto" id="note-${note.id}">${note.text}</p>
<form method="post" action="${forms.to('/notes/delete')}" class="row">
${hiddenCsrf(forms)}<input type="hidden" name="note" value="${note.id}">
<small>${timeOf(note.at)} UTC</small>
<button type="submit" class="small" aria-describedby="note-${note.id}">Delete</button>
</form>
</li>
`
}

/** The content of the page with the notes. */
export interface NotesPage {
  readonly session: Session
  readonly notes: readonly Note[]
  readonly forms: Forms
  /** Reason for showing the form again, with the text that was typed. */
  readonly refused?: { readonly status: number; readonly message: string; readonly text: string }
}

/** The notes of a person, with forms to add and delete notes and to log out. */
export function notesPage({ session, notes, forms, refused }: NotesPage): HttpResponse {
  const alert =
    refused === undefined
      ? undefined
      : html`<p role="alert" class="alert" id="message">${refused.message}</p>\n`
  return page(
    refused?.status ?? 200,
    refused === undefined ? 'Notes' : 'Note refused',
    html`<h1>Notes of ${session.name}</h1>
${alert}<form method="post" action="${forms.to('/notes')}" class="apart">
${hiddenCsrf(forms)}
<label for="text">New note</label>
<textarea id="text" name="text" required maxlength="${String(MAX_NOTE_LENGTH)}" dir="auto"${refused && html` aria-describedby="message"`}>
${refused?.text}</textarea>
<button type="submit">Add the note</button>
</form>
${notes.length === 0 ? html`<p class="mark">You have no notes yet.</p>\n` : html`<ul>\n${notes.map(each => noteItem(each, forms))}</ul>\n`}<dl>
<dt>Logged in by</dt><dd>${session.issuer}</dd>
<dt>Known there as</dt><dd>${session.subject}</dd>
</dl>
<form method="post" action="${forms.to('/logout')}">
${hiddenCsrf(forms)}
<button type="submit" class="quiet">Log out</button>
</form>`,
  )
}

const OWN_LOGOUT =
  'The authorization server informs other applications that you logged in to, where they asked for that.'

const ISSUERS_LOGOUT = 'You logged out at the authorization server, which informed this application.'

/**
 * The page after a logout.
 * @param headers of a page for a session that its issuer ended: they clear the cookie
 */
export function loggedOutPage(issuers: readonly Issuer[], headers?: HeaderList): HttpResponse {
  return page(
    200,
    'Logged out',
    html`<h1>You are logged out</h1>
<p>${headers === undefined ? OWN_LOGOUT : ISSUERS_LOGOUT} Your notes stay here until the lab stops.</p>
${loginForms(issuers)}`,
    defined({ headers }),
  )
}

const backForm: Html = html`<form action="/">
<button type="submit">Back to the first page</button>
</form>`

/** Longest text of an authorization server that a page shows, in UTF-16 units. */
const MAX_OUTSIDE = 400

/** The page for a request that was refused: what happened, and the rule. */
export function refusedPage(status: number, { code, description, rule }: OAuthError): HttpResponse {
  return page(
    status,
    'Refused',
    html`<h1>This was refused</h1>
<p role="alert" class="alert">${bounded(description, MAX_OUTSIDE)}</p>
<dl>
<dt>Error</dt><dd><code>${bounded(code, MAX_OUTSIDE)}</code></dd>
<dt>Rule</dt><dd>${rule}</dd>
</dl>
<p>Nothing was changed. Start again from the first page.</p>
${backForm}`,
  )
}

/** The page for an authorization server that cannot be reached. */
export function unreachablePage(message: string): HttpResponse {
  return page(
    502,
    'No answer',
    html`<h1>The login did not work</h1>
<p role="alert" class="alert">${message}</p>
<p>The authorization server could not be asked. Check that it runs, and try again.</p>
${backForm}`,
  )
}

/** The page whose script carries an answer on. */
export function relayPage({ content, script }: NonNullable<ReturnType<Grant['relay']>>): HttpResponse {
  return page(200, 'Continue', content, { script })
}
