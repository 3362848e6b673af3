import { attribute, elements, pageTree } from '../../../client/page-elements.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import {
  CLIENT_LOGIN,
  clientUrl,
  enterWrongAccount,
  HONEST_CLIENT_LOGIN,
  wrongAccountLanes,
  wrongAccountStory,
} from '../demo-client.js'
import { attack, type Defence } from '../model.js'
import { authorize, need, parameterOf } from '../moves.js'

const POLICY: Defence = { check: 'referrer_policy', rule: 'RFC 9700 §4.2.4' }

/** The pictures that a page takes from a site. */
function picturesFrom({ request, response }: Exchange, site: string): string[] {
  return [...elements(pageTree(response?.body ?? ''))]
    .filter(each => each.tagName === 'img')
    .flatMap(each => {
      const source = attribute(each, 'src')
      return source !== undefined && isUrl(source, request.url) ? [new URL(source, request.url).href] : []
    })
    .filter(each => each.startsWith(`${site}/`))
}

/** An authorization request whose address a picture of the attacker learns. */
export const referrerLeak = attack({
  name: 'referrer-leak',
  title: 'an authorization request read by a picture on the login page',
  rule: 'RFC 9700 §4.2',
  weak: ['referrer'],
  opened: { referrer: { stolen: true } },
  starts: [
    'The attacker counts the visits of pages, with a picture that other sites include.',
    'Alice visits a page of the attacker in another tab (A1 in RFC 9700 §3).',
  ],
  steals: 'a note of alice',
  defences: [POLICY],
  wouldNotHelp: [
    'state: it stands in the address, and the attacker sends it back',
    'PKCE: the challenge stands in the address, and the attacker’s code is bound to it',
    'nonce: it stands in the address too',
    'TLS: the browser itself sends the address',
  ],
  demoClient: true,
  running: { never: 'the picture on its login page comes from its own server' },
  story: {
    ...HONEST_CLIENT_LOGIN,
    authorization_request: 'She sees the login page. Its address has state, nonce and code_challenge.',
    theft: 'Her browser loads a picture of the attacker, and says in Referer which page it is for.',
    attacker_login:
      'The attacker sends the same request in their own browser, and logs in with their own account.',
    ...wrongAccountStory(
      'wrong_account',
      'The client receives the attacker’s code with the state of alice. Every check of the client holds.',
    ),
  },
  lanes: {
    honest_login: CLIENT_LOGIN,
    theft: ['user_agent', 'attacker', 'GET a picture', '9700 §4.2'],
    ...wrongAccountLanes('wrong_account', '9700 §4.2'),
  },
  async *run(scene) {
    const { victim, attacker, site, step } = scene
    const begun = await victim.open(`${clientUrl(scene)}/login`)
    yield step('honest_login', { exchange: begun })
    const page = need(await victim.follow(begun), begun)
    yield step('authorization_request', { exchange: page, note: 'alice sees the login page, and waits' })

    const pictures = picturesFrom(page, site.url)
    let leaked: string | undefined
    for (const picture of pictures) {
      const loaded = await victim.open(picture, { from: page })
      leaked = header(loaded.request, 'referer')
      yield step('theft', { exchange: loaded, note: `Referer: ${leaked ?? 'none'}` })
    }
    if (leaked === undefined || parameterOf(leaked, 'state') === undefined) {
      const policy = (page.response && header(page.response, 'referrer-policy')) ?? 'none'
      const loads = pictures.length === 0 ? 'takes nothing from other sites' : 'sends them no address'
      return { ...POLICY, detail: `the page ${loads}, and says Referrer-Policy: ${policy}` }
    }
    const names = ['attacker_login', 'attacker_login'] as const
    const own = yield* authorize(scene, attacker, leaked, names)
    return yield* enterWrongAccount(scene, need(own.target, own.exchange), 'wrong_account')
  },
})
