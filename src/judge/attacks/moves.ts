import type { ReadPage } from '../../client/login-page.js'
import { redirectTarget, shownPage } from '../../client/page-visitor.js'
import { answerMembers } from '../../flows/answers/answer-members.js'
import type { StepName } from '../../flows/step.js'
import { resourceRequest } from '../../flows/steps/resource-step.js'
import type { Steps } from '../../flows/walk.js'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { encodeForm } from '../../protocol/http/form.js'
import { bytes, type HeaderList, type HttpRequest, splitUrl } from '../../protocol/http/message.js'
import { codeChallenge } from '../../protocol/oauth/pkce.js'
import { type ClientSecretPlace, clientRequest, tokenRequest } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import type { Origin } from './browser.js'
import type { Attack, End, Lane, Person, Scene } from './model.js'

/** The client of the lab by which the victim keeps a record before the attack, and logs in. */
export const HONEST_CLIENT = 'demo'

/** A public client of the built-in lab. */
export const PUBLIC_CLIENT = 'demo-native'

/** The attacker's own client: registered like any other, and never allowed by alice. Its codes go to the attacker's server. */
export const quiz = (site: string): ClientEntry => ({
  client_id: 'free-quiz',
  client_name: 'Free quiz',
  redirect_uris: [`${site}/catch`],
  grant_types: ['authorization_code'],
  response_types: ['code'],
})

/** The attacker runs the quiz. At a running lab that is the single-page application, which alice has not allowed either. */
export const OWN_CLIENT = {
  clients: site => [quiz(site)],
  running: { standIn: 'demo-spa' },
} satisfies Partial<Attack>

/** A public client that alice has allowed before. */
export const notesApp = (redirectUri: string): ClientEntry => ({
  client_id: 'notes-app',
  client_name: 'Notes',
  redirect_uris: [redirectUri],
  consent: 'granted',
  grant_types: ['authorization_code'],
  response_types: ['code'],
})

/** The story of `honestLogin`. */
export const HONEST_LOGIN = {
  honest_login:
    'Alice logs in for an application that she trusts. Her browser keeps the session at the authorization server.',
}

/** The story of a code that comes to the attacker by a redirect. */
export const CODE_ARRIVAL = {
  code_arrival: 'Her browser follows the redirect and brings the code to the attacker.',
}

/** The story of the theft with a code for a public client that is not the attacker's. */
export const THEFT_BY_PUBLIC_CLIENT = {
  token_request: 'The attacker redeems the code with the verifier of the link, as the public client.',
  resource_request: 'The attacker reads the records with the token of alice.',
}

/** The story of the theft with a code for the attacker's own client. */
export const THEFT_BY_OWN_CLIENT = {
  token_request: 'The attacker redeems the code as their own client.',
  resource_request: 'The attacker reads the records of alice.',
}

/** The token request of an honest application. */
export const HONEST_REDEMPTION: Lane = ['client', 'authorization_server', 'POST /token', '6749 §4.1.3']

/** Ends an attack before its last move. */
export class Stopped extends Error {
  constructor(readonly end: End) {
    super('an answer did not bring what the next move needs')
  }
}

/** Returns a value that the next move needs. @throws Stopped, at the answer that did not bring it */
export function need<Value>(value: Value | undefined, end: End): Value {
  if (value === undefined) throw new Stopped(end)
  return value
}

