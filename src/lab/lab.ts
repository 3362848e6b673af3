import type { Fault } from '../authorization-server/faults.js'
import { MAX_FORM_BYTES } from '../authorization-server/form-body.js'
import { API_PREFIX, MAX_BODY_BYTES as DNS_LIMIT } from '../cloudflare/emulator/limits.js'
import { UsageError } from '../errors.js'
import type { EventBus } from '../events/bus.js'
import { MAX_BODY_BYTES as CLUSTER_LIMIT } from '../kubernetes/emulator/limits.js'
import { MAX_BODY_BYTES as RESOURCE_LIMIT } from '../resource-server/limits.js'
import { loadAssertionIssuers } from './assertion-issuers.js'
import type { Certificates } from './certificates.js'
import type { LabConfig } from './config.js'
import { createHttpsRedirect } from './https-redirect.js'
import { openKeyring } from './keyring.js'
import { type Mount, openMounts } from './mounts.js'
import { isLoopback } from './names.js'
import { pooledRandom } from './pooled-random.js'
import type { LabUrls } from './running.js'
import { labSites } from './sites.js'
import type { StateHome } from './state-folder.js'

/** What a lab is started with. */
export interface LabOptions {
  readonly config: LabConfig
  /** The state folder, or a state in memory. */
  readonly home: StateHome
  /** Left out: this machine only, by 127.0.0.1 and ::1, under the name localhost. */
  readonly host?: string
  /** 0 picks a free one. */
  readonly port: number
  /** The plain HTTP listener; left out: none. */
  readonly httpPort?: number
  /** The resource server; left out: none. */
  readonly resourcePort?: number
  /** The cluster; left out: none. */
  readonly clusterPort?: number
  /** `iss` of the cluster's tokens, where the lab file names none; left out: its base URL. */
  readonly clusterIssuer?: string
  /** The DNS and security-event API; left out: none. */
  readonly dnsPort?: number
  /** Further names and addresses of the certificate. */
  readonly names?: readonly string[]
  readonly selfSigned?: boolean
  /** Requests of the authorization server that are to fail. */
  readonly faults?: readonly Fault[]
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** `length` unpredictable bytes. */
  readonly random?: (length: number) => Uint8Array
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
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** @throws UsageError where the reference profile would be reached from elsewhere, or could not fail as asked */
function refuseReference({ profile }: LabConfig, { host, faults = [] }: LabOptions): void {
  if (profile !== 'reference') return
  if (host !== undefined && !isLoopback(host)) {
    throw new UsageError(`the profile reference is for this machine only, not for --host ${host}`, [
      'It redirects anywhere and checks almost nothing; leave --host out',
    ])
  }
  if (faults.length > 0) {
    throw new UsageError('the profile reference knows no --fail', ['Use it with --profile standard'])
  }
}

/**
 * Starts the sites of a lab on their listeners.
 * @throws UsageError, or TransportError for a busy port; what was started is stopped again
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { config, home, now = Date.now, random = pooledRandom() } = options
  refuseReference(config, options)
  // Together, since keys are made in threads of their own.
  const [assertionIssuers, mounts, keyring] = await Promise.all([
    config.given.includes('assertion_issuers')
      ? loadAssertionIssuers(config.assertionIssuerFiles)
      : undefined,
    openMounts({ ...options, compression: config.compression }),
    openKeyring({
      ...config,
      home,
      tokenLifetime: config.lifetimes.accessToken,
      rotated: change => mounts.events.publish({ type: 'key.rotated', ...change }),
    }),
  ])
  const { certificates, events, mount, stop } = mounts
  const sites = labSites(options, {
    ...{ now, random, certificates, events, keyring },
    ...(assertionIssuers && { assertionIssuers }),
  })
  const { port, httpPort, resourcePort, clusterPort, dnsPort } = options
  const mounted = async (wanted: number | undefined, how: Omit<Mount, 'port'>) =>
    wanted === undefined ? undefined : (await mount({ ...how, port: wanted })).baseUrl
  try {
    const { baseUrl: issuer } = await mount({
      ...{ port, portOption: '--port', bodyLimit: MAX_FORM_BYTES },
      site: sites.authorization,
    })
    const http = await mounted(httpPort, {
      ...{ scheme: 'http', portOption: '--http-port', bodyLimit: null },
      site: () => createHttpsRedirect(issuer),
    })
    const resource = await mounted(resourcePort, {
      ...{ portOption: '--resource-port', bodyLimit: RESOURCE_LIMIT },
      site: baseUrl => sites.resource(baseUrl, issuer),
    })
    const cluster = await mounted(clusterPort, {
      ...{ portOption: '--cluster-port', bodyLimit: CLUSTER_LIMIT },
      site: sites.cluster,
    })
    const dns = await mounted(dnsPort, {
      ...{ portOption: '--dns-port', bodyLimit: DNS_LIMIT },
      site: sites.dns,
    })
    const urls: LabUrls = {
      authorization: issuer,
      ...(http !== undefined && { http }),
      ...(resource !== undefined && { resource }),
      ...(cluster !== undefined && { cluster }),
      ...(dns !== undefined && { dns: dns + API_PREFIX }),
    }
    const { caPem } = certificates
    return {
      ...{ urls, certificates, caPem, config, events, now, random, stop },
      get caFile() {
        return certificates.caFile
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
