import { asksForOpenId } from '../../flows/options.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { type FormPairs, readPairs } from '../../protocol/http/form.js'
import { header, headerValues, splitUrl } from '../../protocol/http/message.js'
import { parseLoopback } from '../../protocol/oauth/redirect-uri.js'
import { defined } from '../../protocol/values.js'
import { isPublic } from '../tamper/situation.js'
import { type Facts, type HonestFlow, inGroup, type LoginDemandAnswers, loggedInByHand } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass } from './finding.js'
import { askDirectly, honestRequest } from './honest-request.js'
import { reached } from './publication.js'
import { type Examined, flowOptions, type ServerUnderTest } from './server-under-test.js'

/** Another public client, or else the client itself at another port, where any program may listen (RFC 8252 §8.6). */
function strangerOf({ client, publicClient, redirectUri }: ServerUnderTest) {
  if (publicClient !== undefined && publicClient.clientId !== client.clientId) {
    return { clientId: publicClient.clientId, redirectUri }
  }
  const loopback = parseLoopback(redirectUri)
  if (!isPublic(client) || loopback === undefined) return undefined
  const port = loopback.port === 49_152 ? 49_153 : 49_152
  return { clientId: client.clientId, redirectUri: `${loopback.base}:${port}${loopback.rest}` }
}

/** The cookies that a browser has after a flow, as the value of a Cookie header. Later values replace earlier ones. */
export function cookiesAfter({ steps }: HonestFlow, endpoint: string): string {
  const { origin } = new URL(endpoint)
  const jar = new Map<string, string>()
  for (const { name, exchange } of steps) {
    if (name !== 'login_form' && name !== 'login') continue
    if (!exchange?.response || new URL(exchange.request.url).origin !== origin) continue
    for (const line of headerValues(exchange.response, 'set-cookie')) {
      const [, cookie = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
      if (cookie !== '') jar.set(cookie.trim(), value.trim())
    }
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/**
 * Asks for a code with the cookies of the honest flow, as a public client that the person never allowed, without a page
 * (`prompt=none`). Returns undefined where there is no login, no such client, or no answer.
 */
export async function askInSession(on: Examined, flow: HonestFlow): Promise<Exchange | undefined> {
  const { server, metadata } = on
  const endpoint = metadata.authorization_endpoint
  const stranger = strangerOf(server)
  const loggedIn = flow.steps.some(({ name }) => name === 'login')
  if (endpoint === undefined || stranger === undefined || !loggedIn) return undefined
  const cookie = cookiesAfter(flow, endpoint)
  if (cookie === '') return undefined
  const { url } = honestRequest(on, { ...stranger, extra: [['prompt', 'none']] }, server.publicClient)!
  const { send, signal } = on.ports
  const headers = [['cookie', cookie] as const]
  return reached(send({ method: 'GET', url, headers, body: new Uint8Array() }, { signal }), signal)
}

/** A class that no server knows. */
const NO_SUCH_ACR = 'oauth-lab:no-such-acr'

/** The time after which the next second has begun, by any clock, in milliseconds. */
const SECOND_BEGINS = 1100

/** The parameters of an answer in the query of its redirect. */
function answerIn({ response }: Exchange): ReadonlyMap<string, string> {
  const location = response && header(response, 'location')
  return new Map(location === undefined ? [] : readPairs(splitUrl(location).query))
}

/**
 * Asks for logins that the session cannot be (OpenID Connect Core §3.1.2.1, §5.5.1.1). Returns undefined where the session
 * brings no code without a page (`prompt=none`) even without a demand: a refusal would prove nothing then.
 */
export async function askForLogins(on: Examined, flow: HonestFlow): Promise<LoginDemandAnswers | undefined> {
  const { ports, server, metadata } = on
  const endpoint = metadata.authorization_endpoint
  const { scope } = flowOptions(server, metadata)
  const loggedIn = flow.steps.some(({ name }) => name === 'login')
  if (endpoint === undefined || !loggedIn || scope === undefined || !asksForOpenId(scope)) return undefined
  const cookie = cookiesAfter(flow, endpoint)
  if (cookie === '') return undefined

  const ask = (...more: FormPairs) =>
    askDirectly(on, { extra: [['prompt', 'none'], ...more] }, [['cookie', cookie]])

  /** Asks for a login that is not there yet. A server may count whole seconds, so a code within the first one proves nothing. */
  async function askForNew(): Promise<Exchange | undefined> {
    const first = await ask(['max_age', '0'])
    if (first === undefined || !answerIn(first).has('code')) return first
    await ports.wait(SECOND_BEGINS)
    return ask(['max_age', '0'])
  }

  const plain = await ask()
  if (plain === undefined || !answerIn(plain).has('code')) return undefined
  const claims = { id_token: { acr: { essential: true, values: [NO_SUCH_ACR] } } }
  return defined({
    oldLogin: await askForNew(),
    essentialAcr:
      metadata.claims_parameter_supported === true
        ? await ask(['claims', JSON.stringify(claims)])
        : undefined,
  })
}

/** Judges the answer to a demand that the session does not meet. */
function judged(facts: Facts, answer: Exchange | undefined, lacking: string): Judgement {
  if (loggedInByHand(facts.flow)) return notTried('the session is in your own browser')
  if (facts.loginDemands === undefined) {
    return notApplicable('no session brings a code without a page, by prompt=none')
  }
  if (answer?.response === undefined) return notApplicable(lacking)
  const answered = answerIn(answer)
  if (answered.has('code')) return fault('a code came at once, by prompt=none')
  return pass(answered.get('error') ?? String(answer.response.status))
}

/** Checks that a server meets, or refuses, what a client asks about the login. */
export const loginDemandChecks = inGroup<Facts>('login', [
  {
    name: 'max-age-honoured',
    title: 'a session that is older than max_age gives no code',
    rule: 'OpenID Connect Core §3.1.2.1',
    judge: facts => judged(facts, facts.loginDemands?.oldLogin, 'no answer'),
  },
  {
    name: 'essential-acr',
    title: 'an essential acr that cannot be met gives no code',
    rule: 'OpenID Connect Core §5.5.1.1',
    judge: facts => judged(facts, facts.loginDemands?.essentialAcr, 'the parameter claims is not announced'),
  },
])
