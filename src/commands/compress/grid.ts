import type { Weighed } from '../../compression/client/weigh.js'
import { brokenRule } from '../../compression/verdict.js'
import type { GridCell, GridRow } from '../../render/compression/table-lines.js'

/** An address, and its name in a table. */
export interface GridTarget {
  readonly name: string
  readonly url: string
}

/**
 * Asks every address with every offer, one after the other.
 * @throws TransportError, TimeoutError
 */
export async function gridOf(
  offers: readonly (string | null)[],
  targets: readonly GridTarget[],
  ask: (url: string, offer: string | null) => Promise<Weighed>,
): Promise<GridRow[]> {
  const rows: GridRow[] = []
  for (const offer of offers) {
    const cells: GridCell[] = []
    for (const { name, url } of targets) {
      const { status, contentEncoding, vary, bytes } = await ask(url, offer)
      const broken = brokenRule(offer, { status, contentEncoding, vary })
      cells.push({ target: name, status, contentEncoding, vary, bytes, ...(broken && { broken }) })
    }
    rows.push({ offer, cells })
  }
  return rows
}
