import { TransportError, UserError } from '../../../errors.js'
import type { Exchange, Send } from '../../../http/exchange.js'
import { bytes, header, mediaType } from '../../../http/message.js'
import { retryAfter } from '../waits.js'
import type { ChatPost } from './attachment.js'
import { explainRefusal } from './explain-refusal.js'
import type { Hook } from './hook.js'

/** The ports of posting. */
export interface PosterPorts {
  /** Sends one HTTP request. It must not follow redirects. */
  readonly send: Send
  /** Milliseconds since the epoch, by the real clock: `Retry-After` may be a date. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<unknown>
  /** Called before a post is sent again. */
  readonly waiting: (wait: { readonly ms: number; readonly status: number }) => void
  readonly signal?: AbortSignal
}

/** The least time between two posts, in milliseconds. Chat services require it. */
const BETWEEN = 1000

/** The most retries of a post, and the first wait in milliseconds when the service names no time. Waits double. */
const MOST_RETRIES = 3
const FIRST_WAIT = 1000

/** The longest wait, in milliseconds. */
const LONGEST_WAIT = 120_000

function refusal(exchange: Exchange, hook: Hook): UserError {
  const { status, body } = exchange.response ?? { status: 0, body: '' }
  const { message, next } = explainRefusal(status, body, hook.hide)
  return new UserError(message, 'refused', [next])
}

/** Returns the wait before the same post is sent again, or undefined when the answer is final. */
function waitFor({ response }: Exchange, done: number, now: number): number | undefined {
  const status = response?.status ?? 0
  if (response === undefined || done >= MOST_RETRIES || (status !== 429 && status < 500)) return undefined
  const asked = retryAfter(header(response, 'retry-after'), now)
  const ms = Math.max(BETWEEN, asked ?? FIRST_WAIT * 2 ** done)
  return ms > LONGEST_WAIT ? undefined : ms
}

/** Checks that the chat service accepted a post. A proxy or a login page may have answered instead. @throws UserError otherwise */
function checkTaken(exchange: Exchange, hook: Hook): void {
  const { response } = exchange
  const status = response?.status ?? 0
  if (response === undefined || (status >= 300 && status < 400)) {
    throw new UserError(`the address of the webhook redirects (HTTP ${status})`, 'refused', [
      'Nothing was sent on. Copy the address again: redirects of it are not followed.',
    ])
  }
  if (status < 200 || status >= 300) throw refusal(exchange, hook)
  if (mediaType(response) === 'text/html') {
    throw new UserError(`a page in HTML came back, which no chat service does (HTTP ${status})`, 'refused', [
      'Copy the address of the hook again; a page to log in may stand before it.',
    ])
  }
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
  const { send, now, pause, waiting, signal } = ports
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
      ],
      body: bytes(JSON.stringify(post)),
    } as const
    for (let done = 0; ; done++) {
      const exchange = await send(request, signal ? { signal } : {}).catch((error: unknown) => {
        throw withoutAddress(error, hook)
      })
      const ms = waitFor(exchange, done, now())
      if (ms === undefined) return checkTaken(exchange, hook)
      waiting({ ms, status: exchange.response?.status ?? 0 })
      await pause(ms)
    }
  }
}
