import type { RequestContext } from '../../protocol/http/site.js'
import type { Check } from '../../protocol/oauth/check.js'
import type { Citation } from '../../protocol/rules/rule.js'

/** The authentication scheme of a request. */
export type Scheme = 'Bearer' | 'DPoP' | 'MAC'

/** The reason for a fetch of keys. */
export type FetchReason = 'first' | 'max_age' | 'unknown_kid'

/** The names of a call at the MCP endpoint. Several of a batch are separated by spaces. */
export type RpcCall = {
  /** The JSON-RPC method, such as `tools/call`. */
  readonly rpc_method?: string
  readonly tool?: string
}

/** The request that an event is about. Without the query, because a query may hold a secret. */
type About = { readonly method: string; readonly path: string } & RpcCall

/** An event of the resource server. Tokens and MAC ids are cut in the middle. */
export type ResourceServerEvent =
  | ({
      readonly type: 'resource.accepted'
      readonly scheme: Scheme
      readonly access_token: string
      readonly sub?: string
      readonly client_id?: string
      readonly scope: string
      /** The algorithm of the signature, such as `RS256`. Absent for the scheme MAC. */
      readonly alg?: string
      /** The source of the verification key: a setting, or the key set that the issuer publishes. */
      readonly keys?: 'configured' | 'published'
      /** The checks, in the order they ran. */
      readonly checks: readonly Check[]
    } & About)
  | ({
      readonly type: 'resource.refused'
      readonly status: number
      /** Absent when the request had no token, or came from a foreign origin. */
      readonly error?: string
      readonly description: string
      /** The rule that was broken, such as `RFC 6750 §3.1`. */
      readonly rule: Citation
      readonly scheme?: Scheme
      readonly evidence?: string
    } & About)
  | {
      readonly type: 'keys.fetched'
      readonly issuer: string
      readonly jwks_uri: string
      readonly reason: FetchReason
      /** `kid` of each key that can be used. */
      readonly kids: readonly string[]
    }
  | {
      readonly type: 'keys.failed'
      readonly issuer: string
      readonly reason: FetchReason
      readonly description: string
      readonly rule: Citation
    }
  | ({ readonly type: 'server.failed'; readonly site: 'resource'; readonly description: string } & About)

/** The context of a request to the resource server. */
export type Context = RequestContext<ResourceServerEvent>
