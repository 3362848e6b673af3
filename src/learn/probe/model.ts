import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'

export type Next = (request: HttpRequest) => Promise<HttpResponse>

/** Dishonest, in front of the real authorization server. */
export type Layer = (request: HttpRequest, next: Next) => Promise<HttpResponse>

export type Members = Readonly<Record<string, unknown>>

/** The liar logs in at the real server: the tokens are genuine and in the wrong place. */
export interface OwnLogin {
  /** `own`: the client under test. */
  readonly client: 'own' | 'other'
  /** `same`: the user of the client under test. */
  readonly user: 'same' | 'victim'
  readonly nonce?: string | undefined
}

export interface OwnTokens {
  readonly access_token: string
  readonly id_token: string
}

export interface Scene {
  /** Given to the client. */
  readonly issuer: string
  /** The same one where a probe has only one server. */
  readonly other: string
  readonly client: Client
  readonly username: string
  /** Printed by the client. */
  readonly request: URL
  /** Of the run before. */
  readonly earlier: URL | undefined
  readonly logIn: (login: OwnLogin) => Promise<OwnTokens>
  /** Logs in at a request that is like one of the client. @returns the code */
  readonly codeFor: (request: URL, user: OwnLogin['user']) => Promise<string>
  /** Replaces the access token by an opaque text, which userinfo takes and at_hash fits. */
  readonly hide: (members: Members) => Promise<Members>
}

/** Observations of a client in one run. */
export interface Observed {
  /** By the server. */
  readonly redeemed: boolean
  /** The client sent a code to a token endpoint. */
  readonly tried: boolean
  /** The client showed an access token to userinfo. */
  readonly used: boolean
  /** Token requests. */
  readonly codes: number
  readonly refreshes: number
  /** Of the access tokens that were issued. */
  readonly audiences: readonly string[]
  /** By the client. */
  readonly revoked: boolean
  /** Exit code 0, or its redirect address answered without an error. */
  readonly endedWell: boolean
}

/** Known after a run. */
export interface Messages {
  readonly scene: Scene
  /** The address that reached the client. */
  readonly answer: URL
  /** The answer of the token endpoint, from the server and at the client. */
  readonly issued: Members
  readonly told: Members
  readonly observed: Observed
  readonly run: RunPlan
}

export interface RunPlan {
  /** Absent in a right run. */
  readonly wrong?: string
  /** The lie takes a value of an earlier run. */
  readonly needsEarlier?: true
  /** The client is given the issuer of the other server. */
  readonly asksOther?: true
  /** In front of the server of the client, from the start of the run. */
  readonly layer?: (other: string) => Layer
  /** On its way to the client. */
  readonly answer?: (answer: URL, scene: Scene) => URL | Promise<URL>
  /** Prepares the change of a token answer. */
  readonly tokens?: (scene: Scene) => Promise<(members: Members) => Members | Promise<Members>>
  /** For runs where the rule of the probe does not hold. */
  readonly finished?: (observed: Observed) => boolean
  /** Differing members of the client's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The scope that the user allows. */
  readonly allowed?: string
  /** For the list of runs, where no message holds it. */
  readonly received?: string
}

export interface Plan {
  readonly runs: readonly RunPlan[]
  /** The probe has a second authorization server. */
  readonly two?: true
  /** `code`: the client sent the code. `end`: it accepted the tokens, which is seen at its end. */
  readonly finishes: 'code' | 'end'
  readonly finished: (observed: Observed, wrong: boolean, scene: Scene) => boolean
  /** Changes the registration. */
  readonly client?: (client: Client) => Client
  /** Of a run. */
  readonly values: (messages: Messages) => readonly [expected: string, received: string]
}
