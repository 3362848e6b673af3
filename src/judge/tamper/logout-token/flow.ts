import { readKeys } from '../../../flows/answers/verify-tokens.js'
import { outcomeOf } from '../../../flows/outcome.js'
import type { FlowPorts } from '../../../flows/ports.js'
import type { FlowRecord, PlannedStep } from '../../../flows/step.js'
import { createWalk, get, type Steps, type Walk } from '../../../flows/walk.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { headerValues } from '../../../protocol/http/message.js'
import { check } from '../../../protocol/oauth/check.js'
import type { LogoutTokenMove, LogoutTokenWords } from '../move.js'
import { expectation } from '../moves.js'
import type { Situation } from '../situation.js'
import { concluded, judge, judgedStep, notHere, type Observed, outcomeFor, refusalIn } from '../verdict.js'

const RULE = 'OpenID Connect Back-Channel Logout §2.6'

/** The event of a logout token (OpenID Connect Back-Channel Logout §2.4). */
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** A visit of the browser on its way into the relying party. */
export interface PartyVisit {
  readonly name: 'relying_party_login' | 'login_form' | 'login' | 'relying_party_session'
  readonly exchange: Exchange
  readonly note?: string
  /** True when the same visit follows again. */
  readonly repeats?: true
}

/** A relying party that people log in to, whose issuer is ours: a wrong logout token can bear the right signature. */
export interface RelyingParty {
  readonly clientId: string
  readonly issuer: string
  /** The `sub` by which it knows the person. */
  readonly subject: string
  /** Logs a person in, as a browser does. Yields each visit when it happens. @throws OAuthError */
  logIn(): AsyncGenerator<PartyVisit, void, void>
  /** Opens a page that needs a session there. */
  openPage(): Promise<Exchange>
  /** Posts a logout token to its back-channel address (OpenID Connect Back-Channel Logout §2.5). */
  post(token: string): Promise<Exchange>
  sign(words: LogoutTokenWords): Promise<string>
}

const CHANNEL = 'OpenID Connect Back-Channel Logout §2.5'

/** The steps of a wrong logout token, before they happen. */
export function logoutTokenPlan(move: LogoutTokenMove): PlannedStep[] {
  const browser = { from: 'user_agent', to: 'client' } as const
  const server = { from: 'user_agent', to: 'authorization_server' } as const
  const issuer = { from: 'authorization_server', to: 'client', title: 'POST /backchannel-logout' } as const
  return [
    {
      ...browser,
      name: 'relying_party_login',
      title: 'GET /login',
      rfc: '6749 §4.1',
      why: 'A person logs in to a client, which gets a session of its own.',
    },
    {
      ...server,
      name: 'login_form',
      title: 'GET /authorization',
      rfc: '6749 §4.1.1',
      why: 'The authorization server asks who the person is.',
    },
    {
      ...server,
      name: 'login',
      title: 'POST /authorization',
      rfc: '6749 §4.1.1',
      why: 'The person answers there, and the browser goes back to the client.',
    },
    {
      ...browser,
      name: 'relying_party_session',
      title: 'GET /callback',
      rfc: '6749 §4.1.2',
      why: 'The client redeems the code, and its cookie is the session that a logout token ends.',
    },
    {
      ...issuer,
      name: 'honest_logout_token',
      rfc: CHANNEL,
      why: 'The control: a logout token without a fault, signed by the key of the issuer, has to be accepted.',
    },
    {
      ...browser,
      name: 'ended_relying_party_session',
      title: 'GET /notes',
      rfc: 'OpenID Connect Back-Channel Logout §2.7',
      why: 'The page shows that the session has ended, though the browser did nothing.',
    },
    {
      ...browser,
      name: 'second_relying_party_login',
      title: 'GET /login',
      rfc: '6749 §4.1',
      why: 'The person logs in again, so that there is a session to end.',
    },
    {
      ...issuer,
      name: 'logout_token',
      rfc: 'OpenID Connect Back-Channel Logout §2.6',
      why: `Tamper: the issuer ${move.does}. Expected: ${expectation(move)}.`,
    },
    {
      ...browser,
      name: 'surviving_relying_party_session',
      title: 'GET /notes',
      rfc: 'OpenID Connect Back-Channel Logout §2.6',
      why: 'A token that is refused ends no session.',
    },
  ]
}

/** Lifetime of a logout token, in seconds (OpenID Connect Back-Channel Logout §4). */
const LIFETIME = 120

