import { createProxySite } from '../../compression/client/proxy-site.js'
import type { ProxyEvent } from '../../compression/events.js'
import { createModeSwitch } from '../../compression/proxy/mode-switch.js'
import { MODE_MEANINGS, MODE_SETTINGS } from '../../compression/proxy/modes.js'
import { nginxConf } from '../../compression/proxy/nginx-conf.js'
import { EXIT, UsageError } from '../../errors.js'
import { openMounts } from '../../lab/mounts.js'
import { isLoopback } from '../../lab/names.js'
import { modeLine, proxiedLine } from '../../render/compression/proxied-line.js'
import type { ProxyFlags } from '../compress.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson, shellWord } from '../output.js'
import { watchReader } from '../reader-left.js'
import { watchSignals } from '../signals.js'
import { watchModeLines } from './mode-lines.js'
import { nginxPlace } from './nginx-place.js'
import { upstreamInUse } from './upstream.js'

/** Most bytes of a request's body that are passed on. */
const BODY_LIMIT = 1024 * 1024

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.username === ''
  ) {
    return url.origin
  }
  throw new UsageError(`--upstream ${JSON.stringify(text)} is not the base URL of a server`, [
    'It looks like https://localhost:8443, without a path',
  ])
}

/** @throws UsageError for a proxy that would stand before itself */
function refuseLoop(upstream: string, port: number): void {
  const { hostname, port: its } = new URL(upstream)
  if (port !== 0 && Number(its) === port && isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    throw new UsageError(`the proxy on port ${port} would be its own upstream`, [
      'Another port:  --port 8448',
    ])
  }
}

/**
 * Runs the reverse proxy until a signal comes. Modes that come as lines on stdin are switched to.
 * @throws UsageError, TransportError
 */
export async function runProxy({ mode: first, port, ...flags }: ProxyFlags, globals: Globals): Promise<void> {
  const named = flags.upstream === undefined ? undefined : baseUrl(flags.upstream)
  if (flags.nginxConf) {
    process.stdout.write(nginxConf(MODE_SETTINGS[first], { port, ...(await nginxPlace(named, globals)) }))
    return
  }
  if (named !== undefined) refuseLoop(named, port)
  const lab = await upstreamInUse(`${named ?? ''}/`, globals)
  try {
    const upstream = new URL(lab.url).origin
    refuseLoop(upstream, port)
    const { home, timeoutMs, json } = globals
    const { events, certificates, mount, stop } = await openMounts({ home, command: 'compress proxy' })
    const { caPem } = lab
    const reader = await watchReader()
    const { settings, setMode } = createModeSwitch(first)
    const { baseUrl: url } = await mount({
      ...{ port, portOption: '--port', bodyLimit: BODY_LIMIT },
      site: () =>
        createProxySite({
          ...{ upstream, settings, publish: events.publish, timeoutMs, bodyLimit: BODY_LIMIT },
          ...(caPem !== undefined && { caPem }),
        }),
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
    const interrupted = new Promise<void>(done =>
      signal.addEventListener('abort', () => done(), { once: true }),
    )
    await Promise.race([interrupted, reader(signal).catch(() => interrupted)])
    process.exitCode = exitCode() ?? EXIT.done
    unwatch()
    await stop()
  } finally {
    await lab.stop()
  }
}
