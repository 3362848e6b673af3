import { UsageError } from '../../protocol/errors.js'
import { checkOffer } from '../../servers/compression/client/ask.js'
import { MAX_KB } from '../../servers/compression/payload.js'
import { gridOf, OFFERS } from '../../servers/compression/studies/offers.js'
import { tableLines } from '../../show/render/compression/table-lines.js'
import type { Globals } from '../program/globals.js'
import { studyUrl } from './study.js'

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

/** `compress table`: offers and sizes of `/kb/<kb>`. Refused when an answer breaks a rule. */
export async function runTable(
  { kb, offer }: { readonly kb: string; readonly offer?: readonly string[] },
  globals: Globals,
): Promise<void> {
  const sizes = readSizes(kb)
  offer?.forEach(checkOffer)
  return studyUrl(
    '/',
    globals,
    async (root, ask) => {
      const url = root.replace(/\/$/, '')
      const targets = sizes.map(size => ({ name: `/kb/${size}`, url: `${url}/kb/${size}` }))
      const rows = await gridOf(offer ?? OFFERS, targets, (to, each) => ask(to, { offer: each }))
      return { url, rows }
    },
    {
      lines: ({ rows }, globals) => tableLines(rows, globals),
      allRaw: ({ rows }) =>
        offer === undefined && rows.every(({ cells }) => cells.every(cell => cell.contentEncoding === null)),
      fails: ({ rows }) => rows.some(({ cells }) => cells.some(cell => cell.broken !== undefined)),
    },
  )
}
