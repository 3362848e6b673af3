import { createProxySite } from '../../compression/client/proxy-site.js'
import { MODE_MEANINGS, MODE_SETTINGS } from '../../compression/proxy/modes.js'
import { nginxConf } from '../../compression/proxy/nginx-conf.js'
import { EXIT, UsageError } from '../../errors.js'
import { openMounts } from '../../lab/mounts.js'
import { proxiedLine } from '../../render/compression/proxied-line.js'
import type { ProxyFlags } from '../compress.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson, shellWord } from '../output.js'
import { watchReader } from '../reader-left.js'
import { watchSignals } from '../signals.js'
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

/**
 * Runs the reverse proxy until a signal comes.
 * @throws UsageError, TransportError
 */
export async function runProxy({ mode, port, ...flags }: ProxyFlags, globals: Globals): Promise<void> {
  const settings = MODE_SETTINGS[mode]
  const lab = await upstreamInUse(flags.upstream === undefined ? '/' : `${baseUrl(flags.upstream)}/`, globals)
  try {
    const upstream = new URL(lab.url).origin
    if (flags.nginxConf) {
      process.stdout.write(nginxConf(settings, { port, upstream }))
      return
    }
    const { events, certificates, mount, stop } = await openMounts({
      home: globals.home,
      command: 'compress proxy',
    })
    const { caPem } = lab
    const reader = await watchReader()
    const { baseUrl: url } = await mount({
      ...{ port, portOption: '--port', bodyLimit: BODY_LIMIT },
      site: () =>
        createProxySite({
          ...{ upstream, settings: () => settings, publish: events.publish, timeoutMs: globals.timeoutMs },
          ...(caPem !== undefined && { caPem }),
        }),
    })
    const { signal, exitCode } = watchSignals()
    if (globals.json) printJson({ url, upstream, mode, ca: certificates.caFile })
    else {
      const file = shellWord(certificates.caFile)
      print(`proxy     ${url}   mode ${mode}: ${MODE_MEANINGS[mode]}`, `upstream  ${upstream}`, '')
      narrate(`Try:  curl -s --cacert ${file} -H 'Accept-Encoding: gzip' ${url}/kb/2 | wc -c`)
    }
    events.subscribe(event => {
      if (event.type !== 'proxy.passed') return
      if (globals.json) printJson(event)
      else print(proxiedLine(event))
    })
    const interrupted = new Promise<void>(done =>
      signal.addEventListener('abort', () => done(), { once: true }),
    )
    await Promise.race([interrupted, reader(signal).catch(() => interrupted)])
    process.exitCode = exitCode() ?? EXIT.done
    await stop()
  } finally {
    await lab.stop()
  }
}
