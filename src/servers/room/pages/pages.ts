import { renderSVG } from 'uqr'
import { bytes, type HttpResponse, withNosniff } from '../../../protocol/http/message.js'
import { createPage, Html, html } from '../../../protocol/http/page.js'
import { linkedScript, linkedStyle } from '../../../protocol/http/page-files.js'
import { MAX_SENTENCE } from '../../../protocol/room/messages.js'
import { ruleDocuments } from '../../../protocol/rules/documents.js'
import type { Board } from '../model.js'
import type { ReportFormat, RoomPages } from '../room-site.js'
import { boardShower } from './shown-board.js'

const page = createPage('oauth-lab workshop')

const help = html`<dialog id="help" aria-labelledby="help-heading"></dialog>`

/** Says whether the page is connected, and how a move of the teacher went. */
const state = html`<p id="state" role="status">Connecting…</p>`

const pace = html`<select id="pace">
<option value="free">each at their own pace</option>
<option value="most">together, once 80 % are done</option>
<option value="all">together, once all are done</option>
<option value="5">together, in 5 minutes</option>
<option value="10">together, in 10 minutes</option>
<option value="20">together, in 20 minutes</option>
</select>`

const longest = String(MAX_SENTENCE)

const boardContent = html`<header class="top">
<h1 id="room">The room</h1>
<p id="phase"></p>
<p id="count"></p>
${state}
<p class="tools"><button type="button" id="names">Hide names</button> <button type="button" id="keys">Keys</button> <a href="/stage">Stage for the projector</a> Report: <a href="/board/report.md" download>Markdown</a> <a href="/board/report.csv" download>CSV</a></p>
</header>
<section aria-labelledby="lead-heading" class="lead">
<h2 id="lead-heading">Lead</h2>
<form id="phase-form"><p><label for="lesson">Lesson</label><select id="lesson"></select></p>
<p><label for="pace">Pace</label>${pace}</p>
<p><button>Set</button> <button type="button" id="next">Next</button></p></form>
<form id="say-form"><p class="grow"><label for="say">A sentence to all</label><input id="say" maxlength="${longest}" autocomplete="off"></p>
<p><button>Say it</button> <button type="button" id="hint">Hint to all</button> <button type="button" id="end">End</button></p></form>
<p id="done" role="status"></p>
</section>
<div class="columns">
<div class="side">
<section aria-labelledby="stuck-heading"><h2 id="stuck-heading">Stuck: <span id="stuck-count">0</span></h2><ul id="stuck" class="plain"></ul></section>
<section aria-labelledby="groups-heading"><h2 id="groups-heading">Held by one rule</h2><ul id="groups" class="plain"></ul></section>
<section aria-labelledby="polls-heading"><h2 id="polls-heading">Predictions</h2><div id="polls"></div></section>
</div>
<section aria-labelledby="people-heading" class="main">
<h2 id="people-heading">People and tasks</h2>
<form class="find" role="search"><p><label for="filter">List only</label><input id="filter" type="search" autocomplete="off" placeholder="name, task, stuck"></p>
<p><label for="columns">Columns</label><select id="columns"></select></p>
<p><label for="order">Order</label><select id="order"><option value="stuck">stuck first</option><option value="progress">fewest tasks first</option><option value="name">by name</option><option value="joined">as they came</option></select></p></form>
<p id="shown" role="status"></p>
<div class="scroll" role="region" aria-labelledby="caption" tabindex="0"><table><caption id="caption"></caption><thead><tr id="head"></tr></thead><tbody id="rows"></tbody></table></div>
<p class="aside">✓ done · … begun · h2: two hints · s: the solution · ×3: refused three times</p>
</section>
</div>
<dialog id="person" aria-labelledby="person-name">
<h2 id="person-name"></h2>
<div id="person-parts"></div>
<form id="person-form"><p><label for="person-say">A sentence to this person</label><input id="person-say" maxlength="${longest}" autocomplete="off"></p>
<p><button>Say it</button> <button type="button" id="person-hint">Hint</button> <button type="button" id="person-close">Close</button></p></form>
</dialog>
<dialog id="ending" aria-labelledby="ending-heading">
<h2 id="ending-heading">End the room?</h2>
<p>You no longer see the progress of people, and they work on by themselves. Your report stays.</p>
<p><button type="button" id="end-yes">End it</button> <button type="button" id="end-no">Not yet</button></p>
</dialog>
${help}
<noscript><p>This page needs JavaScript. Without it, the terminal shows the same.</p></noscript>`

