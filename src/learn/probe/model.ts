import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'

/** Passes a request on to the real server. */
export type Next = (request: HttpRequest) => Promise<HttpResponse>

/** A dishonest layer in front of the real authorization server. */
export type Layer = (request: HttpRequest, next: Next) => Promise<HttpResponse>

/** The members of an answer of the token endpoint. */
export type Members = Readonly<Record<string, unknown>>

/** A login that the liar makes at the real server, for tokens that are genuine and in the wrong place. */
export interface OwnLogin {
  /** `own`: the client under test. `other`: another client of the same server. */
  readonly client: 'own' | 'other'
  /** `same`: the user who logs in for the client under test. `victim`: somebody else. */
  readonly user: 'same' | 'victim'
  readonly nonce?: string | undefined
}

/** The tokens of a login of the liar. */
export interface OwnTokens {
  readonly access_token: string
  readonly id_token: string
}

/** The parts of one run that its plan may use. */
export interface Scene {
  /** The issuer that the client was given. */
  readonly issuer: string
  /** The issuer of the other server; the same one where a probe has only one server. */
  readonly other: string
  readonly client: Client
  readonly username: string
  /** The authorization request that the client printed. */
  readonly request: URL
  /** The authorization request of the run before. */
  readonly earlier: URL | undefined
  readonly logIn: (login: OwnLogin) => Promise<OwnTokens>
  /** Logs somebody in at an authorization request that is like one of the client. @returns the code */
  readonly codeFor: (request: URL, user: OwnLogin['user']) => Promise<string>
  /** Puts an opaque text in the place of the access token. Userinfo takes it, and at_hash of the ID token fits it. */
  readonly hide: (members: Members) => Promise<Members>
}

/** The things that were seen of a client in one run. */
export interface Observed {
  /** True when the server redeemed the code. */
  readonly redeemed: boolean
  /** True when the client sent a code to a token endpoint. */
  readonly tried: boolean
  /** True when the client showed an access token to userinfo. */
  readonly used: boolean
  /** The token requests with a code, and those with a refresh token. */
  readonly codes: number
  readonly refreshes: number
  /** The audiences of the access tokens that were issued. */
  readonly audiences: readonly string[]
  /** True when the client revoked a token. */
  readonly revoked: boolean
  /** True when the client ended with exit code 0, or answered its redirect address without an error. */
  readonly endedWell: boolean
}

/** The messages of a run, after it. */
export interface Messages {
  readonly scene: Scene
  /** The address of the answer that reached the client. */
  readonly answer: URL
  /** The answer of the token endpoint as the server gave it, and as it reached the client. */
  readonly issued: Members
  readonly told: Members
  readonly observed: Observed
  readonly run: RunPlan
}

/** One run of a client. */
export interface RunPlan {
  /** The wrong answer; absent in a right run. */
  readonly wrong?: string
  /** True when the lie takes a value of an earlier run. */
  readonly needsEarlier?: true
  /** True when the client is given the issuer of the other server. */
  readonly asksOther?: true
  /** The layer in front of the server that the client was given, from the start of the run. */
  readonly layer?: (other: string) => Layer
  /** Changes the answer on its way to the client. */
  readonly answer?: (answer: URL, scene: Scene) => URL | Promise<URL>
  /** Prepares the change of the answer of the token endpoint. */
  readonly tokens?: (scene: Scene) => Promise<(members: Members) => Members | Promise<Members>>
  /** Decides whether the client finished, where the rule of the probe does not hold for this run. */
  readonly finished?: (observed: Observed) => boolean
  /** Members of the client's environment that differ. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The scope that the user allows, in place of the one that was asked for. */
  readonly allowed?: string
  /** The received value of the list of runs, where no message holds it. */
  readonly received?: string
}

/** A probe: its runs, and the rule by which a run was finished. */
export interface Plan {
  readonly runs: readonly RunPlan[]
  /** True when the probe has a second authorization server. */
  readonly two?: true
  /** `code`: the client sent the code. `end`: it accepted the tokens, which is seen at its end. */
  readonly finishes: 'code' | 'end'
  readonly finished: (observed: Observed, wrong: boolean, scene: Scene) => boolean
  /** Changes the registration of the client. */
  readonly client?: (client: Client) => Client
  /** Expected and received value of a run. */
  readonly values: (messages: Messages) => readonly [expected: string, received: string]
}
