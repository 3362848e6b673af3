import { bytes, type HttpResponse } from '../../../protocol/http/message.js'
import { html, pageScript, policySources } from '../../../protocol/http/page.js'
import type { Route } from '../../../protocol/http/site.js'
import { type Client, redirectUriRules } from '../../../protocol/oauth/client.js'
import { parseLoopback } from '../../../protocol/oauth/redirect-uri.js'
import { STATE_COOKIE } from '../logins/sessions.js'

/** The path of the frame that clients open to learn if the person is still logged in (Session Management §3.3). */
export const CHECK_SESSION_PATH = '/check-session'

/**
 * Answers `client_id session_state` with `unchanged`, `changed` or `error`. The sender has the origin of the page around
 * this frame (Session Management §3.3), and that origin is part of the compared hash. A browser that does not name the
 * page around the frame lets only that page itself ask.
 */
const script = pageScript(`
addEventListener('message', async event => {
  const { data, source, origin } = event
  if (source === null || origin === 'null') return
  const around = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  if (around ? origin !== around : source !== parent) return
  const answer = text => source.postMessage(text, origin)
  const [clientId, sessionState, ...more] = typeof data === 'string' ? data.split(' ') : []
  const [hash, salt, ...rest] = (sessionState ?? '').split('.')
  if (!clientId || !hash || !salt || more.length > 0 || rest.length > 0) return answer('error')
  const cookies = document.cookie.split(';').map(each => each.trim())
  const state = cookies.find(each => each.startsWith('${STATE_COOKIE}='))?.slice(${STATE_COOKIE.length + 1})
  if (!state) return answer('changed')
  const text = new TextEncoder().encode([clientId, origin, state, salt].join(' '))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  const own = btoa(String.fromCharCode(...digest)).replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
  answer(own === hash ? 'unchanged' : 'changed')
})
`)

const body = bytes(
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Session check – oauth-lab</title>
${script.element}
</head>
</html>
`.markup,
)

/** Most origins that the policy names, so that the header stays short. */
const MAX_ORIGINS = 100

/** Most origins of one client in it. */
const MAX_ORIGINS_EACH = 10

/** Returns the origins of a client's pages, as a policy names them. A loopback address matches any port. */
function originsOf(client: Client): string[] {
  return client.redirect_uris.flatMap(uri => {
    // A policy cannot name an IPv6 address (CSP Level 3 §2.3.1).
    if (!/^https?:/i.test(uri) || uri.includes('://[')) return []
    const loopback = parseLoopback(uri, redirectUriRules(client))
    return [loopback === undefined ? new URL(uri).origin : `${loopback.base}:*`]
  })
}

/**
 * The frame of Session Management. Pages of clients alone may open it: it is the only response of this server that any
 * other site may frame.
 */
export function checkSessionFrame(clients: () => readonly Client[]): Route {
  // Reading the addresses of a full store at each request takes 160 ms.
  const known = new WeakMap<Client, readonly string[]>()

  /** Each client has its share: one with many addresses pushes out no other. */
  function shareOf(client: Client): readonly string[] {
    const share = known.get(client) ?? policySources(originsOf(client)).slice(0, MAX_ORIGINS_EACH)
    known.set(client, share)
    return share
  }

  const get = (): HttpResponse => {
    const enabled = clients().filter(each => each.enabled)
    const shares = enabled.map(shareOf)
    const origins = [...new Set(shares.toSorted((a, b) => a.length - b.length).flat())].slice(0, MAX_ORIGINS)
    const policy = [
      "default-src 'none'",
      `script-src 'sha256-${script.hash}'`,
      "base-uri 'none'",
      `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    ]
    return {
      status: 200,
      headers: [
        ['content-type', 'text/html; charset=utf-8'],
        ['cache-control', 'no-store'],
        ['content-security-policy', policy.join('; ')],
        ['referrer-policy', 'no-referrer'],
        ['x-content-type-options', 'nosniff'],
      ],
      body,
    }
  }
  return { path: CHECK_SESSION_PATH, methods: { GET: get } }
}