const stageContent = html`<header class="top">
<p class="room" id="room"></p>
<h1 id="phase">Connecting</h1>
<p id="pace"></p>
</header>
<section aria-labelledby="flows-heading" id="flows" hidden>
<h2 id="flows-heading" class="sr">Flows against the lab of the room</h2>
<p class="columns" aria-hidden="true"><span>Who</span><span>Browser →</span><span>Authorization server →</span><span>Resource, cluster, DNS</span></p>
<ol id="lanes"></ol>
<p id="none">Nobody has begun a flow. Each request appears here, step by step.</p>
<p id="newest" class="sr" role="status"></p>
</section>
<div class="both" id="lesson">
<section aria-labelledby="tasks-heading"><h2 id="tasks-heading">Tasks</h2><ol id="tasks"></ol></section>
<section aria-labelledby="question"><h2 id="question"></h2><div id="poll"></div></section>
</div>
<footer>
<p><code id="join"></code></p>
<p class="tools"><span id="lane-tools" hidden><button type="button" id="shown">Flows</button> <button type="button" id="pause">Pause</button> <button type="button" id="names">Names</button> </span><button type="button" id="code">Code</button> <button type="button" id="reveal">What is right</button> <button type="button" id="keys">Keys</button> <a href="/board">Board</a></p>
${state}
</footer>
${help}
<noscript><p>This page needs JavaScript.</p></noscript>`

/** The board of a room, for the teacher: it follows `/board/events`, and leads by POST to `/board/lead`. */
const boardPage = (): HttpResponse =>
  page(200, 'Board', boardContent, {
    script: linkedScript('board.js'),
    style: linkedStyle('board.css'),
  })

/** The page for the projector. It follows `/board/events`, and shows names at a key alone. */
const stagePage = (): HttpResponse =>
  page(200, 'Stage', stageContent, {
    script: linkedScript('stage.js'),
    style: linkedStyle('stage.css'),
  })

/** The facts of a room that everybody may know. */
export interface RoomPlace {
  /** Name of the room. */
  readonly room: string
  /** Host and port that participants join: `192.0.2.7:8448`. */
  readonly address: string
  /** Address of the plain page, such as `http://192.0.2.7:8447/`. */
  readonly plain: string
}

/** Draws an address as a QR code. */
function qrCode(address: string): Html {
  const picture = renderSVG(address, { border: 2, ecc: 'L' })
  return html`<div class="qr" role="img" aria-label="QR code of ${address}">${new Html(picture)}</div>`
}

/** The two lines that a participant types. The code stands on the teacher's screen alone. */
const joinLines = (address: string) => html`<ol>
<li>Join, with the code that the teacher shows in the place of CODE:<pre>npx oauth-lab join ${address} CODE</pre></li>
<li>Begin:<pre>npx oauth-lab learn</pre></li>
</ol>
`

/** GET /join of the room: how to join. */
function joinPage({ room, address, plain }: RoomPlace): HttpResponse {
  const content = html`<h1>Join ${room}</h1>
<p>You need Node.js 20 or newer, and a terminal on your own computer.</p>
${joinLines(address)}<p>Without a registry of packages: <a href="${plain}">${plain}</a> has the program itself.</p>
${qrCode(plain)}`
  return page(200, 'Join', content, { style: linkedStyle('join.css') })
}

/** The report of a room as a text, by format. */
export type RoomReports = Readonly<Record<ReportFormat, (board: Board) => string>>

const REPORT_TYPES: Readonly<Record<ReportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
}

/** A report as a file to keep: browsers do not open it. */
const reportFile = (text: string, format: ReportFormat): HttpResponse =>
  withNosniff({
    status: 200,
    headers: [
      ['content-type', REPORT_TYPES[format]],
      ['content-disposition', `attachment; filename="workshop.${format}"`],
      ['cache-control', 'no-store'],
    ],
    body: bytes(text),
  })

/**
 * Makes the pages of the HTTPS port.
 * @param place read for each page: its addresses may be set once both ports are open
 */
export async function roomPages(place: RoomPlace, reports: RoomReports): Promise<RoomPages> {
  const view = boardShower(await ruleDocuments())
  return {
    board: boardPage,
    stage: stagePage,
    join: () => joinPage(place),
    report: (board, format) => reportFile(reports[format](board), format),
    view,
  }
}

/** The facts of the plain page. */
export interface PlainPlace extends RoomPlace {
  /** The program as a file: absent where it cannot be made. */
  readonly tarball?: { readonly sha256: string }
}

/** The page of the plain port: the lines to type, for people with and without a registry. Nothing on it is secret. */
export function plainPage({ room, address, plain, tarball }: PlainPlace): HttpResponse {
  const file = new URL('/oauth-lab.tgz', plain).href
  const install = html`<li>Install the program from the teacher’s computer:<pre>npm install -g ${file}</pre>`
  const check = html`Its SHA-256 has to be the one on the teacher’s screen, because nothing protects this page:<pre>${tarball?.sha256}</pre></li>\n`
  const content = html`<h1>Join ${room}</h1>
<p>You need Node.js 20 or newer, and a terminal on your own computer.</p>
${joinLines(address)}<h2>Without a registry of packages</h2>
${
  tarball === undefined
    ? html`<p>This computer could not make the file of the program: it has no npm.</p>\n`
    : html`<ol>\n${install}${check}<li>Join: the line above, without <code>npx</code>.</li>\n</ol>\n`
}<h2>For another screen</h2>
${qrCode(plain)}
<p><a href="${plain}">${plain}</a></p>`
  return page(200, 'Join', content, { style: linkedStyle('join.css') })
}
