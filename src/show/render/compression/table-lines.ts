import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { GridCell, GridRow } from '../../../servers/compression/studies/offers.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { cutMiddle, pad, width } from '../text/text.js'

const OFFER = 22
const CELL = 16

/** The text of an offer in a table. */
export function offerText(offer: string | null): string {
  if (offer === null) return '(none)'
  return offer === '' ? '(empty)' : makeSafe(offer)
}

function cellText({ status, contentEncoding, bytes, broken }: GridCell, look: string): string {
  const coding = status === 200 ? makeSafe(contentEncoding ?? 'raw') : String(status)
  const size = bytesText(bytes.coded)
  return `${pad(coding, 5)}${pad(size, CELL - 7 - Math.max(0, width(coding) - 5), 'right')} ${broken ? look : ' '}`
}

/** A table with a row for each offer and a column for each address: coding and body bytes. Broken rules follow below the table. */
export function tableLines(rows: readonly GridRow[], drawing: { readonly ascii: boolean }): string[] {
  const signs = signsFor(drawing)
  const targets = rows[0]?.cells.map(({ target }) => target) ?? []
  const broken = rows.flatMap(({ offer, cells }) =>
    cells.flatMap(({ target, broken: rule }) =>
      rule === undefined
        ? []
        : [`${signs.look} ${offerText(offer)} at ${makeSafe(target)}: ${makeSafe(rule)}`],
    ),
  )
  const heads = targets.map(target =>
    pad(cutMiddle(makeSafe(target), CELL - 2, signs.ellipsis), CELL - 2, 'right'),
  )
  return [
    `${pad('Accept-Encoding', OFFER)}${heads.join('  ')}`,
    ...rows.map(({ offer, cells }) =>
      `${pad(cutMiddle(offerText(offer), OFFER - 2, signs.ellipsis), OFFER)}${cells.map(cell => cellText(cell, signs.look)).join('')}`.trimEnd(),
    ),
    ...(broken.length === 0 ? [] : ['', ...broken]),
  ]
}
