import type { HttpResponse } from '../../../protocol/http/message.js'
import { html } from '../../../protocol/http/page.js'
import { linkedScript, linkedStyle } from '../../../protocol/http/page-files.js'
import { page } from './page.js'

const content = html`<header class="top">
<h1>What happens at this lab</h1>
<p id="count"></p>
<p id="state" role="status">Connecting…</p>
<p><label for="filter">List only</label> <input id="filter" type="search" autocomplete="off" placeholder="/token, 400, demo"> <button type="button" id="pause" aria-pressed="false">Pause</button> <button type="button" id="keys">Keys</button></p>
</header>
<div class="columns">
<section aria-labelledby="requests-heading"><h2 id="requests-heading">Requests</h2>
<div class="scroll" role="region" aria-label="List of requests" tabindex="0"><table><thead><tr><th scope="col">Time</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Client</th><th scope="col">Took</th></tr></thead><tbody id="rows"></tbody></table></div></section>
<section aria-labelledby="details-heading"><h2 id="details-heading">No request is selected</h2><ul id="details"></ul></section>
</div>
<dialog id="help" aria-labelledby="help-heading"></dialog>
<noscript><p>This page needs JavaScript. Without it, the terminal shows the same.</p></noscript>`

/** The dashboard of a lab as a page: it follows `/web/events`. */
export const dashboardPage = (): HttpResponse =>
  page(200, 'Dashboard', content, {
    script: linkedScript('dashboard.js'),
    style: linkedStyle('dashboard.css'),
  })
