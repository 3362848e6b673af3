import type { FlowRecord } from '../../flows/step.js'
import type { ClientEntry, LabFile, UserEntry } from '../../lab/schema/lab-file-schema.js'
import type { WeakName } from '../../protocol/rules/weak-modes.js'
import type { FaultEndpoint } from '../../servers/authorization-server/endpoints/fault-list.js'
import type { Instant, LabClock } from './clock.js'
import type { LabEvents } from './events.js'
import type { FaultOf } from './faults.js'
import type { LabFetch } from './fetch.js'
import type { FlowRequest, LabFlowName, Tokens } from './flow-request.js'

/** Base URLs of the sites of a lab, no trailing slash. */
interface SiteUrls {
  /** The authorization server. */
  readonly authorization: string
  /** Redirects to the authorization server. */
  readonly http: string
  readonly resource: string
  readonly cluster: string
  /** With the prefix `/client/v4`. */
  readonly dns: string
  /** The demo client, a web application that keeps notes. It is open only when `sites` names it. */
  readonly client: string
  /**
   * Endpoints and a resource server that ask for a client certificate (RFC 8705). It is open when `sites` names it, or
   * when a client of the lab file is registered for certificates.
   */
  readonly mtls: string
}

/** A site of a lab. */
export type SiteName = keyof SiteUrls

/** A site that is open where `sites` is left out. */
export type UsualSite = Exclude<SiteName, 'client' | 'mtls'>

/** The options of a lab. Each may be left out. */
export interface StartLabOptions<Site extends SiteName = UsualSite> {
  /** Sites to open; left out: all of them, without the demo client and mTLS. The authorization server is always open. */
  readonly sites?: readonly Site[]
  /**
   * A lab file: its path, or what would stand in it. Left out: the built-in one, with the clients `demo`, `demo-spa`,
   * … and the users `alice`, `bob`, `carol`. A file in the current folder is not read unless it is named.
   */
  readonly config?: string | LabFile
  /** Ports to listen on; left out: free ones. */
  readonly ports?: { readonly [Name in SiteName]?: number }
  /** The address to listen on; left out: this machine only, under the name localhost. */
  readonly host?: string
  /** Further names and addresses of the certificate. */
  readonly names?: readonly string[]
  /** The time of the clock at the start; left out: the real time. */
  readonly now?: Instant
  /** INSECURE: the same codes, tokens and ids in every run, for transcripts that repeat. */
  readonly seed?: number
  /** INSECURE: defences to switch off on purpose, beside those of the lab file (docs/reference/weak-modes.md). */
  readonly weak?: readonly WeakName[]
  /** Allows weak modes on a `host` that other machines reach. */
  readonly weakAnywhere?: true
  /** A state folder that keeps keys and CA for the next time; left out: they live in memory. */
  readonly home?: string
}

/** A lab that runs in this process. */
export interface Lab<Site extends SiteName = UsualSite> {
  /** Base URLs of the open sites, no trailing slash. */
  readonly urls: Pick<SiteUrls, Site | 'authorization'>
  /** The same as `urls.authorization`. */
  readonly issuer: string
  /** The CA that clients of the lab have to trust. */
  readonly ca: {
    readonly pem: string
    /** Absolute path of a file with it. Without a state folder it is a temporary one, removed by `stop`. */
    readonly path: string
  }
  /** The events of the servers. */
  readonly events: LabEvents
  /** The clock of the servers and of their clients. */
  readonly clock: LabClock
  /**
   * `fetch` that trusts the CA of this lab, for answers of up to 1 MiB. Redirects are handed back and not followed.
   * @throws TransportError where there is no answer
   */
  readonly fetch: LabFetch
  /**
   * Registers a client. One of the same name is replaced; what was issued to it stays good.
   * @throws UsageError naming the field, what is wrong and what is allowed
   */
  addClient(client: ClientEntry): Promise<void>
  /**
   * Adds a resource owner. One of the same name is replaced.
   * @throws UsageError naming the field, what is wrong and what is allowed
   */
  addUser(user: UserEntry): Promise<void>
  /**
   * Removes a client. From then on the authorization server does not know it: its refresh tokens are worth nothing, and its
   * access tokens are refused by `/userinfo`, `/introspection` and the token exchange. The resource server accepts JWTs until they
   * expire, because it checks the signature and not the registry.
   * @throws UsageError when the lab has no such client
   */
  removeClient(clientId: string): Promise<void>
  /**
   * Removes a resource owner. Sessions in browsers end, codes and refresh tokens are worth nothing, and access tokens are refused as
   * after `removeClient`.
   * @throws UsageError when the lab has no such user
   */
  removeUser(username: string): Promise<void>
  /**
   * Makes requests to an endpoint fail: the next one, or as many as `times` says (Infinity: all of them).
   * @returns the function that ends it
   */
  fail<Endpoint extends FaultEndpoint>(
    endpoint: Endpoint,
    error: FaultOf<Endpoint>,
    options?: { readonly times?: number },
  ): () => void
  /**
   * Logs a user in without a browser, by the authorization code grant with PKCE: fetches the login page, fills in its
   * form, follows the redirect, redeems the code, and checks what a good client checks.
   * @throws FlowError with the error, its rule and the steps until then
   */
  login(request?: FlowRequest): Promise<Tokens>
  /**
   * An access token for the client itself, by the client credentials grant.
   * @throws FlowError
   */
  clientCredentials(request?: Pick<FlowRequest, 'client' | 'scope' | 'signal'>): Promise<Tokens>
  /** Walks any flow step by step. The last record is always the outcome. */
  flow(name: LabFlowName, request?: FlowRequest): AsyncGenerator<FlowRecord, void, void>
  /** Finishes the requests in flight, 5 s at most, and forgets everything. */
  stop(): Promise<void>
  /** `await using lab = await startLab()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}
