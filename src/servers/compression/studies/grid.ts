import type { AnswerBytes, Weighed } from '../client/weigh.js'
import { brokenRule } from './verdict.js'

/** A URL and its name in a table. */
export interface GridTarget {
  readonly name: string
  readonly url: string
}

/** The answer of one URL to one offer. */
export interface GridCell {
  readonly target: string
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly bytes: AnswerBytes
  /** The rule that the answer breaks. Absent for a correct answer. */
  readonly broken?: string
}

/** An offer, and the answer of each URL to it. */
export interface GridRow {
  /** Value of Accept-Encoding. null for none. */
  readonly offer: string | null
  readonly cells: readonly GridCell[]
}

/**
 * Sends every offer to every URL, one request after another.
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
      const cell = { target: name, status, contentEncoding, vary, bytes }
      cells.push(broken === undefined ? cell : { ...cell, broken })
    }
    rows.push({ offer, cells })
  }
  return rows
}
