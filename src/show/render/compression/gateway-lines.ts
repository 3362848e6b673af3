import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { ProgramAnswer, ProgramAnswers } from '../../../servers/compression/studies/offers.js'
import { bytesText } from '../text/numbers.js'
import { signsFor } from '../text/signs.js'
import { bar, cutMiddle, pad } from '../text/text.js'
import { offerText } from './table-lines.js'

const NAME = 27
const OFFER = 28
const BAR = 8

/** The gateway's request and its answer, then the same for other programs, on one scale. */
export function gatewayLines(
  { url, gateway, others }: ProgramAnswers,
  drawing: { readonly ascii: boolean },
): string[] {
  const largest = Math.max(1, ...[gateway, ...others].map(each => each.totalBytes))
  const row = (each: ProgramAnswer) =>
    [
      pad(each.name, NAME),
      pad(cutMiddle(offerText(each.offer), OFFER - 1, signsFor(drawing).ellipsis), OFFER),
      pad(each.status === 200 ? makeSafe(each.contentEncoding ?? 'raw') : String(each.status), 5),
      pad(bytesText(each.totalBytes), 10, 'right'),
      `  ${bar(each.totalBytes / largest, BAR, drawing)}`,
    ].join('')
  const { contentEncoding, bytes, decodes } = gateway
  const of = (decoded: number | undefined) =>
    decoded === undefined ? '' : ` for a body of ${bytesText(decoded)}`
  return [
    `A graph gateway asks the services behind it with  Accept-Encoding: ${gateway.offer}`,
    contentEncoding === null
      ? `and gets the body raw from here, ${bytesText(bytes.coded)}.`
      : `and gets ${makeSafe(contentEncoding)} from here: ${bytesText(bytes.coded)}${of(bytes.decoded)}${decodes ? ', and decodes it' : ''}.`,
    '',
    `GET ${makeSafe(url)}, all bytes of the answer`,
    ...[gateway, ...others].map(row),
  ]
}
