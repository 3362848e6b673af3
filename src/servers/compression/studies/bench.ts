import type { Site } from '../../../protocol/http/site.js'
import type { Ask } from '../client/ask.js'
import { createProxySite } from '../client/proxy-site.js'
import type { Hop, ProxiedExchange } from '../events.js'
import { MODE_SETTINGS, type ProxyMode } from '../proxy/modes.js'
import type { CaseHop, CaseSetting, MeasuredCase } from './cases.js'
import { caseWhy } from './cases.js'
import { askedFor } from './verdict.js'

/** The server to measure, and the listener of the proxy. */
export interface BenchPorts {
  /** Base URL of the server, no trailing slash. */
  readonly server: string
  /** Certificates to trust for the server besides those that Node.js trusts, PEM. */
  readonly caPem?: string | undefined
  readonly timeoutMs: number
  /** Opens a listener for the proxy. Returns its base URL, no trailing slash. */
  readonly mount: (site: Site) => Promise<string>
  readonly askServer: Ask
  readonly askProxy: Ask
}

/** Measures one case at a path. @throws TransportError, TimeoutError */
export type MeasureCase = (setting: CaseSetting, path: string) => Promise<MeasuredCase>

const hopOf = (from: CaseHop['from'], to: CaseHop['to'], { acceptEncoding, ...rest }: Hop): CaseHop => ({
  from,
  to,
  offer: acceptEncoding,
  ...rest,
})

/**
 * Puts a reverse proxy in front of a server. Cases are measured one after another, because the proxy has one mode at a time.
 * @throws UsageError, TransportError
 */
export async function openBench(ports: BenchPorts): Promise<MeasureCase> {
  const { server, caPem, timeoutMs, mount, askServer, askProxy } = ports
  let mode: ProxyMode = 'default'
  let passed: ProxiedExchange | undefined
  const { name, handle } = createProxySite({
    upstream: server,
    settings: () => MODE_SETTINGS[mode],
    timeoutMs,
    caPem,
  })
  const proxy = await mount({
    name,
    handle: request =>
      handle(request, {
        publish: event => {
          if (event.type === 'proxy.passed') passed = event
        },
      }),
  })

  async function measure(setting: CaseSetting, path: string): Promise<MeasuredCase> {
    const { offer } = setting
    const direct = setting.mode === null
    mode = setting.mode ?? 'default'
    passed = undefined
    const asked = { offer }
    const answer = await (direct ? askServer(server + path, asked) : askProxy(proxy + path, asked))
    const { decoded, coded, head, framing } = answer.bytes
    const coding = answer.contentEncoding ?? 'identity'
    const got: Hop = { acceptEncoding: offer, coding, wireBytes: coded, vary: answer.vary }
    const exchange = passed as ProxiedExchange | undefined
    const first = exchange?.upstream
    const hops = direct
      ? [hopOf('server', 'client', got)]
      : [...(first ? [hopOf('server', 'proxy', first)] : []), hopOf('proxy', 'client', got)]
    const sizes = { hops, bodyBytes: decoded ?? coded, headBytes: head + framing }
    return {
      ...setting,
      path,
      status: answer.status,
      ...sizes,
      asked: askedFor(offer, coding),
      why: caseWhy(setting, sizes, exchange),
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  return (setting, path) => {
    const next = last.then(() => measure(setting, path))
    last = next.catch(() => {})
    return next
  }
}
