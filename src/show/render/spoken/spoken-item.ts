import type { LabEvent } from '../../../protocol/events.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { fieldMeaning } from '../steps/fields.js'
import type { ShownMove } from '../steps/outcome-lines.js'
import { cutMiddle } from '../text/text.js'

/** Something that is read aloud: its sentences, and its details, a sentence a line. */
export interface SpokenItem {
  readonly say: string
  readonly details: readonly string[]
}

/** Longest value that is read, in characters. */
const LONGEST = 60

/** Returns a text as a sentence with one full stop. Foreign text is made safe. */
export function sentence(text: string): string {
  const safe = makeSafe(text)
  return /[.!?…]$/.test(safe) ? safe : `${safe}.`
}

/** A member of a message as a sentence: its name, its value, its meaning. Nobody listens to a long value. */
export function member(name: string, value: string): string {
  const meaning = fieldMeaning(name)
  return sentence(`${name}: ${cutMiddle(value, LONGEST, '…')}${meaning === '' ? '' : `, ${meaning}`}`)
}

/** A number with its unit: `1 check`, `2 checks`. */
export const count = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US')} ${unit}${value === 1 ? '' : 's'}`

/** The checks as sentences: those that failed, or else the names of all that passed, without underscores. */
export function checkSentences(checks: readonly Check[]): string[] {
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length === 0) {
    const names = [...new Set(checks.map(({ name }) => name.replaceAll('_', ' ')))].join(', ')
    return checks.length === 0 ? [] : [sentence(`${count(checks.length, 'check')} passed: ${names}`)]
  }
  return failed.map(({ name, detail, rule, advice }) => {
    const what = advice ? `Check ${name}` : `Check ${name} failed`
    return `${sentence(`${what}${detail === undefined ? '' : `: ${detail}`}`)} ${sentence(`Rule: ${rule}`)}`
  })
}

/** A check as a sentence with its result and its rule. @param of the thing that is checked */
export function checkDetail({ name, ok, advice, rule, detail }: Check, of = ''): string {
  const result = ok ? 'passed' : advice ? 'is advice' : 'failed'
  return `${sentence(`Check ${name}${of} ${result}${detail === undefined ? '' : `: ${detail}`}`)} ${sentence(`Rule: ${rule}`)}`
}

/** Members that are in the first sentence, or say nothing to a listener. */
const said = new Set(['type', 'at', 'site', 'description', 'rule', 'checks'])

/** Members whose name is spoken with their value, in this order. */
const SPOKEN = [
  ['client_id', 'Client'],
  ['username', 'User'],
  ['sub', 'Subject'],
  ['grant_type', 'Grant'],
  ['scope', 'Scope'],
  ['issuer', 'Issuer'],
  ['resource', 'Resource'],
] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function checksOf({ checks }: LabEvent): readonly Check[] {
  const isCheck = (each: unknown): each is Check =>
    typeof each === 'object' && each !== null && 'name' in each && 'ok' in each && 'rule' in each
  return Array.isArray(checks) ? checks.filter(isCheck) : []
}

function answered({ method, path, status, ms }: LabEvent): string {
  const time = typeof ms === 'number' ? `, ${count(Math.round(ms), 'millisecond')}` : ''
  return sentence(`${method} ${path}, answer ${status}${time}`)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of an event with spaces: `token.refused` is "Token refused". */
function named(type: string): string {
  return sentence(capital(type.replaceAll(/[._]/g, ' ')))
}

/** The reason of a refusal or a failure; empty without one. The description of a handshake begins with its verb. */
function reasonOf({ type, error, description, hint, remoteAddress }: LabEvent): string {
  const reason = [error, description].filter(isText).join(': ')
  // The name of an error is spelt as it was sent.
  if (type !== 'handshake.failed') return isText(error) ? reason : capital(reason)
  return [`${remoteAddress ?? 'A client'} ${reason}`, hint].filter(isText).join('; ')
}

/** An event as sentences: what happened, to whom, and the rule of a refusal. */
export function spokenEvent(event: LabEvent): SpokenItem {
  const { type, request, description, rule, at } = event
  const answer = type === 'request.answered'
  const members = SPOKEN.flatMap(([name, title]) => {
    const value = event[name]
    return isText(value) && !answer ? [sentence(`${title} ${value}`)] : []
  })
  const reason = reasonOf(event)
  const sentences = [
    answer ? answered(event) : named(type),
    ...members,
    ...(reason === '' ? [] : [sentence(reason)]),
    ...(isText(rule) ? [sentence(`Rule: ${rule}`)] : []),
    ...checkSentences(checksOf(event)),
  ]
  const details = Object.entries(event).flatMap(([name, value]) =>
    said.has(name) || value === undefined ? [] : [member(name, written(value))],
  )
  return {
    say: [...(typeof request === 'number' ? [`Request ${request}.`] : []), ...sentences].join(' '),
    details: [
      `${named(type)} At ${at.slice(11, 19)} UTC.`,
      ...details,
      ...checksOf(event).map(each => checkDetail(each)),
      ...(isText(description) ? [sentence(description)] : []),
      ...(isText(rule) ? [sentence(`Rule: ${rule}`)] : []),
    ],
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Largest number of requests whose decisions are remembered. */
const MAX_REQUESTS = 200

/**
 * Returns a filter that leaves out the answer to a request whose decision was spoken before, because the decision says
 * more.
 */
export function withoutSpokenAnswers(): (event: LabEvent) => boolean {
  const decided = new Set<unknown>()
  return ({ type, request }) => {
    if (request === undefined) return true
    if (type === 'request.answered') return !decided.delete(request)
    decided.add(request)
    if (decided.size > MAX_REQUESTS) decided.delete(decided.values().next().value)
    return true
  }
}

/** A command that the menu offers. */
export interface MenuEntry {
  /** The heading it stands under. */
  readonly group: string
  /** The name in the list: the command line without `oauth-lab` and without most options. */
  readonly name: string
  /** The purpose, in one line. */
  readonly about: string
  /** The equal command line, as people type it. */
  readonly line: string
  /** Other command lines worth typing. */
  readonly more: readonly string[]
}

/** The menu as sentences: the commands with their numbers, below the names of their groups. */
export function spokenMenu(entries: readonly MenuEntry[]): string[] {
  const lines = entries.flatMap(({ group, name, about }, i) => [
    ...(group === entries[i - 1]?.group ? [] : [sentence(group)]),
    sentence(`${i + 1}. ${name}: ${about}`),
  ])
  return [`Menu. ${count(entries.length, 'command')}.`, ...lines]
}

/** The details of a command: its line, and further ones. */
export function menuDetails({ name, about, line, more }: MenuEntry): string[] {
  return [
    sentence(`${name}: ${about}`),
    sentence(`Command line: ${line}`),
    ...more.map(each => sentence(`Another: ${each.replace(/ {2,}/, ', ')}`)),
  ]
}

/** A wrong move as sentences. @param n number of the move, from 1 */
export function spokenMove(
  { name, does, expects, rule, risk, flows }: ShownMove,
  n: number,
  of: number,
): SpokenItem {
  return {
    say: [`Wrong move ${n} of ${of}.`, sentence(`${name}: ${does}`), sentence(`Expected: ${expects}`)].join(
      ' ',
    ),
    details: [
      sentence(`Rule: ${rule}`),
      sentence(`Where it is not refused: ${risk}`),
      sentence(`Possible in: ${flows}`),
    ],
  }
}
