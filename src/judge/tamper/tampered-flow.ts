import type { UserAgent } from '../../client/user-agent.js'
import { answerMembers } from '../../flows/answers/answer-members.js'
import { readKeys } from '../../flows/answers/verify-tokens.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { FlowPorts, NetworkPorts } from '../../flows/ports.js'
import type { FlowRecord, Outcome, PlannedStep, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { isMacAlgorithm, type MacCredentials } from '../../protocol/oauth/mac.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { defined, unless } from '../../protocol/values.js'
import { moveFor, walkTampered } from './driver.js'
import { withOpenId } from './messages.js'
import type { Move, NotMade, Presentable, PresentationMove } from './move.js'
import { observeStep } from './observe.js'
import { stepBeforeShown, tamperedPlan } from './plan.js'
import type { Situation } from './situation.js'
import { type Tampering, tamperWith } from './tampering.js'
import { concluded, notHere, type Observed, observeResource } from './verdict.js'

/** A flow that wrong moves can be made in. */
export interface Target {
  readonly plan: (wanted: FlowOptions) => PlannedStep[]
  readonly run: (ports: FlowPorts, wanted: FlowOptions) => AsyncGenerator<FlowRecord, void, void>
}

/** The tokens that a step shows. */
function tokensOf(step: Step): Presentable['tokens'] | undefined {
  if (step.token?.kind !== 'access_token') return undefined
  const id = step.tokens?.find(({ kind }) => kind === 'id_token')
  return defined({ access_token: step.token.value, id_token: id?.value })
}

/** The key of a token of type `mac`, from the step that shows its token response. */
function macOf({ exchange }: Step): MacCredentials | undefined {
  const { access_token: id, mac_key: key, mac_algorithm: algorithm } = exchange ? answerMembers(exchange) : {}
  if (typeof id !== 'string' || typeof key !== 'string' || !isMacAlgorithm(algorithm)) return undefined
  return { id, key, algorithm }
}

/** The keys of an answer; undefined where they cannot be read, which the flow itself refuses. */
const publishedKeys = (exchange: Exchange | undefined): JwkSet | undefined =>
  unless(OAuthError, () => readKeys(exchange))

/** Presents the forged token. Returns the exchange, or the reason why there is no exchange. */
async function present(
  move: PresentationMove,
  tampering: Tampering,
  what: Presentable,
  signal: AbortSignal,
): Promise<Exchange | NotMade> {
  const request = await move.present(what)
  if ('problem' in request) return request
  const exchange = await tampering.present(request, move.how, signal)
  const nonce = exchange.response && header(exchange.response, 'dpop-nonce')
  const observed = observeResource(exchange)
  const asked = observed.kind === 'refused' && observed.error === 'use_dpop_nonce'
  // A proof without the nonce is refused before anything else about it is judged.
  const again = move.type === 'dpop' && what.nonce === undefined && asked && nonce !== undefined
  return again ? present(move, tampering, { ...what, nonce }, signal) : exchange
}

/** The options of a flow, as a move changes them. */
function optionsWith(
  wanted: FlowOptions,
  move: Move,
  { makeObject: makeRequestObject }: Tampering,
): FlowOptions {
  const { assertion } = wanted
  if (move.at !== 'assertion' || !assertion) return { ...wanted, makeRequestObject }
  return { ...wanted, assertion: { ...assertion, make: words => assertion.make(move.change(words)) } }
}

/** Gets an ID token by a flow without any wrong move. Returns the outcome of the flow where none is issued. */
async function honestIdToken(
  { send: network, layers, now, random, signal }: NetworkPorts,
  userAgent: UserAgent,
  wanted: FlowOptions,
  { run }: Target,
): Promise<string | Outcome> {
  const { client: send } = outgoing(network, layers)
  const options = { ...wanted, scope: withOpenId(wanted.scope) }
  try {
    for await (const record of run({ send, userAgent, now, random, signal }, options)) {
      if (record.type === 'outcome') return record
      const idToken = [record.token, ...(record.tokens ?? [])].find(each => each?.kind === 'id_token')
      if (idToken !== undefined) return idToken.value
    }
  } catch (error) {
    return outcomeOf(error, signal)
  }
  return { type: 'outcome', outcome: 'failed' }
}

/** Logs the second user in. Returns an ID token about this user, or the end of the flow where none is issued. */
async function secondIdToken(
  move: Move,
  agent: UserAgent | undefined,
  honest: (agent: UserAgent) => Promise<string | Outcome>,
): Promise<string | Outcome> {
  if (agent === undefined) return notHere(move, 'no second user of this server is known')
  const idToken = await honest(agent)
  if (typeof idToken === 'string') return idToken
  if (idToken.outcome === 'granted') return notHere(move, 'the server issues no ID token')
  const { error = 'no_token', error_description: why = 'no outcome', rule = move.rule } = idToken.error ?? {}
  const error_description = `the second user got no ID token: ${why}`
  return concluded({ type: 'outcome', outcome: 'failed', error: { error, error_description, rule } }, move)
}

/** A flow with one wrong move in it. A second user logs in first where the move needs an ID token about one. */
export async function* tamperedFlow(
  ports: NetworkPorts,
  wanted: FlowOptions,
  asked: Move,
  where: Situation,
  target: Target,
): AsyncGenerator<FlowRecord, void, void> {
  const { signal, now, random } = ports
  // Honest people, whose browsers nobody tampers with.
  const honestly = outgoing(ports.send, ports.layers).browser
  const second = ports.secondAgentWith?.(honestly)
  const honest = (agent: UserAgent) => honestIdToken(ports, agent, wanted, target)
  let situation = where
  if (asked.needs === 'secondUser' && (asked.at !== 'authorization_request' || !asked.usedBefore)) {
    const got = await secondIdToken(asked, second, honest)
    if (typeof got !== 'string') {
      yield got
      return
    }
    situation = { ...where, secondIdToken: got }
  }
  const move = moveFor(asked, situation)
  const tampering = tamperWith(move, { situation, metadata: wanted.metadata })
  const { client, browser } = outgoing(ports.send, { ...ports.layers, tampering: tampering.layers })
  const wrong = move.at === 'authorization_request' ? move.does : undefined
  const userAgent = tampering.follow(ports.agentWith(browser, wrong), second)
  const whole = target.plan(wanted)
  const plan = tamperedPlan(whole, move, situation)
  let tokens: Presentable['tokens'] | undefined =
    wanted.accessToken === undefined ? undefined : { access_token: wanted.accessToken }
  let mac: MacCredentials | undefined

  /** The step with the addresses that were really used. */
  function asSent(step: Step): Step {
    const { landed } = tampering.noted
    const note = `tamper ${move.name}: ${move.does}`
    if (step.name === 'authorization_response' && landed !== undefined) return { ...step, url: landed }
    if (move.at === 'logout_request' && step.name === 'logout_request') {
      return { ...step, note: step.note === undefined ? note : `${note}; ${step.note}` }
    }
    if (step.name !== 'authorization_request' || step.url === undefined) return step
    const { secondUser } = situation
    const who = move.needs === 'secondUser' && secondUser !== undefined ? ` (here ${secondUser})` : ''
    return { ...step, url: tampering.changedUrl(step.url), note: note + who }
  }

  /** Reads a login form that comes again as a refusal of the move, where the same person can log in without the move. */
  async function formAgain({ error }: Outcome): Promise<Observed | undefined> {
    if (move.needs !== 'secondUser' || error?.error !== 'login_failed') return undefined
    if (typeof (await honest(ports.agentWith(honestly))) !== 'string') return undefined
    return { kind: 'refused', by: 'page', description: error.error_description }
  }

  yield* walkTampered({
    signal,
    tampering,
    records: target.run(
      { send: client, userAgent, now, random, signal },
      optionsWith(wanted, move, tampering),
    ),
    longer: plan.length - whole.length,
    plan,
    here: () => ({ move, situation }),
    asSent(shown) {
      const step = asSent(shown)
      tokens = tokensOf(step) ?? tokens
      mac = macOf(step) ?? mac
      return step
    },
    observe: (step, facts) => observeStep(step, move, facts),
    observeEnd: formAgain,
    async present({ name, exchange }) {
      if (move.at !== 'userinfo_request' || name !== stepBeforeShown(plan) || !tokens) return undefined
      const keys = name === 'keys_request' ? publishedKeys(exchange) : undefined
      const { presentAt: endpoint = '', dpop } = situation
      return present(move, tampering, defined({ endpoint, tokens, now, keys, mac, dpop }), signal)
    },
  })
}
