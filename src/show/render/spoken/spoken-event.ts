import type { LabEvent } from '../../../protocol/events.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { checkDetail, checkSentences, count, member, type SpokenItem, sentence } from './spoken-item.js'

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
