import type { KeptEvent } from '../../lab/state/event-file.js'
import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { alarms } from '../capstones/quiz.js'
import type { Check, Evidence } from '../model.js'
import { judgeAnswers } from './hidden.js'

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
export const JUDGES = {
  'lengths-differ': lengthsDiffer,
  'faults-of-both-servers': examined,
  'hidden-defences': named,
} as const satisfies Readonly<Record<string, Check>>
