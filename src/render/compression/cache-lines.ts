import { bytesText } from '../numbers.js'
import { signsFor } from '../signs.js'
import { makeSafe, pad } from '../text.js'
import { offerText } from './table-lines.js'

/** A client at a cache. */
export interface CacheVisit {
  readonly offer: string | null
  readonly from: 'hit' | 'miss'
  readonly contentEncoding: string | null
  /** Of the body as it travelled. */
  readonly bytes: number
  /** The rule that the answer breaks. */
  readonly broken?: string
}

/** The same clients at a cache that heeds Vary and at one that does not. */
export function cacheLines(
  url: string,
  heeded: readonly CacheVisit[],
  ignored: readonly CacheVisit[],
  drawing: { readonly ascii: boolean },
): string[] {
  const signs = signsFor(drawing)
  const row = ({ offer, from, contentEncoding, bytes, broken }: CacheVisit) =>
    [
      `  ${pad(offerText(offer), 12)}`,
      pad(from, 6),
      pad(makeSafe(contentEncoding ?? 'raw'), 6),
      pad(bytesText(bytes), 12, 'right'),
      broken === undefined
        ? ''
        : `  ${signs.look} ${makeSafe(broken.replace(/^it comes as \S+, which /, ''))}`,
    ].join('')
  return [
    `GET ${makeSafe(url)} through a shared cache, client after client`,
    '',
    'It heeds Vary: each variant is kept by itself, byte for byte as it was asked for',
    ...heeded.map(row),
    '',
    'It heeds no Vary: the first answer is for everybody',
    ...ignored.map(row),
  ]
}
