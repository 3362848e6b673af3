import { UserError } from '../../protocol/errors.js'
import { bytes, type HttpResponse, jsonResponse, splitUrl } from '../../protocol/http/message.js'
import type { RequestContext, Route } from '../../protocol/http/site.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { createReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { defined } from '../../protocol/values.js'
import type { Context } from './events.js'
import { fieldsOf, formText } from './forms.js'
import { BACK_CHANNEL_PATH } from './limits.js'
import { judgeLogoutToken } from './logout-token.js'
import { RequestRefusal } from './refusal.js'
import type { Sessions } from './sessions.js'
import type { DemoClientPorts, DemoClientSettings } from './settings.js'

const NOT_STORED = [['cache-control', 'no-store']] as const

const FRONT_CHANNEL_PATH = '/frontchannel-logout'

/** The addresses at which authorization servers end the sessions of this client. */
export function logoutChannels(
  { issuers }: DemoClientSettings,
  { now, sendFor }: DemoClientPorts,
  sessions: Sessions,
): readonly Route[] {
  const parts = { issuers, now, replay: createReplayGuard({ now }) }

  /** Takes a logout token (Back-Channel Logout §2.5, §2.8). */
  const back: Route['methods'][string] = async (request, context: RequestContext) => {
    const { publish }: Context = context
    try {
      const { logout_token: token } = fieldsOf(formText(request), ['logout_token'])
      if (token === undefined) {
        throw new RequestRefusal(400, 'logout_token is missing', 'OpenID Connect Back-Channel Logout §2.5')
      }
      const { checks, ...ended } = await judgeLogoutToken(token, parts, sendFor(request.id))
      sessions.endAll(ended)
      const { issuer, sid, subject: sub } = ended
      publish(defined({ type: 'demo_client.logout_accepted', channel: 'back', issuer, sid, sub, checks }))
      return { status: 200, headers: NOT_STORED, body: new Uint8Array() }
    } catch (error) {
      if (!(error instanceof OAuthError) && !(error instanceof UserError)) throw error
      const rule = 'OpenID Connect Back-Channel Logout §2.6'
      const why =
        error instanceof OAuthError ? error : { description: error.message, rule: rule as typeof rule }
      const { description } = why
      publish({ type: 'demo_client.logout_refused', channel: 'back', description, rule: why.rule })
      // The issuer could not be asked: that is no fault of the token, so the server may try again.
      if (!(error instanceof OAuthError)) {
        return jsonResponse(
          503,
          { error: 'temporarily_unavailable', error_description: description },
          NOT_STORED,
        )
      }
      const status = error instanceof RequestRefusal ? error.status : 400
      return jsonResponse(status, { error: 'invalid_request', error_description: description }, NOT_STORED)
    }
  }

  const policy = `default-src 'none'; frame-ancestors ${issuers.map(each => new URL(each.issuer).origin).join(' ')}`
  const framed = (status: number, text: string): HttpResponse => ({
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
      ...NOT_STORED,
    ],
    body: bytes(`<!doctype html>\n<title>${text}</title>\n`),
  })

  /** Ends a session from a frame of a logout page (Front-Channel Logout §2). `sid` is no secret of this browser alone. */
  const front: Route['methods'][string] = (request, context: RequestContext) => {
    const { publish }: Context = context
    try {
      const { iss, sid } = fieldsOf(splitUrl(request.url).query, ['iss', 'sid'])
      const at = issuers.find(each => each.issuer === iss)
      if (at === undefined || sid === undefined) {
        const description = 'iss and sid do not name a session of an issuer of this client'
        throw new RequestRefusal(400, description, 'OpenID Connect Front-Channel Logout §2')
      }
      const { issuer } = at
      sessions.endAll({ issuer, sid })
      publish({ type: 'demo_client.logout_accepted', channel: 'front', issuer, sid })
      return framed(200, 'Logged out')
    } catch (error) {
      if (!(error instanceof RequestRefusal)) throw error
      const { description, rule, status } = error
      publish({ type: 'demo_client.logout_refused', channel: 'front', description, rule })
      return framed(status, 'Refused')
    }
  }

  return [
    { path: BACK_CHANNEL_PATH, methods: { POST: back } },
    { path: FRONT_CHANNEL_PATH, methods: { GET: front } },
  ]
}
