import type { Exchange, Send } from '../protocol/http/exchange.js'
import { check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { type AskedApproval, readApprovals } from './approval-page.js'
import type { ApprovalTask, ApprovalVisit, AuthenticationDevice } from './authentication-device.js'
import { cancelled, type OneTimeCodeOf } from './headless.js'
import type { AskLogin } from './login.js'
import { pageError } from './page-error.js'
import {
  checkFollow,
  createPageVisitor,
  type PageVisitor,
  redirectTarget,
  shownPage,
} from './page-visitor.js'

/** The ports of the headless authentication device. */
export interface HeadlessApprovalParts {
  readonly send: Send
  readonly askLogin: AskLogin
  /** The address of the page that asks. */
  readonly page: string
  readonly oneTimeCode?: OneTimeCodeOf | undefined
  /** Continues when the resource owner answers `browser`. */
  readonly browser?: AuthenticationDevice
}

const RULE = 'OpenID Connect CIBA Core §8'

/** Creates a device that acts as the person: it logs in, compares the message, and presses Allow or Deny. */
export function createHeadlessApproval(parts: HeadlessApprovalParts): AuthenticationDevice {
  return {
    async *decide(task) {
      const visitor = createPageVisitor(parts.send, parts.page, task.signal)
      const login = yield* loggedIn(parts, task, visitor)
      if (login === 'browser') {
        yield* parts.browser!.decide(task)
        return
      }
      const { exchange, username } = login
      const asked = ownRequest(exchange, task)
      yield { name: 'approval_page', exchange, ...compared(task) }
      const form = task.denies ? asked.deny : approvalOf(asked, username, parts)
      const decided = await settled(visitor, await visitor.press(form, exchange))
      const page = shownPage(decided)
      const status = decided.response?.status ?? 0
      const left = readApprovals(decided.response?.body ?? '', decided.request.url)
      if (status >= 400 || page.alert !== undefined || page.form || left.length > 0) throw refused(decided)
      yield { name: 'approval', exchange: decided, note: page.heading ?? page.text }
    },
  }
}

/** A person who sees the page. */
interface LoggedIn {
  readonly exchange: Exchange
  readonly username: string
}

/** Logs the person in, as often as the page asks. Returns `browser` when the person moves to their own browser. */
async function* loggedIn(
  { askLogin, page: address, browser }: HeadlessApprovalParts,
  { clientId, scope, signal }: ApprovalTask,
  visitor: PageVisitor,
): AsyncGenerator<ApprovalVisit, LoggedIn | 'browser', void> {
  let exchange = await settled(visitor, await visitor.open(address))
  let username = ''
  for (let again = false; ; again = true) {
    const page = shownPage(exchange)
    const status = exchange.response?.status ?? 0
    if (page.form === undefined) {
      if (status >= 400) throw refused(exchange)
      return { exchange, username }
    }
    const message = again ? page.alert || page.notice || 'the server shows the form again' : undefined
    yield { name: 'approval_page', exchange, repeats: true, note: message ?? 'asks for a login' }
    const answer = await askLogin({
      clientId,
      ...(scope !== undefined && { scope }),
      ...(message !== undefined && { message }),
    })
    signal.throwIfAborted()
    if (answer.kind === 'browser' && browser) return 'browser'
    if (answer.kind !== 'credentials') throw cancelled(message, RULE)
    username = answer.username
    exchange = await settled(visitor, await visitor.submit(page.form, answer, exchange))
  }
}

/** Follows the redirects of an answer to a page. */
async function settled(visitor: PageVisitor, first: Exchange): Promise<Exchange> {
  let exchange = first
  for (let redirects = 1; ; redirects++) {
    const target = redirectTarget(exchange)
    if (target === undefined) return exchange
    checkFollow(target, redirects)
    exchange = await visitor.open(target)
  }
}

/**
 * Finds the request of this client on the page, by its message and by the name of the client where the page shows it. Of
 * several the first one is taken: pages show the newest first.
 * @throws OAuthError where none is there, so that nobody approves the request of somebody else
 */
function ownRequest(
  { request, response }: Exchange,
  { bindingMessage, clientId }: ApprovalTask,
): AskedApproval {
  const asked = readApprovals(response?.body ?? '', request.url)
  const same = bindingMessage === undefined ? asked : asked.filter(each => each.shows(bindingMessage))
  const [newest] = [...same.filter(each => each.shows(clientId)), ...same]
  if (newest !== undefined) return newest
  const description =
    asked.length === 0
      ? 'the page asks this person nothing: is it the person whom the request names?'
      : 'the page shows another message than the client, so the person approves nothing'
  throw new OAuthError('unknown_page', { description, rule: RULE })
}

/** The comparison of both messages, which the person makes (OpenID Connect CIBA Core §7.1). */
function compared({ bindingMessage }: ApprovalTask): Partial<ApprovalVisit> {
  if (bindingMessage === undefined) return {}
  const rule = 'OpenID Connect CIBA Core §7.1'
  return {
    checks: [check('binding_message', true, rule, bindingMessage)],
    note: `shows “${bindingMessage}” too`,
  }
}

/** The form that approves, with a one-time code where it wants one. @throws OAuthError where no code is known */
function approvalOf(
  { approve, codeField }: AskedApproval,
  username: string,
  { oneTimeCode }: HeadlessApprovalParts,
): AskedApproval['approve'] {
  if (codeField === undefined) return approve
  const code = oneTimeCode?.(username, 0)
  if (code === undefined) throw cancelled('no one-time code is known for this person', RULE)
  return { ...approve, fields: [...approve.fields, [codeField, code]] }
}

function refused(exchange: Exchange): OAuthError {
  const page = shownPage(exchange)
  const { code, description } = pageError(exchange.response?.status ?? 0, page)
  return new OAuthError(code, { description: page.alert ?? description, rule: RULE })
}
