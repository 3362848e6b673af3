import { createHash } from 'node:crypto'
import type { HttpResponse } from '../protocol/http/message.js'
import { bytes } from '../protocol/http/message.js'

/** The outcome that the page in the browser shows after the redirect. */
export type CallbackVerdict = 'received' | 'logged_out' | 'refused' | 'foreign_state' | 'incomplete'

// Nothing from the request is written into these pages, so there is nothing to escape.
const pages: Readonly<Record<CallbackVerdict, { status: number; title: string; message: string }>> = {
  received: {
    status: 200,
    title: 'Answer received',
    message: 'oauth-lab has received the answer and continues in the terminal. You may close this tab.',
  },
  logged_out: {
    status: 200,
    title: 'Back from the logout',
    message: 'oauth-lab has seen you come back, and continues in the terminal. You may close this tab.',
  },
  refused: {
    status: 400,
    title: 'Refused',
    message: 'The authorization server refused the request. The terminal shows why. You may close this tab.',
  },
  foreign_state: {
    status: 400,
    title: 'Not the answer to this request',
    message:
      'The state of this answer is not the one that was sent (RFC 6749 §10.12), so the program ignores it and keeps waiting for its own. You may close this tab.',
  },
  incomplete: {
    status: 400,
    title: 'No answer',
    message: 'This address holds neither an answer nor an error (RFC 6749 §4.1.2).',
  },
}

/** The header of a relayed answer: it was in the fragment. */
export const RELAYED_HEADER = 'x-oauth-lab-relayed'

/**
 * The script that moves the response from the fragment to the program. It removes the fragment from the address and the browser history, and posts it
 * unchanged.
 */
const RELAY = `
const answer = location.hash.slice(1)
history.replaceState(null, '', location.pathname + location.search)
const show = html => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  document.title = page.title
  document.body.replaceChildren(...page.body.childNodes)
}
fetch(location.pathname + location.search, {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', '${RELAYED_HEADER}': 'fragment' },
  body: answer,
}).then(response => response.text()).then(show, () => {
  document.querySelector('p').textContent = 'The program in the terminal has stopped waiting.'
})
`

/** The same script for an address that should have the answer in its query, where the fragment is empty as a rule. */
const RELAY_STRAY = `if (location.hash.length > 1) {${RELAY}}`

const hashOf = (script: string) => ({
  text: script,
  hash: createHash('sha256').update(script).digest('base64'),
})
const relay = hashOf(RELAY)
const relayStray = hashOf(RELAY_STRAY)

/** Builds a page that links to nothing. Its headers keep the code in its own address secret, and allow only a script with the given hash. */
function page(
  status: number,
  title: string,
  message: string,
  script?: { text: string; hash: string },
): HttpResponse {
  const scripts = script ? `; script-src 'sha256-${script.hash}'; connect-src 'self'` : ''
  return {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      [
        'content-security-policy',
        `default-src 'none'; img-src data:${scripts}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
      ],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
    ],
    body: bytes(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – oauth-lab</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>${title}</h1>
<p>${message}</p>
${script ? `<script>${script.text}</script>\n` : ''}</body>
</html>
`),
  }
}

/** Returns the page for a verdict. The page has no scripts. */
export function callbackPage(verdict: CallbackVerdict): HttpResponse {
  const { status, title, message } = pages[verdict]
  return page(status, title, message)
}

/** Returns the page for a response in the fragment (RFC 6749 §4.2). Its script relays the fragment. */
export function relayPage(): HttpResponse {
  const message = 'The answer is in the address of this page. A script brings it to the terminal.'
  return page(200, 'One moment', message, relay)
}

/**
 * Returns the page for an address without an answer in its query. Its script relays an answer that a server put into the fragment instead, so that the
 * program can name the mistake.
 */
export function noAnswerPage(): HttpResponse {
  const { status, title, message } = pages.incomplete
  return page(status, title, message, relayStray)
}
