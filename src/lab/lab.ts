import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { MAX_FORM_BYTES } from '../authorization-server/form-body.js'
import { createAuthorizationServer } from '../authorization-server/server.js'
import { createBus, type EventBus } from '../events/bus.js'
import { fixedKeyring } from '../tokens/keyring.js'
import { loadAssertionIssuers } from './assertion-issuers.js'
import { type Certificates, ensureCertificates, ensureSelfSigned } from './certificates.js'
import type { LabConfig } from './config.js'
import { writeCrashReport } from './crash-report.js'
import { createHttpsRedirect } from './https-redirect.js'
import { type Listener, listen } from './listen.js'
import { certificateName } from './names.js'
import type { LabUrls } from './running.js'
import { ensureSigningKey } from './signing-key.js'
import { refuseUnsupported } from './supported.js'

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

/** Addresses that stand for every address of the machine. */
const wildcards = new Set(['0.0.0.0', '::'])

/** Where to listen for a `--host`, and under which name the lab is known then. */
export function addressesOf(host: string | undefined): { hosts: string[]; name: string } {
  if (host === undefined || host === 'localhost') return { hosts: ['127.0.0.1', '::1'], name: 'localhost' }
  const name = certificateName(host)
  return { hosts: [name], name: wildcards.has(name) ? 'localhost' : name }
}

/**
 * Starts the sites of a lab on their listeners.
 * @throws UsageError, or TransportError for a busy port; what was started is stopped again
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { config, home, now = Date.now, random = randomBytes, names = [] } = options
  refuseUnsupported(config)
  const { hosts, name } = addressesOf(options.host)
  const ensure = options.selfSigned ? ensureSelfSigned : ensureCertificates
  // The real clock: TLS clients do not know the lab's.
  const certificates = await ensure(home, [...names, name], Date.now())
  const keyring = fixedKeyring(await ensureSigningKey(home, config.signingKeyFile))
  const assertionIssuers = await loadAssertionIssuers(config.assertionIssuerFiles)
  const events = createBus(now)
  const authority = isIP(name) === 6 ? `[${name}]` : name
  const common = {
    hosts,
    home,
    publish: events.publish,
    crashed: (error: unknown) => {
      writeCrashReport(home, error).catch(() => {})
    },
  }
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
        createAuthorizationServer(
          { ...config, issuer, faults: [], assertionIssuers },
          { now, random, publish: events.publish, keyring },
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
