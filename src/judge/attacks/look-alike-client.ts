import { redirectTarget, shownPage } from '../../client/page-visitor.js'
import type { Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { bytes } from '../../protocol/http/message.js'
import { codeChallenge } from '../../protocol/oauth/pkce.js'
import { tokenRequest } from '../../protocol/oauth/token.js'
import type { Defence, Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { authorizationUrl, memberOf, parameterOf } from './moves.js'
import { CODE_ARRIVAL, THEFT_BY_OWN_CLIENT } from './planned-steps.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'
import { HONEST_CLIENT, HONEST_LOGIN, honestLogin } from './victim.js'

const MARK: Defence = { check: 'unverified_mark', rule: 'RFC 7591 §5' }
const ADDRESSES: Defence = { check: 'redirect_uris', rule: 'OpenID Connect Registration §2' }

/** The sentence of the page that stops a person who started nothing. */
const MARKED = /registered itself/i

const CATCH = '/catch'

/** A client that registered itself. */
interface Registered {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Registers a web client by the name of the client that the victim knows. Returns the refusal where it was refused. */
async function* register(
  { attacker, urls, client, step, refusal }: Scene,
  address: string,
  note: string,
): AsyncGenerator<Step, Registered | Refusal | undefined, void> {
  const redirectUri = `${address}${CATCH}`
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
  const refused = await refusal(exchange)
  yield step('client_registration', { exchange, note, ...(refused !== undefined && { repeats: true }) })
  const [clientId, clientSecret] = [memberOf(exchange, 'client_id'), memberOf(exchange, 'client_secret')]
  return clientId === undefined || clientSecret === undefined
    ? refused
    : { clientId, clientSecret, redirectUri }
}

/** Opens the link as a person does who reads the page: she allows what she knows, and refuses what says that nobody checked it. */
async function* decide(
  { victim, step }: Scene,
  link: string,
): AsyncGenerator<Step, { readonly decided: Exchange; readonly marked: boolean }, void> {
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

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, pathUrl, site, step, random, urls } = scene
  yield* honestLogin(scene)
  let mine = yield* register(
    scene,
    pathUrl,
    'a web client at plain http, under the name of the server’s host',
  )
  if (mine !== undefined && 'check' in mine) {
    mine = yield* register(scene, site.url, 'again, with an address that a web client may have')
  }
  if (mine === undefined || 'check' in mine) return mine
  const { clientId, clientSecret, redirectUri } = mine

  const verifier = Buffer.from(random(32)).toString('base64url')
  const link = authorizationUrl(scene, {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'records:read' },
    ...{ state: 'anything', code_challenge: codeChallenge(verifier), code_challenge_method: 'S256' },
  })
  yield step('lure', { url: link, note: '“Your session has ended. Please connect the application again”' })
  const { decided, marked } = yield* decide(scene, link)
  const target = redirectTarget(decided)
  const code = target?.startsWith(redirectUri) ? parameterOf(target, 'code') : undefined
  if (code === undefined) {
    const refusal = await scene.refusal(decided)
    return marked && refusal ? { ...MARK, detail: `alice pressed Deny on a page that warned her` } : refusal
  }
  yield step('code_arrival', { exchange: (await victim.follow(decided))! })
  return yield* stealRecords(
    scene,
    tokenRequest({
      endpoint: `${urls.authorization}/token`,
      ...{ clientId, clientSecret, auth: 'client_secret_basic', grantType: 'authorization_code' },
      parameters: Object.entries({ code, redirect_uri: redirectUri, code_verifier: verifier }),
    }),
  )
}

/** A client that registers itself under the name of a real one, and asks the victim for access. */
export const lookAlikeClient: Attack = {
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
  plan: [
    HONEST_LOGIN,
    planned(
      'client_registration',
      ['attacker', 'authorization_server'],
      'POST /register',
      '7591 §3',
      'The attacker registers a client, and calls it like the application that alice knows.',
    ),
    planned(
      'lure',
      ['attacker', 'user_agent'],
      'a link in a mail',
      '9700 §3',
      'The attacker sends alice an authorization request of that client.',
    ),
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '7591 §5',
      'Alice opens the link. The page must say that nobody checked this name.',
    ),
    planned(
      'consent',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §10.2',
      'Alice decides by what the page says.',
    ),
    CODE_ARRIVAL,
    ...THEFT_BY_OWN_CLIENT,
  ],
  run,
}
