import type { FormPairs } from '../../protocol/http/form.js'
import type { HeaderList } from '../../protocol/http/message.js'
import type { DetailTypes } from '../../protocol/oauth/authorization-details.js'
import type { Client, ServerProfile } from '../../protocol/oauth/client.js'
import type { Rate } from '../../protocol/rate-limit.js'
import type { RecentEvents } from '../../protocol/recent-events.js'
import type { DecryptionKeys } from '../../protocol/tokens/encryption.js'
import type { AlgorithmKeyring, JwkSet } from '../../protocol/tokens/keys.js'
import type { JsonObject } from '../../protocol/values.js'
import type { Fault } from './endpoints/fault-list.js'
import type { Publish } from './events.js'
import type { AssertionIssuer, User } from './model.js'
import type { PairwiseSalt } from './pairwise/subjects.js'
import type { StageName } from './stages/stages.js'
import type { MacTokens } from './stores/mac-tokens.js'
import type { DocumentClients, OwnClient, RegisteredClients } from './stores/registry.js'

export interface AuthorizationServerSettings {
  /** The base URL without a trailing slash. It is never taken from Host or X-Forwarded-*. */
  readonly issuer: string
  /** The stage to which the server is built. */
  readonly stage: StageName
  /** A security profile counts for every client. `reference`: behaves like the reference server in every detail. No client should rely on its differences from the RFCs. */
  readonly profile: ServerProfile
  /** Failures to inject. The list may change while the server runs. */
  readonly faults: readonly Fault[]
  /** May grow while the server runs, as may `users`. Of several entries with one name the last counts. */
  readonly clients: readonly Client[]
  readonly users: readonly User[]
  /** Description of each scope value, in the order of `scopes_supported`. */
  readonly scopes: Readonly<Record<string, string>>
  /** Claims that a scope gives access to, in place of those of OpenID Connect (OpenID Connect Core §5.4). */
  readonly scopeClaims: Readonly<Record<string, readonly string[]>>
  /** The scope that is granted when a request names no scope. */
  readonly defaultScope: string
  /** Types of authorization details (RFC 9396 §2). Absent: none. */
  readonly detailTypes?: DetailTypes
  readonly lifetimes: {
    readonly code: number
    readonly accessToken: number
    readonly refreshToken: number
    readonly login: number
  }
  readonly rateLimits: {
    readonly login: Rate
    readonly passwordGrant: Rate
    readonly clientSecret: Rate
  }
  /** Called when an assertion arrives. The keys of the built-in issuer are made on first use. */
  readonly assertionIssuers: () => Promise<readonly AssertionIssuer[]>
  /** True when DPoP proofs need a nonce of this server (RFC 9449 §8). */
  readonly dpopNonceRequired: boolean
  /** True when every client must push its authorization requests (RFC 9126 §5). Absent: false. */
  readonly requirePushed?: boolean
  /** Identifiers of resources that tokens are issued for, beside this server's own and `protectedResources`. */
  readonly resources: 'any' | readonly string[]
  /** Clients that register themselves. Absent: there is no such endpoint. */
  readonly registration?: RegistrationSettings | undefined
  /** Returns the resources that the metadata lists (RFC 9728 §4). The list may grow while the server runs. */
  readonly protectedResources: () => readonly string[]
  /**
   * Returns further resources that the metadata lists. A token is for one of these only when its request names it. Absent:
   * there are none.
   */
  readonly namedResources?: () => readonly string[]
  /** Returns the scopes that a resource needs, as its metadata list them (RFC 9728 §2). Absent: no resource is known that well. */
  readonly resourceScopes?: (resource: string) => readonly string[]
  /** Returns the base URL of the endpoints that ask for a client certificate. Absent or undefined: there are none. */
  readonly mtlsUrl?: () => string | undefined
  /** True when every authorization request is a signed request object (RFC 9101 §10.5). */
  readonly requireSignedRequestObject?: boolean
  /** True when request objects need aud, exp and nbf, live for an hour at most, and are accepted once. */
  readonly strictRequestObjects?: boolean
  /** True when a client_id may be the address of its metadata document. Absent: false. */
  readonly clientIdDocuments?: boolean
  /** Hosts that request objects of clients are fetched from. Absent: none. */
  readonly requestUriHosts?: readonly string[]
  /** Clients that may only introspect tokens. They are not among `clients`. */
  readonly introspectors: readonly Client[]
  /** The channel of the error for a missing or unknown response_type, when client and redirect_uri are valid. */
  readonly responseTypeErrors: 'page' | 'redirect'
  /** Absent: the login page offers nobody to choose from. */
  readonly accountChooser?: AccountChooser
  /** A client of the lab itself. Absent: the lists have all clients. */
  readonly ownClient?: OwnClient
}

