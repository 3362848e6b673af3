import type { Exchange, Send } from '../protocol/http/exchange.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { DeviceTask, DeviceVerifier, DeviceVisit } from './device-verifier.js'
import { cancelled } from './headless.js'
import type { AskLogin } from './login.js'
import { pageError } from './page-error.js'
import {
  checkFollow,
  createPageVisitor,
  type PageVisitor,
  pressing,
  redirectTarget,
  shownPage,
} from './page-visitor.js'

/** The ports of the headless verifier. */
export interface HeadlessDeviceParts {
  readonly send: Send
  readonly askLogin: AskLogin
  /** Continues when the resource owner answers `browser`. */
  readonly browser?: DeviceVerifier
}

/** Returns the verification address with the user code. Adds the parameter `user_code` when the server sent an address without the code. */
function withCode({ url, userCode }: DeviceTask): string {
  if (url.includes(encodeURIComponent(userCode)) || url.includes(userCode)) return url
  return `${url}${url.includes('?') ? '&' : '?'}user_code=${encodeURIComponent(userCode)}`
}

/** Follows redirects until the response is a page. Yields a visit for each redirect. @returns the exchange of the page */
async function* followed(
  visitor: PageVisitor,
  first: Promise<Exchange>,
  name: DeviceVisit['name'],
): AsyncGenerator<DeviceVisit, Exchange, void> {
  let exchange = await first
  for (let redirects = 1; ; redirects++) {
    const target = redirectTarget(exchange)
    if (target === undefined) return exchange
    yield { name, exchange, repeats: true }
    checkFollow(target, redirects)
    exchange = await visitor.open(target)
  }
}

/** Creates a verifier that acts as the person: it opens the page, fills in the form and approves the device (RFC 8628 §3.3). */
export function createHeadlessVerifier({ send, askLogin, browser }: HeadlessDeviceParts): DeviceVerifier {
  return {
    async *verify(task) {
      const { clientId, scope, signal } = task
      const visitor = createPageVisitor(send, task.url, signal)
      let name: DeviceVisit['name'] = 'device_verification'
      let exchange = yield* followed(visitor, visitor.open(withCode(task)), name)
      let pressed = 0
      for (;;) {
        const page = shownPage(exchange)
        const { form } = page
        const status = exchange.response?.status ?? 0
        const press = pressing(page, status, pressed)
        if (page.confirm && press !== undefined) {
          yield { name, exchange, repeats: true, note: press }
          pressed += 1
          exchange = yield* followed(visitor, visitor.press(page.confirm, exchange), name)
          continue
        }
        if (name === 'device_approval' && !form && status < 400) {
          yield { name, exchange, note: page.heading ?? page.text }
          return
        }
        const again = name === 'device_approval'
        const message = again ? page.alert || page.notice || 'the server shows the form again' : undefined
        yield { name, exchange, ...(again && form && { repeats: true, note: message ?? '' }) }
        if (!form) throw asGrant(pageError(status, page))
        const answer = await askLogin({
          clientId,
          ...(scope !== undefined && { scope }),
          ...(message !== undefined && { message }),
        })
        signal.throwIfAborted()
        if (answer.kind === 'browser' && browser) {
          yield* browser.verify(task)
          return
        }
        if (answer.kind !== 'credentials') throw cancelled(message, 'RFC 8628 §3.3')
        name = 'device_approval'
        exchange = yield* followed(visitor, visitor.submit(form, answer, exchange), name)
      }
    },
  }
}

/** Converts the error of a page that cannot be filled in: the rule becomes the section of this grant. */
function asGrant({ code, description }: OAuthError): OAuthError {
  return new OAuthError(code, { description, rule: 'RFC 8628 §3.3' })
}
