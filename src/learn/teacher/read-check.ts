import type { KeptEvent } from '../../lab/state/event-file.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { alarms } from '../capstones/quiz.js'
import { judgeAnswers } from '../engine/hidden.js'
import {
  all,
  answered,
  answeredByEvent,
  inOrder,
  oneOf,
  probed,
  type Step,
  seen,
} from '../engine/vocabulary.js'
import { type Check, type Evidence, type Matcher, type Mistake, PROBE_NAMES } from '../model.js'
import { checkMembers, has, items, member, type Place, text, word } from './reader.js'

/** Bytes that a right guess saves; guesses of other letters differ by a few. */
const GAP = 10

/** Different characters: a run of one letter is short by itself. */
const VARIED = 12

const NO_GUESS =
  'No compressed page has repeated a guess yet: csrf value= and 43 characters in the parameter campaign.'
const ONE_GUESS = 'One guess is measured. Measure another one of the same length at the same page.'
const SAME_LENGTHS =
  'The pages differ by a few bytes at most: none of these guesses is the value of the page.'
const DULL = 'A guess of a few different letters is short by itself. Guess a value like that of the page.'

interface Measured {
  readonly guess: string
  readonly bytes: number
  readonly event: Evidence['events'][number]
}

function measuredPages({ withAnonymous }: Evidence): Measured[] {
  return withAnonymous.flatMap(event => {
    if (event.type !== 'request.answered' || event.coding === undefined) return []
    const query = String(event.path).split('?')[1] ?? ''
    const guess = /^csrf value=([\w-]{43})$/.exec(new URLSearchParams(query).get('campaign') ?? '')?.[1]
    return guess === undefined ? [] : [{ guess, bytes: Number(event.wireBytes), event }]
  })
}

/** Two guesses of one length brought pages of clearly different lengths. */
const lengthsDiffer: Check = evidence => {
  const pages = measuredPages(evidence)
  const varied = pages.filter(({ guess }) => new Set(guess).size >= VARIED)
  const last = varied.at(-1)
  const missing = (why: string) => ({ done: false as const, why, events: pages.map(({ event }) => event) })
  if (last === undefined) return missing(pages.length > 0 ? DULL : NO_GUESS)
  const others = varied.filter(({ guess }) => guess !== last.guess)
  const other = others.find(({ bytes }) => Math.abs(bytes - last.bytes) >= GAP)
  if (other !== undefined) return { done: true, events: [other.event, last.event] }
  return missing(others.length > 0 ? SAME_LENGTHS : ONE_GUESS)
}

const NOT_EXAMINED = 'No examination of this lab has ended yet.'
const SAW_NOTHING =
  'That examination saw nothing wrong. It was about a part of the server: run it without --only.'
const SAW_PART =
  'That examination saw faults of one server alone. There are two, the authorization server and the resource server.'
const NO_ANSWER = 'There is no answer yet.'

const faultsOf = ({ faults }: KeptEvent): readonly unknown[] => (Array.isArray(faults) ? faults : [])

const ofResource = (fault: unknown): boolean => String(fault).startsWith('resource-')

/** An examination named faults of both servers. */
const examined: Check = ({ withAnonymous }) => {
  const ended = withAnonymous.filter(({ type }) => type === 'doctor.ended')
  const whole = ended.find(event => {
    const faults = faultsOf(event)
    return faults.some(ofResource) && !faults.every(ofResource)
  })
  if (whole !== undefined) return { done: true, events: [whole] }
  const last = ended.at(-1)
  if (last === undefined) return { done: false, why: NOT_EXAMINED, events: [] }
  return { done: false, why: faultsOf(last).length === 0 ? SAW_NOTHING : SAW_PART, events: [last] }
}

function sentenceOn(
  last: string,
  { found, times, count }: Record<'found' | 'times' | 'count', string | number>,
) {
  if (times === 'unknown') return `${last} is no weak mode: oauth-lab weak list has their names.`
  if (times === 'right') return `Right: ${found}. One more defence is missing.`
  return times === 'again'
    ? `Still not ${last}. Which name of oauth-lab weak list would make exactly these findings? ${count} so far.`
    : `${last} is in its place: ${count} so far.`
}

/** Both missing defences were named. */
const named: Check = (_, { answers, hidden = [] }) => {
  const { words, found, falseAlarms } = judgeAnswers(hidden, answers, WEAK_NAMES)
  const last = words.at(-1)
  if (last === undefined) return { done: false, why: NO_ANSWER, events: [] }
  if (hidden.length > 0 && found.length === hidden.length) return { done: true, events: [] }
  const typed = words.filter(word => word === last).length
  const kind = found.includes(last)
    ? 'right'
    : !falseAlarms.includes(last)
      ? 'unknown'
      : typed >= 3
        ? 'again'
        : 'alarm'
  const why = sentenceOn(last, { found: found.join(' and '), times: kind, count: alarms({ falseAlarms }) })
  return { done: false, why, events: [] }
}

