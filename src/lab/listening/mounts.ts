import { once } from 'node:events'
import { createServer } from 'node:net'
import { createBus, type EventBus } from '../../protocol/events.js'
import { urlHost } from '../../protocol/http/address.js'
import type { Site } from '../../protocol/http/site.js'
import { type ShownWeak, weakNotice } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import { createCompressResponse } from '../../servers/compression/compress-response.js'
import { findPayloadDictionary } from '../../servers/compression/payload.js'
import type { CertificateKey } from '../certificates/authority.js'
import { type Certificates, ensureCertificates, ensureSelfSigned } from '../certificates/certificates.js'
import { certificateName } from '../lab-file/names.js'
import { writeCrashReport } from '../state/crash-report.js'
import type { StateHome } from '../state/state-folder.js'
import { bindError } from './bind-errors.js'
import { type Listener, type ListenOptions, listen } from './listen.js'
import { watchLoop } from './loop-watch.js'
import { createRecentRequests, type RecentRequests } from './recent-requests.js'
import { createRequestTrace, type RequestTrace } from './request-trace.js'

interface MountsOptions {
  readonly home: StateHome
  /** Left out: this machine only (127.0.0.1 and ::1, named localhost). */
  readonly host?: string
  readonly names?: readonly string[]
  readonly selfSigned?: boolean
  /** Of the certificate; left out: EC. */
  readonly certificateKey?: CertificateKey
  readonly compression?: boolean
  /** Every event names them. */
  readonly weak?: readonly ShownWeak[]
  /** Milliseconds since the epoch; left out: the real clock. */
  readonly now?: () => number
  /** Milliseconds after an answer; left out: 5 seconds. */
  readonly keepAlive?: number
  /** For messages; left out: serve. */
  readonly command?: string
}

export interface Mount
  extends Pick<
    ListenOptions,
    'port' | 'portOption' | 'bodyLimit' | 'anyHost' | 'tooManyHeaders' | 'clientCaPem'
  > {
  /** Default https. */
  readonly scheme?: 'http' | 'https'
  readonly site: (baseUrl: string) => Site
}

/** Listeners that share a certificate and a bus, and stop together. */
export interface Mounts {
  readonly certificates: Certificates
  readonly events: EventBus
  /** Links requests to own listeners to the requests that caused them. */
  readonly trace: RequestTrace
  /** The latest request of a client in this program over a connection. */
  readonly requestOn: RecentRequests['requestOn']
  /** @throws UsageError, or TransportError for a busy port */
  mount(mount: Mount): Promise<Listener>
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

const MAX_CRASH_REPORTS = 5

/** They stand for every address of the machine. */
const wildcards = new Set(['0.0.0.0', '::'])

/** The addresses to listen on for a `--host`, and the name in the base URLs. */
function addressesOf(host: string | undefined): { hosts: string[]; name: string } {
  if (host === undefined || host === 'localhost') return { hosts: ['127.0.0.1', '::1'], name: 'localhost' }
  const name = certificateName(host)
  return { hosts: [name], name: wildcards.has(name) ? 'localhost' : name }
}

/** Writes a report of each of the first crashes of a program that goes on. */
export function crashReporter(home: StateHome): (error: unknown) => void {
  let reports = 0
  return error => {
    reports += 1
    if (reports <= MAX_CRASH_REPORTS) writeCrashReport(home, error).catch(() => {})
  }
}

const defaultPort = { http: 80, https: 443 } as const

/** Makes the shared certificate and bus. No port is opened yet. @throws UsageError */
export async function openMounts(options: MountsOptions): Promise<Mounts> {
  const { home, names = [], now, command, keepAlive } = options
  const { hosts, name } = addressesOf(options.host)
  const [only, ...others] = hosts
  if (only !== undefined && others.length === 0) await requireOwnAddress(only, home)
  // TLS clients do not know the lab's clock.
  const [all, at] = [[...names, name], Date.now()]
  const certificates = options.selfSigned
    ? await ensureSelfSigned(home, all, at)
    : await ensureCertificates(home, all, at, options.certificateKey)
  const events = createBus(now ?? Date.now, options.weak)
  const trace = createRequestTrace()
  const recent = createRecentRequests()
  const loop = watchLoop(events.publish)
  const listeners: Listener[] = []
  const compress = options.compression ? createCompressResponse(findPayloadDictionary) : undefined
  const notice = weakNotice(options.weak ?? [])
  const common = { hosts, home, now, events, trace, recent, loop, notice, crashed: crashReporter(home) }
  return {
    certificates,
    events,
    trace,
    requestOn: recent.requestOn,
    async mount({ scheme = 'https', ...rest }) {
      const secure = scheme === 'https'
      const options: ListenOptions = {
        ...common,
        ...rest,
        ...defined({ command, keepAlive, tls: secure ? certificates : undefined }),
        compress: secure ? compress : undefined,
        baseUrl: port => `${scheme}://${urlHost(name)}${port === defaultPort[scheme] ? '' : `:${port}`}`,
      }
      const listener = await listen(options)
      listeners.push(listener)
      return listener
    },
    async stop() {
      loop.stop()
      await Promise.all(listeners.map(each => each.stop()))
    },
  }
}

/** Listens on a free port for a moment, before a mistyped public address would need a new CA. @throws UsageError */
export async function requireOwnAddress(host: string, home: StateHome): Promise<void> {
  const probe = createServer()
  try {
    probe.listen({ host, port: 0, exclusive: true })
    await once(probe, 'listening')
  } catch (error) {
    throw await bindError(error, { host, port: 0, portOption: '--port', home })
  } finally {
    probe.close()
  }
}
