import type { Send } from '../http/exchange.js'
import type { AuthorizationRequest } from '../oauth/authorization.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { Callback } from './callback.js'
import type { AskLogin, LoginPrompt } from './login.js'
import {
  checkFollow,
  createPageVisitor,
  pageError,
  pressing,
  redirectTarget,
  shownPage,
  withoutFragment,
} from './page-visitor.js'
import type { Errand, UserAgent, Visit } from './user-agent.js'
import { answersInFragment } from './user-agent.js'

/** The parts of the headless user agent. */
export interface HeadlessParts {
  readonly send: Send
  readonly askLogin: AskLogin
  /** The listener at the redirect_uri; absent where that address is not ours to listen at. */
  readonly callback?: Callback
  /** The user agent that continues when the resource owner answers `browser`. */
  readonly browser?: UserAgent
}

/** True for the redirect_uri with any parameters added to it. */
function isAnswer(target: string, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false
  const [a, b] = [new URL(target), new URL(redirectUri)]
  return a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname
}

/** The prompt for the resource owner, made of the request. */
function promptFor({ clientId, scope }: AuthorizationRequest, message: string | undefined): LoginPrompt {
  return { clientId, ...(scope !== undefined && { scope }), ...(message !== undefined && { message }) }
}

/** The error of a request that nobody logs in to. */
export function cancelled(message: string | undefined, rule = 'RFC 6749 §4.1'): OAuthError {
  return message === undefined
    ? new OAuthError('login_cancelled', {
        description: 'nobody logged in',
        rule,
      })
    : new OAuthError('login_failed', { description: message, rule })
}

/**
 * The user agent that this program plays itself: fetches the login page, fills in its form, follows redirects one
 * by one, and really visits the redirect_uri where this side listens there.
 */
export function createHeadlessAgent(parts: HeadlessParts): UserAgent {
  const { send, askLogin, callback, browser } = parts

  return {
    async *authorize(errand) {
      const { request, signal } = errand
      const visitor = createPageVisitor(send, request.url, signal)

      let name: 'login_form' | 'login' = 'login_form'
      let exchange = await visitor.open(request.url)
      let redirects = 0
      let pressed = 0
      let loggedIn = false
      for (;;) {
        const target = redirectTarget(exchange)
        if (target !== undefined) {
          if (isAnswer(target, request.redirectUri)) {
            yield { name, exchange }
            yield await land(target, errand)
            return
          }
          yield { name, exchange, repeats: true }
          redirects += 1
          checkFollow(target, redirects)
          exchange = await visitor.open(target)
          continue
        }
        redirects = 0
        const page = shownPage(exchange)
        const { form } = page
        const press = pressing(page, exchange.response?.status, pressed)
        if (page.confirm && press !== undefined) {
          yield { name, exchange, repeats: true, note: press }
          pressed += 1
          name = 'login'
          exchange = await visitor.press(page.confirm, exchange)
          continue
        }
        const again = loggedIn
        const message = again ? page.alert || 'the server shows the login form again' : undefined
        yield { name, exchange, ...(message !== undefined && form && { note: message, repeats: true }) }
        if (!form) throw pageError(exchange.response?.status, page)
        const answer = await askLogin(promptFor(request, message))
        signal.throwIfAborted()
        if (answer.kind === 'browser' && browser) {
          yield* browser.authorize(errand)
          return
        }
        if (answer.kind !== 'credentials') throw cancelled(message)
        name = 'login'
        loggedIn = true
        exchange = await visitor.submit(form, answer, exchange)
      }
    },
  }

  async function land(target: string, { request, signal }: Errand): Promise<Visit> {
    const name = 'authorization_response'
    if (!callback) return { name, landed: target, note: 'not visited: this side does not listen there' }
    const visited = new AbortController()
    const arrival = callback.receive(request.state, AbortSignal.any([signal, visited.signal]), {
      fragment: answersInFragment(request),
    })
    // Its outcome is the exchange below, seen from this end.
    arrival.catch(() => undefined)
    const url = withoutFragment(target)
    const exchange = await send(
      { method: 'GET', url, headers: [['accept', 'text/html']], body: new Uint8Array() },
      { signal },
    )
    // A page that relays the fragment is not run here: nobody sends one.
    visited.abort()
    return { name, exchange, landed: target }
  }
}
