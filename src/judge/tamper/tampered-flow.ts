import { answerMembers } from '../../flows/answers/answer-members.js'
import { readKeys } from '../../flows/answers/verify-tokens.js'
import { type CodeFlowOptions, codeFlow, codePlan } from '../../flows/code.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { NetworkPorts } from '../../flows/ports.js'
import type { FlowRecord, Outcome, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { isMacAlgorithm, type MacCredentials } from '../../protocol/oauth/mac.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { concluded, notHere, outcomeFor, unreadablePage } from './conclusion.js'
import { NOT_ASKED, wasNotRead } from './document-moves.js'
import { judgedStep, mayBeLast, messageOf, moveFor } from './judged-step.js'
import type { Move, NotMade, PresentationMove, Situation } from './move.js'
import { endsUnread, observeEnd, observeStep } from './observe.js'
import { addedStep, stepBeforeShown, tamperedPlan, tokenStepOf } from './plan.js'
import type { Presentable } from './presentable.js'
import { canLogIn, secondIdToken } from './second-user.js'
import { codeShape } from './shape.js'
import { type Tampering, tamperWith } from './tampering.js'
import type { Target } from './target.js'
import { judge, type Observed, observeResource, observeToken, type Verdict } from './verdict.js'

/** The tokens that a step shows. */
function tokensOf(step: Step): Pick<TokenResponse, 'access_token' | 'id_token'> | undefined {
  if (step.token?.kind !== 'access_token') return undefined
  const id = step.tokens?.find(({ kind }) => kind === 'id_token')
  return defined({ access_token: step.token.value, id_token: id?.value })
}

/** The keys of an answer; undefined where they cannot be read, which the flow itself refuses. */
function publishedKeys(exchange: Exchange | undefined): JwkSet | undefined {
  try {
    return readKeys(exchange)
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

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
  // A proof without the nonce is refused before anything else about it is judged.
  const asked = move.type === 'dpop' && what.nonce === undefined && observeNonce(exchange)
  return asked && nonce !== undefined ? present(move, tampering, { ...what, nonce }, signal) : exchange
}

/** True when a resource server wants the request again, with its nonce in the proof. */
function observeNonce(exchange: Exchange): boolean {
  const observed = observeResource(exchange)
  return observed.kind === 'refused' && observed.error === 'use_dpop_nonce'
}

/** The key of a token of type `mac`, from the step that shows its token response. */
function macOf({ exchange }: Step): MacCredentials | undefined {
  const { access_token: id, mac_key: key, mac_algorithm: algorithm } = exchange ? answerMembers(exchange) : {}
  if (typeof id !== 'string' || typeof key !== 'string' || !isMacAlgorithm(algorithm)) return undefined
  return { id, key, algorithm }
}

/** True at the step that shows no session, where a logout has nothing to end. */
function hasNothingToEnd(move: Move, { name, checks = [] }: Step): boolean {
  const asks = move.at === 'logout_request' && move.mustAsk === true
  return asks && name === 'session_check' && checks.some(each => each.name === 'session' && !each.ok)
}

/** The options of a flow, as a move changes them. */
function optionsWith<Options extends CodeFlowOptions>(
  wanted: Options,
  move: Move,
  { makeObject: makeRequestObject }: Tampering,
): Options {
  const { assertion } = wanted
  if (move.at !== 'assertion' || !assertion) return { ...wanted, makeRequestObject }
  return { ...wanted, assertion: { ...assertion, make: words => assertion.make(move.change(words)) } }
}

const codeTarget: Target = { plan: codePlan, run: codeFlow }

/** The code flow with one wrong move in it. */
export function tamperedCodeFlow(
  ports: NetworkPorts,
  wanted: FlowOptions,
  move: Move,
  situation: Situation,
): AsyncGenerator<FlowRecord, void, void> {
  return tamperedFlow(ports, wanted, move, situation, codeTarget)
}

/**
 * A flow with one wrong move in it. It ends where the move is refused, or should have been: the step has the check
 * `tamper`, the outcome says whether the refusal came as `expected`. A second user logs in first where the move needs
 * an ID token about one.
 */
export async function* tamperedFlow(
  ports: NetworkPorts,
  wanted: FlowOptions,
  move: Move,
  situation: Situation,
  target: Target,
): AsyncGenerator<FlowRecord, void, void> {
  const usesToken = move.at !== 'authorization_request' || move.usedBefore !== true
  if (move.needs !== 'secondUser' || !usesToken) {
    yield* changedFlow(ports, wanted, move, situation, target)
    return
  }
  const second = await secondIdToken(ports, wanted, move, target)
  if ('ended' in second) yield second.ended
  else yield* changedFlow(ports, wanted, move, { ...situation, secondIdToken: second.idToken }, target)
}

async function* changedFlow(
  ports: NetworkPorts,
  wanted: FlowOptions,
  asked: Move,
  situation: Situation,
  target: Target,
): AsyncGenerator<FlowRecord, void, void> {
  const move = moveFor(asked, situation)
  const tampering = tamperWith(move, situation, wanted.metadata)
  const { signal, now, random } = ports
  const { client, browser } = outgoing(ports.send, { ...ports.layers, tampering: tampering.layers })
  const wrong = move.at === 'authorization_request' ? move.does : undefined
  // An honest person, whose browser nobody tampers with.
  const earlier = ports.secondAgentWith?.(outgoing(ports.send, ports.layers).browser)
  const userAgent = tampering.follow(ports.agentWith(browser, wrong), earlier)
  const whole = target.plan(wanted)
  const plan = tamperedPlan(whole, move, situation)
  const added = addedStep(move, situation, plan)
  const records = target.run(
    { send: client, userAgent, now, random, signal },
    optionsWith(wanted, move, tampering),
  )
  const addition = (exchange: Exchange, verdict: Verdict): Step =>
    judgedStep({ type: 'step', n: last + 1, of: last + 1, ...added!, exchange }, verdict)

  let last = 0
  let made = false
  let nothingToEnd = false
  let ahead: IteratorResult<FlowRecord, void> | undefined
  let tokens: ReturnType<typeof tokensOf> =
    wanted.accessToken === undefined ? undefined : { access_token: wanted.accessToken }
  let mac: MacCredentials | undefined
  try {
    for (;;) {
      const { value, done } = ahead ?? (await records.next())
      ahead = undefined
      if (done) return
      if (value.type === 'outcome') {
        const seen = observeEnd(value, move, made) ?? (await formAgain(value))
        if (seen) yield outcomeFor(judge(move, seen, situation))
        else yield endsUnread(value) ? unreadablePage(value, move) : concluded(value, move, false)
        return
      }
      if (mayBeLast(value)) ahead = await records.next()
      const ended = ahead?.value?.type === 'outcome' ? ahead.value : undefined
      const step = asSent({ ...value, of: value.of + plan.length - whole.length })
      last = step.n
      made ||= step.name === messageOf(move)
      tokens = tokensOf(step) ?? tokens
      mac = macOf(step) ?? mac
      nothingToEnd ||= hasNothingToEnd(move, step)
      if (nothingToEnd && step.name === 'ended_session_check' && !step.repeats) {
        yield step
        yield notHere(move, 'prompt=none shows no session that a logout could end')
        return
      }
      const notMade = tampering.notMade()
      const seen = observeStep(step, move, tampering, ended, made, situation.flow ?? codeShape)
      if (seen && wasNotRead(move, situation)) {
        yield step
        yield notHere(move, NOT_ASKED)
        return
      }
      if (seen && notMade === undefined) {
        const verdict = judge(move, seen, situation)
        yield judgedStep(step, verdict)
        yield outcomeFor(verdict)
        return
      }
      yield step
      if (notMade !== undefined) {
        yield notHere(move, notMade)
        return
      }
      if (move.at === 'login' && !made && step.name === 'authorization_response') {
        yield notHere(move, 'the server shows no login form')
        return
      }
      if (move.at === 'userinfo_request' && step.name === stepBeforeShown(plan) && tokens) {
        const keys = step.name === 'keys_request' ? publishedKeys(step.exchange) : undefined
        const endpoint = situation.presentAt ?? ''
        const what = defined({ endpoint, tokens, now, keys, mac, dpop: situation.dpop })
        const exchange = await present(move, tampering, what, signal)
        if ('problem' in exchange) {
          yield notHere(move, exchange.problem)
          return
        }
        const verdict = judge(move, observeResource(exchange), situation)
        yield addition(exchange, verdict)
        yield outcomeFor(verdict)
        return
      }
      if (ended) {
        yield concluded(ended, move, false)
        return
      }
      if (
        move.at === 'token_request' &&
        move.again &&
        step.name === tokenStepOf(move, situation) &&
        step.token
      ) {
        const exchange = await tampering.sendAgain(signal)
        if ('problem' in exchange) {
          yield notHere(move, exchange.problem)
          return
        }
        const verdict = judge(move, observeToken(exchange), situation)
        yield addition(exchange, verdict)
        yield outcomeFor(verdict)
        return
      }
    }
  } catch (error) {
    yield concluded(outcomeOf(error, signal), move, false)
  } finally {
    await records.return()
  }

  /** Reads a login form that comes again as a refusal of the move, where the same person can log in without the move. */
  async function formAgain({ error }: Outcome): Promise<Observed | undefined> {
    if (move.needs !== 'secondUser' || error?.error !== 'login_failed') return undefined
    if (!(await canLogIn(ports, wanted, target))) return undefined
    return { kind: 'refused', by: 'page', description: error.error_description }
  }

  /** The step with the addresses that were really used. */
  function asSent(step: Step): Step {
    const landed = step.name === 'authorization_response' ? tampering.landedAt() : undefined
    if (landed !== undefined) return { ...step, url: landed }
    if (move.at === 'logout_request' && step.name === 'logout_request') {
      const note = [`tamper ${move.name}: ${move.does}`, step.note].filter(each => each !== undefined)
      return { ...step, note: note.join('; ') }
    }
    if (step.name !== 'authorization_request' || step.url === undefined) return step
    const { secondUser } = situation
    const who = move.needs === 'secondUser' && secondUser !== undefined ? ` (here ${secondUser})` : ''
    return { ...step, url: tampering.changedUrl(step.url), note: `tamper ${move.name}: ${move.does}${who}` }
  }
}
