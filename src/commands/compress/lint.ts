import type { Weighed } from '../../compression/client/weigh.js'
import { lintCodings } from '../../compression/lint.js'
import { EXIT, TransportError } from '../../errors.js'
import { header } from '../../http/message.js'
import { type Check, check, isBreach } from '../../oauth/check.js'
import { lintLines } from '../../render/compression/lint-lines.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { type Ask, type Asked, asker } from './ask.js'
import { upstreamInUse } from './upstream.js'

/** What is found at an address. @throws TransportError where nothing answers, TimeoutError */
async function checksOf(url: string, asking: Ask): Promise<Check[]> {
  const ask = (offer: string | null, more: Partial<Asked> = {}): Promise<Weighed> =>
    asking(url, { offer, once: true, ...more })
  try {
    const bare = await ask(null)
    const gzip = await ask('gzip')
    const tag = header(gzip, 'etag')
    return lintCodings({
      ...{ bare, gzip, again: await ask(null), br: await ask('br'), refused: await ask('identity, *;q=0') },
      head: await ask('gzip', { method: 'HEAD' }),
      ...(tag !== undefined && { fresh: await ask('gzip', { headers: [['If-None-Match', tag]] }) }),
    })
  } catch (error) {
    // An answer that is not what it says is what was looked for.
    if (!(error instanceof TransportError && error.code === 'EBADMSG')) throw error
    return [check('body', false, 'RFC 9110 §8.4', error.message)]
  }
}

/**
 * Asks for one resource in several ways and compares.
 * @returns the exit code: refused where there is a fault
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runLint(target: string, globals: Globals): Promise<number> {
  const lab = await upstreamInUse(target, globals)
  try {
    const checks = await checksOf(lab.url, asker(lab, globals))
    const ok = !checks.some(isBreach)
    if (globals.json) printJson({ url: lab.url, verdict: ok ? 'accepted' : 'refused', checks })
    else print(...lintLines(lab.url, checks, globals))
    return ok ? EXIT.done : EXIT.refused
  } finally {
    await lab.stop()
  }
}
