import type { Exchange } from '../protocol/http/exchange.js'
import type { Check } from '../protocol/oauth/check.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import type { Citation, PlanRule } from '../protocol/rules/rule.js'
import type { ExplainedToken } from '../protocol/tokens/explain.js'

/** The roles a message travels between. The attacker has a user agent and a server of their own; both are one role. */
export type Role = 'attacker' | 'user_agent' | 'client' | 'authorization_server' | 'resource_server'

/** Names of steps; snake_case and stable, since scripts read them. */
export type StepName =
  | 'discovery_request'
  | 'given_metadata'
  | 'request_object'
  | 'pushed_authorization_request'
  | 'authorization_request'
  | 'login_form'
  | 'login'
  | 'authorization_response'
  | 'response_verification'
  | 'token_request'
  | 'id_token_verification'
  | 'keys_request'
  | 'userinfo_request'
  | 'claims_request'
  | 'resource_request'
  | 'unauthenticated_request'
  | 'resource_metadata_request'
  | 'replay_request'
  | 'bearer_request'
  | 'refresh_request'
  | 'reuse_request'
  | 'revoked_request'
  | 'assertion'
  | 'exchange_request'
  | 'device_authorization_request'
  | 'poll_request'
  | 'early_poll_request'
  | 'device_verification'
  | 'device_approval'
  | 'backchannel_authentication_request'
  | 'approval_page'
  | 'approval'
  | 'ping_callback'
  | 'session_check'
  | 'logout_request'
  | 'logout_confirmation'
  | 'frontchannel_logout'
  | 'logout_response'
  | 'relying_party_login'
  | 'relying_party_session'
  | 'honest_logout_token'
  | 'ended_relying_party_session'
  | 'second_relying_party_login'
  | 'logout_token'
  | 'surviving_relying_party_session'
  | 'ended_session_check'
  | 'surviving_token_request'
  | 'surviving_refresh_request'
  | 'client_registration'
  | 'initialize_request'
  | 'initialized_notification'
  | 'tools_request'
  | 'tool_call'
  | AttackStepName

/** Names of steps that only attacks have. */
export type AttackStepName =
  | 'honest_login'
  | 'attacker_login'
  | 'client_login'
  | 'lure'
  | 'code_arrival'
  | 'injection'
  | 'forgery'
  | 'guess'
  | 'logout'
  | 'theft'
  | 'framed_page'
  | 'framed_click'
  | 'consent'
  | 'document_request'
  | 'inner_request'
  | 'replayed_token'
  | 'stolen_notes'
  | 'wrong_account'

/** A planned step, which the screens draw dotted. */
export interface PlannedStep {
  /** Stable, such as `token_request`. */
  readonly name: StepName
  readonly from: Role
  readonly to: Role
  /** The message, such as `GET /authorization`. */
  readonly title: string
  /** The rule for it, such as `6749 §4.1.1`. */
  readonly rfc: PlanRule
  /** The purpose of the step, in one sentence. */
  readonly why: string
}

/** A token shown at a step. */
export interface StepToken {
  readonly kind:
    | 'access_token'
    | 'id_token'
    | 'refresh_token'
    | 'assertion'
    | 'request_object'
    | 'authorization_response'
  /** Compact form; masked in text output unless secrets are shown. */
  readonly value: string
  /** Absent for opaque tokens. */
  readonly explained?: ExplainedToken
  readonly checks: readonly Check[]
}

/** One teaching move that happened: plain data, so that looking back is an index and every output a function. */
export interface Step extends PlannedStep {
  readonly type: 'step'
  /** Place among the steps that happen, from 1. A step that is repeated (a refused login) repeats its number. */
  readonly n: number
  /** The number of steps, without those that the flow left out so far. */
  readonly of: number
  readonly url?: string
  /** The request and its response, with their bytes and times. */
  readonly exchange?: Exchange
  /** The checks that the client made, with their results. */
  readonly checks?: readonly Check[]
  /** The token this step is about; further ones (id_token) follow in `tokens`. */
  readonly token?: StepToken
  readonly tokens?: readonly StepToken[]
  /** One remark for a person, such as `in your browser`. */
  readonly note?: string
  /** True when the same step follows again: the login was refused, or the device has to wait. */
  readonly repeats?: true
}

/** How a flow ended. Always the last line. */
export interface Outcome {
  readonly type: 'outcome'
  /** `refused`: a rule was broken. `failed`: no answer, or one that cannot be read. */
  readonly outcome: 'granted' | 'refused' | 'failed'
  readonly error?: {
    readonly error: string
    readonly error_description: string
    readonly rule?: Citation
    /** The next moves, one line each, where they depend on more than the code of the error. */
    readonly hints?: readonly string[]
  }
  readonly tokens?: Partial<TokenResponse>
  /** True for a flow that ended with a logout. */
  readonly logged_out?: true
  /** Of a flow with a wrong move in it: whether the move was refused as the rule asks. */
  readonly expected?: boolean
  readonly tamper?: {
    readonly move: string
    /** The refusal that the rule asks for, for people. */
    readonly wanted: string
    /** The actual answer, for people; absent when the flow ended before the move was made. */
    readonly found?: string
    /** Why an accepted move harms nobody here; absent where it does, and for a refused one. */
    readonly harmless?: string
  }
}

/** The tokens of a flow that brought an access token; undefined for every other end. */
export function tokensIn({ outcome, tokens }: Outcome): TokenResponse | undefined {
  const { access_token } = tokens ?? {}
  if (outcome !== 'granted' || access_token === undefined) return undefined
  return { token_type: 'Bearer', ...tokens, access_token }
}

/** The items that a flow yields. */
export type FlowRecord = Step | Outcome
