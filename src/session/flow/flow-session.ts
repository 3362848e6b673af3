import type { CallbackListener, CallbackTls } from '../../client/callback-listener.js'
import { type LogoutReturn, listenForCallback, listenForLogout } from '../../client/callback-listener.js'
import type { KnownUser } from '../../client/known-login.js'
import type { AskLogin } from '../../client/login.js'
import { listenForNotifications, type NotificationListener } from '../../client/notification-listener.js'
import { offerCodings } from '../../client/offer-codings.js'
import { advised } from '../../flows/advice/advice.js'
import { namedFailures } from '../../flows/advice/named-failures.js'
import { type Flow, type FlowName, flows } from '../../flows/flows.js'
import { type ClientExtras, clientMiddleware } from '../../flows/middleware/client-middleware.js'
import { type Gate, gateLayer } from '../../flows/middleware/gate.js'
import { type OutgoingLayers, outgoing } from '../../flows/middleware/middleware.js'
import { beginsWithToken, type FlowOptions } from '../../flows/options.js'
import { outcomeOf } from '../../flows/outcome.js'
import { opened, openedPlan } from '../../flows/plans/opening.js'
import type { AllPorts, FlowRun, NetworkPorts } from '../../flows/ports.js'
import type { FlowRecord, PlannedStep, Step } from '../../flows/step.js'
import type { Send } from '../../protocol/http/exchange.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { APPROVAL_PATH } from '../../servers/authorization-server/backchannel/paths.js'
import type { People } from '../people/people.js'
import { secondUser } from '../people/users.js'
import type { ServerTarget } from '../targets/server.js'
import { asDocumentClient, type OwnDocument, serveOwnDocument } from './own-document.js'

/** A flow whose server and client are known. */
export interface SessionSetup {
  readonly name: FlowName
  readonly target: ServerTarget
  readonly options: FlowOptions
  readonly extras: ClientExtras
  /** Steps that were needed to learn about the server. */
  readonly opening: readonly Step[]
  readonly network: Send
  /** The state folder. */
  readonly home: string
  readonly people: Omit<People, 'ask' | 'say'>
  /** The certificate of an https redirect_uri. */
  readonly callbackTls?: CallbackTls | undefined
  /** The certificate of an https notification endpoint. */
  readonly notificationTls?: CallbackTls | undefined
}

/** One walk of a flow. */
export interface WalkOptions {
  /** Asks a person at the terminal to log in. */
  readonly ask?: AskLogin
  /** Shows a person one line. */
  readonly say: (line: string) => void
  readonly signal: AbortSignal
  readonly gate?: Gate
}

/** A flow that is ready to be walked, any number of times. */
export interface FlowSession {
  readonly plan: readonly PlannedStep[]
  walk(walk: WalkOptions): AsyncGenerator<FlowRecord, void, void>
  /** The same flow, changed on purpose. @throws UsageError where the change cannot be made */
  with(change: FlowChange): FlowSession
}

/** The people of a flow whose passwords are known: the one who logs in, and another one. */
export interface KnownPeople {
  readonly user: KnownUser | undefined
  readonly second: KnownUser | undefined
}

/** Changes a flow on purpose, by a wrong move. @throws UsageError where the change cannot be made */
export type FlowChange = (
  setup: SessionSetup,
  people: KnownPeople,
) => FlowRun<FlowOptions, AllPorts & NetworkPorts>

/** The flow as it is. */
const unchanged: FlowChange = ({ name, options }) => {
  const flow: Flow = flows[name]
  return {
    options,
    plan: flow.plan,
    walk: (ports, of) => flow.run({ ...ports, send: outgoing(ports.send, ports.layers).client }, of),
  }
}

/** The user to suggest at the login form: the one who was named, else the first whose password is known. */
export function suggestedUser({
  target,
  people,
}: {
  readonly target: Pick<ServerTarget, 'users'>
  readonly people: Pick<People, 'user'>
}): KnownUser | undefined {
  if (people.user) return people.user
  const first = target.users.find(({ password }) => password !== undefined)
  return first?.password === undefined ? undefined : { username: first.username, password: first.password }
}

