import type { KeptEvent } from '../../lab/state/event-file.js'
import { defined, withoutEnds } from '../../protocol/values.js'
import type {
  Check,
  Evidence,
  Matcher,
  Pattern,
  ProbeName,
  ProbeReport,
  ProbeRun,
  Verdict,
} from '../model.js'
import { SENTENCES } from '../probe/sentences.js'
import { type FilledNames, fill } from './texts.js'

const count = (runs: readonly ProbeRun[]): string => (runs.length === 1 ? 'run' : 'runs')

/** @returns `passed`, or the sentence that says what the client did wrong */
export function judgeProbe({ probe, runs, failed }: ProbeReport): string {
  if (failed !== undefined) return failed
  const { done, unchecked, unfinished, sends } = SENTENCES[probe]
  const right = runs.filter(run => run.wrong === undefined)
  const wrong = runs.filter(run => run.wrong !== undefined)
  const refused = right.filter(run => !run.finished)
  const fooled = wrong.filter(run => run.finished)
  if (refused.length === right.length && fooled.length === 0) {
    return (
      unfinished ??
      'Your client finished no run at all, not even the right ones. A client that refuses everything is safe and useless.'
    )
  }
  if (unfinished !== undefined && refused.length === right.length) return unfinished
  if (refused.length > 0) {
    return `Your client refused ${refused.length} right ${count(refused)}. It must finish a login that answers its own request.`
  }
  if (sends !== undefined) {
    const sent = right.map(run => run.expected)
    if (sent.every(each => each === '')) return sends.nothing
    if (sends.constant !== undefined && new Set(sent).size < sent.length) return sends.constant
  }
  if (fooled.length === 0) return 'passed'
  if (fooled.length === wrong.length) {
    return `Your client ${done} in all ${wrong.length} wrong runs. ${unchecked}`
  }
  // In any order of runs the same attempt gets the same sentence.
  const lies = fooled
    .map(({ wrong: lie = '' }) => lie)
    .sort()
    .join('; ')
  return `Your client ${done} in ${fooled.length} of ${wrong.length} wrong runs: ${lies}.`
}

const tokens = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : []

/** An absent member has the value undefined. */
function holds(value: unknown, wanted: Matcher): boolean {
  if (typeof wanted !== 'object') return value === wanted
  if ('has' in wanted) return tokens(value).includes(wanted.has)
  if ('not' in wanted) return value !== wanted.not
  if (typeof value !== 'string') return false
  return 'begins' in wanted ? value.startsWith(wanted.begins) : value.includes(wanted.includes)
}

export function fits(event: KeptEvent, { event: type, where = {} }: Pattern): boolean {
  return event.type === type && Object.entries(where).every(([name, wanted]) => holds(event[name], wanted))
}

/** In the order in which they happened. */
export function candidates(
  { events, withAnonymous }: Evidence,
  { anyone = false }: Pattern,
): readonly KeptEvent[] {
  return anyone ? withAnonymous : events
}

export interface Step extends Pattern {
  /** Said while this event is missing. */
  readonly why: string
  /** Members with the value of the step before, such as `code`. */
  readonly same?: readonly string[]
}

const follows = (event: KeptEvent, before: KeptEvent | undefined, step: Step): boolean =>
  fits(event, step) && (before === undefined || (step.same ?? []).every(name => event[name] === before[name]))

/** The longest chain of events that fits the steps in order. Its end came after the task was shown. */
function longestChain(
  steps: readonly Step[],
  events: readonly KeptEvent[],
  before: Evidence['before'],
): readonly KeptEvent[] {
  let best: readonly KeptEvent[] = []
  function extend(chain: readonly KeptEvent[]): boolean {
    if (chain.length > best.length) best = chain
    const step = steps[chain.length]
    if (step === undefined) return true
    const last = chain.at(-1)
    const from = last === undefined ? 0 : events.indexOf(last) + 1
    const ends = chain.length === steps.length - 1
    return events
      .slice(from)
      .some(event => follows(event, last, step) && !(ends && before.has(event)) && extend([...chain, event]))
  }
  extend([])
  return best
}

