import type { Outcome, Step, StepToken } from '../../../flows/step.js'
import { type Html, html, pageStyle } from '../../../protocol/http/page.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { ruleAddress, ruleName } from '../rule-lines.js'
import { statusText, stepLines } from '../steps/exchange-lines.js'
import { drawLanes, laneNames, placeLanes } from '../steps/lanes.js'
import { outcomeText } from '../steps/plain.js'
import { type Entry, ROLE_NAMES } from '../steps/sequence.js'
import { signsFor } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { tokenLines } from '../tokens/token-lines.js'
import {
  type ExportedOutcome,
  type ExportedRecord,
  type ExportOptions,
  exportTitle,
  hasAttacker,
} from './export-options.js'

/** Columns of the diagram, and of the text of a step. */
const COLUMNS = 100

/** Lines of a token: as many as it has. */
const ROWS = 10_000

const signs = signsFor({ ascii: false })

const style = pageStyle(`
:root{--good:#1a7f37;--look:#8a4600}
@media (prefers-color-scheme:dark){:root{--good:#6fdc8c;--look:#f0b35e}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:66rem;margin:auto;padding:1.5rem 1rem}
h1{font-size:1.5rem;line-height:1.25}
h2{display:inline;font-size:1.0625rem}
section,details{margin:0 0 1rem;padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
summary{cursor:pointer}
p{margin:.25rem 0 .75rem}
a{color:var(--accent)}
pre{margin:.5rem 0 0;overflow-x:auto;font:.875rem/1.45 ui-monospace,monospace}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.soft,.dim{color:var(--soft)}
.done,.name{color:var(--good)}
.refused{color:var(--bad)}
.look{color:var(--look)}
.now,.strong,.title{font-weight:700}
@media print{details,section{break-inside:avoid}}
`)

/** Lines of a screen as text of a page: what colours say there, classes say here. */
function preformatted(lines: readonly Line[], label: string): Html {
  const drawn = lines.map(
    pieces =>
      html`${pieces.map(({ text, tone }) => (tone === 'plain' ? html`${text}` : html`<span class="${tone}">${text}</span>`))}\n`,
  )
  // A wide text scrolls in its own place, which the keyboard has to reach.
  return html`<pre tabindex="0" role="group" aria-label="${label}">${drawn}</pre>`
}

function ruleLink(rule: string): Html {
  const name = ruleName(rule)
  const address = ruleAddress(name)
  return address === undefined ? html`${makeSafe(name)}` : html`<a href="${address}">${makeSafe(name)}</a>`
}

/** The sequence of all steps, as the screen draws it. */
function diagram(
  steps: readonly Step[],
  outcome: ExportedOutcome | undefined,
  masking: 'none' | 'all',
): Html {
  const refused = outcome !== undefined && outcome.error !== undefined
  const entries = steps.map((step, i): Entry => {
    const last = i === steps.length - 1
    return { n: step.n, planned: step, step, status: last && refused ? 'refused' : 'done' }
  })
  const lanes = placeLanes(steps, COLUMNS)
  const drawn = drawLanes(entries, lanes, { masking, signs })
  return html`<section aria-labelledby="sequence"><h2 id="sequence">Sequence</h2>
${preformatted([laneNames(lanes), ...drawn.map(({ line }) => line)], 'Diagram of the sequence. The steps below say the same.')}
</section>
`
}

function stepPart(step: Step, victim: boolean, showSecrets: boolean): Html {
  const { n, title, from, to, rfc, exchange, token, tokens = [] } = step
  const masking = showSecrets ? 'none' : 'all'
  const lines = stepLines(step, { columns: COLUMNS, body: 'pretty', masking, allHeaders: true, signs })
  const nameOf = (role: Step['from']) => (victim && role === 'user_agent' ? 'victim' : ROLE_NAMES[role])
  const status = exchange?.response?.status
  const answered = status === undefined ? undefined : html`, ${statusText(status)}`
  const now = Date.parse(exchange?.at ?? '') || 0
  const tokenPart = (each: StepToken) =>
    preformatted(
      tokenLines(each, { columns: COLUMNS, rows: ROWS, now, showSecrets, signs }),
      `${each.kind.replaceAll('_', ' ')} of step ${n}`,
    )
  return html`<details open id="step-${String(n)}"><summary><h2>${String(n)}. ${makeSafe(title)}</h2></summary>
<p class="soft">${nameOf(from)} ${signs.to} ${nameOf(to)}${answered}, ${ruleLink(rfc)}</p>
${preformatted(lines, `Step ${n}`)}
${[...(token ? [token] : []), ...tokens].map(tokenPart)}
</details>
`
}

function ending(outcome: ExportedOutcome, { clientId = '', showSecrets }: ExportOptions): Html {
  const { outcome: kind, error } = outcome
  const lines =
    kind === 'stolen' || kind === 'defended'
      ? [makeSafe(`${kind}: ${error?.error ?? ''}. ${error?.error_description ?? ''}`)]
      : outcomeText(outcome as Outcome, { clientId, showSecrets, ascii: false })
  const bad = kind === 'stolen' || (kind !== 'defended' && error !== undefined)
  return html`<section aria-labelledby="outcome"><h2 id="outcome">Outcome</h2>
${preformatted(
  lines.map((text, i) => [{ text, tone: i > 0 ? 'plain' : bad ? 'refused' : 'done' }]),
  'Outcome',
)}
${error?.rule === undefined ? undefined : html`<p>Rule: ${ruleLink(error.rule)}</p>`}
</section>
`
}

/** A run as one page that opens from a file: the lines of the screens, no script, and nothing from elsewhere. */
export function htmlPage(records: readonly ExportedRecord[], options: ExportOptions): string {
  const { version, showSecrets } = options
  const steps = records.filter(record => record.type === 'step')
  const outcome = records.find(record => record.type !== 'step')
  const name = exportTitle(options)
  const title = makeSafe(name.charAt(0).toUpperCase() + name.slice(1))
  const at = steps.find(({ exchange }) => exchange !== undefined)?.exchange?.at
  const when = at === undefined ? '' : `, ${makeSafe(at)}`
  const victim = hasAttacker(records)
  const policy = `default-src 'none'; style-src 'sha256-${style.hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} – oauth-lab</title>
<link rel="icon" href="data:,">
${style.element}
</head>
<body>
<main>
<h1>${title}</h1>
<p class="soft">Recorded by oauth-lab ${version}${when}. ${showSecrets ? 'Secrets are shown.' : 'Secrets are masked.'}</p>
${steps.length === 0 ? undefined : diagram(steps, outcome, showSecrets ? 'none' : 'all')}
${steps.map(step => stepPart(step, victim, showSecrets))}${outcome && ending(outcome, options)}</main>
</body>
</html>
`.markup
}
