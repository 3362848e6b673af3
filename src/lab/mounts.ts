import { isIP } from 'node:net'
import { createCompressResponse } from '../compression/compress-response.js'
import { createBus, type EventBus } from '../events/bus.js'
import type { Site } from '../http/site.js'
import { type Certificates, ensureCertificates, ensureSelfSigned } from './certificates.js'
import { writeCrashReport } from './crash-report.js'
import { type Listener, type ListenOptions, listen } from './listen.js'
import { certificateName } from './names.js'
import { createRecentRequests, type RecentRequests } from './recent-requests.js'
import { createRequestTrace, type RequestTrace } from './request-trace.js'
import type { StateHome } from './state-folder.js'

/** The options of mounting sites. */
export interface MountsOptions {
  /** The state folder. */
  readonly home: StateHome
  /** Left out: this machine only, by 127.0.0.1 and ::1, under the name localhost. */
  readonly host?: string
  /** Further names and addresses of the certificate. */
  readonly names?: readonly string[]
  readonly selfSigned?: boolean
  /** True when answers over TLS are coded as their clients ask. */
  readonly compression?: boolean
  /** Milliseconds since the epoch; left out: the real clock. */
  readonly now?: () => number
  /** Milliseconds that a connection is kept after an answer; left out: 5 seconds. */
  readonly keepAlive?: number
  /** The command that was typed, for messages; left out: serve. */
  readonly command?: string
}

/** A site, and the listener it is to have. */
export interface Mount
  extends Pick<ListenOptions, 'port' | 'portOption' | 'bodyLimit' | 'anyHost' | 'tooManyHeaders'> {
  /** Default https. */
  readonly scheme?: 'http' | 'https'
  /** Makes the site, once its base URL is known. */
  readonly site: (baseUrl: string) => Site
}

/** Listeners of one program: one certificate, one bus, one end. */
export interface Mounts {
  readonly certificates: Certificates
  readonly events: EventBus
  /** Names the cause of a request that one of these listeners gets from this program. */
  readonly trace: RequestTrace
  /** Returns the id of the latest request that a client in this program sent over a connection. */
  readonly requestOn: RecentRequests['requestOn']
  /** @throws UsageError, or TransportError for a busy port */
  mount(mount: Mount): Promise<Listener>
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** A bug that every request meets must not fill the disk. */
const MAX_CRASH_REPORTS = 5

/** Addresses that stand for every address of the machine. */
const wildcards = new Set(['0.0.0.0', '::'])

/** The addresses to listen on for a `--host`, and the name of the program there. */
function addressesOf(host: string | undefined): { hosts: string[]; name: string } {
  if (host === undefined || host === 'localhost') return { hosts: ['127.0.0.1', '::1'], name: 'localhost' }
  const name = certificateName(host)
  return { hosts: [name], name: wildcards.has(name) ? 'localhost' : name }
}

function crashReporter(home: StateHome): (error: unknown) => void {
  let reports = 0
  return error => {
    reports += 1
    if (reports <= MAX_CRASH_REPORTS) writeCrashReport(home, error).catch(() => {})
  }
}

const defaultPort = { http: 80, https: 443 } as const

/**
 * Makes the certificate and the bus that all sites share; nothing listens yet.
 * @throws UsageError
 */
export async function openMounts(options: MountsOptions): Promise<Mounts> {
  const { home, names = [], now, command, keepAlive } = options
  const { hosts, name } = addressesOf(options.host)
  const ensure = options.selfSigned ? ensureSelfSigned : ensureCertificates
  // The real clock: TLS clients do not know the lab's.
  const certificates = await ensure(home, [...names, name], Date.now())
  const events = createBus(now ?? Date.now)
  const trace = createRequestTrace()
  const recent = createRecentRequests()
  const authority = isIP(name) === 6 ? `[${name}]` : name
  const listeners: Listener[] = []
  const compress = options.compression ? createCompressResponse() : undefined
  const common = { hosts, home, now, events, trace, recent, crashed: crashReporter(home) }
  return {
    certificates,
    events,
    trace,
    requestOn: recent.requestOn,
    async mount({ scheme = 'https', ...rest }) {
      const listener = await listen({
        ...common,
        ...rest,
        ...(command && { command }),
        ...(keepAlive !== undefined && { keepAlive }),
        ...(scheme === 'https' && { tls: certificates, compress }),
        baseUrl: port => `${scheme}://${authority}${port === defaultPort[scheme] ? '' : `:${port}`}`,
      })
      listeners.push(listener)
      return listener
    },
    async stop() {
      await Promise.all(listeners.map(each => each.stop()))
    },
  }
}
