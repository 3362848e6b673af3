import type { AuthenticationDevice } from '../client/authentication-device.js'
import type { DeviceVerifier } from '../client/device-verifier.js'
import type { AskLogin } from '../client/login.js'
import type { Notifications } from '../client/notifications.js'
import type { UserAgent } from '../client/user-agent.js'
import type { Send } from '../protocol/http/exchange.js'
import type { HttpResponse } from '../protocol/http/message.js'
import type { JsonObject } from '../protocol/values.js'
import type { OutgoingLayers } from './middleware/middleware.js'
import type { FlowRecord, PlannedStep } from './step.js'

/** The outside world of a flow. */
export interface FlowPorts {
  readonly send: Send
  readonly userAgent: UserAgent
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes, for state, nonce and code_verifier. */
  readonly random: (length: number) => Uint8Array
  /** Ends the flow: a generator's `return()` waits behind a pending `next()`. */
  readonly signal: AbortSignal
}

/** The world of a flow before anything sits between the two: `send` is the network itself. */
export interface NetworkPorts extends Omit<FlowPorts, 'userAgent'> {
  /**
   * Creates a user agent that sends through another `Send`.
   * @param wrong what is wrong on purpose about the authorization request, for a person who sees its answer
   */
  readonly agentWith: (send: Send, wrong?: string) => UserAgent
  /** Creates a user agent in which a second user logs in. Absent where none is known. */
  readonly secondAgentWith?: (send: Send) => UserAgent
  readonly layers?: OutgoingLayers
}

/** The world of flows that go further than a browser and back. */
export interface AllPorts extends FlowPorts {
  /** Asks the resource owner for the credentials that the client itself sends (RFC 6749 §4.3). */
  readonly askLogin: AskLogin
  /** Lets a person decide about a device (RFC 8628 §3.3). */
  readonly deviceVerifier: DeviceVerifier
  /** Brings the person to the page that asks them (OpenID Connect CIBA Core §8). Absent: nobody here knows how the server asks. */
  readonly authenticationDevice?: AuthenticationDevice
  /** The client notification endpoint, for a client that is pinged (OpenID Connect CIBA Core §9). */
  readonly notifications?: Notifications
  /** Waits that many milliseconds; rejects with the reason of `signal` when the flow is ended. */
  readonly wait: (ms: number) => Promise<void>
}

/** A client ID metadata document that is wrong in one point: in its address or in its answer. */
export interface DocumentLie {
  /** Returns the client_id for the address at which the document is served. Absent: that address. */
  readonly clientId?: (address: string) => string
  /** Returns the answer at that address. Absent: the honest document. */
  readonly answer?: (document: JsonObject) => HttpResponse
}

/** One run of a flow: the flow as it is, or one that is changed on purpose on its way. */
export interface FlowRun<Options, Ports> {
  /** The options of the flow, as this run needs them. */
  readonly options: Options
  /** Set where the client has to serve a document of its own, which is wrong. */
  readonly document?: DocumentLie | undefined
  plan(options: Options): PlannedStep[]
  /** @param documentAsked returns true once somebody asked for the document that the client serves */
  walk(ports: Ports, options: Options, documentAsked?: () => boolean): AsyncGenerator<FlowRecord, void, void>
}
