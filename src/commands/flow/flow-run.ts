import { randomBytes } from 'node:crypto'
import type { BoundCredential } from '../../client/bound-credentials.js'
import type { KnownUser } from '../../client/known-login.js'
import { type Flow, type FlowName, flows } from '../../flows/flows.js'
import type { FlowOptions } from '../../flows/options.js'
import { outcomeOf } from '../../flows/outcome.js'
import type { FlowRecord } from '../../flows/step.js'
import type { Move } from '../../judge/tamper/move.js'
import type { Repeat } from '../../lab/clock.js'
import { UsageError } from '../../protocol/errors.js'
import { runAgent } from '../../protocol/http/message.js'
import { checkClientProfile } from '../../session/client/profile.js'
import { checkedClient, clientNetwork, clientSetup, knownWith } from '../../session/client/setup.js'
import { type FlowSession, flowSession, type SessionSetup } from '../../session/flow/flow-session.js'
import { repeating, repeatNotes, repeatOf } from '../../session/flow/repeated-run.js'
import {
  checkGiven,
  checkOptions,
  readInput,
  userOf,
  wantedOf,
  withPublishedResource,
} from '../../session/options/flow.js'
import { callbackTls, notificationTls } from '../../session/options/redirect.js'
import type { FlowRunOptions } from '../../session/options/table.js'
import type { People } from '../../session/people/people.js'
import { oneTimeCodes } from '../../session/people/users.js'
import { withNamedServer } from '../../session/targets/named-server.js'
import { type Discovery, type ServerTarget, serverTarget } from '../../session/targets/server.js'
import { withTarget } from '../../session/targets/target.js'
import { witnessAtTerminal } from '../learn/witness.js'
import { narrate, worded } from '../output/output.js'
import { type OutputMode, terminalMode } from '../output/output-mode.js'
import { watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { checkBareToken, checkExport, finish, recordLines, stepWriter } from './flow-output.js'
import { pasteAtTerminal, qrAtTerminal, showAsText, type TextShow, textOptions } from './flow-text.js'
import type { SpokenMoves } from './read-aloud.js'

/** How a flow is shown. */
interface Show extends TextShow {
  readonly name: FlowName
  readonly flags: FlowRunOptions
}

/** The reason why a run needs a lab of its own; undefined when any lab will do. */
function ownLab(move: Move | undefined, repeat: Repeat | undefined): string | undefined {
  if (repeat) return '--seed and --now need a lab that starts with this command'
  return move?.wait === undefined ? undefined : `the move ${move.name} needs a clock that it can set forward`
}

/** `oauth-lab flow NAME`: finds the server, walks the flow, shows it. */
export async function runFlow(name: FlowName, typed: FlowRunOptions, globals: Globals): Promise<number> {
  const inBrowser = typed.browser || !typed.open || typed.paste === true
  const flags = await withNamedServer({ ...typed, browser: inBrowser }, { ...globals, narrate })
  checkExport(flags.export, globals.json)
  checkBareToken(flags, globals.json)
  checkOptions(flags)
  checkClientProfile(name, flags)
  const mode = terminalMode({ ...flags, json: globals.json })
  // Loaded while the lab is started or found.
  if (mode === 'tui') void import('../../show/tui/flow/run.js')
  const move = flags.tamper === undefined ? undefined : await chosenMove(flags.tamper, name, flags)
  const interruption = watchSignals()
  try {
    const input = await readInput(flags)
    const { needs }: Flow = flows[name]
    const checked = await checkedClient(flags, {
      hasAuthorizationRequest: needs.includes('redirect'),
      isBackchannel: name === 'ciba',
    })
    const user = (users: ServerTarget['users'] | undefined) =>
      userOf(name, flags, input, { onScreen: mode === 'tui', users })
    const repeat = repeatOf(flags)
    const use = {
      narrate,
      ...(repeat && { repeat }),
      own: ownLab(move, repeat),
      demoClient: move?.at === 'logout_token',
      check: ({ users }: Pick<ServerTarget, 'users'>) => void user(users),
    }
    return await withTarget(serverTarget(flags, globals, use, process.env), async reached => {
      const target = repeat ? repeating(reached, repeat) : reached
      const people = {
        user: user(target.lab && target.users),
        oneTimeCode: oneTimeCodes({ typed: flags.otp, users: target.users, now: target.now }),
        inBrowser: flags.browser,
        open: flags.open,
        pastes: pastesBy(flags, mode, interruption.signal),
        qr: mode === 'plain' ? qrAtTerminal(globals.ascii) : undefined,
        patience: globals.patience,
        witness: mode === 'tui' ? undefined : witnessAtTerminal(),
      }
      const decide = (of: ServerTarget) =>
        wantedOf(name, flags, input, of, { home: globals.home, parameters: checked.parameters })
      // Wrong options are an error before anything is sent, except where only the server knows its resource server.
      const early = target.lab && !target.lab.urls.resource ? undefined : await decide(target)
      const { timeoutMs } = globals
      const { now, caPem, reach } = target
      const requestOn = target.lab?.embedded?.requestOn
      const agent = move && runAgent('tamper', randomBytes(4))
      const stopwatch = repeat?.now === undefined ? undefined : now
      const credentials = [...(reach?.credentials ?? []), ...passwordOf(people.user, target)]
      const wires = { timeoutMs, now, stopwatch, caPem, requestOn, agent, ...reach, credentials }
      const transport = clientNetwork(wires, checked.certificate)
      const show = { name, flags, globals, mode, interruption }
      try {
        const { server: found, ...search } = await discovery(target, transport.send, interruption.signal)
        if (!found) return await showUnusable(show, target.client.client_id, search)
        checkGiven(name, search.steps, found.metadata)
        const server = knownWith(found, checked)
        const wanted = early ?? (await decide(withPublishedResource(target, server.metadata)))
        const { options, extras } = await clientSetup(target, checked, server)
        const setup: SessionSetup = {
          name,
          target,
          options: { ...wanted, ...server, ...options },
          extras,
          opening: search.steps,
          network: transport.send,
          people,
          home: globals.home,
          ...(await certificatesOf(flags, wanted, globals.home)),
        }
        if (repeat) {
          const run = { options: setup.options, extras, move: flags.tamper }
          for (const line of repeatNotes(repeat, target, run)) narrate(line)
        }
        const session = flowSession(setup, move && (await tampering()).withMove(move))
        return mode === 'tui' ? await showScreen(show, setup, session) : await showText(show, setup, session)
      } finally {
        transport.close()
      }
    })
  } finally {
    interruption.ignore()
  }
}

/** The password of the person who logs in, for the server alone. */
function passwordOf(user: KnownUser | undefined, { origins }: ServerTarget): BoundCredential[] {
  return user === undefined
    ? []
    : [{ what: `the password of ${user.username}`, value: user.password, origins }]
}

/** The wrong moves: a fifth of the code of a flow, which a run without one does not load. */
const tampering = () => import('../../judge/tamper/run/flow-run.js')

/** The wrong move of a name. @throws UsageError for an unknown one, and for one that the flow has no place for */
async function chosenMove(wanted: string, name: FlowName, flags: FlowRunOptions): Promise<Move> {
  const { checkMove, moveNamed } = await tampering()
  const move = moveNamed(wanted)
  checkMove(move, name, flags)
  return move
}

/** The certificates of the addresses at which the client listens. @throws UsageError */
async function certificatesOf(
  flags: FlowRunOptions,
  {
    redirectUri,
    postLogoutRedirectUri,
    backchannel,
  }: Pick<FlowOptions, 'redirectUri' | 'postLogoutRedirectUri' | 'backchannel'>,
  home: string,
): Promise<Pick<SessionSetup, 'callbackTls' | 'notificationTls'>> {
  const endpoint = backchannel?.notificationEndpoint
  if (endpoint !== undefined) return { notificationTls: await notificationTls(flags, endpoint, home) }
  // The browser ends elsewhere, where nothing listens.
  if (flags.paste) return {}
  const addresses = [redirectUri, ...(postLogoutRedirectUri === undefined ? [] : [postLogoutRedirectUri])]
  return { callbackTls: await callbackTls(flags, addresses, { home, narrate }) }
}

/** The way a person gives the address at which the browser ended. */
function pastesBy({ paste }: FlowRunOptions, mode: OutputMode, signal: AbortSignal): People['pastes'] {
  if (!paste) return undefined
  return mode === 'tui' ? 'ask' : pasteAtTerminal(signal)
}

/** Asks the server about itself. A failure of the network is in the result. @throws UsageError */
async function discovery(
  target: ServerTarget,
  send: SessionSetup['network'],
  signal: AbortSignal,
): Promise<Discovery> {
  try {
    return await target.discover(send, signal)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return { steps: [], error }
  }
}

/** Shows what came of a server that cannot be used. */
async function showUnusable(show: Show, clientId: string, { steps, error }: Discovery): Promise<number> {
  const { flags, interruption, mode } = show
  const outcome = outcomeOf(error, interruption.signal)
  // An export has the output to itself.
  const write = flags.export === undefined ? stepWriter(flags.output) : narrate
  const options = textOptions(show, clientId)
  const { spokenRecord } = await import('./read-aloud.js')
  const linesOf = (record: FlowRecord) =>
    mode === 'screen-reader' ? spokenRecord(record, clientId) : recordLines(record, options)
  for (const record of [...steps, outcome]) for (const line of linesOf(record)) write(worded(line))
  return finish(outcome, interruption)
}

async function showScreen(show: Show, setup: SessionSetup, session: FlowSession): Promise<number> {
  const { target, options, people, name } = setup
  const { showOnScreen, whyNoEvents } = await import('./flow-offers.js')
  const { moveNamed, withMove } = await tampering()
  return showOnScreen(show, {
    name,
    title: flows[name].title,
    clientId: options.clientId,
    target,
    user: people.user,
    session,
    changed: move => session.with(withMove(moveNamed(move))),
    noEvents: whyNoEvents(target),
  })
}

async function showText(show: Show, setup: SessionSetup, session: FlowSession): Promise<number> {
  const { name, mode, interruption } = show
  const { target, options } = setup
  return showAsText(show, {
    session,
    flow: flows[name].title,
    clientId: options.clientId,
    now: target.now,
    lab: { caPem: target.caPem, embedded: target.lab?.embedded !== undefined },
    moves: mode === 'screen-reader' ? await spokenMoves(session, interruption.signal) : undefined,
  })
}

/** The wrong moves that a listener may choose: those that can be made here. */
async function spokenMoves(session: FlowSession, signal: AbortSignal): Promise<SpokenMoves> {
  const { listedMoves } = await import('./flow-offers.js')
  const { moveNamed, withMove } = await tampering()
  const begin = (name: string) => {
    const tampered = session.with(withMove(moveNamed(name)))
    return { plan: tampered.plan, records: tampered.walk({ signal, say: narrate }) }
  }
  const made = listedMoves(name => session.with(withMove(moveNamed(name))))
  return { moves: made.filter(({ off }) => off === undefined), begin }
}
