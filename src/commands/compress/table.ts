import { OFFERS } from '../../compression/offers.js'
import { MAX_KB } from '../../compression/payload.js'
import { EXIT, UsageError } from '../../errors.js'
import { tableLines } from '../../render/compression/table-lines.js'
import type { Globals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { asker, checkOffer } from './ask.js'
import { gridOf } from './grid.js'
import { NOT_COMPRESSING, upstreamInUse } from './upstream.js'

/** Flags of `compress table`. */
export interface TableFlags {
  readonly kb: readonly number[]
  readonly offer?: readonly string[]
}

/** Most sizes of one table. */
const MAX_SIZES = 6

/** The sizes of `--kb`. @throws UsageError */
export function readSizes(text: string): number[] {
  const sizes = text.split(',').map(each => (/^\d{1,5}$/.test(each.trim()) ? Number(each) : Number.NaN))
  if (sizes.length <= MAX_SIZES && sizes.every(size => size <= MAX_KB)) return sizes
  throw new UsageError(
    `--kb ${JSON.stringify(text)} is not a list of at most ${MAX_SIZES} sizes from 0 to ${MAX_KB}`,
    ['Write it as --kb 1,2,200'],
  )
}

/**
 * Offers × sizes of `/kb/<kb>`.
 * @returns the exit code: refused where an answer breaks a rule
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runTable({ kb, offer }: TableFlags, globals: Globals): Promise<number> {
  offer?.forEach(checkOffer)
  const lab = await upstreamInUse('/', globals)
  try {
    const ask = asker(lab, globals)
    const base = lab.url.replace(/\/$/, '')
    const targets = kb.map(size => ({ name: `/kb/${size}`, url: `${base}/kb/${size}` }))
    const rows = await gridOf(offer ?? OFFERS, targets, (url, each) => ask(url, { offer: each, once: true }))
    if (globals.json) printJson({ url: base, rows })
    else print(...tableLines(rows, globals))
    const cells = rows.flatMap(row => row.cells)
    if (offer === undefined && cells.every(cell => cell.contentEncoding === null)) narrate(NOT_COMPRESSING)
    return cells.some(cell => cell.broken !== undefined) ? EXIT.refused : EXIT.done
  } finally {
    await lab.stop()
  }
}
