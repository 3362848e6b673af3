import type { Check } from '../../../protocol/oauth/check.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { foreign } from '../../../protocol/safe-output/safe.js'
import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import type { ExplainedMember, ExplainedToken, Lint } from '../../../protocol/tokens/explain.js'
import type { SdJwt } from '../../../protocol/tokens/sd-jwt.js'
import type { JsonObject } from '../../../protocol/values.js'
import { durationText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import { type Room, tableLines } from '../text/text.js'

/** The disclosures of an SD-JWT, and the number of others. */
type Disclosed = Pick<SdJwt, 'disclosures' | 'keptBack'>

/** A token as the jwt commands show it. */
interface ShownJwt {
  readonly explained: ExplainedToken
  /** Remarks, those that depend on the moment included. */
  readonly lint: readonly Lint[]
  /** The verified claims and signature; absent when nothing was verified. */
  readonly checks?: readonly Check[]
  /** The disclosures of an SD-JWT. */
  readonly disclosed?: Disclosed
  /** The unchecked parts, and how to have them checked. */
  readonly notes?: readonly string[]
}

/** How it is written. */
export interface JwtText extends Room {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly signs: Signs
}

/** Longer names and values do not move the column behind them. */
const WIDEST = 44

const table = (rows: ReadonlyArray<readonly string[]>, text: JwtText): string[] =>
  tableLines(rows, { ...text, widest: WIDEST })

function valueText({ value }: ExplainedMember): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A date for people: `2026-11-21 15:03:11Z, in 59 min 56 s`. */
function dateText(iso: string, now: number): string {
  const moment = Date.parse(iso)
  const relative = moment <= now ? `${durationText(now - moment)} ago` : `in ${durationText(moment - now)}`
  return `${iso.replace('T', ' ').replace(/\.000Z$/, 'Z')}, ${relative}`
}

function memberRow(member: ExplainedMember, { now, signs }: JwtText): string[] {
  const date = member.time === undefined ? '' : dateText(member.time, now)
  const meaning = [member.meaning, date].filter(text => text !== '').join(': ')
  return [
    `  ${member.inner ? '  ' : ''}${foreign(member.name, signs)}`,
    foreign(valueText(member), signs),
    foreign(meaning, signs),
  ]
}

/** Members under a title: name, value, meaning. */
export function section(title: string, members: readonly ExplainedMember[], text: JwtText): string[] {
  return [
    title,
    ...table(
      members.map(member => memberRow(member, text)),
      text,
    ),
  ]
}

/** Checks under a title: result and name, detail, rule. A failed check that refuses nothing has a sign of its own. */
export function checkSection(title: string, checks: readonly Check[], text: JwtText): string[] {
  const { signs } = text
  const rows = checks.map(({ name, ok, rule, detail = '', advice }) => [
    `  ${ok ? signs.done : advice ? signs.look : signs.refused} ${foreign(name, signs)}`,
    foreign(detail, signs),
    foreign(rule, signs),
  ])
  return [title, ...table(rows, text)]
}

/** Remarks with their rules. */
export function remarkSection(lint: readonly Lint[], text: JwtText): string[] {
  const { signs } = text
  const rows = lint.map(each => [`  ${signs.look} ${foreign(each.text, signs)}`, foreign(each.rule, signs)])
  return ['Remarks', ...table(rows, text)]
}

/** The disclosures of an SD-JWT, and what was kept back (RFC 9901 §4.2). */
function disclosedLines({ disclosures, keptBack }: Disclosed, text: JwtText): string[] {
  const safe = (words: string) => foreign(words, text.signs)
  const rows = disclosures.map(({ place = 'nowhere', value, salt }) => [
    `  ${safe(place)}`,
    safe(JSON.stringify(value)),
    safe(`salt ${salt}`),
  ])
  const kept = keptBack === 0 ? [] : [`  ${keptBack} kept back, or decoys: digests without a disclosure`]
  return ['Disclosures', ...table(rows, text), ...kept]
}

/** Header, claims with meanings and dates, checks, remarks. Text from outside is made safe. */
export function jwtLines(
  { explained, lint, checks, disclosed, notes = [] }: ShownJwt,
  text: JwtText,
): string[] {
  const { signs } = text
  const safe = (words: string) => foreign(words, signs)
  const lines = [
    ...section('Header', explained.header, text),
    '',
    ...section('Claims', explained.claims, text),
  ]
  if (disclosed !== undefined) lines.push('', ...disclosedLines(disclosed, text))
  if (checks !== undefined) lines.push('', ...checkSection('Checks', checks, text))
  if (lint.length > 0) lines.push('', ...remarkSection(lint, text))
  if (notes.length > 0) lines.push('', ...notes.map(safe))
  return lines
}

/** The header of an encrypted token, and notes. Text from outside is made safe. */
export function jweLines(
  header: readonly ExplainedMember[],
  notes: readonly string[],
  text: JwtText,
): string[] {
  return [...section('Header', header, text), '', ...notes.map(note => foreign(note, text.signs))]
}

/** The results of the jwt commands. */
interface JwtFindings {
  /** `not_verified`: the signature was not verified. */
  readonly verdict: 'accepted' | 'refused' | 'not_verified'
  readonly token: DecodedJwt
  readonly explained: ExplainedToken
  readonly lint: readonly Lint[]
  readonly checks?: readonly Check[]
  /** Absent for a token that is no SD-JWT. */
  readonly sdJwt?: SdJwt
}

/** The findings as one line of JSON: header and claims as they are, dates beside them. */
export function jwtJson({ verdict, token, explained, lint, checks, sdJwt }: JwtFindings): string {
  const dates = explained.claims.flatMap(({ name, time }) => (time === undefined ? [] : [[name, time]]))
  const { header, claims } = token
  const disclosed = sdJwt && {
    disclosures: sdJwt.disclosures,
    kept_back: sdJwt.keptBack,
    key_binding: sdJwt.keyBinding && {
      header: sdJwt.keyBinding.jwt.header,
      claims: sdJwt.keyBinding.jwt.claims,
    },
  }
  return jsonLine({ verdict, header, claims, dates: Object.fromEntries(dates), lint, checks, ...disclosed })
}

/** The header of an encrypted token as one line of JSON; `encrypted` says why there are no claims. */
export function jweJson(header: JsonObject): string {
  return jsonLine({ verdict: 'not_verified', encrypted: true, header })
}
