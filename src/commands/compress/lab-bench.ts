import { createProxySite } from '../../compression/client/proxy-site.js'
import { weigh } from '../../compression/client/weigh.js'
import type { Hop, ProxiedExchange } from '../../compression/events.js'
import { MODE_SETTINGS, type ProxyMode } from '../../compression/proxy/modes.js'
import { openMounts } from '../../lab/mounts.js'
import type { CaseHop, CaseSetting, MeasuredCase } from '../../render/compression/case.js'
import type { Globals } from '../globals.js'
import { askedFor, caseWhy } from './lab-why.js'
import { upstreamInUse } from './upstream.js'

/** A lab with a proxy before it. */
export interface Bench {
  /** Base URL of the server. */
  readonly server: string
  /** Absolute path of the CA that vouches for it, where it is the lab's. */
  readonly caFile: string
  /** Asks for `path` on the way of a case. @throws TransportError, TimeoutError */
  measure(setting: CaseSetting, path: string): Promise<MeasuredCase>
  stop(): Promise<void>
}

/** The proxy passes no bodies of requests on. */
const BODY_LIMIT = 1024

function hopOf(ends: Pick<CaseHop, 'from' | 'to'>, { acceptEncoding, ...rest }: Hop): CaseHop {
  return { ...ends, offer: acceptEncoding, ...rest }
}

/**
 * Opens the bench: the lab in use, which compresses where this command starts it, and a reverse proxy before it on a port of its own.
 * Cases are measured one after another, since the proxy has one mode at a time.
 * @throws UsageError, TransportError
 */
export async function openBench(globals: Globals): Promise<Bench> {
  const lab = await upstreamInUse('/', globals)
  const server = new URL(lab.url).origin
  const { home, timeoutMs } = globals
  const trust = lab.caPem === undefined ? {} : { caPem: lab.caPem }
  const mounts = await openMounts({ home, command: 'compress' })
  let mode: ProxyMode = 'default'
  let told: ProxiedExchange | undefined
  const proxy = await mounts.mount({
    ...{ port: 0, portOption: '--port', bodyLimit: BODY_LIMIT },
    site: () =>
      createProxySite({
        ...{ upstream: server, settings: () => MODE_SETTINGS[mode], timeoutMs, ...trust },
        publish: event => {
          if (event.type === 'proxy.passed') told = event as unknown as ProxiedExchange
        },
      }),
  })
  let last: Promise<unknown> = Promise.resolve()

  async function measureNow(setting: CaseSetting, path: string): Promise<MeasuredCase> {
    const { offer } = setting
    const direct = setting.mode === null
    mode = setting.mode ?? 'default'
    told = undefined
    const answer = await weigh(
      {
        ...{ method: 'GET', url: (direct ? server : proxy.baseUrl) + path },
        headers: offer === null ? [] : [['Accept-Encoding', offer]],
      },
      { timeoutMs, once: true, ...(direct ? trust : { caPem: mounts.certificates.caPem }) },
    )
    const got: Hop = {
      acceptEncoding: offer,
      coding: answer.contentEncoding ?? 'identity',
      wireBytes: answer.bytes.coded,
      vary: answer.vary,
    }
    const upstream = (told as ProxiedExchange | undefined)?.upstream
    const hops = direct
      ? [hopOf({ from: 'server', to: 'client' }, got)]
      : [
          ...(upstream ? [hopOf({ from: 'server', to: 'proxy' }, upstream)] : []),
          hopOf({ from: 'proxy', to: 'client' }, got),
        ]
    const { decoded, head, framing } = answer.bytes
    const seen = { hops, bodyBytes: decoded, headBytes: head + framing }
    return {
      ...setting,
      ...{ path, status: answer.status, ...seen },
      asked: askedFor(offer, got.coding),
      why: caseWhy(setting, seen, told),
    }
  }

  return {
    server,
    caFile: mounts.certificates.caFile,
    measure(setting, path) {
      const next = last.then(() => measureNow(setting, path))
      last = next.catch(() => {})
      return next
    },
    async stop() {
      await mounts.stop()
      await lab.stop()
    },
  }
}