/** Checks beyond patterns of events, by the name in `judged_by`. */
const JUDGES = {
  'lengths-differ': lengthsDiffer,
  'faults-of-both-servers': examined,
  'hidden-defences': named,
} as const satisfies Readonly<Record<string, Check>>

const MATCHERS = ['has', 'not', 'begins', 'includes'] as const

const isValue = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function matcher(place: Place): Matcher {
  const { value, path, report } = place
  if (isValue(value)) return value
  if (!checkMembers(place, [], MATCHERS)) return ''
  const [name] = MATCHERS.filter(each => has(place, each))
  const inner = name && member(place, name).value
  if (name === undefined || !isValue(inner)) {
    report(
      path,
      `this is no value to compare with; write a text, or one of ${MATCHERS.join(', ')} with a text`,
    )
    return ''
  }
  if (name === 'not') return { not: inner }
  const wanted = String(inner)
  return name === 'has' ? { has: wanted } : name === 'begins' ? { begins: wanted } : { includes: wanted }
}

function where(place: Place): Readonly<Record<string, Matcher>> {
  const { value, path, report } = place
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, 'this is not a map from members of the event to their values')
    return {}
  }
  return Object.fromEntries(Object.keys(value).map(name => [name, matcher(member(place, name))]))
}

/** Events that a lesson may name; undefined for a built-in lesson, whose tests have looked. */
export type EventTypes = readonly string[] | undefined

function pattern(place: Place, types: EventTypes) {
  return {
    event: types === undefined ? text(member(place, 'seen')) : (word(member(place, 'seen'), types) ?? ''),
    where: where(member(place, 'where')),
    anyone: member(place, 'anyone').value === true,
  }
}

function step(place: Place, types: EventTypes): Step {
  checkMembers(place, ['seen', 'why'], ['where', 'same', 'anyone'])
  const same = items(member(place, 'same')).map(text)
  return { ...pattern(place, types), why: text(member(place, 'why')), same }
}

export function readMistake(place: Place, types: EventTypes): Mistake {
  checkMembers(place, ['seen', 'why', 'again'], ['where', 'anyone'])
  return { ...pattern(place, types), why: text(member(place, 'why')), again: text(member(place, 'again')) }
}

const KINDS = ['seen', 'in_order', 'all', 'one_of', 'answer', 'answer_in', 'probe', 'judged_by'] as const

const JUDGE_NAMES = Object.keys(JUDGES) as (keyof typeof JUDGES)[]

const never: Check = () => ({ done: false, why: 'The check of this task is broken.', events: [] })

function readAnswers(place: Place, kind: 'answer' | 'answer_in', types: EventTypes): Check {
  checkMembers(place, [kind, 'why', 'otherwise'], ['wrong'])
  const wrong = items(member(place, 'wrong')).map(each => {
    checkMembers(each, ['when', 'why'], ['again'])
    const when = items(member(each, 'when')).map(text)
    const why = text(member(each, 'why'))
    return has(each, 'again') ? { when, why, again: text(member(each, 'again')) } : { when, why }
  })
  const said = { why: text(member(place, 'why')), otherwise: text(member(place, 'otherwise')), wrong }
  if (kind === 'answer') return answered({ right: items(member(place, kind)).map(text), ...said })
  const event = member(place, kind)
  checkMembers(event, ['seen', 'member'], ['where', 'anyone'])
  return answeredByEvent({ ...pattern(event, types), member: text(member(event, 'member')), ...said })
}

/** One of the kinds. */
export function readCheck(place: Place, types: EventTypes): Check {
  const kinds = KINDS.filter(each => has(place, each))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) {
    const many = kinds.length > 1 ? `it has ${kinds.join(' and ')}` : 'it has none of them'
    place.report(place.path, `a check is one of ${KINDS.join(', ')}; ${many}`)
    return never
  }
  const below = (name: string) => items(member(place, name))
  if (kind === 'seen') return seen(step(place, types))
  if (kind === 'answer' || kind === 'answer_in') return readAnswers(place, kind, types)
  checkMembers(place, [kind])
  if (kind === 'probe') return probed(word(member(place, 'probe'), PROBE_NAMES) ?? 'state')
  if (kind === 'judged_by') return JUDGES[word(member(place, kind), JUDGE_NAMES) ?? 'lengths-differ']
  if (kind === 'in_order') return inOrder(...below(kind).map(each => step(each, types)))
  const checks = below(kind).map(each => readCheck(each, types))
  if (checks.length === 0) {
    place.report([...place.path, kind], 'this list is empty, so the check can never pass')
    return never
  }
  return kind === 'all' ? all(...checks) : oneOf(...checks)
}
