import type { Fields } from '../../protocol/http/form.js'
import type { JsonObject } from '../../protocol/values.js'
import type { Answer, Message } from './message.js'

/** The kinds of conversations: the grants, and what stands beside them. */
export type ConversationKind =
  | 'code'
  | 'hybrid'
  | 'implicit'
  | 'device'
  | 'ciba'
  | 'refresh'
  | 'client_credentials'
  | 'password'
  | 'assertion'
  | 'exchange'
  | 'api'
  | 'logout'
  | 'registration'
  | 'saml'

/** How a conversation ended, as far as the recording goes. */
export type ConversationOutcome = 'granted' | 'refused' | 'failed' | 'unfinished'

/** The metadata of an authorization server that the recording holds. */
export interface ServerDocuments {
  readonly metadata?: JsonObject
  /** The published keys (RFC 7517 §5). */
  readonly keys?: readonly JsonObject[]
}

/** An authorization response with the message that carried it first. */
interface Answered {
  readonly answer: Answer
  readonly message: Message
}

/** The messages of one login, or of one use of another grant, in their order. */
export interface Conversation {
  /** From 1, in the order of the recording. */
  readonly n: number
  readonly kind: ConversationKind
  readonly messages: readonly Message[]
  /** The parameters of the authorization request; of the pushed one where it was pushed. */
  readonly asked?: { readonly fields: Fields; readonly message: Message }
  readonly answers: readonly Answered[]
  readonly documents: ServerDocuments
  readonly clientId?: string
  /** The person who logged in, where the server named them. */
  readonly username?: string
  readonly issuer?: string
  readonly outcome: ConversationOutcome
  /** The last fact about a conversation that was not seen to end well, as a clause. */
  readonly lastSeen?: string
}

/** A conversation while its messages are collected. */
export interface Draft {
  readonly kind: ConversationKind
  readonly messages: Message[]
  readonly answers: Answered[]
  asked?: { readonly fields: Fields; readonly message: Message }
  /** Forgets the request: the first message is an answer. */
  readonly withoutRequest: () => Draft
}

const KINDS: Readonly<Record<string, ConversationKind>> = {
  authorization_code: 'code',
  refresh_token: 'refresh',
  client_credentials: 'client_credentials',
  password: 'password',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  'urn:openid:params:grant-type:ciba': 'ciba',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:saml2-bearer': 'assertion',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'exchange',
}

/** The conversation that a grant of the token endpoint is, or continues. */
export function kindOfGrant(grantType: string): ConversationKind {
  return KINDS[grantType] ?? 'assertion'
}