/** The users that the login page offers to choose from: a click counts as the right password. */
export interface AccountChooser {
  /** May grow while the server runs. */
  readonly users: readonly User[]
  /** True when they are offered for a request with login_hint too. */
  readonly hinted: boolean
}

/** A resource whose own metadata names this issuer (RFC 9728 §2). */
export interface TrustedResource {
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Returns those of the resources that trust this issuer. Never fails: one whose metadata cannot be read is left out. */
export type FindTrustedResources = (
  resources: readonly string[],
  publish: Publish,
) => Promise<readonly TrustedResource[]>

/**
 * The kind of a fetched document. `registered`: a lab file names its address. `introduced`: the address comes from a client
 * that introduced itself, so it may be a stranger's choice. `metadata`: as before, and the address is a client_id.
 */
export type DocumentKind = 'registered' | 'introduced' | 'metadata'

/**
 * Fetches a document that a client publishes at an address of its own, such as its jwks_uri. It calls https addresses alone,
 * follows no redirect, and ends within seconds.
 * @param accept media types, as the header Accept lists them
 * @param kind absent: registered
 * @throws FetchFailure with the problem in one line
 */
export type FetchDocument = (
  url: string,
  accept: string,
  kind?: DocumentKind,
) => Promise<{ readonly body: string; readonly contentType?: string; readonly headers?: HeaderList }>

/** The kind of a called client: of the lab file, or one that introduced itself. */
export type CallKind = Exclude<DocumentKind, 'metadata'>

/** Calls of addresses that clients registered for messages of this server, such as a backchannel_logout_uri. */
export interface ClientCalls {
  /**
   * Posts a form. Follows no redirect, and ends within seconds.
   * @throws Error with the problem in one line
   */
  readonly post: (
    url: string,
    form: FormPairs,
    kind: CallKind,
  ) => Promise<{ readonly status: number; readonly body: string }>
  /**
   * Posts JSON with a bearer token, in the same way.
   * @throws Error with the problem in one line
   */
  readonly postJson: (
    url: string,
    message: JsonObject,
    bearerToken: string,
    kind: CallKind,
  ) => Promise<{ readonly status: number }>
  /** Waits for some milliseconds. The program may end meanwhile. */
  readonly pause: (milliseconds: number) => Promise<void>
}

/** The parts of a lab for this computer alone that its front page shows to anyone. */
export interface LocalLab {
  readonly events: RecentEvents
  /** The key of the dashboard as a page (`serve --web`). Absent: there is none. */
  readonly dashboardKey?: string
  /** The users that come with the program, so that everyone knows their passwords. */
  readonly builtInUsers: readonly User[]
  /** Returns the base URL of the listener that redirects plain http to this server. Undefined while it is closed. */
  readonly httpUrl: () => string | undefined
  /** Returns the base URL of the demo client. Undefined while it is closed. */
  readonly clientUrl: () => string | undefined
}

/** The functions and stores that the authorization server gets from its surroundings. */
export interface AuthorizationServerPorts {
  /** Milliseconds since the epoch. Signing and validation use this one clock. */
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  readonly keyring: AlgorithmKeyring
  /** Absent: no tokens of type mac are issued. */
  readonly macTokens?: MacTokens
  /** The clients that are known by their documents. Absent: a store of the server's own. */
  readonly documentClients?: DocumentClients
  /** Absent: no address of a client is asked. */
  readonly fetchDocument?: FetchDocument
  /** Absent: keys in memory. */
  readonly decryptionKeys?: DecryptionKeys
  /** Absent: a secret in memory, so pairwise identifiers change with every start. */
  readonly pairwiseSalt?: PairwiseSalt
  /** Absent: no client is called, and back-channel logout is not supported. */
  readonly clientCalls?: ClientCalls
  /** Clients that registered themselves, which the lab lists too. Absent: a store of this server alone. */
  readonly registeredClients?: RegisteredClients
  /**
   * Returns why an address of a client that introduces itself is never called; undefined for an address that may be. Absent:
   * addresses are checked when they are called alone.
   */
  readonly addressProblem?: ((url: string) => string | undefined) | undefined
  /** Absent: no resource is known by its own metadata. */
  readonly findTrustedResources?: FindTrustedResources
  /** Absent: other machines reach the lab, so the front page shows neither people nor events. */
  readonly localLab?: LocalLab
}

/** An issuer of software statements (RFC 7591 §2.3). */
export interface StatementIssuer {
  readonly issuer: string
  readonly jwks: JwkSet
}

export interface RegistrationSettings {
  /** `open`: anyone registers a client. `token`: only with an initial access token (RFC 7591 §3). */
  readonly mode: 'token' | 'open'
  readonly tokens: readonly string[]
  /** Empty: software statements are refused. */
  readonly statementIssuers: readonly StatementIssuer[]
  readonly rate: Rate
}
