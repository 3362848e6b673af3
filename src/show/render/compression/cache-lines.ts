import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { CacheStudy, CacheVisit } from '../../../servers/compression/studies/shared-cache.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { pad } from '../text/text.js'
import { offerText } from './table-lines.js'

/** The same clients at a cache that honours Vary and at one that does not. */
export function cacheLines(
  { url, heeded, ignored }: CacheStudy,
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
    `GET ${makeSafe(url)} through a shared cache with the keys of nginx, client after client`,
    '',
    'It honours Vary: each list of codings has its own entry. Blanks do not count; case and order do',
    ...heeded.map(row),
    '',
    'It ignores Vary: the first answer is for everybody',
    ...ignored.map(row),
  ]
}
