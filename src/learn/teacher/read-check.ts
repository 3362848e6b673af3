import { JUDGES } from '../engine/judged.js'
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
import { type Check, type Matcher, type Mistake, PROBE_NAMES } from '../model.js'
import { checkMembers, has, items, member, type Place, text, word } from './reader.js'

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
