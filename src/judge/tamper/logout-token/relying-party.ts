import { createCookieJar } from '../../../client/cookies.js'
import type { KnownUser } from '../../../client/known-login.js'
import {
  checkFollow,
  createPageVisitor,
  pressing,
  redirectTarget,
  shownPage,
} from '../../../client/page-visitor.js'
import { keySet } from '../../../lab/keys/key-status.js'
import type { LabConfig } from '../../../lab/lab-file/config.js'
import { DEMO_WEB } from '../../../lab/sites/demo-web.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { encodeForm } from '../../../protocol/http/form.js'
import { bytes } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import { BACK_CHANNEL_PATH } from '../../../servers/demo-client/settings.js'
import type { LogoutTokenWords } from '../move.js'
import type { PartyVisit, RelyingParty } from './flow.js'

/** The demo client of a lab, and the person who logs in there. */
export interface PartyPlace {
  /** Base URL of the demo client. */
  readonly url: string
  readonly issuer: string
  readonly config: LabConfig
  /** The state folder of the lab, with the keys that it signs by. */
  readonly home: string
  readonly user: KnownUser
  readonly send: Send
  readonly signal: AbortSignal
}

/** The demo client of a lab as a relying party whose logout tokens can be forged. */
export function demoRelyingParty({
  url,
  issuer,
  config,
  home,
  user,
  send,
  signal,
}: PartyPlace): RelyingParty {
  const jar = createCookieJar()
  const atIssuer = createPageVisitor(send, issuer, signal, jar)
  const atParty = createPageVisitor(send, url, signal, jar)

  /** Answers the pages of the issuer. Returns the address at the client that the last answer leads to. */
  async function* visitIssuer(address: string): AsyncGenerator<PartyVisit, string, void> {
    let name: 'login_form' | 'login' = 'login_form'
    let exchange = await atIssuer.open(address)
    let pressed = 0
    for (;;) {
      const target = redirectTarget(exchange)
      if (target !== undefined) {
        if (new URL(target).origin === new URL(url).origin) {
          yield { name, exchange }
          return target
        }
        yield { name, exchange, repeats: true }
        exchange = await atIssuer.open(target)
        continue
      }
      const page = shownPage(exchange)
      const press = pressing(page, exchange.response?.status, pressed)
      yield { name, exchange, ...(name === 'login' && { repeats: true as const }) }
      if (page.form && page.alert === undefined) {
        name = 'login'
        exchange = await atIssuer.submit(page.form, { kind: 'credentials', ...user }, exchange)
      } else if (page.confirm && press !== undefined) {
        name = 'login'
        pressed += 1
        exchange = await atIssuer.press(page.confirm, exchange)
      } else {
        const description = page.alert ?? page.text.slice(0, 200)
        throw new OAuthError('login_failed', { description, rule: 'RFC 6749 §4.1.2.1' })
      }
    }
  }

  async function* logIn(): AsyncGenerator<PartyVisit, void, void> {
    const start = await atParty.open(`${url}/login`)
    yield { name: 'relying_party_login', exchange: start }
    const request = redirectTarget(start)
    if (request === undefined) throw notLoggedIn(start)
    let exchange = await atParty.open(yield* visitIssuer(request))
    for (let hops = 1; ; hops++) {
      const target = redirectTarget(exchange)
      yield {
        name: 'relying_party_session',
        exchange,
        ...(target !== undefined && { repeats: true as const }),
      }
      if (target === undefined) break
      checkFollow(target, hops)
      exchange = await atParty.open(target)
    }
    if (exchange.response?.status !== 200) throw notLoggedIn(exchange)
  }

  return {
    clientId: DEMO_WEB,
    issuer,
    subject: user.username,
    logIn,
    openPage: () => atParty.open(`${url}/notes`),
    post: token =>
      send(
        {
          method: 'POST',
          url: `${url}${BACK_CHANNEL_PATH}`,
          headers: [['content-type', 'application/x-www-form-urlencoded']],
          body: bytes(encodeForm([['logout_token', token]])),
        },
        { signal },
      ),
    async sign({ typ, claims }: LogoutTokenWords) {
      const [newest] = await keySet(home, config, {})
      return signJwt(claims, newest!.key, typ)
    },
  }
}

function notLoggedIn({ response }: Exchange): OAuthError {
  const description = `the demo client answered ${response?.status} to the login`
  return new OAuthError('login_failed', { description, rule: 'RFC 6749 §4.1.2.1' })
}
