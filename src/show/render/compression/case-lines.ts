import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { CaseHop, CaseSetting, MeasuredCase } from '../../../servers/compression/studies/cases.js'
import { count, type SpokenItem, sentence } from '../spoken/spoken-item.js'
import { bytesText } from '../text/numbers.js'
import { type Signs, signsFor } from '../text/signs.js'
import { foreign, type Line, plainText, span } from '../text/spans.js'
import { bar, cutEnd, pad, wrap } from '../text/text.js'

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

/** The state of a case. */
export type CaseResult =
  | { readonly state: 'measuring' }
  | { readonly state: 'measured'; readonly measured: MeasuredCase }
  | { readonly state: 'failed'; readonly message: string }

/** A key of the request that a case sends: cases with equal keys have equal results. */
export function caseKey({ mode, offer }: CaseSetting, path: string): string {
  return JSON.stringify([path, mode, offer])
}

/** The hops that a case will have. */
export function hopNames({ mode }: CaseSetting): ReadonlyArray<Pick<CaseHop, 'from' | 'to'>> {
  return mode === null
    ? [{ from: 'server', to: 'client' }]
    : [
        { from: 'server', to: 'proxy' },
        { from: 'proxy', to: 'client' },
      ]
}

/** Columns of a report outside a terminal, and the fewest columns of any report. */
const COLUMNS = 100
const FEWEST = 60

/** The results as lines of text: every case with its bars on one scale, and its reasons below. */
export function caseReport(
  path: string,
  results: ReadonlyArray<readonly [setting: CaseSetting, result: CaseResult]>,
  options: { readonly ascii: boolean; readonly columns?: number },
): string[] {
  const columns = Math.max(FEWEST, options.columns ?? COLUMNS)
  const signs = signsFor(options)
  const measured = results.flatMap(([, result]) => (result.state === 'measured' ? [result.measured] : []))
  const scale = Math.max(0, ...measured.flatMap(({ hops }) => hops.map(({ wireBytes }) => wireBytes)))
  const indented = (text: string): string[] =>
    wrap(makeSafe(text), columns - MARGIN).map(part => ' '.repeat(MARGIN) + part)
  return [
    `GET ${makeSafe(path)}`,
    ...results.flatMap(([setting, result]) => [
      '',
      ...caseLines(setting, result, false, { columns, scale, signs }).map(each => plainText(each).trimEnd()),
      ...(result.state === 'measured' ? result.measured.why.flatMap(indented) : []),
      ...(result.state === 'failed' ? indented(result.message) : []),
    ]),
  ]
}

/** Default address of `compress proxy`. */
const PROXY = 'https://localhost:8447'

/** Command lines that repeat a case. They need a running lab that compresses. */
export function caseCommands({ mode, offer }: CaseSetting, path: string, server: string): string[] {
  const header = offer === null ? '' : ` -H ${shellWord(`Accept-Encoding: ${offer}`)}`
  const ask = (base: string): string =>
    `curl -s --cacert "$(oauth-lab ca path)"${header} ${shellWord(base + path)} | wc -c`
  return mode === null
    ? [ask(server)]
    : [`oauth-lab compress proxy --mode ${mode}    # in a terminal of its own`, ask(PROXY)]
}

const offered = (offer: string | null): string =>
  offer === null
    ? 'The client offers no coding'
    : offer === ''
      ? 'The offer is empty'
      : `The client offers ${offer}`

/** A measured case as sentences: its offer, and the coding and bytes of each hop. */
export function spokenCase(measured: MeasuredCase, server: string): SpokenItem {
  const { name, title, offer, path, status, hops, bodyBytes, headBytes, asked, why } = measured
  const travelled = hops.map(({ from, to, coding, wireBytes }) =>
    sentence(`From ${from} to ${to}: ${coding}, ${count(wireBytes, 'byte')}`),
  )
  const remark =
    asked === 'asked'
      ? []
      : [asked === 'refused' ? 'The client refused this coding.' : 'The client did not ask for this coding.']
  const headers = hops.map(({ from, to, offer: sent, vary }) =>
    sentence(
      `From ${from} to ${to}: Accept-Encoding ${sent === null ? 'is not sent' : sent}, Vary ${vary === null ? 'is not sent' : vary}`,
    ),
  )
  return {
    say: [
      sentence(`Case ${name}, ${title}`),
      sentence(offered(offer)),
      `Answer ${status}.`,
      ...travelled,
      ...remark,
    ].join(' '),
    details: [
      sentence(`Path ${path}`),
      `${count(bodyBytes, 'byte')} of body after decoding, ${count(headBytes, 'byte')} of headers and framing.`,
      ...headers,
      ...why.map(sentence),
      ...caseCommands(measured, path, server).map(command => sentence(`The same, typed: ${command}`)),
    ],
  }
}
