import type { Citation } from '../../../protocol/rules/rule.js'

/** An event of clients that register themselves. It has no secret and no token. */
export type RegistrationEvent =
  | {
      readonly type: 'client.registered'
      readonly client_id: string
      readonly client_name?: string
      readonly application_type: string
      readonly redirect_uris: readonly string[]
      readonly grant_types: readonly string[]
      readonly token_endpoint_auth_method: string
      /** The permission to register: none is needed, an initial access token, or beside either a software statement. */
      readonly access: 'open' | 'token'
      /** The issuer of the software statement. Absent: there was none. */
      readonly statement_issuer?: string
      /** Names of members that have no effect. */
      readonly ignored?: readonly string[]
    }
  | {
      readonly type: 'client.updated'
      readonly client_id: string
      readonly client_name?: string
      readonly redirect_uris: readonly string[]
      /** Names of the members that have another value now. */
      readonly changed: readonly string[]
    }
  /** Its codes and tokens count no longer. `by`: the client itself, or the person who runs the lab. */
  | { readonly type: 'client.deleted'; readonly client_id: string; readonly by: 'client' | 'lab' }
  | {
      readonly type: 'registration.refused'
      readonly status: number
      readonly error: string
      readonly description: string
      /** The rule that was broken. */
      readonly rule: Citation
      readonly client_id?: string
      readonly evidence?: string
    }
