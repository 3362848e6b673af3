import { shownPage } from '../../../client/page-visitor.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { headerValues } from '../../../protocol/http/message.js'
import { gamePage } from '../attacker-pages.js'
import { attack, type Defence } from '../model.js'
import {
  catchCode,
  codeRequest,
  HONEST_LOGIN,
  honestLogin,
  OWN_CLIENT,
  stealByCode,
  THEFT_BY_OWN_CLIENT,
} from '../moves.js'

const FRAMES: Defence = { check: 'frame_ancestors', rule: 'RFC 9700 §4.16' }
const COOKIES: Defence = { check: 'same_site_cookie', rule: 'RFC 6749 §10.13' }

/** The header by which a page refuses to be framed by another site; undefined when a browser draws the page. */
export function refusesFrames({ response }: Exchange): string | undefined {
  if (response === undefined) return undefined
  const policies = headerValues(response, 'content-security-policy')
  const ancestors = policies.flatMap(each => /(?:^|;)\s*(frame-ancestors[^;]*)/i.exec(each)?.[1] ?? [])
  // A browser that knows frame-ancestors ignores X-Frame-Options (CSP Level 3 §6.4.2).
  if (ancestors.length > 0) {
    return ancestors.find(each => /^frame-ancestors\s+('none'|'self')\s*$/i.test(each))
  }
  const option = headerValues(response, 'x-frame-options').find(each => /^(deny|sameorigin)$/i.test(each))
  return option && `X-Frame-Options: ${option}`
}

/** A consent page in an invisible frame, whose button the victim presses without seeing it. */
export const clickjackedConsent = attack({
  name: 'clickjacked-consent',
  title: 'a consent page that the victim clicks without seeing it',
  rule: 'RFC 9700 §4.16',
  weak: ['framable'],
  opened: { framable: { stolen: true } },
  starts: [
    'The attacker has registered a client of their own, as anybody may.',
    'Alice is logged in at the authorization server, and plays on a page of the attacker (A1 in RFC 9700 §3).',
  ],
  steals: 'records of alice',
  defences: [FRAMES, COOKIES],
  wouldNotHelp: [
    'a csrf value in the form: the click comes from the real page',
    'exact redirect addresses, PKCE and state: the client is the attacker’s own',
    'asking for consent: alice is asked, and cannot see the question',
  ],
  ...OWN_CLIENT,
  story: {
    ...HONEST_LOGIN,
    lure: 'Alice opens a game. An invisible frame lies over the picture that she is to click.',
    framed_page: 'The frame loads the consent page of the authorization server for the attacker’s client.',
    framed_click: 'Alice clicks. The click presses Allow.',
    code_arrival: 'The frame follows the redirect, and brings the code to the attacker.',
    ...THEFT_BY_OWN_CLIENT,
  },
  lanes: {
    lure: ['user_agent', 'attacker', 'GET /game', '9700 §4.16'],
    framed_page: ['user_agent', 'authorization_server', 'GET /authorization', '6749 §10.13'],
    framed_click: ['user_agent', 'authorization_server', 'POST /authorization', '9700 §4.16'],
  },
  async *run(scene) {
    const { victim, site, catcher, step, refusal } = scene
    yield* honestLogin(scene)
    const { url, redemption } = codeRequest(scene, catcher.client, catcher.address)
    site.serve('/game', () => gamePage(url))
    const game = await victim.open(`${site.url}/game`)
    yield step('lure', { exchange: game })

    const frame = await victim.open(url, { from: game, framed: true })
    const refused = refusesFrames(frame)
    const { confirm } = shownPage(frame)
    const drawn = refused === undefined ? 'the page, which nobody sees' : `nothing: ${refused}`
    yield step('framed_page', { exchange: frame, note: `the browser draws ${drawn}` })
    if (refused !== undefined) return { ...FRAMES, detail: `the page says ${refused}` }
    if (confirm === undefined) {
      const detail = 'the frame shows a login form: no cookie of the session came along'
      return (await refusal(frame)) ?? { ...COOKIES, detail }
    }
    const clicked = await victim.press(confirm, frame, true)
    yield step('framed_click', { exchange: clicked, note: 'alice clicks the rabbit; Allow is above it' })
    const code = yield* catchCode(scene, clicked, catcher.address)
    return yield* stealByCode(scene, catcher.client, redemption(code))
  },
})
