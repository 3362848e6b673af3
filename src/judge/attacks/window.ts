import { redirectTarget, shownPage } from '../../client/page-visitor.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import type { Browser } from './browser.js'
import type { Sightings } from './sightings.js'

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
