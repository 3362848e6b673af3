import { attribute, elements, pageTree } from '../../client/page-elements.js'
import type { Step } from '../../flows/step.js'
import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import type { Defence, Refusal } from './defence.js'
import { clientUrl } from './demo-client.js'
import { type Attack, planned } from './model.js'
import { authorize, parameterOf } from './moves.js'
import { CLIENT_LOGIN } from './planned-steps.js'
import type { Scene } from './scene.js'
import { enterWrongAccount, wrongAccountPlan } from './wrong-account.js'

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

/** The reason why the attacker learnt no address. */
function kept({ response }: Exchange, pictures: number): Refusal {
  const policy = (response && header(response, 'referrer-policy')) ?? 'none'
  const loaded = pictures === 0 ? 'takes nothing from other sites' : 'sends them no address'
  return { ...POLICY, detail: `the page ${loaded}, and says Referrer-Policy: ${policy}` }
}

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, attacker, accounts, site, step } = scene
  const begun = await victim.open(`${clientUrl(scene)}/login`)
  yield step('honest_login', { exchange: begun })
  const page = await victim.follow(begun)
  if (page === undefined) return scene.refusal(begun)
  yield step('authorization_request', { exchange: page, note: 'alice sees the login page, and waits' })

  const pictures = picturesFrom(page, site.url)
  let leaked: string | undefined
  for (const picture of pictures) {
    const loaded = await victim.open(picture, { from: page })
    leaked = header(loaded.request, 'referer')
    yield step('theft', { exchange: loaded, note: `Referer: ${leaked ?? 'none'}` })
  }
  if (leaked === undefined || parameterOf(leaked, 'state') === undefined) return kept(page, pictures.length)

  const names = ['attacker_login', 'attacker_login'] as const
  const own = yield* authorize(scene, leaked, { browser: attacker, account: accounts.attacker, names })
  if (own.target === undefined) return scene.refusal(own.exchange)
  return yield* enterWrongAccount(scene, own.target, 'wrong_account')
}

/** An authorization request whose address a picture of the attacker learns. */
export const referrerLeak: Attack = {
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
  plan: [
    CLIENT_LOGIN,
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'She sees the login page. Its address has state, nonce and code_challenge.',
    ),
    planned(
      'theft',
      ['user_agent', 'attacker'],
      'GET a picture',
      '9700 §4.2',
      'Her browser loads a picture of the attacker, and says in Referer which page it is for.',
    ),
    planned(
      'attacker_login',
      ['attacker', 'authorization_server'],
      'log in as the attacker',
      '6749 §4.1.1',
      'The attacker sends the same request in their own browser, and logs in with their own account.',
    ),
    ...wrongAccountPlan(
      'wrong_account',
      'The client receives the attacker’s code with the state of alice. Every check of the client holds.',
      '9700 §4.2',
    ),
  ],
  run,
}
