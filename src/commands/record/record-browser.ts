import { createHash, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openRecorded, type RecordedBrowser } from '../../client/capture/browser/chromium.js'
import { findChromium } from '../../client/capture/browser/find-chromium.js'
import type { Captured } from '../../client/capture/captured.js'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { parsedUrl } from '../../protocol/http/address.js'
import { readCa } from '../../session/targets/target.js'
import type { Globals } from '../program/globals.js'

/** Flags of `record`. */
export interface RecordFlags {
  readonly browser?: string
  readonly headless?: true
  readonly output?: string
  readonly plain?: true
}

/** A browser that can be opened: its program is there and its address is one. */
export interface ReadyBrowser {
  readonly url: string
  readonly open: (take: (captured: Captured) => void) => Promise<RecordedBrowser>
}

function addressOf(text: string): string {
  const given = /^https?:\/\//i.test(text) && parsedUrl(text)
  if (given) return given.href
  throw new UsageError(`--browser ${JSON.stringify(text.slice(0, 200))} is not an http or https address`, [
    'oauth-lab record --browser http://localhost:3000',
  ])
}

/** The hash of a certificate's key, as Chromium takes it. */
function keyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/** The keys that the browser trusts: those of running labs, whose CA it does not know, and of `--cacert`. */
async function trustedKeys({ home, cacert }: Globals): Promise<string[]> {
  const files = (await readRecords(home)).map(({ ca }) => join(dirname(ca), 'leaf.pem'))
  const leaves = await Promise.all(files.map(file => readFile(file, 'utf8').catch(() => undefined)))
  const given = cacert === undefined ? '' : await readCa(cacert)
  const named = given.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return [...new Set([...leaves, ...named].flatMap(pem => (pem === undefined ? [] : [keyHash(pem)])))]
}

/** Checks that the browser of `--browser` can be opened. @throws UsageError */
export async function readyBrowser(flags: RecordFlags, globals: Globals): Promise<ReadyBrowser | undefined> {
  if (flags.browser === undefined) {
    if (flags.headless) {
      throw new UsageError('--headless needs --browser', [
        'oauth-lab record --headless --browser http://localhost:3000',
      ])
    }
    return undefined
  }
  const url = addressOf(flags.browser)
  const program = findChromium(process.env, process.platform)
  const trusted = await trustedKeys(globals)
  const headless = flags.headless === true
  return { url, open: take => openRecorded({ program, url, headless, trusted }, take) }
}
