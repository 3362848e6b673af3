import { wireBytes } from '../../compression/client/weigh.js'
import { OFFERS } from '../../compression/offers.js'
import { getLines } from '../../render/compression/get-lines.js'
import { hexLines } from '../../render/compression/hex-lines.js'
import { tableLines } from '../../render/compression/table-lines.js'
import type { GetFlags } from '../compress.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { type Ask, asker, checkOffer } from './ask.js'
import { gridOf } from './grid.js'
import { upstreamInUse } from './upstream.js'

/**
 * Asks once, or with every offer, and shows where the bytes went.
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runGet(target: string, flags: GetFlags, globals: Globals): Promise<void> {
  checkOffer(flags.offer)
  const lab = await upstreamInUse(target, globals)
  try {
    const ask = asker(lab, globals)
    if (flags.offers === undefined) await getOne(lab.url, flags, globals, ask)
    else await getAll(lab.url, flags, globals, ask)
  } finally {
    await lab.stop()
  }
}

const conversation = ({ head, 'http1.0': old }: GetFlags) =>
  ({ method: head ? 'HEAD' : 'GET', httpVersion: old ? '1.0' : '1.1' }) as const

async function getOne(url: string, flags: GetFlags, globals: Globals, ask: Ask): Promise<void> {
  const how = conversation(flags)
  const offer = flags.offer ?? null
  const answer = await ask(url, { ...how, offer })
  // What the coding saves on the wire is only known beside the raw answer.
  const raw =
    answer.contentEncoding === null || how.method === 'HEAD'
      ? undefined
      : await ask(url, { ...how, offer: 'identity' })
  const { bytes } = answer
  const result = {
    ...{ method: how.method, url, httpVersion: answer.httpVersion, offer, status: answer.status },
    ...{ contentEncoding: answer.contentEncoding, vary: answer.vary, headers: answer.headers, bytes },
    // The names of Resource Timing.
    transferSize: bytes.head + bytes.framing + bytes.coded,
    encodedBodySize: bytes.coded,
    decodedBodySize: bytes.decoded,
    wireBytes: wireBytes(bytes),
    ...(raw?.contentEncoding === null && { rawWireBytes: wireBytes(raw.bytes) }),
    ms: answer.ms,
  }
  if (globals.json) return printJson(result)
  print(
    ...getLines(result, globals),
    ...(flags.hex ? ['', ...hexLines(answer.body, answer.contentEncoding)] : []),
  )
}

async function getAll(url: string, flags: GetFlags, globals: Globals, ask: Ask): Promise<void> {
  const how = conversation(flags)
  const grid = await gridOf(OFFERS, [{ name: new URL(url).pathname, url }], (each, offer) =>
    ask(each, { ...how, offer, once: true }),
  )
  if (globals.json)
    printJson({ method: how.method, url, offers: grid.map(({ cells, ...row }) => ({ ...row, ...cells[0] })) })
  else print(...tableLines(grid, globals))
}
