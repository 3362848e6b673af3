import type { Outcome, Step, StepToken } from '../../../flows/step.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { maskValue } from '../../../protocol/safe-output/mask.js'
import { type DecodedJwt, decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { type ExplainedMember, type ExplainedToken, explainToken } from '../../../protocol/tokens/explain.js'
import { durationText, momentText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import { foreign, type Line, line, lineWidth, type Span, span } from '../text/spans.js'
import { bar, cutEnd, cutMiddle, pad, shorten, width, wrap } from '../text/text.js'

/** How a token is to be shown. `now` is in milliseconds since the epoch. */
interface TokenView {
  readonly columns: number
  readonly now: number
  readonly showSecrets: boolean
  /** Lines that can be seen at once: without room for all, empty ones go first, and the bar moves to the top. */
  readonly rows: number
  readonly signs: Signs
}

/** The meaning of a passed check of a claim, where it is short. */
const passed: Readonly<Record<string, string>> = {
  iss: 'this server',
  aud: 'this client',
  azp: 'this client',
  nonce: 'the value that was sent',
  at_hash: 'fits the access token',
  sub: 'the same resource owner',
}

/** The meaning of a passed check where the rule makes it a special one. */
const passedByRule: Readonly<Record<string, string>> = { 'RFC 8707 §2': 'the one asked for' }

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
    return check.ok
      ? good(passedByRule[check.rule] ?? passed[check.name] ?? detail)
      : bad(detail === '' ? 'not accepted' : detail)
  }
  return span(moment === undefined ? shortMeaning(member, signs) : age(moment, now), 'dim')
}

/** A meaning without the name it begins with: `issuer: the authorization server`. */
function shortMeaning({ meaning }: ExplainedMember, signs: Signs): string {
  return foreign(meaning.replace(/^[a-z ]+: (the )?/, ''), signs)
}

function headerLine(header: readonly ExplainedMember[], signs: Signs): Line {
  return header.flatMap(member => [
    span(`${foreign(member.name, signs)} `, 'name'),
    span(`${shorten(foreign(claimText(member), signs), signs.ellipsis)}   `),
  ])
}

/** Longer names of claims take their room from the value beside them. */
const SHORT_NAME = 5

/** Room that a verdict needs, as in `authorization server`. */
const VERDICT = 20

function claimLines(explained: ExplainedToken, checks: readonly Check[], view: TokenView): Line[] {
  const { columns, now, signs } = view
  const rows = explained.claims.map(member => {
    const dated = member.time !== undefined && explained.unit === 1
    return {
      dated,
      name: cutMiddle(`${member.inner ? '  ' : ''}${foreign(member.name, signs)}`, 12, signs.ellipsis),
      value: dated ? momentText(member.time ?? '', now) : foreign(claimText(member), signs),
      verdict: verdict(
        member,
        member.inner ? undefined : checks.find(({ name }) => name === member.name),
        view,
      ),
    }
  })
  const nameWidth = Math.min(SHORT_NAME, Math.max(0, ...rows.map(row => width(row.name))))
  const wanted = Math.max(0, ...rows.map(row => Math.max(nameWidth, width(row.name)) + width(row.value)))
  const room = Math.min(wanted, Math.max(12, columns - VERDICT - 4))
  return rows.map(row => {
    const name = pad(row.name, nameWidth)
    // Half a date says nothing.
    const value = Math.max(room - width(name), row.dated ? width(row.value) : 0)
    return [
      span(`${name}  `, 'name'),
      span(`${pad(cutMiddle(row.value, value, signs.ellipsis), value)}  `),
      row.verdict,
    ]
  })
}

/** How much of its life a token has left, as a bar of `columns`; undefined where its dates do not say. */
function lifeBar(explained: ExplainedToken, columns: number, { now, signs }: TokenView): Line | undefined {
  const find = (name: string) =>
    momentOf(explained.claims.find(member => member.name === name && !member.inner))
  const end = find('exp')
  const start = find('iat') ?? find('nbf')
  if (end === undefined || start === undefined || end <= start) return undefined
  const left = Math.max(0, Math.min(1, (end - now) / (end - start)))
  const room = columns - 5
  return [
    span(pad(bar(left, room, signs), room), left > 0 ? 'done' : 'plain'),
    span(`${Math.floor(left * 100)}%`.padStart(5)),
  ]
}

/** Columns of a bar, its number included. */
const LONGEST_BAR = 40
const SHORTEST_BAR = 16

/** How closely a token is set: with empty lines, without them, or with what counts down at the top as well. */
type Density = 'roomy' | 'tight' | 'scarce'