/** A step whose members may name a place of the lab: `{resource}`. */
function filled(step: Step, names: FilledNames): Step {
  const where = Object.entries(step.where ?? {}).map(([name, wanted]) => [
    name,
    typeof wanted === 'string' ? fill(wanted, names) : wanted,
  ])
  return { ...step, where: Object.fromEntries(where) }
}

/** The events happened in this order. */
export function inOrder(...given: readonly Step[]): Check {
  const anyone = given.some(step => step.anyone)
  return (evidence, facts) => {
    const steps = given.map(step => filled(step, facts))
    const events = candidates(evidence, { event: '', anyone })
    const chain = longestChain(steps, events, evidence.before)
    const missing = steps[chain.length]
    if (missing === undefined) return { done: true, events: chain }
    return { done: false, why: missing.why, events: chain }
  }
}

export const seen = (step: Step): Check => inOrder(step)

/** All checks are done; the first missing one speaks. */
export const all =
  (...checks: readonly Check[]): Check =>
  (evidence, facts) => {
    const verdicts = checks.map(check => check(evidence, facts))
    return (
      verdicts.find(verdict => !verdict.done) ?? {
        done: true,
        events: verdicts.flatMap(verdict => verdict.events),
      }
    )
  }

/** One check is done; the one that came furthest speaks. */
export const oneOf =
  (...checks: readonly Check[]): Check =>
  (evidence, facts) => {
    const verdicts = checks.map(check => check(evidence, facts))
    const furthest = (best: Verdict, each: Verdict) => (each.events.length > best.events.length ? each : best)
    return verdicts.find(verdict => verdict.done) ?? verdicts.reduce(furthest)
  }

/** Case, punctuation and articles do not count. */
function plain(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_:/.§]+/gu, ' ')
    .replace(/\b(?:the|an|a)\b/g, ' ')
  return withoutEnds(words.replace(/\s+/g, ' '), ' .')
}

export interface Answers {
  readonly right: readonly string[]
  /** Said while there is no answer. */
  readonly why: string
  /** Said after an unlisted wrong answer, and after the third one. */
  readonly otherwise: string
  readonly wrong?: readonly {
    readonly when: readonly string[]
    readonly why: string
    readonly again?: string
  }[]
}

const repeated = (answers: readonly string[], answer: string): boolean =>
  answers.filter(each => plain(each) === plain(answer)).length >= 3

/** The last answer is a right one. */
export const answered =
  ({ right, why, otherwise, wrong = [] }: Answers): Check =>
  (_, { answers, ...names }) => {
    const last = answers.at(-1)
    if (last === undefined) return { done: false, why, events: [] }
    const isOneOf = (texts: readonly string[]) => texts.some(text => plain(fill(text, names)) === plain(last))
    if (isOneOf(right)) return { done: true, events: [] }
    const known = wrong.find(({ when }) => isOneOf(when))
    if (known === undefined) return { done: false, why: otherwise, events: [] }
    return { done: false, why: repeated(answers, last) ? (known.again ?? otherwise) : known.why, events: [] }
  }

/** An event has the right answer. */
export interface EventAnswer extends Pattern, Omit<Answers, 'right'> {
  readonly member: string
}

/** The last answer is in an event of the learner, such as the jti of a token. */
export const answeredByEvent =
  ({ member, event, where, anyone, ...answers }: EventAnswer): Check =>
  (evidence, facts) => {
    const pattern = defined({ event, where, anyone })
    const last = facts.answers.at(-1)?.trim()
    const found = candidates(evidence, pattern).find(
      each => fits(each, pattern) && last !== undefined && each[member] === last,
    )
    return found ? { done: true, events: [found] } : answered({ right: [], ...answers })(evidence, facts)
  }

/** The client finished all right runs of a probe and none of the wrong ones. */
export const probed =
  (name: ProbeName): Check =>
  (_, { probe }) => {
    const why = probe === undefined || probe.probe !== name ? undefined : judgeProbe(probe)
    if (why === 'passed') return { done: true, events: [] }
    return {
      done: false,
      why: why ?? 'Your client was not run yet: name its command, as learn check -- node client.mjs',
      events: [],
    }
  }
