import type { Fault } from '../authorization-server/faults.js'
import { MAX_FORM_BYTES } from '../authorization-server/form-body.js'
import { createMacTokens, type MacTokens } from '../authorization-server/mac-tokens.js'
import { createAuthorizationServer } from '../authorization-server/server.js'
import { STAGES } from '../authorization-server/stages.js'
import { withPayloads } from '../compression/payload.js'
import { UsageError } from '../errors.js'
import type { EventBus } from '../events/bus.js'
import type { Site } from '../http/site.js'
import { createResourceServer, MAX_BODY_BYTES } from '../resource-server/server.js'
import { loadAssertionIssuers } from './assertion-issuers.js'
import { builtInAssertionIssuer } from './built-in-assertion-issuer.js'
import type { Certificates } from './certificates.js'
import type { LabConfig } from './config.js'
import { createFetchJson } from './fetch-json.js'
import { createHttpsRedirect } from './https-redirect.js'
import { type LabKeyring, openKeyring } from './keyring.js'
import { type Mounts, openMounts } from './mounts.js'
import { isLoopback } from './names.js'
import { pooledRandom } from './pooled-random.js'
import { type LabResource, labResourceSettings } from './resource-settings.js'
import type { LabUrls } from './running.js'

/** What a lab is started with. */
export interface LabOptions {
  readonly config: LabConfig
  /** The state folder. */
  readonly home: string
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

/** The site, which signs with the keys that were made last. */
function withFreshKeys(keyring: LabKeyring, { name, handle }: Site): Site {
  return {
    name,
    async handle(request) {
      await keyring.refresh()
      return handle(request)
    },
  }
}

/** How the resource server of the lab reaches the rest of it. */
function resourceServer(
  { certificates, events }: Mounts,
  { macTokens, ...ports }: Pick<Lab, 'now' | 'random'> & { readonly macTokens: MacTokens },
  resource: LabResource,
): Site {
  const { stage, profile } = resource.config
  const issuesMac = STAGES[stage].signing !== 'nothing' && profile === 'standard'
  return createResourceServer(labResourceSettings(resource), {
    ...ports,
    publish: events.publish,
    fetchJson: createFetchJson({ caPem: certificates.caPem, roots: false }),
    ...(issuesMac && { macKeys: macTokens.find }),
  })
}

/** Puts the cluster on a listener of its own. Its program is read only where there is one. */
async function mountCluster(
  { mount, events: { publish } }: Mounts,
  ports: Pick<Lab, 'now' | 'random'>,
  { config, home, clusterIssuer: issuer }: LabOptions,
  port: number,
): Promise<{ readonly baseUrl: string }> {
  const { labCluster } = await import('./cluster.js')
  const { MAX_BODY_BYTES: bodyLimit } = await import('../kubernetes/emulator/body.js')
  const site = (baseUrl: string) =>
    labCluster(config.cluster, { home, baseUrl, issuer }, { ...ports, publish })
  return mount({ port, portOption: '--cluster-port', bodyLimit, site })
}

/** Puts the DNS and security-event API on a listener of its own. Its program is read only where there is one. */
async function mountDns(
  { mount, events: { publish } }: Mounts,
  ports: Pick<Lab, 'now' | 'random'>,
  { config }: LabOptions,
  port: number,
): Promise<{ readonly baseUrl: string }> {
  const { labDns } = await import('./dns.js')
  const { API_PREFIX, MAX_BODY_BYTES: bodyLimit } = await import('../cloudflare/emulator/emulator.js')
  const site = () => labDns(config.effective, { ...ports, publish })
  const { baseUrl } = await mount({ port, portOption: '--dns-port', bodyLimit, site })
  return { baseUrl: baseUrl + API_PREFIX }
}

/**
 * Starts the sites of a lab on their listeners.
 * @throws UsageError, or TransportError for a busy port; what was started is stopped again
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { config, home, now = Date.now, random = pooledRandom() } = options
  refuseReference(config, options)
  const assertionIssuers = config.given.includes('assertion_issuers')
    ? await loadAssertionIssuers(config.assertionIssuerFiles)
    : [await builtInAssertionIssuer(home)]
  const mounts = await openMounts({ ...options, compression: config.compression })
  const { certificates, events, mount, stop } = mounts
  const { publish } = events
  const keyring = await openKeyring({
    ...config,
    home,
    tokenLifetime: config.lifetimes.accessToken,
    rotated: change => publish({ type: 'key.rotated', ...change }),
  })
  const macTokens = createMacTokens({ lifetime: config.lifetimes.accessToken, now, random })
  const ports = { now, random, macTokens }
  try {
    const { baseUrl: issuer } = await mount({
      port: options.port,
      portOption: '--port',
      bodyLimit: MAX_FORM_BYTES,
      site: baseUrl =>
        withPayloads(
          withFreshKeys(
            keyring,
            createAuthorizationServer(
              { ...config, issuer: baseUrl, faults: options.faults ?? [], assertionIssuers },
              { ...ports, publish, keyring },
            ),
          ),
        ),
    })
    const http =
      options.httpPort === undefined
        ? undefined
        : await mount({
            scheme: 'http',
            port: options.httpPort,
            portOption: '--http-port',
            bodyLimit: null,
            site: () => createHttpsRedirect(issuer),
          })
    const resource =
      options.resourcePort === undefined
        ? undefined
        : await mount({
            port: options.resourcePort,
            portOption: '--resource-port',
            bodyLimit: MAX_BODY_BYTES,
            site: baseUrl =>
              withFreshKeys(keyring, resourceServer(mounts, ports, { config, keyring, issuer, baseUrl })),
          })
    const cluster =
      options.clusterPort === undefined
        ? undefined
        : await mountCluster(mounts, { now, random }, options, options.clusterPort)
    const dns =
      options.dnsPort === undefined
        ? undefined
        : await mountDns(mounts, { now, random }, options, options.dnsPort)
    const urls: LabUrls = {
      authorization: issuer,
      ...(http && { http: http.baseUrl }),
      ...(resource && { resource: resource.baseUrl }),
      ...(cluster && { cluster: cluster.baseUrl }),
      ...(dns && { dns: dns.baseUrl }),
    }
    const { caFile, caPem } = certificates
    return { urls, certificates, caFile, caPem, config, events, now, random, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
