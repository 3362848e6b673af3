import { isLoopback } from '../../lab/lab-file/names.js'
import { openMounts } from '../../lab/listening/mounts.js'
import { UsageError } from '../../protocol/errors.js'
import type { EventBus } from '../../protocol/events.js'
import { createProxySite } from '../../servers/compression/client/proxy-site.js'
import type { ProxyEvent } from '../../servers/compression/events.js'
import { createModeSwitch } from '../../servers/compression/proxy/mode-switch.js'
import { MODE_MEANINGS, type ProxyKnobs, type ProxyMode } from '../../servers/compression/proxy/modes.js'
import type { LabOptions, LabUse } from './lab-target.js'
import { type Target, targetFrom } from './target.js'
import { urlTarget } from './url-target.js'

/** A reverse proxy of this process, in front of the lab in use or of another server. */
export interface ProxyTarget extends Target {
  /** Origin of the server behind the proxy. */
  readonly upstream: string
  /** Path of the CA file that clients of the proxy have to trust, absolute. */
  readonly caFile: string
  /** Publishes the events of the proxy. */
  readonly events: EventBus
  /** Changes the mode, and publishes the change. */
  switchMode(mode: ProxyMode): void
}

/** The options of a proxy. */
export interface ProxyOptions {
  readonly mode: ProxyMode
  /** 0 for a free one. */
  readonly port: number
  /** Origin of the server behind the proxy; undefined: the lab in use. */
  readonly upstream: string | undefined
  /** Changes of the settings of every mode. */
  readonly knobs?: ProxyKnobs
}

/** Most bytes of a request body that the proxy passes on. */
const BODY_LIMIT = 1024 * 1024

/** @throws UsageError for a proxy that would be its own upstream */
function refuseLoop(upstream: string, port: number): void {
  const { hostname, port: its } = new URL(upstream)
  if (port !== 0 && Number(its) === port && isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    throw new UsageError(`the proxy on port ${port} would be its own upstream`, [
      'Another port:  --port 8448',
    ])
  }
}

/**
 * Starts a proxy. What it opened is stopped when it cannot listen.
 * @throws UsageError, TransportError
 */
export async function proxyTarget(
  { mode: first, port, upstream: named, knobs }: ProxyOptions,
  options: LabOptions & { readonly timeoutMs: number },
  use: Pick<LabUse, 'narrate'>,
): Promise<ProxyTarget> {
  const { home, timeoutMs } = options
  if (named !== undefined) refuseLoop(named, port)
  return targetFrom(urlTarget(`${named ?? ''}/`, options, use), found => {
    const upstream = new URL(found.address).origin
    refuseLoop(upstream, port)
    return targetFrom(openMounts({ home, command: 'compress proxy' }), async mounts => {
      const { events, certificates, mount, stop } = mounts
      const { settings, setMode } = createModeSwitch(first, knobs)
      const reach = { upstream, settings, timeoutMs, bodyLimit: BODY_LIMIT, caPem: found.caPem }
      const { baseUrl: address } = await mount({
        port,
        portOption: '--port',
        bodyLimit: BODY_LIMIT,
        site: () => createProxySite(reach),
      })
      return {
        ...found,
        address,
        caPem: certificates.caPem,
        upstream,
        caFile: certificates.caFile,
        events,
        switchMode(mode) {
          setMode(mode)
          events.publish({ type: 'proxy.switched', mode, meaning: MODE_MEANINGS[mode] } satisfies ProxyEvent)
        },
        async stop() {
          await stop()
          await found.stop()
        },
      }
    })
  })
}
