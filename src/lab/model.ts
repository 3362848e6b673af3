import type { EventBus } from '../protocol/events.js'
import type { Site } from '../protocol/http/site.js'
import type { Fault } from '../servers/authorization-server/endpoints/fault-list.js'
import type { Issuer } from '../servers/demo-client/settings.js'
import type { Certificates } from './certificates/certificates.js'
import type { LabConfig } from './lab-file/config.js'
import type { LabPorts, LabUrls } from './listening/listeners.js'
import type { RecentRequests } from './listening/recent-requests.js'
import type { Hosts } from './outgoing/client-addresses.js'
import type { StateHome } from './state/state-folder.js'

/** The options of a lab. */
export interface LabOptions {
  readonly config: LabConfig
  /** The state folder, or a state in memory. */
  readonly home: StateHome
  /** Left out: this machine only, by 127.0.0.1 and ::1, under the name localhost. */
  readonly host?: string
  readonly ports: LabPorts
  /** `iss` of the cluster's tokens when the lab file names none; left out: the base URL of the cluster. */
  readonly clusterIssuer?: string
  /** Further names and addresses of the certificate. */
  readonly names?: readonly string[]
  readonly selfSigned?: boolean
  /** Address of what the weak mode `referrer` takes from another site; left out: the resource server's. */
  readonly weakOutside?: string
  /** Addresses of names that clients may give to their documents, without a question to a resolver. Left out: none. */
  readonly hosts?: Hosts
  /** True when weak modes are allowed on a `host` that other machines reach. */
  readonly weakAnywhere?: boolean
  /** Milliseconds that a connection is kept after an answer; left out: 5 seconds. */
  readonly keepAlive?: number
  /** Authorization servers of the demo client beside that of the lab. */
  readonly clientIssuers?: readonly Issuer[]
  /** Returns a site that is mounted in the place of each site of the lab, such as one that watches or lies. Left out: the sites themselves. */
  readonly around?: (site: Site) => Site
  /** Requests of the authorization server that are to fail. */
  readonly faults?: readonly Fault[]
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** `length` unpredictable bytes. */
  readonly random?: (length: number) => Uint8Array
  /** The seed of `random`. The built-in assertion issuer then has a key whose signatures repeat. */
  readonly seed?: number
}

/** A running lab. */
export interface Lab {
  readonly urls: LabUrls
  readonly certificates: Certificates
  /** Absolute path of the file that clients trust. */
  readonly caFile: string
  readonly caPem: string
  readonly config: LabConfig
  readonly events: EventBus
  /** Returns the id of the latest request that a client in this program sent over a connection. */
  readonly requestOn: RecentRequests['requestOn']
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Deletes a client that registered itself. Returns false when there is none with this id. */
  removeClient(id: string): boolean
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}