/** The surroundings of a run: the network, and the relying party of a lab. */
export interface LogoutTokenPorts extends Pick<FlowPorts, 'send' | 'now' | 'random' | 'signal'> {
  readonly party: RelyingParty
  /** The address of the issuer's keys; absent where it publishes none. */
  readonly jwksUri?: string | undefined
}

/** A logout token without a fault (OpenID Connect Back-Channel Logout §2.4). */
function honestWords({ party, now, random }: LogoutTokenPorts): LogoutTokenWords {
  const { issuer, clientId, subject } = party
  const iat = Math.floor(now() / 1000)
  const jti = Buffer.from(random(16)).toString('base64url')
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: subject,
    iat,
    exp: iat + LIFETIME,
    jti,
    events: { [LOGOUT_EVENT]: {} },
  }
  return { typ: 'logout+jwt', claims }
}

/** True for a page that only a session gets: the relying party neither asks for a login nor takes a cookie away. */
function hasSession({ response }: Exchange): boolean {
  if (response === undefined) return false
  const taken = headerValues(response, 'set-cookie').some(each => /;\s*max-age=0(?:;|$)/i.test(each))
  return response.status === 200 && !taken
}

/** The visits of a login. Those of the second login are one step, because they are known by then. */
async function* logIn(walk: Walk, party: RelyingParty, again = false): Steps<void> {
  for await (const { name, ...shown } of party.logIn()) {
    if (!again) {
      yield walk.step(name, shown)
      continue
    }
    const isLast = name === 'relying_party_session' && !shown.repeats
    const step = walk.step('second_relying_party_login', {
      ...shown,
      ...(!isLast && { repeats: true as const }),
    })
    const isIssuers = name === 'login_form' || name === 'login'
    yield isIssuers ? { ...step, to: 'authorization_server' } : step
  }
}

/** The fact that a page shows about the session. */
const sessionCheck = (name: string, ok: boolean, alive: boolean) =>
  check(name, ok, RULE, alive ? 'the page of the session' : 'no session')

function observed(answer: Exchange, survived: boolean): Observed {
  const status = answer.response?.status
  if (status !== undefined && status < 400) return { kind: 'accepted', what: `the answer ${status}` }
  if (!survived) return { kind: 'accepted', what: `the answer ${status}, and the session ended all the same` }
  return refusalIn(answer, 'client')
}

/**
 * Sends a wrong logout token to a relying party, after one without a fault: the control shows that the relying party ends
 * sessions at all. The last record is always the outcome.
 */
export async function* logoutTokenFlow(
  ports: LogoutTokenPorts,
  move: LogoutTokenMove,
  situation: Situation,
): AsyncGenerator<FlowRecord, void, void> {
  const { party, signal, jwksUri } = ports
  const walk = createWalk(ports, logoutTokenPlan(move))
  try {
    yield* logIn(walk, party)
    const used = await party.sign(honestWords(ports))
    const control = await party.post(used)
    const status = control.response?.status ?? 0
    yield walk.step('honest_logout_token', {
      exchange: control,
      checks: [check('logout_token', status === 200, RULE, `answered ${status}`)],
    })
    const after = await party.openPage()
    const ended = !hasSession(after)
    yield walk.step('ended_relying_party_session', {
      exchange: after,
      checks: [sessionCheck('session_ended', ended, !ended)],
    })
    if (status !== 200 || !ended) {
      yield notHere(move, 'the relying party does not end a session by a logout token without a fault')
      return
    }
    yield* logIn(walk, party, true)
    const keys = async () => (jwksUri === undefined ? undefined : readKeys(await walk.send(get(jwksUri))))
    const forged = await move.forge({ honest: honestWords(ports), used, sign: party.sign, keys })
    if (typeof forged !== 'string') {
      yield notHere(move, forged.problem)
      return
    }
    const answer = await party.post(forged)
    yield walk.step('logout_token', {
      exchange: answer,
      note: `tamper ${move.name}: the issuer ${move.does}`,
    })
    const page = await party.openPage()
    const survived = hasSession(page)
    const verdict = judge(move, observed(answer, survived), situation)
    const checks = [sessionCheck('session', survived, survived)]
    yield judgedStep(walk.step('surviving_relying_party_session', { exchange: page, checks }), verdict)
    yield outcomeFor(verdict)
  } catch (error) {
    yield concluded(outcomeOf(error, signal), move)
  }
}
