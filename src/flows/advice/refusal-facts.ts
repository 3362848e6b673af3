import type { FlowOptions } from '../options.js'
import type { Step } from '../step.js'

/** The facts of a run that the next move after a refusal depends on. */
export interface AdviceFacts
  extends Pick<
    FlowOptions,
    | ('metadata' | 'clientId' | 'auth' | 'redirectUri' | 'scope' | 'pkce' | 'push' | 'exchangeFor')
    | 'requestObject'
    | 'postLogoutRedirectUri'
  > {
  /** True for a server that is no lab: its clients are in no lab file. */
  readonly foreign: boolean
  readonly signs: boolean
  /** True when the client proves to hold a key (RFC 9449). */
  readonly bound?: boolean
}

/** A refusal, and the last step before it that has an exchange. */
export interface Refusal extends AdviceFacts {
  readonly code: string
  readonly description: string
  readonly step: Step | undefined
  readonly status: number | undefined
}

/** A kind of refusal, and the next moves after it. */
export type Advice = readonly [applies: (refusal: Refusal) => boolean, moves: (refusal: Refusal) => string[]]