/** Prepares a flow. @throws UsageError where it cannot be changed so */
export function flowSession(setup: SessionSetup, change: FlowChange = unchanged): FlowSession {
  const { name, target, opening } = setup
  const network = namedFailures(setup.network)
  const user = suggestedUser(setup)
  const second = secondUser(user?.username, target.users)
  const { options, document: lie, plan, walk } = change(setup, { user, second })
  // The client of a document that the command serves has no key.
  const extras = lie ? { clientId: setup.extras.clientId } : setup.extras
  const { needs }: Flow = flows[name]
  return {
    plan: openedPlan(opening, plan(options)),
    with: other => flowSession(setup, other),
    async *walk({ ask, say, signal, gate }) {
      const { now, random } = target
      const clock = target.lab?.embedded?.clock
      // A clock that stands still is set forward instead: the server could not see that the client waited.
      const wait = clock?.still ? async (ms: number) => clock.advance(ms) : undefined
      // Loaded with the first step, because it loads a parser of HTML pages.
      const { peoplePorts } = await import('../people/people.js')
      const client = clientMiddleware(options.metadata, extras, target)
      const layers: OutgoingLayers = defined({
        client: client.layers,
        codings: offerCodings,
        gate: gate && gateLayer(gate),
      })
      const comesBack = needs.includes('redirect') && !beginsWithToken(options) && !setup.people.pastes
      let callback: CallbackListener | undefined
      let back: LogoutReturn | undefined
      let notifications: NotificationListener | undefined
      let own: OwnDocument | undefined
      try {
        callback = comesBack
          ? await listenForCallback(options.redirectUri, clock?.still ? now : undefined, setup.callbackTls)
          : undefined
        const { postLogoutRedirectUri: leaving } = options
        // Without a browser, an https address of another computer is not visited.
        const logoutTls = setup.people.inBrowser ? setup.callbackTls : undefined
        if (leaving !== undefined && !setup.people.pastes)
          back = await listenForLogout(leaving, callback, clock?.still ? now : undefined, logoutTls)
        const endpoint = options.backchannel?.notificationEndpoint
        if (endpoint !== undefined)
          notifications = await listenForNotifications(endpoint, now, setup.notificationTls)
        const redirectUri = callback?.redirectUri ?? options.redirectUri
        own = lie && (await serveOwnDocument({ home: setup.home, name: 'oauth-lab', redirectUri, lie }))
        const asked = own ? asDocumentClient(options, own) : options
        const here = { ...asked, redirectUri, ...(back && { postLogoutRedirectUri: back.uri }) }
        const { agentWith, secondAgentWith, verifierWith, approvalWith, ...world } = peoplePorts(
          { ...setup.people, second, ask, say: line => say(makeSafe(line)) },
          defined({ now, random, signal, wait }),
          callback,
          back?.callback,
        )
        const ways = outgoing(network, layers)
        const ports = {
          ...world,
          userAgent: agentWith(ways.browser),
          deviceVerifier: verifierWith(ways.browser),
          ...(notifications && { notifications }),
          ...(name === 'ciba' &&
            target.lab && {
              authenticationDevice: approvalWith(ways.browser, `${target.address}${APPROVAL_PATH}`),
            }),
        }
        const records = walk(
          defined({ ...ports, send: network, layers, agentWith, secondAgentWith }),
          here,
          own?.asked,
        )
        const facts = {
          ...here,
          foreign: target.lab === undefined,
          signs: extras.key !== undefined,
          bound: extras.dpop !== undefined,
        }
        yield* opened(opening, plan(here).length, advised(client.annotate(records), facts))
      } catch (error) {
        yield outcomeOf(error, signal)
      } finally {
        await own?.stop()
        await notifications?.close()
        await back?.close()
        await callback?.close()
      }
    },
  }
}
