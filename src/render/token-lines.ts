import type { StepToken } from '../flows/step.js'
import type { Check } from '../oauth/check.js'
import type { ExplainedMember, ExplainedToken } from '../tokens/explain.js'
import { maskValue } from './mask.js'
import { durationText, momentText } from './numbers.js'
import type { Signs } from './signs.js'
import type { Line, Span } from './spans.js'
import { foreign, line, span } from './spans.js'
import { bar, cutMiddle, pad, shorten, width, wrap } from './text.js'

/** How a token is to be shown. `now` is in milliseconds since the epoch. */
export interface TokenView {
  readonly columns: number
  readonly now: number
  readonly showSecrets: boolean
  readonly signs: Signs
}

/** What a passed check of a claim means, where few words say it. */
const passed: Readonly<Record<string, string>> = {
  iss: 'this server',
  aud: 'this client',
  azp: 'this client',
  nonce: 'the value that was sent',
  at_hash: 'fits the access token',
  sub: 'the same resource owner',
}

/** The moment a date claim names, in milliseconds; undefined for a claim that is no date. */
function momentOf(member: ExplainedMember | undefined): number | undefined {
  return member?.time === undefined ? undefined : Date.parse(member.time)
}

function claimText({ value }: ExplainedMember): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

function age(moment: number, now: number): string {
  return moment <= now ? `${durationText(now - moment)} ago` : `in ${durationText(moment - now)}`
}

/** The verdict on a claim: of the clock, of the client's check, or else its meaning. */
function verdict(member: ExplainedMember, check: Check | undefined, { now, signs }: TokenView): Span {
  const good = (text: string) => span(`${signs.done} ${text}`, 'done')
  const bad = (text: string) => span(`${signs.refused} ${text}`, 'refused')
  const moment = momentOf(member)
  if (moment !== undefined && member.name === 'exp') {
    return now < moment ? good(`${durationText(moment - now)} left`) : bad(`expired ${age(moment, now)}`)
  }
  if (moment !== undefined && member.name === 'nbf') {
    return moment <= now ? good(age(moment, now)) : bad(`valid ${age(moment, now)}`)
  }
  if (check !== undefined && moment === undefined) {
    const detail = foreign(check.detail ?? '', signs)
    return check.ok ? good(passed[check.name] ?? detail) : bad(detail === '' ? 'not accepted' : detail)
  }
  return span(moment === undefined ? foreign(member.meaning, signs) : age(moment, now), 'dim')
}

function headerLine(header: readonly ExplainedMember[], signs: Signs): Line {
  return header.flatMap(member => [
    span(`${foreign(member.name, signs)} `, 'name'),
    span(`${shorten(foreign(claimText(member), signs), signs.ellipsis)}   `),
  ])
}

function claimLines(explained: ExplainedToken, checks: readonly Check[], view: TokenView): Line[] {
  const { columns, now, signs } = view
  const rows = explained.claims.map(member => {
    const dated = member.time !== undefined && explained.unit === 1
    return {
      name: cutMiddle(foreign(member.name, signs), 12, signs.ellipsis),
      value: dated ? momentText(member.time ?? '', now) : foreign(claimText(member), signs),
      verdict: verdict(
        member,
        checks.find(({ name }) => name === member.name),
        view,
      ),
    }
  })
  const nameWidth = Math.max(0, ...rows.map(row => width(row.name)))
  const wanted = Math.max(0, ...rows.map(row => width(row.value)))
  const valueWidth = Math.max(8, Math.min(wanted, Math.floor((columns - nameWidth - 4) * 0.45)))
  return rows.map(row => [
    span(`${pad(row.name, nameWidth)}  `, 'name'),
    span(`${pad(cutMiddle(row.value, valueWidth, signs.ellipsis), valueWidth)}  `),
    row.verdict,
  ])
}

/** How much of its life a token has left, as a bar; undefined where its dates do not say. */
function lifeLine(explained: ExplainedToken, { columns, now, signs }: TokenView): Line | undefined {
  const find = (name: string) => momentOf(explained.claims.find(member => member.name === name))
  const end = find('exp')
  const start = find('iat') ?? find('nbf')
  if (end === undefined || start === undefined || end <= start) return undefined
  const left = Math.max(0, Math.min(1, (end - now) / (end - start)))
  const room = Math.min(36, columns - 6)
  return [
    span(pad(bar(left, room, signs), room), left > 0 ? 'done' : 'plain'),
    span(`${Math.round(left * 100)}%`.padStart(6)),
  ]
}

/** Checks that are about the token as a whole and no single claim. */
function wholeLines(token: StepToken, { columns, signs }: TokenView): Line[] {
  const claims = new Set(token.explained?.claims.map(({ name }) => name))
  const whole = token.checks.filter(({ name }) => !claims.has(name))
  const lines = whole.flatMap(({ ok, name, detail, rule }) => {
    const text = `${name} ${detail === undefined ? rule : detail}`
    return hang(ok ? signs.done : signs.refused, ok ? 'done' : 'refused', text, columns, signs)
  })
  const verified = whole.some(({ name }) => name === 'signature')
  if (verified || token.explained === undefined) return lines
  return [...hang(signs.next, 'dim', 'signature not verified yet', columns, signs), ...lines]
}

/** A sign with a text that goes on below itself, not below the sign. */
function hang(sign: string, tone: Span['tone'], text: string, columns: number, signs: Signs): Line[] {
  return wrap(foreign(text, signs), columns - 2).map((part, i) =>
    i === 0 ? [span(`${sign} `, tone), span(part)] : [span(`  ${part}`)],
  )
}

function valueLines({ value }: StepToken, { columns, showSecrets, signs }: TokenView): Line[] {
  const safe = foreign(showSecrets ? value : maskValue(value), signs)
  return wrap(safe, columns).map(text => line(text, 'dim'))
}

/** A token explained: header, claims with verdicts, life, signature, remarks, and the token itself, masked. */
export function tokenLines(token: StepToken, view: TokenView): Line[] {
  const { explained } = token
  if (explained === undefined) {
    const opaque = 'opaque: only the server that issued it can read it'
    return [
      ...wrap(opaque, view.columns).map(text => line(text)),
      ...wholeLines(token, view),
      ...valueLines(token, view),
    ]
  }
  const life = lifeLine(explained, view)
  const lint = explained.lint.flatMap(({ text, rule }) =>
    hang(view.signs.look, 'look', `${text} (${rule})`, view.columns, view.signs),
  )
  return [
    headerLine(explained.header, view.signs),
    line(''),
    ...claimLines(explained, token.checks, view),
    ...(life ? [line(''), life] : []),
    line(''),
    ...lint,
    ...wholeLines(token, view),
    ...valueLines(token, view),
  ]
}

/** Whether the lines of a token change with the clock. */
export function tokenTicks({ explained }: StepToken): boolean {
  return explained?.claims.some(member => momentOf(member) !== undefined) ?? false
}
