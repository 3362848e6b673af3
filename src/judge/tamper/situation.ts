import type { ClientExtras } from '../../flows/middleware/client-middleware.js'
import { type AuthorizationServerMetadata, announcedResources } from '../../protocol/oauth/metadata.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import type { ClientKey } from '../../protocol/tokens/client-assertion.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { RequestObjectKind } from '../../protocol/tokens/request-object.js'
import { defined } from '../../protocol/values.js'
import type { FlowShape } from './shape.js'

/** A client with its secret, as a request names it. */
export interface ClientIdentity {
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  /** The proof of a client that sends no secret: a signature (`private_key_jwt`), or its certificate (RFC 8705 §2). */
  readonly proof?: 'key' | 'certificate'
}

/** True for a public client (RFC 6749 §2.1). */
export function isPublic({ auth, proof }: ClientIdentity): boolean {
  return auth === 'none' && proof === undefined
}

/** The circumstances that moves depend on. */
export interface Situation {
  /** The flow that the move is made in; absent: the code grant. */
  readonly flow?: FlowShape
  readonly client: ClientIdentity
  /** The key that signs the assertions of the client, for moves that sign for somebody else. */
  readonly key?: ClientKey
  /** The issuer of the server under test. */
  readonly issuer?: string
  /** True when tokens are bound to a key of the client (RFC 9449). */
  readonly bound?: boolean
  /** That key, for proofs that are wrong in one point. */
  readonly dpop?: DpopKey
  /** True when the client is registered for bound tokens alone (RFC 9449 §5.2). */
  readonly boundClient?: boolean
  /** Set when the client shows a certificate (RFC 8705): `authenticates` where the certificate proves the client. */
  readonly certificate?: 'shown' | 'authenticates'
  /** True when the authorization request is pushed beforehand (RFC 9126). */
  readonly pushed?: boolean
  /** The request object that the authorization request is sent as (RFC 9101); absent: a plain request. */
  readonly requestObject?: RequestObjectKind
  /** True when the server takes pushed requests alone, of all clients or of this one (RFC 9126 §5, §6). */
  readonly pushRequired?: boolean
  /** True when the server requires signed request objects, of all clients or of this one. */
  readonly signedObjects?: boolean
  /** True when the person uses a browser of their own, whose messages nobody changes. */
  readonly ownBrowser?: boolean
  /** True when the authorization response comes as a JWT (JARM). */
  readonly responseJwt?: boolean
  /** True when access tokens are of type `mac`. */
  readonly mac?: boolean
  /** Scope values that the server knows, as it announces. */
  readonly knownScopes?: readonly string[]
  /** A public client of the same server. */
  readonly publicClient?: ClientIdentity
  /** Another client of the same server. */
  readonly other?: ClientIdentity
  readonly redirectUri: string
  /** The address that the browser returns to after a logout, where one is registered. */
  readonly logoutReturn?: string
  /** True when a relying party with the keys of its issuer is ours: the demo client of a lab. */
  readonly relyingParty?: boolean
  /** The user who logs in, when known. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** The name of another user, who can log in too. */
  readonly secondUser?: string
  /** An ID token about the second user, for the moves that need one. */
  readonly secondIdToken?: string
  /** True when the assertion of the flow is a SAML assertion. */
  readonly saml?: boolean
  readonly pkce: boolean
  /** PKCE methods that the server announces. */
  readonly challengeMethods: readonly string[]
  /** True when the server promises `iss` in its answers (RFC 9207 §3). */
  readonly issPromised: boolean
  /** The resources that the server announces (RFC 9728 §4); absent where it announces none. */
  readonly knownResources?: readonly string[]
  /** Types of authorization details that the server announces (RFC 9396 §10). */
  readonly detailTypes?: readonly string[]
  /** True when the request demands an authentication context class (OpenID Connect Core §5.5.1.1). */
  readonly essentialAcr?: boolean
  /** The response types that the client may use; absent when its registration is not known. */
  readonly responseTypes?: readonly string[]
  /** The endpoint that an access token is presented to; absent without one. */
  readonly presentAt?: string
  /** True when `presentAt` is a resource server, and so must check the audience. */
  readonly resourceServer: boolean
  /** Sets the server's clock forward, in milliseconds; absent where the clock is not ours. */
  readonly advance?: (ms: number) => void
  /** The clock of the client, in milliseconds since the epoch. Default: the clock of the machine. */
  readonly now?: () => number
  /** True when the server announces client ID metadata documents. */
  readonly documents?: boolean
  /** Returns true once somebody asked for the document of the client. Absent: the client has none. */
  readonly documentAsked?: () => boolean
  /** The access token that the flow got. */
  readonly issued?: string
  /** Lifetimes of the server, in milliseconds, where they are known. */
  readonly lifetimes?: { readonly code: number; readonly accessToken: number; readonly refreshToken?: number }
}

/** The circumstances that the metadata of a server make, beside its scopes. */
export function announcedIn(metadata: AuthorizationServerMetadata) {
  return defined({
    issuer: metadata.issuer,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    documents: metadata.client_id_metadata_document_supported === true,
    knownResources: announcedResources(metadata),
    detailTypes: metadata.authorization_details_types_supported ?? [],
    pushRequired: metadata.require_pushed_authorization_requests === true,
    signedObjects: metadata.require_signed_request_object === true,
  })
}

/** The circumstances that the keys of a client make. */
export function keysIn({ key, dpop }: Pick<ClientExtras, 'key' | 'dpop'> = {}) {
  return defined({ key, bound: dpop !== undefined, dpop })
}
