import type { EventBus } from '../protocol/events.js'
import type { Site } from '../protocol/http/site.js'
import type { Fault } from '../servers/authorization-server/endpoints/fault-list.js'
import type { Issuer } from '../servers/demo-client/settings.js'
import type { CertificateKey } from './certificates/authority.js'
import type { Certificates } from './certificates/certificates.js'
import type { LabConfig } from './lab-file/config.js'
import type { LabPorts, LabUrls } from './listening/listeners.js'
import type { RecentRequests } from './listening/recent-requests.js'
import type { Hosts } from './outgoing/client-addresses.js'
import type { StateHome } from './state/state-folder.js'

export interface LabOptions {
  readonly config: LabConfig
  /** A state folder, or a state in memory. */
  readonly home: StateHome
  /** Left out: this machine only (127.0.0.1 and ::1, named localhost). */
  readonly host?: string
  readonly ports: LabPorts
  /** `iss` when the lab file names none; left out: the base URL of the cluster. */
  readonly clusterIssuer?: string
  readonly names?: readonly string[]
  readonly selfSigned?: boolean
  /** Of the certificate; left out: EC. */
  readonly certificateKey?: CertificateKey
  /** Receives what the weak mode `referrer` takes from another site; left out: the resource server. */
  readonly weakOutside?: string
  /** Names in addresses of client documents that need no resolver. */
  readonly hosts?: Hosts
  /** The key of the dashboard as a page, for a lab that this machine alone reaches. Left out: there is none. */
  readonly dashboardKey?: string
  /** Allows weak modes on a `host` that other machines reach. */
  readonly weakAnywhere?: boolean
  /** Milliseconds after an answer; left out: 5 seconds. */
  readonly keepAlive?: number
  /** Of the demo client, beside the lab. */
  readonly clientIssuers?: readonly Issuer[]
  /** Wraps each site, such as to watch or to lie. */
  readonly around?: (site: Site) => Site
  /** Requests that are to fail. */
  readonly faults?: readonly Fault[]
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** `length` unpredictable bytes. */
  readonly random?: (length: number) => Uint8Array
  /** Of `random`. The built-in assertion issuer then has a key whose signatures repeat. */
  readonly seed?: number
}

/** A running lab. */
export interface Lab {
  readonly urls: LabUrls
  readonly certificates: Certificates
  /** Absolute path. */
  readonly caFile: string
  readonly caPem: string
  readonly config: LabConfig
  readonly events: EventBus
  /** The latest request of a client in this program over a connection. */
  readonly requestOn: RecentRequests['requestOn']
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Deletes a client that registered itself. Returns false for an unknown id. */
  removeClient(id: string): boolean
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}
