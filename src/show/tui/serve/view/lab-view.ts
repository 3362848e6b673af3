import type { LabEvent } from '../../../../protocol/events.js'
import type { ShownWeak } from '../../../../protocol/rules/weak-modes.js'
import { emptyHistory, type History } from './history.js'

/** A request that was answered, with the decisions on it. Times are milliseconds since the epoch. */
export interface AnsweredRequest {
  readonly at: number
  readonly site: string
  readonly method: string
  /** Path and query, secrets hidden. */
  readonly path: string
  readonly status: number
  readonly wireBytes: number
  readonly bodyBytes: number
  /** The content coding, where there was one. */
  readonly coding?: string
  readonly ms: number
  readonly client?: string
  /** The run whose requests this entry stands for; the other members are those of its latest request. */
  readonly run?: RequestRun
  /** The event itself. */
  readonly event: LabEvent
  /** The events that carry the id of this request, oldest first. */
  readonly decisions: readonly LabEvent[]
}

/** The requests of one run of the doctor or of a wrong move. */
export interface RequestRun {
  /** `doctor 1a2b3c4d` */
  readonly name: string
  readonly requests: number
  readonly refused: number
}

/** An authorization code in its life, cut in the middle. Whether it has expired is seen from the clock. */
export interface IssuedCode {
  readonly code: string
  readonly client?: string
  readonly user?: string
  readonly scope?: string
  readonly issuedAt?: number
  readonly expiresAt?: number
  readonly redeemedAt?: number
  readonly replayedAt?: number
}

/** An access token in its life. */
export interface IssuedToken {
  /** Its identity: its `jti`, else the token cut in the middle. */
  readonly id: string
  readonly token?: string
  readonly subject?: string
  /** The client or the audience that it is for. */
  readonly for?: string
  readonly kind: string
  readonly grant?: string
  readonly scope?: string
  readonly issuedAt: number
  readonly expiresAt?: number
  /** The object whose end is its own: `Pod/web-0` in its namespace. */
  readonly boundTo?: string
  /** How often a resource server or a review accepted it. */
  readonly accepted: number
  readonly revokedAt?: number
  readonly revokedBecause?: string
}

/** A refresh token with all that came of it: each use replaces it by the next one. */
export interface RefreshFamily {
  /** The token that counts now, cut in the middle, and those before it, latest first. */
  readonly tokens: readonly string[]
  readonly client?: string
  readonly user?: string
  readonly scope?: string
  readonly issuedAt: number
  /** How often it was used. */
  readonly uses: number
  readonly usedAt?: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly revokedBecause?: string
}

/** A client: as it is registered, and what it asked for. */
export interface KnownClient {
  readonly id: string
  readonly registered?: {
    readonly confidential: boolean
    readonly enabled: boolean
    readonly redirectUris: number
    /** Set for a client that registered itself. `deleted`: it is gone. */
    readonly itself?: 'registered' | 'deleted'
    /** The name that such a client gave itself. */
    readonly name?: string
  }
  readonly requests: number
  readonly refused: number
  readonly lastAt?: number
}

/** A resource owner. */
export interface KnownUser {
  readonly name: string
  readonly logins: number
  readonly failures: number
  readonly lastAt?: number
}

/** A key that signs tokens, or did. */
export interface KnownKey {
  readonly kid: string
  readonly alg?: string
  readonly status: 'signs' | 'published' | 'seen'
  readonly since?: number
  readonly retiredAt?: number
  /** The issuer, when a resource server fetched it. */
  readonly issuer?: string
  readonly fetchedAt?: number
}

/** A site of the lab and what it answered. */
export interface KnownSite {
  readonly name: string
  readonly url?: string
  readonly requests: number
  readonly refused: number
  readonly failed: number
  readonly wireBytes: number
  readonly lastAt?: number
}

/** The facts that the lab reported of itself. */
export interface LabFacts {
  readonly pid?: number
  readonly ca?: string
  readonly urls: ReadonlyArray<readonly [site: string, url: string]>
  readonly stage?: string
  readonly profile?: string
  readonly labFile?: string
  /** The weak modes of the lab; absent for a strict one. */
  readonly weak?: readonly ShownWeak[]
  /** True when answers are compressed for clients that ask for it. */
  readonly compression?: boolean
  /** Lifetime of codes and refresh tokens, in milliseconds. */
  readonly codeLifetime?: number
  readonly refreshLifetime?: number
  /** The event with these facts, for exports. */
  readonly configured?: LabEvent
}

/** Everything the dashboard knows of a lab: a fold over its events. Histories are bounded. */
export interface LabView {
  /** Of the first and the latest event. */
  readonly startedAt?: number
  readonly lastAt?: number
  readonly facts: LabFacts
  readonly requests: History<AnsweredRequest>
  /** All events but those of answered requests. */
  readonly events: History<LabEvent>
  /** Events whose request is not answered yet. */
  readonly undecided: readonly LabEvent[]
  readonly codes: History<IssuedCode>
  readonly tokens: History<IssuedToken>
  readonly families: History<RefreshFamily>
  readonly clients: History<KnownClient>
  readonly users: History<KnownUser>
  readonly keys: History<KnownKey>
  readonly sites: History<KnownSite>
}

/** A lab that has not said anything yet. */
export const emptyView: LabView = {
  facts: { urls: [] },
  requests: emptyHistory(1000),
  events: emptyHistory(1000),
  undecided: [],
  codes: emptyHistory(256),
  tokens: emptyHistory(256),
  families: emptyHistory(128),
  clients: emptyHistory(192),
  users: emptyHistory(192),
  keys: emptyHistory(64),
  sites: emptyHistory(64),
}
