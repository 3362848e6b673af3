import { once } from 'node:events'
import { UsageError } from '../../protocol/errors.js'
import { baseUrl, quotedUrl } from '../../protocol/http/address.js'
import { nearestHint } from '../../protocol/nearest.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { defined } from '../../protocol/values.js'
import {
  MODE_MEANINGS,
  MODE_SETTINGS,
  nginxConf,
  PROXY_MODES,
  type ProxyKnobs,
  type ProxyMode,
  withKnobs,
} from '../../servers/compression/proxy/modes.js'
import { watchLines } from '../../session/input/input.js'
import { writeText } from '../../session/output/writer.js'
import { nginxPlace, proxyTarget } from '../../session/targets/proxy.js'
import { withTarget } from '../../session/targets/target.js'
import { modeLine, proxiedLine } from '../../show/render/compression/study-lines.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, watchSignals } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { ProxyFlags } from './options.js'

/** Media types of the default gzip_types of nginx: `text/html` is always one. */
const NGINX_TYPES = 'default'

/** Reads the options that change the settings of a mode. @throws UsageError */
function readKnobs(flags: Omit<ProxyFlags, 'mode' | 'port'>): ProxyKnobs {
  const { gzipTypes, gzipVary, gzipProxied } = flags
  const types = gzipTypes === NGINX_TYPES ? [] : gzipTypes?.split(',').map(type => type.trim().toLowerCase())
  const bad = types?.find(type => !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type))
  if (bad !== undefined) {
    throw new UsageError(`--gzip-types has ${JSON.stringify(makeSafe(bad))}, which is no media type`, [
      'Write it as --gzip-types text/plain,application/json, or --gzip-types default for text/html alone',
    ])
  }
  return defined({
    upstreamHttp: flags.upstreamHttp,
    level: flags.gzipLevel,
    minLength: flags.gzipMinLength,
    types,
    vary: gzipVary === undefined ? undefined : gzipVary === 'on',
    proxied: gzipProxied === undefined ? undefined : gzipProxied === 'any',
    httpVersion: flags.gzipHttpVersion,
  })
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
export async function runProxy({ mode, port, ...flags }: ProxyFlags, globals: Globals): Promise<void> {
  const named = flags.upstream === undefined ? undefined : readUpstream(flags.upstream)
  const knobs = readKnobs(flags)
  if (flags.nginxConf) {
    writeText(
      nginxConf(withKnobs(MODE_SETTINGS[mode], knobs), { port, ...(await nginxPlace(named, globals)) }),
    )
    return
  }
  const started = proxyTarget({ mode, port, upstream: named, knobs }, globals, { narrate })
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