/** The claims and the bar: below them, beside `exp` where there is room, or above them where lines are scarce. */
function bodyLines(
  explained: ExplainedToken,
  checks: readonly Check[],
  view: TokenView,
  density: Density,
): Line[] {
  const claims = claimLines(explained, checks, view)
  const index = explained.claims.findIndex(({ name, inner }) => name === 'exp' && !inner)
  const exp = claims[index]
  const room = view.columns - (exp ? lineWidth(exp) : 0) - 3
  if (density !== 'roomy' && exp && room >= SHORTEST_BAR) {
    const beside = lifeBar(explained, Math.min(LONGEST_BAR, room), view)
    return claims.map((each, i) => (i === index && beside ? [...each, span('   '), ...beside] : each))
  }
  const bar = lifeBar(explained, Math.min(LONGEST_BAR, view.columns), view)
  if (bar === undefined) return claims
  return density === 'scarce' ? [bar, ...claims] : [...claims, ...gap(density), bar]
}

function gap(density: Density): Line[] {
  return density === 'roomy' ? [line('')] : []
}

/** The verification of the signature: one line, always near the top. */
function signatureLine({ checks }: StepToken, { columns, signs }: TokenView): Line {
  const found = checks.find(({ name }) => name === 'signature')
  if (found === undefined) return [span(`${signs.next} `, 'dim'), span('signature not verified yet')]
  const text = foreign(`signature ${found.detail ?? found.rule}`, signs)
  return [
    span(`${found.ok ? signs.done : signs.refused} `, found.ok ? 'done' : 'refused'),
    span(cutEnd(text, columns - 2, signs.ellipsis)),
  ]
}

/** Checks that are about the token as a whole and no single claim. */
function wholeLines({ checks, explained }: StepToken, { columns, signs }: TokenView): Line[] {
  const claims = new Set(explained?.claims.flatMap(({ name, inner }) => (inner ? [] : [name])))
  const whole = checks.filter(({ name }) => !claims.has(name) && name !== 'signature')
  return whole.flatMap(({ ok, name, detail, rule }) => {
    const text = `${name} ${detail === undefined ? rule : detail}`
    return hang(ok ? signs.done : signs.refused, ok ? 'done' : 'refused', text, columns, signs)
  })
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

function explainedLines(
  token: StepToken,
  explained: ExplainedToken,
  view: TokenView,
  density: Density,
): Line[] {
  const lint = explained.lint.flatMap(({ text, rule }) =>
    hang(view.signs.look, 'look', `${text} (${rule})`, view.columns, view.signs),
  )
  return [
    headerLine(explained.header, view.signs),
    signatureLine(token, view),
    ...gap(density),
    ...bodyLines(explained, token.checks, view, density),
    ...gap(density),
    ...lint,
    ...wholeLines(token, view),
    ...valueLines(token, view),
  ]
}

/** A token explained: header, signature, claims with verdicts, life, remarks, and the token itself, masked. */
export function tokenLines(token: StepToken, view: TokenView): Line[] {
  const { explained } = token
  if (explained === undefined) {
    const opaque = wrap('opaque: only the server that issued it can read it', view.columns)
    return [...opaque.map(text => line(text)), ...wholeLines(token, view), ...valueLines(token, view)]
  }
  for (const density of ['roomy', 'tight'] as const) {
    const lines = explainedLines(token, explained, view, density)
    if (lines.length <= view.rows) return lines
  }
  return explainedLines(token, explained, view, 'scarce')
}

/** True when the lines of a token change with the clock. */
export function tokenTicks({ explained }: StepToken): boolean {
  return explained?.claims.some(member => momentOf(member) !== undefined) ?? false
}

/** The content of a granted token, for one line. Members that an opaque token hides are absent. */
interface TokenSummary {
  readonly subject?: string
  /** Milliseconds since the epoch. */
  readonly expires?: number
}

function decoded(token: string | undefined): DecodedJwt | undefined {
  if (token === undefined) return undefined
  return decodeIfJwt(token)
}

/** Reads whose token it is, and until when; from the id_token where the access token is opaque. */
export function summarize(tokens: NonNullable<Outcome['tokens']>): TokenSummary {
  const access = decoded(tokens.access_token)
  const subject = access?.claims.sub ?? decoded(tokens.id_token)?.claims.sub
  const time = access && explainToken(access).claims.find(({ name }) => name === 'exp')?.time
  return {
    ...(typeof subject === 'string' && { subject }),
    ...(time !== undefined && { expires: Date.parse(time) }),
  }
}

/** The tokens of a step, the first one first. */
export const tokensOf = ({ token, tokens = [] }: Pick<Step, 'token' | 'tokens'>): readonly StepToken[] =>
  token ? [token, ...tokens] : tokens
