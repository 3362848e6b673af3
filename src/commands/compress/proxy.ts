import { once } from 'node:events'
import type { Command } from 'commander'
import { createProxySite } from '../../compression/client/proxy-site.js'
import type { ProxyEvent } from '../../compression/events.js'
import { createModeSwitch } from '../../compression/proxy/mode-switch.js'
import { MODE_MEANINGS, MODE_SETTINGS, type ProxyMode } from '../../compression/proxy/modes.js'
import { nginxConf } from '../../compression/proxy/nginx-conf.js'
import { UsageError } from '../../errors.js'
import { openMounts } from '../../lab/mounts.js'
import { isLoopback } from '../../lab/names.js'
import { modeLine, proxiedLine } from '../../render/compression/proxied-line.js'
import { nginxPlace } from '../../targets/nginx-place.js'
import { withTarget } from '../../targets/target.js'
import { urlTarget } from '../../targets/url-target.js'
import { EXIT } from '../exit.js'
import { readGlobals } from '../globals.js'
import { narrate, print, printJson, shellWord } from '../output.js'
import { watchSignals } from '../signals.js'
import { watchModeLines } from './mode-lines.js'

/** Flags of `compress proxy`. */
export interface ProxyFlags {
  readonly mode: ProxyMode
  readonly upstream?: string
  readonly port: number
  readonly nginxConf?: true
}

/** Most bytes of a request body that the proxy passes on. */
const BODY_LIMIT = 1024 * 1024

/** Reads `--upstream`. @throws UsageError */
function readUpstream(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare = url?.pathname === '/' && url.search === '' && url.username === ''
  if (url && bare && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(`--upstream ${JSON.stringify(text)} is not the base URL of a server`, [
    'It looks like https://localhost:8443, without a path',
  ])
}

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
 * `compress proxy`: runs the reverse proxy until a signal comes. A line on stdin switches its mode.
 * @throws UsageError, TransportError
 */
export async function runProxy({ mode: first, port, ...flags }: ProxyFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const named = flags.upstream === undefined ? undefined : readUpstream(flags.upstream)
  if (flags.nginxConf) {
    process.stdout.write(nginxConf(MODE_SETTINGS[first], { port, ...(await nginxPlace(named, globals)) }))
    return
  }
  if (named !== undefined) refuseLoop(named, port)
  return withTarget(urlTarget(`${named ?? ''}/`, globals, { narrate }), async ({ address, caPem }) => {
    const upstream = new URL(address).origin
    refuseLoop(upstream, port)
    const { home, timeoutMs, json } = globals
    const { events, certificates, mount, stop } = await openMounts({ home, command: 'compress proxy' })
    const { settings, setMode } = createModeSwitch(first)
    const reach = { upstream, settings, timeoutMs, bodyLimit: BODY_LIMIT, caPem }
    const { baseUrl: url } = await mount({
      port,
      portOption: '--port',
      bodyLimit: BODY_LIMIT,
      site: () => createProxySite(reach),
    })
    const { signal, exitCode } = watchSignals()
    if (json) printJson({ url, upstream, mode: first, ca: certificates.caFile })
    else {
      const file = shellWord(certificates.caFile)
      print(`proxy     ${url}   mode ${first}: ${MODE_MEANINGS[first]}`, `upstream  ${upstream}`, '')
      narrate(`Try:  curl -s --cacert ${file} -H 'Accept-Encoding: gzip' ${url}/kb/2 | wc -c`)
    }
    events.subscribe(event => {
      if (event.type !== 'proxy.passed' && event.type !== 'proxy.switched') return
      if (json) printJson(event)
      else print(event.type === 'proxy.passed' ? proxiedLine(event) : modeLine(event))
    })
    const unwatch = watchModeLines(mode => {
      setMode(mode)
      events.publish({ type: 'proxy.switched', mode, meaning: MODE_MEANINGS[mode] } satisfies ProxyEvent)
    }, narrate)
    await once(signal, 'abort')
    unwatch()
    await stop()
    process.exitCode = exitCode() ?? EXIT.done
  })
}
