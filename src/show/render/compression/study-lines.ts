import type { LabEvent } from '../../../protocol/events.js'
import type { Negotiated, OfferedCoding } from '../../../protocol/http/negotiation.js'
import { foreign, makeSafe } from '../../../protocol/safe-output/safe.js'
import type { LintCheck, MendedServer } from '../../../servers/compression/lint/requests.js'
import type { BreachStudy, WeighedGuesses } from '../../../servers/compression/studies/breach.js'
import type { Budgeted } from '../../../servers/compression/studies/budget.js'
import type {
  GridCell,
  GridRow,
  ProgramAnswer,
  ProgramAnswers,
} from '../../../servers/compression/studies/offers.js'
import type { OtherAnswer } from '../../../servers/compression/studies/other-servers.js'
import type { CacheStudy, CacheVisit } from '../../../servers/compression/studies/shared-cache.js'
import { bytesText } from '../text/numbers.js'
import { type Signs, signsFor } from '../text/signs.js'
import { bar, cutMiddle, pad, shorten, width, wrap } from '../text/text.js'
import type { Drawing } from './get-lines.js'

/** An Accept-Encoding value, read and negotiated. */
interface ExplainedOffer extends Negotiated {
  readonly members: readonly OfferedCoding[]
  readonly others: readonly OtherAnswer[]
  /** The codings with a dictionary that the server has, and when it sends them (RFC 9842 §6). */
  readonly dictionaries: { readonly codings: readonly string[]; readonly why: string }
}

const SENT = 24

