import { redirectTarget, shownPage } from '../../client/page-visitor.js'
import { TimeoutError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import { type HttpRequest, type HttpResponse, header, text } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import type { Browser } from './browser.js'

/** Most exchanges that are kept until somebody asks for them. */
const MOST_KEPT = 200

/** The exchanges of real browsers, as the servers of this program saw them. */
export interface Sightings {
  /** Returns the same site; its exchanges with browsers are kept. */
  watch(site: Site): Site
  /**
   * Waits for the next exchange that fits. Exchanges before it are skipped.
   * @param awaited the request that is awaited, for messages
   * @throws TimeoutError, or the reason of the signal
   */
  next(fits: (exchange: Exchange) => boolean, awaited: string): Promise<Exchange>
}

/** The exchange that a site had with a browser. */
function exchangeOf(request: HttpRequest, response: HttpResponse, started: number, ended: number): Exchange {
  const { id, method, url, headers, body } = request
  return {
    request: { ...(id !== undefined && { id }), method, url, headers, body: text(body) },
    response: { status: response.status, headers: response.headers, body: text(response.body) },
    wireBytes: { request: body.length, response: response.body.length },
    bodyBytes: response.body.length,
    ms: ended - started,
    at: new Date(started).toISOString(),
  }
}

/** True for the request of a browser. The programs of an attack send no User-Agent. */
const ofBrowser = (request: HttpRequest): boolean => header(request, 'user-agent') !== undefined

/** Makes an empty collection. @param patience longest wait for one exchange, in milliseconds */
export function createSightings(now: () => number, signal: AbortSignal, patience: number): Sightings {
  const kept: Exchange[] = []
  let wake: () => void = () => {}

  function seen(exchange: Exchange): void {
    kept.push(exchange)
    if (kept.length > MOST_KEPT) kept.shift()
    wake()
  }

  return {
    watch: ({ name, handle }) => ({
      name,
      async handle(request, context) {
        const started = now()
        const response = await handle(request, context)
        if (ofBrowser(request)) seen(exchangeOf(request, response, started, now()))
        return response
      },
    }),
    async next(fits, awaited) {
      const late = AbortSignal.timeout(patience)
      const ended = AbortSignal.any([signal, late])
      for (;;) {
        signal.throwIfAborted()
        const found = kept.findIndex(fits)
        if (found >= 0) {
          const [exchange] = kept.splice(0, found + 1).slice(-1)
          return exchange!
        }
        if (late.aborted) {
          throw new TimeoutError(`no browser sent ${awaited} within ${patience / 1000} s`, [
            'Wait longer:   --timeout 20m',
          ])
        }
        await new Promise<void>(resolve => {
          // Many requests may come while one is awaited: each leaves no listener behind.
          const done = (): void => {
            ended.removeEventListener('abort', done)
            resolve()
          }
          wake = done
          ended.addEventListener('abort', done)
        })
      }
    },
  }
}

/** The parts of a person's own browser. */
export interface WindowParts {
  readonly sightings: Pick<Sightings, 'next'>
  /** Opens an address in the person's browser, or does nothing where the person opens it. */
  readonly open: (url: string) => Promise<void>
  /** Shows the person one line. */
  readonly say: (line: string) => void
  /** The name of the victim, whom the person plays. */
  readonly name: string
}

/** The address as a browser sends it: resolved, without its fragment. */
function sentAddress(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}

/** True when a field of a form has a text in it. */
function holds(form: string, typed: string): boolean {
  return parseForm(form).some(([, value]) => value.includes(typed))
}

/** An address for messages: its query may be long. */
const shortAddress = (url: string): string => url.split('?', 1)[0]!

/**
 * The real browser of a person, who does what a victim does. This program opens addresses that a person would open; the
 * pages do the rest, and each method waits for the request that it is named for. `programs` are the victim's own programs.
 */
export function createWindow(
  { sightings, open, say, name }: WindowParts,
  programs: Pick<Browser, 'send'>,
): Browser {
  let last: Exchange | undefined

  async function arrival(
    method: string,
    url: string,
    fits: (exchange: Exchange) => boolean = () => true,
  ): Promise<Exchange> {
    const wanted = sentAddress(url)
    last = await sightings.next(
      exchange =>
        exchange.request.method === method && sentAddress(exchange.request.url) === wanted && fits(exchange),
      `${method} ${shortAddress(wanted)}`,
    )
    return last
  }

  return {
    send: programs.send,
    async open(url, { from } = {}) {
      // A page that is open already goes on by itself.
      if (from === undefined) {
        say(`${name}: open this address in your browser:  ${url}`)
        await open(url)
      }
      return arrival('GET', url)
    },
    async follow(exchange) {
      const target = redirectTarget(exchange)
      return target === undefined ? undefined : arrival('GET', target)
    },
    post(action, _fields, _from, { typed, advice } = {}) {
      if (typed !== undefined) say(`${name}: write this into the form, and send it:  ${typed}`)
      if (advice !== undefined) say(`${name}: ${advice}`)
      return arrival('POST', action, ({ request }) => typed === undefined || holds(request.body, typed))
    },
    async logIn({ action }, { username, password }) {
      for (;;) {
        say(`${name}: log in as ${username} with the password ${password}`)
        const answer = await arrival('POST', action)
        const { form, alert } = shownPage(answer)
        if (form === undefined) return answer
        say(alert ?? 'the page asks again')
      }
    },
    press({ action, button }, _from, framed) {
      const doing = framed
        ? 'play the game of the page'
        : `press “${button ?? 'Continue'}”, or what you would press`
      say(`${name}: ${doing}`)
      return arrival('POST', action)
    },
    last: () => last,
  }
}
