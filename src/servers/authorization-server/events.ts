import type { RequestContext } from '../../protocol/http/site.js'
import type { AuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import type { Check } from '../../protocol/oauth/check.js'
import type { DeliveryMode } from '../../protocol/oauth/client.js'
import type { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { defined } from '../../protocol/values.js'
import type { ClientDocumentEvent } from './client-document-events.js'
import type { LoginEvent } from './logins/login-events.js'

/** The client and the person of a request. */
type Person = { readonly client_id: string; readonly username: string }

/** A message to the notification endpoint of a client. */
type Ping = Person & {
  /** The address of the client that is called. */
  readonly url: string
}

/** An event of backchannel authentication (CIBA). It has neither the auth_req_id nor the notification token. */
type BackchannelEvent =
  | ({
      readonly type: 'ciba.requested'
      readonly scope: string
      readonly mode: DeliveryMode
      /** The text that both devices show. */
      readonly binding_message?: string
      readonly authorization_details?: AuthorizationDetails
      /** Lifetime of the request, in seconds. */
      readonly expires_in: number
      /** The address at which the person decides. */
      readonly page: string
      /** Names of parameters that have no effect. */
      readonly ignored?: readonly string[]
    } & Person)
  /** The person opened the page with the waiting requests. */
  | { readonly type: 'ciba.shown'; readonly username: string; readonly waiting: number }
  | ({ readonly type: 'ciba.approved' | 'ciba.denied' } & Person & { readonly scope: string })
  /** The client asked for the result after the end of the request, and nobody had decided. */
  | ({ readonly type: 'ciba.expired' } & Person)
  | ({ readonly type: 'ciba_ping.sent' } & Ping)
  | ({ readonly type: 'ciba_ping.accepted'; readonly status: number } & Ping)
  | ({
      readonly type: 'ciba_ping.failed'
      /** Absent: there was no answer. */
      readonly status?: number
      readonly description: string
      readonly rule: Citation
    } & Ping)
  | {
      readonly type: 'ciba.failed'
      readonly username: string
      readonly client_id?: string
      /** `gone`: the request was decided before, or has expired. */
      readonly reason: 'csrf' | 'gone'
      readonly description: string
      readonly rule: Citation
    }

/** An event of clients that register themselves. It has no secret and no token. */
type RegistrationEvent =
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

/** A client that is informed of the end of a session. */
type Informed = {
  readonly client_id: string
  readonly username: string
  readonly sid: string
  /** The address of the client that is called. */
  readonly url: string
}

/** One attempt to inform a client. */
type Attempt = Informed & {
  /** Number of the attempt, from 1. */
  readonly attempt: number
}

/** An event about a message that informs a client of a logout (Back-Channel Logout §2.5). It has no token. */
type LogoutEvent =
  | ({ readonly type: 'logout_token.sent' } & Attempt)
  | ({ readonly type: 'logout_token.accepted'; readonly status: number } & Attempt)
  | ({
      readonly type: 'logout_token.failed'
      /** Absent: there was no answer. */
      readonly status?: number
      readonly description: string
      readonly rule: Citation
      /** Seconds until the next attempt. Absent: there is none. */
      readonly retry_in?: number
    } & Attempt)
  /** The logout page has a frame with an address of a client (Front-Channel Logout §3). */
  | ({ readonly type: 'logout.framed' } & Informed)

/** An event of the page that asks for a one-time code. */
type SecondFactorEvent =
  | {
      readonly type: 'second_factor.shown'
      readonly client_id: string
      readonly username: string
    }
  | {
      readonly type: 'second_factor.succeeded'
      readonly client_id: string
      readonly username: string
      /** The authentication context class of the login now. */
      readonly acr: string
    }
  | {
      readonly type: 'second_factor.failed'
      readonly client_id: string
      readonly username: string
      /** `used`: the code is right, and was used before. */
      readonly reason: 'code' | 'used' | 'csrf' | 'busy' | 'limited'
      readonly description: string
      readonly rule: Citation
    }

/** The reason for a refusal. The client gets `error` and `description`; `rule` and `evidence` are for the event. */
export type Refusal = {
  readonly error: string
  readonly description: string
  /** The rule that was broken, such as `RFC 6749 §4.1.3`. */
  readonly rule: Citation
  readonly evidence?: string
}

/** The client and the user of an event, as far as they are known. */
type About = { readonly client_id?: string; readonly username?: string }

/** A request with parameters that the server did not read. */
type Ignoring = {
  /** Names of parameters that have no effect. */
  readonly ignored?: readonly string[]
}

/** The facts about a redirect_uri that is not registered. Absent for every other refusal. */
type Unregistered = {
  /** The addresses that the client has. */
  readonly registered?: readonly string[]
  /** The parts in which the sent address differs from the closest registered one. */
  readonly differences?: readonly string[]
  /** A command line that starts the lab with the sent address. */
  readonly to_register?: string
}

/** An event of the authorization server. Codes and tokens are cut in the middle. */
export type AuthorizationServerEvent =
  | ({
      readonly type: 'authorization.requested'
      readonly client_id: string
      readonly response_type: string
      readonly redirect_uri: string
      /** The scope that will be granted. */
      readonly scope: string
      readonly pkce: 'S256' | 'plain' | 'none'
      /** Names of the claims that the request asks for one by one (OpenID Connect Core §5.5). */
      readonly claims?: readonly string[]
      readonly authorization_details?: AuthorizationDetails
    } & About &
      Ignoring)
  | ({
      readonly type: 'authorization.refused'
      /** `page`: the error was shown to the person. `redirect`: the error was sent to the client. */
      readonly channel: 'page' | 'redirect'
    } & Refusal &
      About &
      Ignoring &
      Unregistered)
  | LoginEvent
  | SecondFactorEvent
  | LogoutEvent
  | { readonly type: 'logout.shown'; readonly username: string; readonly client_id?: string }
  | ({ readonly type: 'logout.refused' } & Refusal & About)
  | {
      readonly type: 'request_object.accepted'
      readonly client_id: string
      /** `value`: as request. `reference`: by request_uri. `pushed`: at the endpoint for pushed requests. */
      readonly delivery: 'value' | 'reference' | 'pushed'
      /** The rule that says which parameters count. */
      readonly rules: Citation
      /** `none`: the object is not signed. */
      readonly alg: string
      /** Algorithms of the encryption. Absent: none. */
      readonly encryption?: string
      /** Names of the parameters in the object. */
      readonly parameters: readonly string[]
      /** Names of the parameters beside the object that have no effect. */
      readonly ignored?: readonly string[]
      /** The checks, in the order they ran. */
      readonly checks: readonly Check[]
    }
  | {
      readonly type: 'request_object.fetched'
      readonly client_id: string
      readonly request_uri: string
    }
  | {
      readonly type: 'request_object.failed'
      readonly client_id: string
      readonly request_uri: string
      readonly description: string
      readonly rule: Citation
    }
  | ({
      readonly type: 'request.pushed'
      readonly client_id: string
      /** The reference that the client got, its last part cut in the middle. */
      readonly request_uri: string
      readonly expires_in: number
    } & Ignoring)
  | ({ readonly type: 'push.refused'; readonly status: number } & Refusal & About & Ignoring & Unregistered)
  | { readonly type: 'id_token.issued'; readonly client_id: string; readonly username: string }
  | ({
      readonly type: 'code.issued' | 'code.redeemed'
      readonly code: string
      readonly scope: string
      /** Lifetime of an issued code, in seconds. */
      readonly expires_in?: number
    } & About)
  | ({ readonly type: 'code.replayed'; readonly code: string; readonly rule: Citation } & About)
  | ({
      readonly type: 'token.issued'
      readonly client_id: string
      readonly sub: string
      /** The user behind a pairwise `sub`. */
      readonly username?: string
      readonly grant_type: string
      readonly scope: string
      readonly authorization_details?: AuthorizationDetails
      readonly token_type: 'Bearer' | 'DPoP' | 'mac'
      readonly aud: string | readonly string[]
      readonly access_token: string
      readonly jti: string
      readonly expires_in: number
      /** Thumbprint of the certificate that the token is bound to (RFC 8705 §3.1). */
      readonly certificate?: string
      readonly id_token: boolean
      readonly refresh_token?: string
      /** The part of the requested scope that was not granted. */
      readonly dropped_scope?: string
    } & Ignoring)
  /** The metadata of a resource that a request names (RFC 9728 §3). `failed`: no token is issued for the resource. */
  | { readonly type: 'resource_metadata.fetched'; readonly resource: string; readonly url: string }
  | {
      readonly type: 'resource_metadata.failed'
      readonly resource: string
      readonly url: string
      readonly description: string
      readonly rule: Citation
    }
  | ({
      readonly type: 'token.refused'
      readonly status: number
      readonly grant_type?: string
      /** The authorization code of the request, cut in the middle. */
      readonly code?: string
    } & Refusal &
      About &
      Ignoring)
  | ({ readonly type: 'token.revoked'; readonly jti: string; readonly reason: string } & About)
  /** `refresh_token` was used; `replaced_by` is its successor. */
  | ({
      readonly type: 'refresh_token.rotated'
      readonly refresh_token: string
      readonly replaced_by: string
      readonly scope: string
    } & About)
  /** The answer to `refresh_token` was lost: the same key got the same successor again. */
  | ({
      readonly type: 'refresh_token.repeated'
      readonly refresh_token: string
      readonly replaced_by: string
      readonly rule: Citation
    } & About)
  | ({
      readonly type: 'refresh_token.reused'
      readonly refresh_token: string
      readonly rule: Citation
    } & About)
  | ({
      readonly type: 'refresh_token.revoked'
      readonly refresh_token: string
      readonly reason: string
    } & About)
  | ({ readonly type: 'token.introspected'; readonly active: boolean } & About & {
        /** The kind of an active token. */
        readonly kind?: 'access_token' | 'refresh_token'
        readonly jti?: string
        readonly issued_to?: string
      })
  | ({
      readonly type: 'introspection.refused' | 'revocation.refused'
      readonly status: number
    } & Refusal &
      About)
  | {
      readonly type: 'assertion.accepted'
      readonly client_id: string
      readonly issuer: string
      readonly username: string
      readonly assertion_id: string
    }
  /** The id or secret in a Basic header has characters that form-encoding changes, and was sent as it is. */
  | { readonly type: 'client_secret.unencoded'; readonly client_id: string; readonly rule: Citation }
  | {
      readonly type: 'password.refused'
      readonly client_id: string
      readonly username: string
      readonly reason: 'credentials' | 'rate' | 'busy'
    }
  | {
      readonly type: 'userinfo.answered'
      readonly client_id: string
      readonly username: string
      /** Names of the returned claims. */
      readonly claims: readonly string[]
    }
  | ({ readonly type: 'userinfo.refused'; readonly status: number } & Refusal & About)
  | {
      readonly type: 'claims.answered'
      readonly username: string
      /** Names of the returned claims. */
      readonly claims: readonly string[]
      readonly access_token: string
    }
  | ({ readonly type: 'claims.refused'; readonly status: number } & Refusal & About)
  | ({
      readonly type: 'device_code.issued'
      readonly client_id: string
      readonly scope: string
      readonly authorization_details?: AuthorizationDetails
      readonly expires_in: number
    } & Ignoring)
  | ({ readonly type: 'device_code.approved' | 'device_code.denied' } & About)
  | ({ readonly type: 'device_authorization.refused'; readonly status: number } & Refusal & About & Ignoring)
  | {
      readonly type: 'user_code.refused'
      readonly reason: 'unknown' | 'limited'
      readonly rule: Citation
    }
  | BackchannelEvent
  | ({ readonly type: 'ciba.refused'; readonly status: number } & Refusal & About & Ignoring)
  | ClientDocumentEvent
  | RegistrationEvent
  | {
      readonly type: 'fault.injected'
      readonly endpoint: string
      readonly error: string
      /** Number of requests that will still fail this way. */
      readonly left: number | 'always'
    }
  | { readonly type: 'server.failed'; readonly path: string; readonly description: string }

/** The context of a request to the authorization server. */
export type Context = RequestContext<AuthorizationServerEvent>

/** Publishes an event that the request caused. */
export type Publish = Context['publish']

/** Describes an exception for an event. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
}

/** Returns the members of an event that give the reason for a refusal. */
export function refusal({ code, description, rule, evidence }: OAuthError): Refusal {
  return defined({ error: code, description, rule, evidence })
}