/** The address of an authorization request. */
export function authorizationUrl(
  { urls }: Pick<Scene, 'urls'>,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${urls.authorization}/authorization?${encodeForm(Object.entries(parameters))}`
}

/** The value of a parameter in the query or fragment of an address. */
export function parameterOf(address: string, name: string): string | undefined {
  const { search, hash } = new URL(address)
  return new URLSearchParams(search).get(name) ?? new URLSearchParams(hash.slice(1)).get(name) ?? undefined
}

/** The member of a JSON answer, when it is a text. */
export function memberOf(exchange: Exchange, name: string): string | undefined {
  const value = answerMembers(exchange)[name]
  return typeof value === 'string' ? value : undefined
}

/** The member of a JSON answer that the next move needs. @throws Stopped */
export const needMember = (exchange: Exchange, name: string): string =>
  need(memberOf(exchange, name), exchange)

/** An unpredictable text, such as a state. */
export const randomText = ({ random }: Pick<Scene, 'random'>, length = 16): string =>
  Buffer.from(random(length)).toString('base64url')

/** The credentials of a client of the lab, in a request to one of its endpoints. */
function credentials({ urls, client }: Scene, path: string, clientId: string) {
  const { client_secret: clientSecret } = client(clientId)
  const auth: ClientSecretPlace = clientSecret === undefined ? 'none' : 'client_secret_basic'
  return defined({ endpoint: `${urls.authorization}${path}`, clientId, auth, clientSecret })
}

/** A token request of a client of the lab. */
export function grantRequest(
  scene: Scene,
  clientId: string,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): HttpRequest {
  const by = credentials(scene, '/token', clientId)
  return tokenRequest({ ...by, grantType, parameters: Object.entries(parameters) })
}

/** A device authorization request of a client of the lab (RFC 8628 §3.1). */
export function deviceRequest(scene: Scene, clientId: string, scope: string): HttpRequest {
  const by = credentials(scene, '/device_authorization', clientId)
  return clientRequest({ ...by, parameters: [['scope', scope]] })
}

/** The request for the records of the token's subject. */
export function recordsRequest({ urls }: Pick<Scene, 'urls'>, accessToken: string): HttpRequest {
  return resourceRequest(`${urls.resource}/records`, accessToken)
}

/** The request that adds a record. */
export function newRecordRequest(scene: Scene, accessToken: string, value: unknown): HttpRequest {
  const { headers, ...rest } = recordsRequest(scene, accessToken)
  return {
    ...rest,
    method: 'POST',
    headers: [...headers, ['content-type', 'application/json']],
    body: bytes(JSON.stringify(value)),
  }
}

/** Makes an authorization request with a challenge, and the parameters by which its code is redeemed. */
export function codeRequest(
  scene: Pick<Scene, 'urls' | 'random'>,
  clientId: string,
  redirectUri: string,
  more: Readonly<Record<string, string>> = {},
) {
  const verifier = randomText(scene, 32)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'records:read',
    state: 'anything',
    ...more,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  const redemption = (code: string) => ({ code, redirect_uri: redirectUri, code_verifier: verifier })
  return { parameters, url: authorizationUrl(scene, parameters), redemption }
}

/** The end of a walk through the pages of the authorization server. */
export interface Landing {
  /** The last answer of the server. */
  readonly exchange: Exchange
  /** The address that the answer leads to; absent when a page remains, such as an error. */
  readonly target?: string
}

/**
 * Opens an authorization request, logs in where the server asks, and follows the server's own redirects. Stops at the
 * answer that leads to another origin.
 * @param names the names of the steps: of the request, and of each form
 * @param origin.passive true for a person who does nothing on the pages
 */
export async function* authorize(
  { step }: Pick<Scene, 'step'>,
  who: Person,
  url: string,
  [request, form]: readonly [request: StepName, form: StepName],
  { passive, ...origin }: Origin & { readonly passive?: true } = {},
): Steps<Landing> {
  const home = splitUrl(url).origin
  let name = request
  let exchange = await who.open(url, origin)
  for (;;) {
    const target = redirectTarget(exchange)
    if (target !== undefined && splitUrl(target).origin !== home) {
      yield step(name, { exchange })
      return { exchange, target }
    }
    if (target !== undefined) {
      yield step(name, { exchange, repeats: true })
      exchange = (await who.follow(exchange))!
      continue
    }
    const page: Partial<ReadPage> = exchange.response?.status === 200 && !passive ? shownPage(exchange) : {}
    if (page.form) {
      yield step(name, { exchange, note: `${who.account.username} logs in`, repeats: true })
      exchange = await who.logIn(page.form, who.account, exchange)
    } else if (page.confirm) {
      yield step(name, { exchange, note: `presses “${page.confirm.button ?? 'Continue'}”`, repeats: true })
      exchange = await who.press(page.confirm, exchange)
    } else {
      yield step(name, { exchange })
      return { exchange }
    }
    name = form
  }
}

/** Logs the victim in before the attack, for a client of the lab. The code goes to the client's own address. */
export async function* honestLogin(scene: Scene): Steps<void> {
  const url = authorizationUrl(scene, {
    response_type: 'code',
    client_id: HONEST_CLIENT,
    redirect_uri: scene.callback,
    scope: 'records:read',
    state: randomText(scene),
  })
  yield* authorize(scene, scene.victim, url, ['honest_login', 'honest_login'])
}

/**
 * Logs a person in for the public client by the code flow with PKCE, and redeems the code. Returns the answer of the token endpoint.
 * @param names of the request, of the forms, of the token request
 * @param more further parameters of both requests, and headers of the token request
 * @throws Stopped
 */
export async function* logInByCode(
  scene: Scene,
  who: Person,
  scope: string,
  names: readonly [StepName, StepName, StepName],
  { headers = [], ...more }: { readonly headers?: HeaderList; readonly resource?: string } = {},
): Steps<Exchange> {
  const state = randomText(scene)
  const { url, redemption } = codeRequest(scene, PUBLIC_CLIENT, scene.callback, { scope, state, ...more })
  const { target, exchange } = yield* authorize(scene, who, url, [names[0], names[1]])
  const code = need(target && parameterOf(target, 'code'), exchange)
  const trade = grantRequest(scene, PUBLIC_CLIENT, 'authorization_code', { ...redemption(code), ...more })
  const answer = await who.send({ ...trade, headers: [...trade.headers, ...headers] })
  yield scene.step(names[2], { exchange: answer })
  return answer
}

/** Logs the victim in by `logInByCode`, in an application of hers. */
export const victimsLogin = (scene: Scene, scope: string, more?: Parameters<typeof logInByCode>[4]) =>
  logInByCode(scene, scene.victim, scope, ['authorization_request', 'login', 'token_request'], more)

/** The victim's browser brings a code to the attacker's address. Returns the code. @throws Stopped, at an answer without one */
export async function* catchCode({ victim, step }: Scene, answer: Exchange, address: string): Steps<string> {
  const target = redirectTarget(answer)
  if (!target?.startsWith(address)) throw new Stopped(answer)
  yield step('code_arrival', { exchange: (await victim.follow(answer))! })
  return need(parameterOf(target, 'code'), answer)
}

/**
 * The last two steps of an attack: the attacker gets a token, and reads the records with it.
 * @param request the attacker's token request
 * @param name of the step of the token request
 */
export async function* stealRecords(
  scene: Scene,
  request: HttpRequest,
  name: StepName = 'token_request',
): Steps<Exchange> {
  const tokens = await scene.attacker.send(request)
  yield scene.step(name, { exchange: tokens })
  return yield* readRecords(scene, needMember(tokens, 'access_token'))
}

/** The last two steps of an attacker who has a code of alice. */
export const stealByCode = (scene: Scene, clientId: string, redemption: Readonly<Record<string, string>>) =>
  stealRecords(scene, grantRequest(scene, clientId, 'authorization_code', redemption))

/** The last step of an attacker who has a token: reads the records with it. */
export async function* readRecords(scene: Scene, token: string): Steps<Exchange> {
  const records = await scene.attacker.send(recordsRequest(scene, token))
  yield scene.step('resource_request', { exchange: records })
  return records
}
