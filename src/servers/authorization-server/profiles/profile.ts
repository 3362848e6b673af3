import type { SigningAlgorithm } from '../../../protocol/oauth/algorithms.js'
import type { Client, TokenEndpointAuthMethod } from '../../../protocol/oauth/client.js'
import type { Rule } from '../../../protocol/rules/rule.js'
import type { ResponseType } from '../parameters/response-type.js'

/** A demand of a profile. A check that finds it broken names its clause. */
export type Demand =
  | 'confidential'
  | 'auth_method'
  | 'bound'
  | 'audience'
  | 'algorithm'
  | 'grant'
  | 'response_type'
  | 'pushed'
  | 'pkce'
  | 'redirect_uri_sent'
  | 'redirect_uri'
  | 'rotation'
  | 'code_lifetime'
  | 'redirect_status'

/** A demand as people read it. */
export interface DemandFacts {
  readonly rule: Rule
  /** The subject, as a short title. */
  readonly point: string
  /** The behaviour under the profile. */
  readonly here: string
  /** The behaviour of the profile standard. */
  readonly otherwise: string
  readonly why: string
}

/** A profile: the values of the switches, and the clause of each demand. */
export interface Profile {
  readonly title: string
  readonly demands: { readonly [D in Demand]?: DemandFacts }
  /** The members that every client has, whatever its registration says. */
  readonly sets: (client: Client) => Partial<Client>
  readonly refusedGrants: readonly string[]
  readonly responseTypes: readonly ResponseType[]
  /** The PKCE methods. Absent: those of the client. */
  readonly challengeMethods?: readonly ['S256']
  /** The methods by which clients authenticate. Absent: all. */
  readonly authMethods?: readonly TokenEndpointAuthMethod[]
  /** The algorithms of signatures by clients and by the server. Absent: all. */
  readonly algorithms?: readonly SigningAlgorithm[]
  /** Milliseconds. Absent: as in the settings. */
  readonly maxCodeLifetime?: number
}
