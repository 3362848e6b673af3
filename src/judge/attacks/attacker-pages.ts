import { bytes, type HttpResponse } from '../../protocol/http/message.js'
import { Html, html } from '../../protocol/http/page.js'

function page(title: string, head: Html | undefined, body: Html): HttpResponse {
  const document = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}<h1>${title}</h1>
${body}
</html>
`
  return {
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    body: bytes(document.markup),
  }
}

/** The page of an address that has nothing else to show. */
export const THANKS: HttpResponse = page('Thank you', undefined, html`<p>Nothing more happens here.</p>`)

/** The page of an honest application after a login. */
export const LOGGED_IN: HttpResponse = page(
  'You are logged in',
  undefined,
  html`<p>Go back to the terminal.</p>`,
)

/** A page that takes the browser to another address at once. */
export function onwardPage(title: string, target: string): HttpResponse {
  const refresh = html`<meta http-equiv="refresh" content="0; url=${target}">\n`
  return page(title, refresh, html`<p><a href="${target}">Go on</a></p>`)
}

/** Pixels of the frame, and between two rabbits: a button of the framed page is higher than that. */
const FRAME = { width: 420, height: 1200 } as const
const GAP = 36

const gameStyle = `
#game{position:relative;width:${FRAME.width}px;height:${FRAME.height}px}
#game p{position:absolute;left:190px;margin:0;font-size:24px;line-height:${GAP}px}
#game iframe{position:absolute;inset:0;width:100%;height:100%;border:0;opacity:0}
`

/** A game whose rabbits lie below an invisible frame. Clicked from the top, one of them lies below the first button. */
export function gamePage(framed: string): HttpResponse {
  const tops = Array.from({ length: Math.floor(FRAME.height / GAP) }, (_, i) => i * GAP)
  const rabbits = tops.map(top => html`<p style="top:${String(top)}px">🐇</p>\n`)
  return page(
    'Click the rabbits, one after the other, from the top',
    new Html(`<style>${gameStyle}</style>\n`),
    html`<div id="game">\n${rabbits}<iframe src="${framed}"></iframe>\n</div>`,
  )
}
