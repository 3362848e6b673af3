import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Fault } from '../authorization-server/faults.js'
import { MAX_FORM_BYTES } from '../authorization-server/form-body.js'
import { createAuthorizationServer } from '../authorization-server/server.js'
import { UsageError } from '../errors.js'
import { createBus, type EventBus } from '../events/bus.js'
import type { Site } from '../http/site.js'
import { loadAssertionIssuers } from './assertion-issuers.js'
import { type Certificates, ensureCertificates, ensureSelfSigned } from './certificates.js'
import type { LabConfig } from './config.js'
import { writeCrashReport } from './crash-report.js'
import { createHttpsRedirect } from './https-redirect.js'
import { type LabKeyring, openKeyring } from './keyring.js'
import { type Listener, listen } from './listen.js'
import { certificateName, isLoopback } from './names.js'
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

/** A bug that every request meets must not fill the disk. */
const MAX_CRASH_REPORTS = 5

/** Addresses that stand for every address of the machine. */
const wildcards = new Set(['0.0.0.0', '::'])

/** Where to listen for a `--host`, and under which name the lab is known then. */
export function addressesOf(host: string | undefined): { hosts: string[]; name: string } {
  if (host === undefined || host === 'localhost') return { hosts: ['127.0.0.1', '::1'], name: 'localhost' }
  const name = certificateName(host)
  return { hosts: [name], name: wildcards.has(name) ? 'localhost' : name }
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

/**
 * Starts the sites of a lab on their listeners.
 * @throws UsageError, or TransportError for a busy port; what was started is stopped again
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { config, home, now = Date.now, random = randomBytes, names = [] } = options
  refuseReference(config, options)
  const { hosts, name } = addressesOf(options.host)
  const ensure = options.selfSigned ? ensureSelfSigned : ensureCertificates
  // The real clock: TLS clients do not know the lab's.
  const certificates = await ensure(home, [...names, name], Date.now())
  const assertionIssuers = await loadAssertionIssuers(config.assertionIssuerFiles)
  const events = createBus(now)
  const keyring = await openKeyring({
    ...config,
    home,
    tokenLifetime: config.lifetimes.accessToken,
    rotated: change => events.publish({ type: 'key.rotated', ...change }),
  })
  const authority = isIP(name) === 6 ? `[${name}]` : name
  let reports = 0
  const crashed = (error: unknown) => {
    reports += 1
    if (reports <= MAX_CRASH_REPORTS) writeCrashReport(home, error).catch(() => {})
  }
  const common = { hosts, home, now: options.now, publish: events.publish, crashed }
  const listeners: Listener[] = []
  const stop = async () => {
    await Promise.all(listeners.map(each => each.stop()))
  }
  try {
    const authorization = await listen({
      ...common,
      port: options.port,
      portOption: '--port',
      bodyLimit: MAX_FORM_BYTES,
      tls: certificates,
      baseUrl: port => `https://${authority}${port === 443 ? '' : `:${port}`}`,
      site: issuer =>
        withFreshKeys(
          keyring,
          createAuthorizationServer(
            { ...config, issuer, faults: options.faults ?? [], assertionIssuers },
            { now, random, publish: events.publish, keyring },
          ),
        ),
    })
    listeners.push(authorization)
    const urls: { authorization: string; http?: string } = { authorization: authorization.baseUrl }
    if (options.httpPort !== undefined) {
      const http = await listen({
        ...common,
        port: options.httpPort,
        portOption: '--http-port',
        bodyLimit: null,
        baseUrl: port => `http://${authority}${port === 80 ? '' : `:${port}`}`,
        site: () => createHttpsRedirect(authorization.baseUrl),
      })
      listeners.push(http)
      urls.http = http.baseUrl
    }
    const { caFile, caPem } = certificates
    return { urls, certificates, caFile, caPem, config, events, now, random, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
