import { isForeignCertificate, isUnreachable, ProxyError } from '../../../../client/transport-errors.js'
import { TransportError, UsageError, UserError } from '../../../../protocol/errors.js'
import { parsedUrl, percentDecoded } from '../../../../protocol/http/address.js'
import type { Exchange, Send } from '../../../../protocol/http/exchange.js'
import { bytes, header } from '../../../../protocol/http/message.js'
import { isThisMachine, retryAfter } from '../service.js'
import { explainRefusal, isErrorWord, judge, type Verdict } from './hook-answer.js'
import type { ChatPost } from './post.js'

/** The ports of posting. */
export interface PosterPorts {
  /** Sends one HTTP request. It must not follow redirects. */
  readonly send: Send
  /** Milliseconds since the epoch, by the real clock: `Retry-After` may be a date. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Called before a post is sent again. */
  readonly waiting: (wait: { readonly ms: number; readonly status: number }) => void
  /** Called with true while the message may be in the chat without a proof of it, and with false once that is settled. */
  readonly inDoubt?: (doubt: boolean) => void
  readonly signal?: AbortSignal
}

/** The least time between two posts, in milliseconds. Chat services require it. */
const BETWEEN = 1000

/** The most retries of a post, and the first wait in milliseconds when the service names no time. Waits double. */
const MOST_RETRIES = 3
const FIRST_WAIT = 1000

/** The longest wait, in milliseconds. */
const LONGEST_WAIT = 120_000

/** Returns the wait before the same post is sent again, or undefined when the answer is final. */
function waitFor({ response }: Exchange, done: number, now: number): number | undefined {
  const status = response?.status ?? 0
  // 501 is a switched-off hook of Mattermost; no wait changes that.
  const passes = status === 429 || (status >= 500 && status !== 501)
  if (response === undefined || done >= MOST_RETRIES || !passes) return undefined
  const asked = retryAfter(header(response, 'retry-after'), now)
  const ms = Math.max(BETWEEN, asked ?? FIRST_WAIT * 2 ** done)
  return ms > LONGEST_WAIT ? undefined : ms
}

/** True for an answer after which the message may be in the chat, although the service did not accept it. */
const leavesDoubt = (status: number, verdict: Verdict): boolean =>
  verdict === 'unknown' || (verdict === 'refused' && (status >= 500 || status === 303))

/** Returns the error for an answer that is not an acceptance. */
function refusal({ response }: Exchange, verdict: Verdict, hook: Hook): UserError {
  const { status, body } = response ?? { status: 0, body: '' }
  if (verdict === 'unknown') {
    return new UserError(
      `a page in HTML came back, which no chat service sends (HTTP ${status})`,
      'refused',
      ['Copy the address of the hook again; a login page or a proxy may stand before it.'],
    )
  }
  if (status >= 300 && status < 400) {
    return new UserError(`the address of the webhook redirects (HTTP ${status})`, 'refused', [
      'Copy the address again: redirects of it are not followed.',
    ])
  }
  const { message, next } = explainRefusal(status, body, hook.hide)
  return new UserError(message, 'refused', [next])
}

/** True for a failure before the request was sent: no connection, or a certificate that is not trusted. */
function failedBeforeSending(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false
  const { code } = error
  const certificate =
    isForeignCertificate(code) || code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code.startsWith('CERT_')
  return error instanceof ProxyError || isUnreachable(code) || certificate
}

/** Removes the address of the hook from a network error. */
function withoutAddress(error: unknown, hook: Hook): unknown {
  if (!(error instanceof UserError)) return error
  const message = hook.hide(error.message).replaceAll(/https?:\/\/…/g, 'the chat webhook')
  const hints = error.hints.map(hook.hide).filter(hint => !hint.includes('oauth-lab flow'))
  return error instanceof TransportError
    ? new TransportError(message, error.code, hints)
    : new UserError(message, error.kind, hints)
}

/**
 * Returns a function that posts to a chat webhook, at most once a second. It repeats a post after 429 and 5xx, and never when the service may have
 * accepted the post. Its errors do not contain the address.
 */
export function createPoster(hook: Hook, ports: PosterPorts): (post: ChatPost) => Promise<void> {
  const { send, now, pause, waiting, inDoubt = () => {}, signal } = ports
  let posted = false
  return async post => {
    if (posted) await pause(BETWEEN)
    posted = true
    const request = {
      method: 'POST',
      url: hook.url,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['user-agent', 'oauth-lab'],
        // A request that dies on a kept connection is sent again, which could post the message twice.
        ['connection', 'close'],
      ],
      body: bytes(JSON.stringify(post)),
    } as const
    let doubt = false
    for (let done = 0; ; done++) {
      inDoubt(true)
      const exchange = await send(request, signal ? { signal } : {}).catch((error: unknown) => {
        if (failedBeforeSending(error)) inDoubt(doubt)
        throw withoutAddress(error, hook)
      })
      const { status, body } = exchange.response ?? { status: 0, body: '' }
      const verdict = judge(status, body, isErrorWord)
      doubt = verdict !== 'taken' && (doubt || leavesDoubt(status, verdict))
      inDoubt(doubt)
      if (verdict === 'taken') return
      const ms = waitFor(exchange, done, now())
      if (ms === undefined) throw refusal(exchange, verdict, hook)
      waiting({ ms, status })
      await pause(ms)
    }
  }
}

/** The address of a chat webhook. It is a secret: anyone who has it can post. No message holds a part of it. */
export interface Hook {
  readonly url: string
  /** Removes parts of the address from a text. */
  readonly hide: (text: string) => string
}

/** The shortest secret part of a path, in characters. Shorter parts are names such as `services`. */
const SECRET_LENGTH = 6

/**
 * Reads the address of a hook.
 * @param from the option or the variable that names it, for messages
 * @throws UsageError that does not repeat the address
 */
export function readHook(text: string, from = '--webhook'): Hook {
  const url = parsedUrl(text)
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username !== '') {
    throw new UsageError(`${from} is not the URL of a chat webhook (it is a secret, and not shown)`, [
      'It looks like https://hooks.slack.com/services/T…/B…/…',
      'The lab has one to try:   https://localhost:8446/services/T0/B0/anything',
    ])
  }
  if (url.protocol === 'http:' && !isThisMachine(text)) {
    throw new UsageError(`${from} is plain http: anyone who sees the address can post in your name`, [
      'Use https; plain http is for this machine alone',
    ])
  }
  if (/(^|\.)discord(app)?\.com$/.test(url.hostname) && !/\/slack\/?$/.test(url.pathname)) {
    throw new UsageError(`${from} is the address for posts in Discord's own form, which has no attachments`, [
      'Add /slack to its end: that address takes posts in the form of Slack.',
    ])
  }
  url.hash = ''
  const { href, host, pathname, search } = url
  const parts = `${pathname}/${search}`.split(/[/?&=]/).filter(part => part.length >= SECRET_LENGTH)
  // The longest secret is replaced first, because one secret may begin with another.
  const whole = [text, href, `${pathname}${search}`, pathname, host, url.hostname]
  const secrets = [...new Set([...whole, ...parts])]
    .flatMap(each => [each, percentDecoded(each)])
    .filter(each => each.length > 1)
    .sort((a, b) => b.length - a.length)
  const hide = (message: string) =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), message)
  return { url: href, hide }
}
