import { redirectTarget, shownPage } from '../../../client/page-visitor.js'
import type { Steps } from '../../../flows/walk.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { bytes } from '../../../protocol/http/message.js'
import { tokenRequest } from '../../../protocol/oauth/token.js'
import { attack, type Defence, type Scene } from '../model.js'
import {
  CODE_ARRIVAL,
  catchCode,
  codeRequest,
  HONEST_CLIENT,
  HONEST_LOGIN,
  honestLogin,
  needMember,
  parameterOf,
  stealRecords,
  THEFT_BY_OWN_CLIENT,
} from '../moves.js'

const MARK: Defence = { check: 'unverified_mark', rule: 'RFC 7591 §5' }
const ADDRESSES: Defence = { check: 'redirect_uris', rule: 'OpenID Connect Registration §2' }

/** The sentence of the page that stops a person who started nothing. */
const MARKED = /registered itself/i

/** Registers a web client by the name of the client that the victim knows. Returns the answer, and whether it was refused. */
async function* register(
  { attacker, urls, client, step, refusal }: Scene,
  redirectUri: string,
  note: string,
): Steps<{ exchange: Exchange; refused: boolean }> {
  const metadata = {
    client_name: client(HONEST_CLIENT).client_name ?? HONEST_CLIENT,
    application_type: 'web',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_basic',
  }
  const exchange = await attacker.send({
    method: 'POST',
    url: `${urls.authorization}/register`,
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
    ],
    body: bytes(JSON.stringify(metadata)),
  })
  const refused = (await refusal(exchange)) !== undefined
  yield step('client_registration', { exchange, note, ...(refused && { repeats: true }) })
  return { exchange, refused }
}

/** Opens the link as a person does who reads the page: she allows what she knows, and refuses what says that nobody checked it. */
async function* decide({ victim, step }: Scene, link: string): Steps<{ decided: Exchange; marked: boolean }> {
  const page = await victim.open(link)
  const { confirm } = shownPage(page)
  const marked = MARKED.test(page.response?.body ?? '')
  const note = marked
    ? 'alice reads: “This application registered itself.” She has started none'
    : 'the page has the name of an application that alice knows, and no warning'
  yield step('authorization_request', { exchange: page, ...(confirm && { note }) })
  if (confirm === undefined) return { decided: page, marked }
  const others = confirm.fields.filter(([name]) => name !== 'consent')
  const decided = marked
    ? await victim.post(confirm.action, [...others, ['consent', 'deny']], page, {
        advice: 'you started no application. Decide by what the page says',
      })
    : await victim.press(confirm, page)
  yield step('consent', { exchange: decided, note: marked ? 'alice denies' : 'alice allows' })
  return { decided, marked }
}

/** A client that registers itself under the name of a real one, and asks the victim for access. */
export const lookAlikeClient = attack({
  name: 'look-alike-client',
  title: 'a client that registers itself under the name of a real one',
  rule: 'RFC 7591 §5',
  weak: ['open-registration'],
  opened: { 'open-registration': { stolen: true }, 'consent-skipped': { stolen: true } },
  starts: [
    'Anyone may register a client at the authorization server: that is what registration is for.',
    'Alice is logged in there, and knows an application by its name.',
    'The attacker can send alice a link, and has a server of their own (A1 in RFC 9700 §3).',
  ],
  steals: 'records of alice',
  defences: [MARK, ADDRESSES],
  wouldNotHelp: [
    'exact redirect addresses, PKCE and state: the client is the attacker’s own',
    'client authentication: the attacker has the secret, which the server gave them',
    'a limit of registrations: one is enough',
  ],
  running: { never: 'it would leave a client there that registered itself' },
  story: {
    ...HONEST_LOGIN,
    client_registration:
      'The attacker registers a client, and calls it like the application that alice knows.',
    lure: 'The attacker sends alice an authorization request of that client.',
    authorization_request: 'Alice opens the link. The page must say that nobody checked this name.',
    consent: 'Alice decides by what the page says.',
    ...CODE_ARRIVAL,
    ...THEFT_BY_OWN_CLIENT,
  },
  lanes: {
    client_registration: ['attacker', 'authorization_server', 'POST /register', '7591 §3'],
    lure: ['attacker', 'user_agent', 'a link in a mail', '9700 §3'],
    authorization_request: ['user_agent', 'authorization_server', 'GET /authorization', '7591 §5'],
    consent: ['user_agent', 'authorization_server', 'POST /authorization', '6749 §10.2'],
  },
  async *run(scene) {
    const { pathUrl, site, step, urls, refusal } = scene
    yield* honestLogin(scene)
    let redirectUri = `${pathUrl}/catch`
    const first = 'a web client at plain http, under the name of the server’s host'
    let { exchange: mine, refused } = yield* register(scene, redirectUri, first)
    if (refused) {
      redirectUri = `${site.url}/catch`
      const again = 'again, with an address that a web client may have'
      mine = (yield* register(scene, redirectUri, again)).exchange
    }
    const clientId = needMember(mine, 'client_id')
    const clientSecret = needMember(mine, 'client_secret')

    const { url, redemption } = codeRequest(scene, clientId, redirectUri)
    yield step('lure', { url, note: '“Your session has ended. Please connect the application again”' })
    const { decided, marked } = yield* decide(scene, url)
    const target = redirectTarget(decided)
    if (!target?.startsWith(redirectUri) || parameterOf(target, 'code') === undefined) {
      const warned = marked && (await refusal(decided)) !== undefined
      return warned ? { ...MARK, detail: 'alice pressed Deny on a page that warned her' } : decided
    }
    const code = yield* catchCode(scene, decided, redirectUri)
    const request = tokenRequest({
      endpoint: `${urls.authorization}/token`,
      clientId,
      clientSecret,
      auth: 'client_secret_basic',
      grantType: 'authorization_code',
      parameters: Object.entries(redemption(code)),
    })
    return yield* stealRecords(scene, request)
  },
})
