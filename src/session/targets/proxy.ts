import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../lab/lab-file/names.js'
import { openMounts } from '../../lab/listening/mounts.js'
import { findRunningLab, readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import type { EventBus } from '../../protocol/events.js'
import { quotedUrl, readAddress } from '../../protocol/http/address.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { createAsk } from '../../servers/compression/client/ask.js'
import { createProxySite } from '../../servers/compression/client/proxy-site.js'
import type { ProxyEvent } from '../../servers/compression/events.js'
import {
  createModeSwitch,
  MODE_MEANINGS,
  type NginxPlace,
  type ProxyKnobs,
  type ProxyMode,
} from '../../servers/compression/proxy/modes.js'
import { type MeasureCase, openBench } from '../../servers/compression/studies/bench.js'
import { refuseRoomName } from '../room/room-name.js'
import { type LabOptions, type LabUse, labTarget } from './lab.js'
import { outside, type Target, targetFrom, trustedPem } from './target.js'

/** A reverse proxy of this process, in front of the lab in use or of another server. */
interface ProxyTarget extends Target {
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
interface ProxyOptions {
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

/** Starts a proxy. What it opened is stopped when it cannot listen. @throws UsageError, TransportError */
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

/** The lab in use, and a reverse proxy of this process in front of it. */
export interface BenchTarget extends Target {
  /** Path of the CA file of the state folder, absolute. */
  readonly caFile: string
  readonly measure: MeasureCase
}

/** Most bytes of a request's body: the bench sends none. */
const BENCH_BODY_LIMIT = 1024

/** Opens a bench at the lab in use. The proxy listens on a free port. @throws UsageError, TransportError */
export function benchTarget(
  options: LabOptions & { readonly timeoutMs: number },
  use: Pick<LabUse, 'narrate'>,
): Promise<BenchTarget> {
  const { home, timeoutMs } = options
  const mounting = async (lab: Target): Promise<BenchTarget> =>
    targetFrom(openMounts({ home, command: 'compress' }), async ({ certificates, mount, stop }) => {
      const { caPem } = lab
      const server = new URL(lab.address).origin
      const measure = await openBench({
        server,
        caPem,
        timeoutMs,
        askServer: createAsk({ caPem, timeoutMs }),
        askProxy: createAsk({ caPem: certificates.caPem, timeoutMs }),
        mount: async site => {
          const listener = { port: 0, portOption: '--port', bodyLimit: BENCH_BODY_LIMIT, site: () => site }
          return (await mount(listener)).baseUrl
        },
      })
      return {
        ...lab,
        address: server,
        caFile: certificates.caFile,
        measure,
        async stop() {
          await stop()
          await lab.stop()
        },
      }
    })
  return targetFrom(urlTarget('/', options, use), mounting)
}

/** Default address of a lab. */
const DEFAULT_LAB = 'https://localhost:8443'

/**
 * The upstream of an nginx configuration: the named one, else the running lab, else the default address of a lab. No lab is started
 * for a configuration: it would be gone when nginx reads the file.
 */
export async function nginxPlace(
  upstream: string | undefined,
  { cacert, home, server }: LabOptions,
): Promise<Pick<NginxPlace, 'upstream' | 'caFile'>> {
  if (upstream === undefined) refuseRoomName(server)
  const named = upstream ?? server
  const lab =
    named === undefined
      ? await findRunningLab(home)
      : (await readRecords(home)).find(({ urls }) => urls.authorization === named)
  const own = join(home, 'ca.pem')
  const caFile = cacert ?? lab?.ca ?? (named === undefined && existsSync(own) ? own : undefined)
  return { upstream: named ?? lab?.urls.authorization ?? DEFAULT_LAB, ...(caFile && { caFile }) }
}

/** A page of a run. */
interface UrlTarget extends Target {
  /** Fields for requests to its origin: the credentials of the address. */
  readonly headers: HeaderList
}

/** The characters of a request target (RFC 9112 §3.2), without its line ends and blanks. */
const TARGET = /^[\x21-\x7e]+$/

/** Returns the percent-encoded form of a text, for a hint. */
const encoded = (text: string): string =>
  text.replace(/[^\x21-\x7e]+/g, part => encodeURIComponent(part.toWellFormed()))

/** @throws UsageError for a path or an address with characters that would end its line, or lose bytes */
function checkTarget(what: string, text: string, asSent = text): void {
  if (TARGET.test(asSent) && !/[\s\p{Cc}]/u.test(text)) return
  throw new UsageError(`the ${what} holds characters that a request line cannot carry (RFC 9112 §3.2)`, [
    `Write them percent-encoded, a space as %20:   ${quotedUrl(encoded(text))}`,
  ])
}

/**
 * Finds the page of a run: a whole address, or a path of the lab in use. An embedded lab compresses its answers. A user and
 * a password in the address become the field Authorization.
 * @throws UsageError for a text that is neither
 */
export async function urlTarget(
  text: string,
  options: LabOptions,
  { narrate }: Pick<LabUse, 'narrate'>,
): Promise<UrlTarget> {
  if (/^https?:\/\//i.test(text)) {
    const address = readAddress(text)
    if (address === undefined) {
      throw new UsageError(`${quotedUrl(text)} is no address`, ['It looks like https://localhost:8443/kb/2'])
    }
    const { url, authorization } = address
    checkTarget('address', text, url)
    const headers: HeaderList = authorization === undefined ? [] : [['Authorization', authorization]]
    return { ...outside, address: url, headers, caPem: await trustedPem(options, new URL(url).origin) }
  }
  if (!text.startsWith('/')) {
    throw new UsageError(`${quotedUrl(text)} is neither a path nor an address`, [
      'A path of the lab begins with /, as in /kb/200',
    ])
  }
  checkTarget('path', text)
  return targetFrom(labTarget(options, { narrate, compression: true }), lab => ({
    ...lab,
    headers: [],
    address: lab.urls.authorization + text,
  }))
}
