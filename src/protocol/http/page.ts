import { createHash } from 'node:crypto'
import { bytes, type HeaderList, type HttpResponse } from './message.js'

/** Markup that is safe to put into a page. Make it with `html`. */
export class Html {
  constructor(readonly markup: string) {}
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  if (!/[&<>"'\ud800-\udfff]/.test(text)) return text
  return text.toWellFormed().replace(/[&<>"']/g, char => entities[char] ?? char)
}

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  return value instanceof Html ? value.markup : value.map(each => each.markup).join('')
}

/** A template that escapes every text, for element content and quoted attributes. `undefined` writes nothing. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | undefined)[]
): Html {
  let markup = strings[0]!
  for (let i = 0; i < values.length; i++) markup += written(values[i]) + strings[i + 1]!
  return new Html(markup)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** The colours of every page, light and dark. */
const colours = `
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--ink:#1c2128;--soft:#59636e;--line:#d1d9e0;--accent:#1f5fbf;--on-accent:#fff;--bad:#b3261e;--bad-ground:#fdecea}
@media (prefers-color-scheme:dark){:root{--ground:#11151b;--card:#1a2029;--ink:#e6eaf0;--soft:#9aa5b4;--line:#38424f;--accent:#7fb0ff;--on-accent:#0b1524;--bad:#ffb4ab;--bad-ground:#3a1a18}}
`

/** The style of a page with a form or a list. */
const formStyle = pageStyle(`*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
.wide{max-width:52rem}
.mark{margin:0 0 1rem;color:var(--soft);font-size:.875rem}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.25}
h2{margin:1.5rem 0 .5rem;font-size:1.125rem;line-height:1.25}
p{margin:0 0 1rem}
main>:last-child{margin-bottom:0}
section+section{padding-top:1rem;border-top:1px solid var(--line)}
ul,dl{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;list-style:none}
li+li,dd+dt{margin-top:.5rem}
dt,small{display:block;color:var(--soft);font-size:.875rem}
dd{margin:0}
label{display:block;margin:0 0 .25rem;font-weight:600}
input,textarea{width:100%;margin:0 0 1rem;padding:.625rem .75rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--soft);border-radius:.5rem}
button{width:100%;padding:.625rem .75rem;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:.5rem;cursor:pointer}
button[name=cancel],.quiet{margin:.5rem 0;color:var(--accent);background:none;border-color:transparent}
fieldset{margin:.5rem 0 1rem;padding:1rem 0 0;border:0;border-top:1px solid var(--line)}
legend{float:left;margin-bottom:.5rem;padding:0}
button[name=pick]{margin:.25rem 0;color:var(--accent);background:none}
input:focus-visible,textarea:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
textarea{display:block;min-height:5rem;resize:vertical}
.note{margin:0;white-space:pre-wrap}
.row{display:flex;justify-content:space-between;align-items:center;gap:1rem}
.apart{margin-bottom:1rem}
.refused{color:var(--bad)}
.small{width:auto;flex:none;padding:.25rem .5rem;font-size:.875rem;color:var(--accent);background:none;border-color:transparent}
a{color:var(--accent)}
.alert,[role=note]{padding:.625rem .75rem;color:var(--bad);background:var(--bad-ground);border:1px solid;border-radius:.5rem}
`)

/** A constant style, and the hash that allows it in the Content-Security-Policy. */
export interface PageStyle {
  readonly element: Html
  readonly hash: string
}

/** Makes a style, which begins with the colours of every page as `--ground`, `--card`, `--ink` and others. @param source a constant; never text from outside */
export function pageStyle(source: string): PageStyle {
  const style = colours + source
  // Built without `html`, because the hash covers the unescaped text.
  return { element: new Html(`<style>${style}</style>`), hash: sha256(style) }
}

/** A constant script, and the hash that allows it in the Content-Security-Policy. */
export interface PageScript {
  readonly element: Html
  readonly hash: string
  /** True when the script may connect to its own origin. Absent: it connects to nothing. */
  readonly connects?: boolean
}

/** Makes a script. @param source a constant; never text from outside */
export function pageScript(source: string, options: Pick<PageScript, 'connects'> = {}): PageScript {
  return { element: new Html(`<script>${source}</script>`), hash: sha256(source), ...options }
}

/**
 * The Content-Security-Policy of a page. It allows the given style and script with its connections, frames and pictures,
 * and no other origins. It has no form-action, because Chromium also applies that to the 302 after the login. `img-src data:`
 * allows the empty icon; without an icon, browsers request /favicon.ico.
 */
const contentSecurityPolicy = (
  style: PageStyle,
  script: PageScript | undefined,
  frames: readonly string[],
  images: readonly string[],
) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${style.hash}'`,
    ...(script === undefined ? [] : [`script-src 'sha256-${script.hash}'`]),
    ...(script?.connects ? ["connect-src 'self'"] : []),
    ...(frames.length === 0 ? [] : [`frame-src ${policySources(frames).join(' ') || "'none'"}`]),
    `img-src ${policySources(['data:', ...images]).join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Sources that a policy can name: a host of a URL may hold `;` and `,`, which begin another directive (CSP Level 3 §2.3.1). */
const NAMEABLE = /^(?:data:|https?:\/\/[\w.-]+(?::(?:\d+|\*))?(?:\/[^\s;,'"]*)?)$/

/** Returns the source expressions that a policy can name, each once. All of a policy that come from outside pass here. */
export const policySources = (sources: readonly string[]): readonly string[] =>
  [...new Set(sources)].filter(each => NAMEABLE.test(each))

/** Optional parts of a page. */
interface PageOptions {
  readonly headers?: HeaderList
  readonly script?: PageScript
  /** Left out: that of forms and lists. */
  readonly style?: PageStyle
  /** Source expressions of the frames on the page. Absent: it has none. */
  readonly frames?: readonly string[]
  /** Origins of pictures on the page. Absent: it has none. */
  readonly images?: readonly string[]
  /** True for a page of lists, which is wider than a form. */
  readonly wide?: boolean
  /** Referrer policy of the page. By default only this origin receives a referrer. */
  readonly referrerPolicy?: 'same-origin' | 'origin'
}

/** Makes a page for a person. */
type MakePage = (status: number, title: string, content: Html, options?: PageOptions) => HttpResponse

/**
 * Creates the maker of the pages of a site. A page is not stored and not framed, and sends its URL as referrer to its own
 * origin only.
 * @param mark the name of the site, above the heading
 */
export function createPage(mark: string): MakePage {
  return (status, title, content, options = {}) => {
    const {
      headers = [],
      script,
      style = formStyle,
      frames = [],
      images = [],
      wide,
      referrerPolicy = 'same-origin',
    } = options
    const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – oauth-lab</title>
<link rel="icon" href="data:,">
${style.element}
</head>
<body>
<main${wide ? html` class="wide"` : undefined}>
<p class="mark">${mark}</p>
${content}
</main>
${script?.element}</body>
</html>
`
    return {
      status,
      headers: [
        ['content-type', 'text/html; charset=utf-8'],
        ['cache-control', 'no-store'],
        ['content-security-policy', contentSecurityPolicy(style, script, frames, images)],
        ['x-frame-options', 'DENY'],
        ['referrer-policy', referrerPolicy],
        ['x-content-type-options', 'nosniff'],
        ...headers,
      ],
      body: bytes(document.markup),
    }
  }
}
