import { randomBytes } from 'node:crypto'
import type { EventBus } from '../../protocol/events.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { fetchPublishedKeys } from '../../servers/resource-server/fetched-keys.js'
import { createResourceServer } from '../../servers/resource-server/server.js'
import type { ResourceServerSettings } from '../../servers/resource-server/settings.js'
import { MAX_BODY_BYTES } from '../../servers/resource-server/settings.js'
import type { Certificates } from '../certificates/certificates.js'
import { ensureClientAuthority } from '../certificates/client-authority.js'
import { createDocumentReader } from '../lab-file/document-reader.js'
import { openMounts } from '../listening/mounts.js'

/** A resource server without a lab around it. */
export interface ResourceServerOptions {
  readonly settings: Omit<ResourceServerSettings, 'baseUrl'>
  readonly home: string
  /** Left out: this machine only. */
  readonly host?: string
  /** 0 picks a free one. */
  readonly port: number
  /** PEM; trusted beside the well-known roots. */
  readonly caPem?: string | undefined
}

export interface RunningResourceServer {
  /** No trailing slash. */
  readonly url: string
  readonly certificates: Certificates
  readonly events: EventBus
  /** Fetches the keys once. @returns the problem; undefined without one */
  askAuthority(): Promise<string | undefined>
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** The authorization server may be anywhere. @throws UsageError, or TransportError for a busy port */
export async function startResourceServer(options: ResourceServerOptions): Promise<RunningResourceServer> {
  const { settings, home, host, port, caPem } = options
  const mounts = await openMounts(defined({ home, command: 'resource', host }))
  const { certificates, events } = mounts
  const { fetchJson, close } = createDocumentReader(caPem)
  let stopping = false
  async function stop(): Promise<void> {
    await mounts.stop()
    stopping = true
    close()
  }
  const site = (baseUrl: string) => {
    // Its metadata name this address, so clients ask for tokens for it (RFC 9728 §2, RFC 8707 §2).
    const audiences = [...settings.audiences, baseUrl]
    return createResourceServer(
      { ...settings, audiences, baseUrl },
      { now: Date.now, random: randomBytes, fetchJson },
    )
  }
  // A binding names the certificate itself, so its CA decides nothing here (RFC 8705 §3).
  const clientCaPem = settings.asksForCertificates ? (await ensureClientAuthority(home)).certPem : undefined
  const listener = {
    port,
    portOption: '--port',
    bodyLimit: MAX_BODY_BYTES,
    site,
    ...defined({ clientCaPem }),
  }
  const { baseUrl } = await mounts.mount(listener).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    url: baseUrl,
    certificates,
    events,
    async askAuthority() {
      if (settings.keys.kind !== 'discovery') return undefined
      try {
        await fetchPublishedKeys(settings.issuer, fetchJson)
        return undefined
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return stopping ? undefined : error.description
      }
    },
    stop,
  }
}
