import { cookie, type HeaderList } from '../../../../protocol/http/message.js'
import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import {
  boundToLogin,
  judgeSecondFactor,
  type SecondFactorFields,
  type SecondFactorParts,
} from '../../logins/second-factor.js'
import type { Session, Sessions } from '../../logins/sessions.js'
import { retryAfter } from '../../pages/retry-after.js'
import { secondFactorPage } from '../../pages/second-factor-page.js'
import { decideAcr } from '../../parameters/acr-demand.js'
import type { PendingLogin } from '../../stores/pending-logins.js'
import type { Reply, Visit } from './visit.js'

/** The result of a submitted code. After `ended` the login begins again. */
export type SecondFactorResult =
  | { readonly kind: 'succeeded'; readonly session: Session; readonly allowed: boolean }
  | { readonly kind: 'asked'; readonly reply: Reply }
  | { readonly kind: 'ended' }

/** The second factor in an interaction. Thrown errors go to the client. */
export interface SecondFactorStep {
  /**
   * Returns the page that asks for a one-time code; undefined when the login is strong enough for the request.
   * @throws OAuthError `interaction_required` or `unmet_authentication_requirements`
   */
  ask(visit: Visit, login: PendingLogin): Reply | undefined
  /** Takes a submitted code. @throws OAuthError `access_denied` after Cancel */
  take(visit: Visit, fields: SecondFactorFields): Promise<SecondFactorResult>
}

/** Makes the step of an interaction that asks for a second factor, where a request wants a stronger login. */
export function createSecondFactorStep(
  parts: SecondFactorParts & { readonly sessions: Sessions },
): SecondFactorStep {
  const { registry, csrf, sessions, pendingLogins } = parts

  function show(
    { request, browser, action, publish }: Visit,
    pending: string,
    { username }: Session,
    again: { readonly message?: string; readonly status?: number; readonly headers?: HeaderList } = {},
  ): Reply {
    const { headers = [], ...shown } = again
    publish({ type: 'second_factor.shown', client_id: request.client.client_id, username })
    const value = csrf.value(browser.secret, boundToLogin(pending, request.pairs))
    const form = { request, username, pending, action, csrf: value, ...shown }
    return { response: secondFactorPage(form, [...browser.headers, ...headers]), answered: false }
  }

  return {
    ask(visit, login) {
      const { request } = visit
      const { acr, username } = login.session
      const step = decideAcr(request.acr, {
        acr,
        canAddFactor: registry.user(username)?.totp_secret !== undefined,
        mayAsk: !request.prompts.includes('none'),
      })
      if (step.kind === 'met') return undefined
      if (step.kind === 'refuse') throw step.error
      return show(visit, pendingLogins.keep(login), login.session)
    },

    async take(visit, fields) {
      const { http, request, publish } = visit
      const clientId = request.client.client_id
      const sender = { cookie: cookie(http, csrf.cookieName), address: http.remoteAddress }
      const asked = { pairs: request.pairs, present: sessions.find(http) }
      const verdict = await judgeSecondFactor(parts, asked, fields, sender)
      if (verdict.kind === 'ended') return verdict
      if (verdict.kind === 'cancelled') {
        const description = 'the resource owner refused'
        throw new OAuthError('access_denied', { description, rule: 'RFC 6749 §4.1.2.1' })
      }
      const { username, acr } = verdict.session
      if (verdict.kind === 'succeeded') {
        publish({ type: 'second_factor.succeeded', client_id: clientId, username, acr })
        return verdict
      }
      const { session, reason, message, rule, status, retryAfterSeconds } = verdict
      publish({
        type: 'second_factor.failed',
        client_id: clientId,
        username,
        reason,
        description: message,
        rule,
      })
      const headers = retryAfter(retryAfterSeconds)
      return {
        kind: 'asked',
        reply: show(visit, fields.second_factor ?? '', session, { message, status, headers }),
      }
    },
  }
}
