import type { HttpResponse } from '../http/message.js'
import { bytes } from '../http/message.js'

/** What the person reads in the browser after the redirect. */
export type CallbackVerdict = 'received' | 'refused' | 'foreign_state' | 'incomplete'

// Nothing from the request is written into these pages, so there is nothing to escape.
const pages: Readonly<Record<CallbackVerdict, { status: number; title: string; words: string }>> = {
  received: {
    status: 200,
    title: 'Answer received',
    words: 'oauth-lab has received the answer and goes on in the terminal. You may close this tab.',
  },
  refused: {
    status: 400,
    title: 'Refused',
    words: 'The authorization server refused the request. The terminal shows why. You may close this tab.',
  },
  foreign_state: {
    status: 400,
    title: 'Not the answer to this request',
    words:
      'The state of this answer is not the one that was sent (RFC 6749 §10.12), so it is not believed. Start again in the terminal. You may close this tab.',
  },
  incomplete: {
    status: 400,
    title: 'No answer in here',
    words: 'This address holds neither a code nor an error (RFC 6749 §4.1.2).',
  },
}

/** The page for a verdict: no scripts, no addresses, and the code in its own address goes nowhere. */
export function callbackPage(verdict: CallbackVerdict): HttpResponse {
  const { status, title, words } = pages[verdict]
  return {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['content-security-policy', "default-src 'none'; img-src data:; frame-ancestors 'none'"],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
    ],
    body: bytes(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – oauth-lab</title>
<link rel="icon" href="data:,">
<h1>${title}</h1>
<p>${words}</p>
</html>
`),
  }
}
