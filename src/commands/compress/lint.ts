import type { Weighed } from '../../compression/client/weigh.js'
import { lintCodings } from '../../compression/lint.js'
import { EXIT } from '../../errors.js'
import { header } from '../../http/message.js'
import { isBreach } from '../../oauth/check.js'
import { lintLines } from '../../render/compression/lint-lines.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { asker } from './ask.js'
import { drawing } from './drawing.js'
import { upstreamInUse } from './upstream.js'

/**
 * Asks for one resource in several ways and compares.
 * @returns the exit code: refused where there is a fault
 * @throws UsageError, TransportError (a body that is not what its Content-Encoding says, too), TimeoutError
 */
export async function runLint(target: string, globals: Globals): Promise<number> {
  const lab = await upstreamInUse(target, globals)
  try {
    const asking = asker(lab, globals)
    const ask = (offer: string | null, more = {}): Promise<Weighed> =>
      asking(lab.url, { offer, once: true, ...more })
    const bare = await ask(null)
    const gzip = await ask('gzip')
    const tag = header(gzip, 'etag')
    const checks = lintCodings({
      ...{ bare, gzip, again: await ask(null), br: await ask('br'), refused: await ask('identity, *;q=0') },
      head: await ask('gzip', { method: 'HEAD' }),
      ...(tag !== undefined && { fresh: await ask('gzip', { headers: [['If-None-Match', tag]] }) }),
    })
    const ok = !checks.some(isBreach)
    if (globals.json) printJson({ url: lab.url, verdict: ok ? 'accepted' : 'refused', checks })
    else print(...lintLines(lab.url, checks, drawing(globals)))
    return ok ? EXIT.done : EXIT.refused
  } finally {
    await lab.stop()
  }
}
