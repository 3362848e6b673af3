import type { Negotiated, OfferedCoding } from '../../../protocol/http/negotiation.js'
import { foreign, makeSafe } from '../../../protocol/safe-output/safe.js'
import type { OtherAnswer } from '../../../servers/compression/studies/other-servers.js'
import { type Signs, signsFor } from '../text/signs.js'
import { cutMiddle, pad } from '../text/text.js'

/** An Accept-Encoding value, read and negotiated. */
export interface ExplainedOffer extends Negotiated {
  readonly members: readonly OfferedCoding[]
  readonly others: readonly OtherAnswer[]
  /** The codings with a dictionary that the server has, and when it sends them (RFC 9842 §6). */
  readonly dictionaries: { readonly codings: readonly string[]; readonly why: string }
}

const NAME = 24

function memberLine({ sent, coding, q, ignored }: OfferedCoding, signs: Signs): string {
  const name = pad(cutMiddle(foreign(sent, signs), NAME, signs.ellipsis), NAME)
  if (ignored !== undefined) return `  ${name}  ignored: ${ignored}`
  const meaning =
    q === 0
      ? 'refused'
      : coding === '*'
        ? 'every coding that is not listed'
        : coding === 'identity'
          ? 'no coding'
          : ''
  return `  ${name}  q ${q}  ${meaning}`.trimEnd()
}

/** The members, the winner with its rule, and the answers of other servers. */
export function explainLines(
  { members, coding, why, rule, others, dictionaries }: ExplainedOffer,
  drawing: { readonly ascii: boolean },
): string[] {
  const signs = signsFor(drawing)
  return [
    ...(members.length === 0 ? ['  an empty list'] : members.map(each => memberLine(each, signs))),
    '',
    `${pad('oauth-lab sends', 21)}  ${pad(coding, 8)}  ${why} (RFC 9110 §${rule})`,
    ...others.map(each =>
      `${pad(each.server, 21)}  ${pad(each.coding, 8)}  ${makeSafe(each.note ?? '')}`.trimEnd(),
    ),
    '',
    `${pad('with a dictionary', 21)}  ${pad(dictionaries.codings.join(' ') || 'none', 8)}  ${dictionaries.why} (RFC 9842 §6)`,
  ]
}