function memberLine({ sent, coding, q, ignored }: OfferedCoding, signs: Signs): string {
  const name = pad(cutMiddle(foreign(sent, signs), SENT, signs.ellipsis), SENT)
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
  drawing: Drawing,
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

const BUDGET_BAR = 30

/** The guesses as bars, the right one first, and what an observer learns from their lengths. */
export function breachLines({ url, coding, fixed, masked }: BreachStudy, drawing: Drawing): string[] {
  const signs = signsFor(drawing)
  const largest = Math.max(...[...fixed.guesses, ...masked.guesses].map(({ bytes }) => bytes))
  const least = Math.min(...[...fixed.guesses, ...masked.guesses].map(({ bytes }) => bytes)) - 10
  const rows = ({ guesses }: WeighedGuesses) =>
    guesses.map(({ guess, right, bytes }) =>
      [
        `  ${pad(right ? 'the value' : 'wrong', 10)}${pad(shorten(makeSafe(guess), signs.ellipsis), 11)}`,
        `${pad(bytesText(bytes), 9, 'right')}  ${bar((bytes - least) / (largest - least), BUDGET_BAR, drawing)}`,
      ].join(''),
    )
  const verdict = ({ gap, givesAway }: WeighedGuesses) =>
    givesAway
      ? `  ${signs.refused} the right guess is ${gap} bytes shorter than any other: its length reveals it`
      : `  ${signs.done} the right guess does not stand out`
  return [
    `The login page of ${makeSafe(new URL(url).origin)} in ${coding}, with a guess of its csrf`,
    'value echoed in it, as by a page that repeats a parameter. The lab’s own does not.',
    `(bars begin at ${bytesText(least)})`,
    '',
    'If the csrf value stayed the same on every page',
    ...rows(fixed),
    verdict(fixed),
    '',
    masked.givesAway
      ? 'As this lab makes it: on each page of a browser without a mask'
      : 'As the lab makes it, masked again each time (the value is that of another page)',
    ...rows(masked),
    verdict(masked),
  ]
}

const BREACH_BAR = 10

const time = (us: number): string =>
  us < 1000
    ? `${us} µs`
    : us < 1_000_000
      ? `${(us / 1000).toFixed(1)} ms`
      : `${(us / 1_000_000).toFixed(1)} s`

/** One line a codec: bytes, share of the raw body, time. The first result is the raw body. */
export function budgetLines(results: readonly Budgeted[], drawing: Drawing): string[] {
  const raw = results[0]?.bytes ?? 0
  const largest = Math.max(1, ...results.map(({ bytes }) => bytes))
  return [
    `${pad('codec', 16)}${pad('bytes', 14, 'right')}${pad('of raw', 9, 'right')}${pad('time', 10, 'right')}`,
    ...results.map(({ name, note, bytes, us }, i) => {
      const part = raw === 0 ? '' : `${((bytes / raw) * 100).toFixed(1)} %`
      const size = `${pad(name, 16)}${pad(bytesText(bytes), 14, 'right')}${pad(part, 9, 'right')}`
      const drawn = pad(bar(bytes / largest, BREACH_BAR, drawing), BREACH_BAR)
      return `${size}${pad(i === 0 ? '' : time(us), 10, 'right')}  ${drawn}  ${note ?? ''}`.trimEnd()
    }),
  ]
}

/** The same clients at a cache that honours Vary and at one that does not. */
export function cacheLines({ url, heeded, ignored }: CacheStudy, drawing: Drawing): string[] {
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

const NAME = 27
const OFFER = 28
const GATEWAY_BAR = 8

/** The gateway's request and its answer, then the same for other programs, on one scale. */
export function gatewayLines({ url, gateway, others }: ProgramAnswers, drawing: Drawing): string[] {
  const largest = Math.max(1, ...[gateway, ...others].map(each => each.totalBytes))
  const row = (each: ProgramAnswer) =>
    [
      pad(each.name, NAME),
      pad(cutMiddle(offerText(each.offer), OFFER - 1, signsFor(drawing).ellipsis), OFFER),
      pad(each.status === 200 ? makeSafe(each.contentEncoding ?? 'raw') : String(each.status), 5),
      pad(bytesText(each.totalBytes), 10, 'right'),
      `  ${bar(each.totalBytes / largest, GATEWAY_BAR, drawing)}`,
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

const COLUMNS = 80

/** The names of servers in the field Server. */
const SERVERS: readonly (readonly [RegExp, MendedServer])[] = [
  [/nginx|openresty/i, 'nginx'],
  [/apache/i, 'Apache'],
  [/caddy/i, 'Caddy'],
]

/** The directives for the server that sent the answers. All of them for a server that does not name itself. */
function mendLines({ mend = {} }: LintCheck, server: string | undefined): string[] {
  const own = SERVERS.find(([pattern]) => server !== undefined && pattern.test(server))?.[1]
  return Object.entries(mend)
    .filter(([name]) => own === undefined || mend[own] === undefined || name === own)
    .map(([name, directive]) => `${name}: ${directive}`)
}

/** The checks, one by one, with the directives that mend a fault, and a verdict. */
export function lintLines(
  url: string,
  { server, checks }: { readonly server?: string | undefined; readonly checks: readonly LintCheck[] },
  drawing: Drawing,
): string[] {
  const signs = signsFor(drawing)
  const names = Math.max(...checks.map(({ name }) => width(name)))
  const sign = ({ ok, advice }: LintCheck) => (ok ? signs.done : advice ? signs.look : signs.refused)
  const faults = checks.filter(({ ok, advice }) => !ok && !advice).length
  const advised = checks.filter(({ ok, advice }) => !ok && advice).length
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  const indent = ' '.repeat(names + 4)
  const lines = (each: LintCheck) => {
    const [first = '', ...more] = wrap(
      foreign(`${each.detail ?? ''} (${each.rule})`, signs),
      COLUMNS - names - 4,
    )
    return [
      `${sign(each)} ${pad(each.name, names)}  ${first}`,
      ...more.map(line => indent + line),
      ...mendLines(each, server).flatMap(mend =>
        wrap(foreign(mend, signs), COLUMNS - names - 6).map(
          (line, i) => `${indent}${i === 0 ? '' : '  '}${line}`,
        ),
      ),
    ]
  }
  return [
    foreign(url, signs),
    ...checks.flatMap(lines),
    '',
    `${faults === 0 ? signs.done : signs.refused} ${count(faults, 'fault')}, ${count(advised, 'remark')}`,
  ]
}

interface Leg {
  readonly acceptEncoding?: unknown
  readonly coding?: unknown
  readonly wireBytes?: unknown
}

const offer = ({ acceptEncoding }: Leg): string =>
  typeof acceptEncoding === 'string' ? acceptEncoding || '(empty)' : '(nothing)'
const received = ({ coding, wireBytes }: Leg): string => `${String(coding)} ${String(wireBytes)} B`

/** One exchange through the proxy on one line: both legs, and the proxy's treatment. */
export function proxiedLine(event: LabEvent): string {
  const client = (event.client ?? {}) as Leg
  const upstream = event.upstream as Leg | undefined
  const legs =
    upstream === undefined
      ? received(client)
      : `asks ${offer(upstream)}, gets ${received(upstream)}; passes ${received(client)}`
  return makeSafe(
    `${pad(String(event.method), 5)}${String(event.path)}  ${String(event.status)}  offered ${offer(client)}; ${legs}  (${String(event.did)}: ${String(event.why)})`,
  )
}

/** A switch of the mode. */
export function modeLine(event: LabEvent): string {
  return makeSafe(`mode ${String(event.mode)}: ${String(event.meaning)}`)
}

const OFFERED = 22
const CELL = 16

/** The text of an offer in a table. */
function offerText(offer: string | null): string {
  if (offer === null) return '(none)'
  return offer === '' ? '(empty)' : makeSafe(offer)
}

function cellText({ status, contentEncoding, bytes, broken }: GridCell, look: string): string {
  const coding = status === 200 ? makeSafe(contentEncoding ?? 'raw') : String(status)
  const size = bytesText(bytes.coded)
  return `${pad(coding, 5)}${pad(size, CELL - 7 - Math.max(0, width(coding) - 5), 'right')} ${broken ? look : ' '}`
}

/** A table with a row for each offer and a column for each address: coding and body bytes. Broken rules follow below the table. */
export function tableLines(rows: readonly GridRow[], drawing: Drawing): string[] {
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
    `${pad('Accept-Encoding', OFFERED)}${heads.join('  ')}`,
    ...rows.map(({ offer, cells }) =>
      `${pad(cutMiddle(offerText(offer), OFFERED - 2, signs.ellipsis), OFFERED)}${cells.map(cell => cellText(cell, signs.look)).join('')}`.trimEnd(),
    ),
    ...(broken.length === 0 ? [] : ['', ...broken]),
  ]
}
