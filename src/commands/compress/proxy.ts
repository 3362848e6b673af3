import { once } from 'node:events'
import type { Command } from 'commander'
import { MODE_MEANINGS, MODE_SETTINGS, PROXY_MODES, type ProxyMode } from '../../compression/proxy/modes.js'
import { nginxConf } from '../../compression/proxy/nginx-conf.js'
import { UsageError } from '../../errors.js'
import { baseUrl, quotedUrl } from '../../http/base-url.js'
import { watchLines } from '../../input/stdin-lines.js'
import { nearestHint } from '../../lab/nearest.js'
import { modeLine, proxiedLine } from '../../render/compression/proxied-line.js'
import { shellWord } from '../../render/shell.js'
import { makeSafe } from '../../render/text.js'
import { nginxPlace } from '../../targets/nginx-place.js'
import { proxyTarget } from '../../targets/proxy-target.js'
import { withTarget } from '../../targets/target.js'
import { EXIT } from '../exit.js'
import { readGlobals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { watchSignals } from '../signals.js'

/** Flags of `compress proxy`. */
export interface ProxyFlags {
  readonly mode: ProxyMode
  readonly upstream?: string
  readonly port: number
  readonly nginxConf?: true
}

/** Reads `--upstream`. @throws UsageError */
function readUpstream(text: string): string {
  const url = baseUrl(text)
  if (url?.pathname === '/') return url.origin
  throw new UsageError(`--upstream ${quotedUrl(text)} is not the base URL of a server`, [
    'It looks like https://localhost:8443, without a path',
  ])
}

/** Reads a line with a mode, alone or after the word `mode`. Reports any other line, except an empty one. */
function takeModeLine(line: string, take: (mode: ProxyMode) => void): void {
  const word = line.trim().replace(/^mode\s+/i, '')
  if (word === '') return
  const mode = PROXY_MODES.find(each => each === word)
  if (mode !== undefined) {
    take(mode)
    return
  }
  const problem = `no mode ${JSON.stringify(makeSafe(word.slice(0, 40)))}; there are ${PROXY_MODES.join(', ')}`
  narrate([problem, ...nearestHint(word, PROXY_MODES)].join('. '))
}

/**
 * `compress proxy`: runs the reverse proxy until a signal comes. A line on stdin switches its mode.
 * @throws UsageError, TransportError
 */
export async function runProxy({ mode, port, ...flags }: ProxyFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const named = flags.upstream === undefined ? undefined : readUpstream(flags.upstream)
  if (flags.nginxConf) {
    process.stdout.write(nginxConf(MODE_SETTINGS[mode], { port, ...(await nginxPlace(named, globals)) }))
    return
  }
  const started = proxyTarget({ mode, port, upstream: named }, globals, { narrate })
  return withTarget(started, async ({ address: url, upstream, caFile, events, switchMode }) => {
    const { json } = globals
    const { signal, exitCode } = watchSignals()
    if (json) printJson({ url, upstream, mode, ca: caFile })
    else {
      const ca = shellWord(caFile)
      print(`proxy     ${url}   mode ${mode}: ${MODE_MEANINGS[mode]}`, `upstream  ${upstream}`, '')
      narrate(`Try:  curl -s --cacert ${ca} -H 'Accept-Encoding: gzip' ${url}/kb/2 | wc -c`)
    }
    events.subscribe(event => {
      if (event.type !== 'proxy.passed' && event.type !== 'proxy.switched') return
      if (json) printJson(event)
      else print(event.type === 'proxy.passed' ? proxiedLine(event) : modeLine(event))
    })
    const unwatch = watchLines(line => takeModeLine(line, switchMode))
    await once(signal, 'abort')
    unwatch()
    process.exitCode = exitCode() ?? EXIT.done
  })
}
