import { EVENTS, isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { FormPairs } from '../../../protocol/http/form.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import { type Html, html, pageScript } from '../../../protocol/http/page.js'
import type { AuthorizationRequestOptions } from '../../../protocol/oauth/authorization-request.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import type { NumberedEvent } from '../../../protocol/recent-events.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { User } from '../model.js'
import { page } from './page.js'

/** The way to start a login with a client: a link, or a command where no program would receive the answer. */
export type LoginStart =
  | { readonly kind: 'link'; readonly url: string }
  /** `scope` for a client that may not have the default scope. */
  | { readonly kind: 'command'; readonly scope?: string | undefined }
  | { readonly kind: 'none'; readonly why: string }

export interface FrontPage {
  readonly clients: readonly Client[]
  /** Judges requests: asked for the listed clients alone. */
  readonly start: (client: Client) => LoginStart
  /** The addresses of the metadata documents. Empty at a stage that publishes none. */
  readonly metadata: readonly string[]
  /** Absent for a lab that other machines reach. */
  readonly local?: {
    readonly users: readonly User[]
    /** The users whose passwords are public. */
    readonly builtInUsers: readonly User[]
    /** Oldest first. */
    readonly events: readonly NumberedEvent[]
  }
}

/** Most clients and most users that the page lists. */
const MAX_LISTED = 50

/** Most events that the page shows. */
const MAX_EVENTS = 30

/** Shows the events of the stream in the list, the latest first. */
const follow = pageScript(
  `const list=document.getElementById('events'),state=document.getElementById('state'),pause=document.getElementById('pause');
let last=list.dataset.last,source;
function element(name,text,inside){const made=document.createElement(name);made.textContent=text;inside.append(made,' ');return made}
function show(message){
last=message.lastEventId;
const event=JSON.parse(message.data),item=document.createElement('li');
element('time',event.time,item).dateTime=event.at;
if(event.refused)item.className='refused';
element('code',event.type,item);
item.append(event.text);
list.prepend(item);
while(list.children.length>${MAX_EVENTS})list.lastElementChild.remove()}
function open(){
source=new EventSource('/events?after='+last);
source.onopen=()=>{state.textContent='New events appear by themselves.'};
source.onerror=()=>{state.textContent=source.readyState===2?'Reload the page to see newer events.':'The lab does not answer. This page tries again.'};
source.onmessage=show}
pause.hidden=false;
pause.onclick=()=>{
const running=source.readyState!==2;
source.close();
pause.textContent=running?'Continue':'Pause';
if(running)state.textContent='Paused.';else open()};
open()`,
  { connects: true },
)

/** An event as the page and its stream show it. */
export function shownEvent(event: LabEvent) {
  const { type, at } = event
  return { at, time: at.slice(11, 19), type, text: describe(event), refused: isRefusal(event) }
}

/** Members that name who an event is about, and the reason of a refusal. */
const NAMED = ['client_id', 'username', 'error', 'description'] as const

function describe(event: LabEvent): string {
  const { type } = event
  if (type === 'request.answered') {
    return makeSafe(`${event.method} ${event.path}, answered ${event.status}`)
  }
  const [meaning = ''] = Object.hasOwn(EVENTS, type) ? EVENTS[type as keyof typeof EVENTS] : []
  const named = NAMED.flatMap(name => (typeof event[name] === 'string' ? [event[name]] : []))
  return makeSafe([meaning, ...named].filter(each => each !== '').join(' · '))
}

/**
 * The page of the server's own address, for a person with a browser. People, passwords and events are for this computer
 * alone. Without a script it shows the latest events.
 */
export function frontPage({ clients, start, metadata, local }: FrontPage): HttpResponse {
  const content = html`<h1>A lab for OAuth</h1>
<p>This server lets people log in, and gives applications codes and tokens for them (RFC 6749). It is a lab: nothing here is real.</p>
<h2>Log in with a client</h2>
${clients.length === 0 ? html`<p>No client is registered.</p>\n` : html`<ul>\n${clients.slice(0, MAX_LISTED).map(each => listedClient(each, start(each)))}</ul>\n`}${more(clients.length)}${local === undefined ? ELSEWHERE : people(local)}<h2>For programs</h2>
${addresses(metadata)}<h2>Lessons</h2>
<p>Type into a terminal: <code>oauth-lab learn</code> opens the lessons, <code>oauth-lab learn start</code> begins with the next one. Each checks itself by what the servers saw.</p>
${local === undefined ? undefined : eventList(local.events)}`
  const options = local === undefined ? {} : { script: follow }
  return page(200, 'Front page', content, { ...options, headers: [['vary', 'Accept']], wide: true })
}

const ELSEWHERE = html`<p>Other machines reach this lab, so this page shows no people, passwords or events.</p>
`

const more = (length: number): Html | undefined =>
  length > MAX_LISTED
    ? html`<p>And ${String(length - MAX_LISTED)} more: <code>oauth-lab config show</code></p>\n`
    : undefined

function listedClient(client: Client, start: LoginStart): Html {
  const { client_id: id, client_name: name = id } = client
  const kind = isConfidential(client) ? 'confidential client' : 'public client'
  const introduced = client.introduced === undefined ? '' : ', introduced itself'
  return html`<li><strong><bdi>${name}</bdi></strong><small><code>${id}</code>, ${kind}${introduced}</small>${startOf(id, name, start)}</li>
`
}

function startOf(id: string, name: string, start: LoginStart): Html {
  if (start.kind === 'link') return html`<a href="${start.url}">Log in to <bdi>${name}</bdi></a>`
  if (start.kind === 'command') {
    const scope = start.scope === undefined ? '' : ` --scope ${shellWord(start.scope)}`
    return html`<code>oauth-lab flow code --client ${shellWord(id)}${scope}</code>`
  }
  return html`${start.why}`
}

function people({ users, builtInUsers }: NonNullable<FrontPage['local']>): Html {
  const publicOnes = users.some(each => builtInUsers.includes(each))
  const note = html`<p>These people and their passwords come with oauth-lab. Everyone knows them.</p>\n`
  return html`<h2>People</h2>
${publicOnes ? note : undefined}${
  users.length === 0
    ? html`<p>Nobody can log in: the lab file has no users.</p>\n`
    : html`<ul>\n${users.slice(0, MAX_LISTED).map(each => person(each, builtInUsers.includes(each)))}</ul>\n`
}${more(users.length)}`
}

function person({ username, password, totp_secret, claims }: User, isPublic: boolean): Html {
  const { name } = claims
  const known = isPublic && password !== undefined ? html`, password <code>${password}</code>` : undefined
  const second = html`, second factor: <code>oauth-lab user otp ${shellWord(username)}</code>`
  return html`<li><strong><bdi>${typeof name === 'string' ? name : username}</bdi></strong><small>username <code>${username}</code>${known}${totp_secret === undefined ? undefined : second}</small></li>
`
}

function addresses(metadata: readonly string[]): Html {
  if (metadata.length === 0) return html`<p>This stage publishes no metadata.</p>\n`
  return html`<ul>\n${metadata.map(url => html`<li><a href="${url}">${url}</a></li>\n`)}</ul>\n`
}

function eventList(events: readonly NumberedEvent[]): Html {
  const latest = events.slice(-MAX_EVENTS).reverse()
  const items = latest.map(({ event }) => {
    const { at, time, type, text, refused } = shownEvent(event)
    const shown = html`<time datetime="${at}">${time}</time> <code>${type}</code> ${text}`
    return refused ? html`<li class="refused">${shown}</li>\n` : html`<li>${shown}</li>\n`
  })
  return html`<h2 id="events-heading">Events</h2>
<div class="row apart"><span id="state" role="status">Reload the page to see newer events.</span><button id="pause" class="small" type="button" hidden>Pause</button></div>
<div role="log" aria-labelledby="events-heading"><ul id="events" data-last="${String(events.at(-1)?.number ?? 0)}">
${items}</ul></div>`
}

/** The client that asked, and its request, whose values a token request repeats. */
interface Asker {
  readonly client: Client
  readonly issuer: string
  readonly request: Pick<AuthorizationRequestOptions, 'redirectUri' | 'codeVerifier'>
}

/**
 * The page in the place of a client, for a login that began on the front page. It shows the authorization response
 * (RFC 6749 §4.1.2), and the token request that a client sends next.
 * @param asker undefined for an answer that no request of the front page asked for
 */
export function answerPage(pairs: FormPairs, asker: Asker | undefined): HttpResponse {
  const code = pairs.find(([name]) => name === 'code')?.[1]
  const members = pairs.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>\n`)
  return page(
    200,
    'Answer to the client',
    html`<h1>${code === undefined ? 'The answer has no code' : 'The client has a code'}</h1>
<p>This page stands in for the client. The browser brought it the answer of the authorization server:</p>
${members.length === 0 ? html`<p>Nothing: the address has no parameters.</p>\n` : html`<dl>\n${members}</dl>\n`}${code === undefined || asker === undefined ? undefined : nextMove(code, asker)}<p><a href="/">Back to the front page</a></p>`,
    { wide: true },
  )
}

function nextMove(code: string, { client, issuer, request }: Asker): Html {
  const id = shellWord(client.client_id)
  const fields = [
    ...(isConfidential(client) ? [] : [`client_id=${client.client_id}`]),
    'grant_type=authorization_code',
    `code=${code}`,
    `redirect_uri=${request.redirectUri}`,
    `code_verifier=${request.codeVerifier}`,
  ]
  const credentials = client.client_secret === undefined ? '' : ` -u ${id}`
  const command = [
    `curl --cacert "$(oauth-lab ca path)"${credentials} ${issuer}/token`,
    ...fields.map(each => `--data-urlencode ${shellWord(each)}`),
  ].join(' \\\n  ')
  const asks =
    credentials === ''
      ? undefined
      : html` curl asks for the secret of the client; <code>oauth-lab config show --show-secrets</code> prints it.`
  const flow = html`<p><code>oauth-lab flow code --client ${id}</code> shows every step of a client.</p>\n`
  // Other ways to authenticate need a key of the client.
  if (isConfidential(client) && credentials === '') return flow
  return html`<p>Before the code expires, a client exchanges it for tokens, once:</p>
<p class="note apart"><code>${command}</code></p>
<p>The code_verifier is that of RFC 7636 Appendix B.${asks}</p>
${flow}`
}
