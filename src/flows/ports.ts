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
  /** Unpredictable bytes, for state, nonce and code_verifier. */
  readonly random: (length: number) => Uint8Array
  /** Ends the flow: a generator's `return()` waits behind a pending `next()`. */
  readonly signal: AbortSignal
}

/** The outside world before middleware: `send` is the network itself. */
export interface NetworkPorts extends Omit<FlowPorts, 'userAgent'> {
  /** @param wrong the intended fault of the authorization request, for a person who sees its answer */
  readonly agentWith: (send: Send, wrong?: string) => UserAgent
  readonly secondAgentWith?: (send: Send) => UserAgent
  readonly layers?: OutgoingLayers
}

/** The world of flows that go further than a browser and back. */
export interface AllPorts extends FlowPorts {
  /** The credentials that the client itself sends (RFC 6749 §4.3). */
  readonly askLogin: AskLogin
  readonly deviceVerifier: DeviceVerifier
  /** Absent: nobody here knows how the server asks (OpenID Connect CIBA Core §8). */
  readonly authenticationDevice?: AuthenticationDevice
  /** For a client that is pinged (OpenID Connect CIBA Core §9). */
  readonly notifications?: Notifications
  readonly wait: (ms: number) => Promise<void>
}

/** A client ID metadata document that is wrong in one point: in its address or in its answer. */
export interface DocumentLie {
  /** Absent: the address at which the document is served. */
  readonly clientId?: (address: string) => string
  /** Absent: the honest document. */
  readonly answer?: (document: JsonObject) => HttpResponse
}

/** A flow as it is, or changed on purpose. */
export interface FlowRun<Options, Ports> {
  readonly options: Options
  /** A document that the client has to serve, wrong in one point. */
  readonly document?: DocumentLie | undefined
  plan(options: Options): PlannedStep[]
  /** @param documentAsked true once somebody asked for the document of the client */
  walk(ports: Ports, options: Options, documentAsked?: () => boolean): AsyncGenerator<FlowRecord, void, void>
}
