import type { CaseHop, CaseSetting } from '../../../servers/compression/studies/cases.js'
import { bytesText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, span } from '../text/spans.js'
import { bar, cutEnd, pad } from '../text/text.js'
import { type CaseResult, hopNames } from './case.js'

/** Options of the drawing of cases. */
export interface CaseDrawing {
  readonly columns: number
  /** Bytes of a full bar: the most of all cases, so that they have one scale. */
  readonly scale: number
  readonly signs: Signs
}

/** Columns before a bar: margin, hop, coding, bytes. */
const MARGIN = 5
const HOP = 17
const CODING = 9
const BYTES = 11
/** Column of the offer on the line of the title. */
const OFFER = 52

const offerText = (offer: string | null): string =>
  offer === null ? 'nothing' : offer === '' ? '(empty)' : offer

/** Below this many columns a bar is followed by short texts only. */
const NARROW = 70

/** A remark behind the bar of the last hop. */
function remark(result: CaseResult, { columns, signs }: CaseDrawing): Line {
  if (result.state !== 'measured' || result.measured.asked === 'asked') return []
  const { asked } = result.measured
  const long = asked === 'refused' ? 'refused by the client' : 'not asked for'
  const text = columns >= NARROW ? long : asked === 'refused' ? 'refused' : 'unasked'
  return [span(`  ${signs.look} ${text}`, 'look')]
}

function hopName({ from, to }: Pick<CaseHop, 'from' | 'to'>, signs: Signs): string {
  return pad(`${from} ${signs.to} ${to}`, HOP)
}

/** A hop with its bar. `start` is as wide as the margin. */
function hopLine(start: Line, hop: CaseHop, behind: Line, { columns, scale, signs }: CaseDrawing): Line {
  const raw = hop.coding === 'identity'
  const room = columns - MARGIN - HOP - CODING - BYTES - 3
  return [
    ...start,
    span(hopName(hop, signs), 'dim'),
    span(pad(cutEnd(foreign(hop.coding, signs), CODING - 1, signs.ellipsis), CODING), raw ? 'plain' : 'name'),
    span(`${pad(bytesText(hop.wireBytes), BYTES, 'right')}  `),
    span(bar(scale === 0 ? 0 : hop.wireBytes / scale, room, signs), raw ? 'plain' : 'done'),
    ...behind,
  ]
}

/** The hops of a case. Each line begins with its `start`, which is as wide as the margin. */
function hopLines(
  setting: CaseSetting,
  result: CaseResult,
  starts: (i: number) => Line,
  drawing: CaseDrawing,
): Line[] {
  const { signs } = drawing
  const hops = result.state === 'measured' ? result.measured.hops : []
  return hopNames(setting).map((ends, i): Line => {
    const hop = hops.find(({ from, to }) => from === ends.from && to === ends.to)
    if (hop !== undefined)
      return hopLine(starts(i), hop, hop.to === 'client' ? remark(result, drawing) : [], drawing)
    const waits = result.state === 'measuring'
    const text = waits ? `measuring${signs.ellipsis}` : `${signs.refused} no answer`
    return [...starts(i), span(hopName(ends, signs), 'dim'), span(text, waits ? 'dim' : 'refused')]
  })
}

function pointer(selected: boolean, signs: Signs): Line {
  return [span(selected ? `${signs.arrowRight} ` : '  ', 'now')]
}

/** A case as a title and a line for each hop. */
export function caseLines(
  setting: CaseSetting,
  result: CaseResult,
  selected: boolean,
  drawing: CaseDrawing,
): Line[] {
  const { signs, columns } = drawing
  const { name, title, offer } = setting
  const status =
    result.state === 'measured' && result.measured.status !== 200 ? result.measured.status : undefined
  const place = Math.min(OFFER, columns - 26)
  const shown = cutEnd(`${name}  ${foreign(title, signs)}`, place - 4, signs.ellipsis)
  const heading: Line = [
    ...pointer(selected, signs),
    span(pad(shown, place - 2), selected ? 'strong' : 'plain'),
    span(`offer ${foreign(offerText(offer), signs)}`),
    ...(status === undefined ? [] : [span(`  ${signs.look} ${status}`, 'look')]),
  ]
  return [heading, ...hopLines(setting, result, () => [span(' '.repeat(MARGIN))], drawing)]
}

/** A case in few lines: its hops alone, its letter before the first. */
export function shortCaseLines(
  setting: CaseSetting,
  result: CaseResult,
  selected: boolean,
  drawing: CaseDrawing,
): Line[] {
  const first: Line = [
    ...pointer(selected, drawing.signs),
    span(pad(setting.name, MARGIN - 2), selected ? 'strong' : 'plain'),
  ]
  return hopLines(setting, result, i => (i === 0 ? first : [span(' '.repeat(MARGIN))]), drawing)
}
