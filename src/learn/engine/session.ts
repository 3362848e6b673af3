import { type EventMark, isAfter, type KeptEvent, readEvents } from '../../lab/state/event-file.js'
import { UsageError } from '../../protocol/errors.js'
import { type ShownWeak, shownWeak } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'
import type { Evidence, Facts, Lesson, Mistake, Places, Task, Verdict } from '../model.js'
import { drawnLesson } from './drawn-lesson.js'
import { hiddenOf } from './hidden.js'
import { needsOf } from './needs.js'
import { type CurrentLesson, FRESH_TASK, type Progress, withLesson, withTask } from './progress.js'
import { IDEA, ideaTask } from './review.js'
import { fill } from './texts.js'
import { candidates, fits } from './vocabulary.js'

/** Their events count for a task. */
interface Learner {
  readonly clients: readonly string[]
  readonly user: string
  /** Clients that introduced themselves count too. */
  readonly newcomers?: boolean
  /** Events of programs of other learners do not count. */
  readonly name?: string
  /** The weak modes of the lab; events of other labs do not count. Left out: none. */
  readonly weak?: readonly ShownWeak[]
}

interface Counted extends Pick<Learner, 'user'> {
  readonly clients: ReadonlySet<unknown>
}

type Belonging = 'own' | 'other' | 'nobody'

/** The doctor tries everything and attacks play both people: they would end lessons that nobody did. */
const ofProgram = ({ run }: KeptEvent): boolean => typeof run === 'string' && /^(?:attack|doctor) /.test(run)

/** The outcomes of attacks and examinations, which have labs of their own. */
const OUTCOMES = ['attack.ended', 'doctor.ended']

/** Returns true for an event of the program of another learner, or of another lab than that of the lesson. */
const isForeign = (event: KeptEvent, { name, weak = [] }: Learner): boolean =>
  (event.learner !== undefined && event.learner !== name) ||
  (!OUTCOMES.includes(event.type) && String(event.weak ?? []) !== String(weak))

/** The users of the cluster are not those of the authorization server. */
const ofCluster = ({ type }: KeptEvent): boolean => type.startsWith('cluster.')

/** By these a server gets to know a client that introduces itself. */
const INTRODUCTIONS = ['client.registered', 'client_document.fetched']

const newcomersIn = (events: readonly KeptEvent[]): readonly string[] =>
  events.flatMap(({ type, client_id: id }) =>
    INTRODUCTIONS.includes(type) && typeof id === 'string' ? [id] : [],
  )

/** By the names in an event. A `sub` that is a client is no user. */
function belonging(event: KeptEvent, { clients, user }: Counted): Belonging {
  if (ofCluster(event)) return 'nobody'
  const { client_id: client, username, sub } = event
  const person = username ?? (sub === client ? undefined : sub)
  if (client === undefined && person === undefined) return 'nobody'
  if (client !== undefined && !clients.has(client)) return 'other'
  return person === undefined || person === user ? 'own' : 'other'
}

const requestOf = ({ lab, request, cause }: KeptEvent): string | undefined => {
  const id = cause ?? request
  // A line of the file may be broken.
  return typeof id === 'number' ? `${lab} ${id}` : undefined
}

/**
 * An event without names belongs to the client and user that other events of its request name.
 * @param before events from before the task was shown
 */
export function evidenceOf(
  events: readonly KeptEvent[],
  counted: Learner,
  before: Evidence['before'] = new Set(),
): Evidence {
  const { clients, user, newcomers = false } = counted
  const learner = { clients: new Set([...clients, ...(newcomers ? newcomersIn(events) : [])]), user }
  const requests = new Map<string, Belonging>()
  const ignored = new Set<string>()
  for (const event of events) {
    const request = requestOf(event)
    if (request === undefined) continue
    if (ofProgram(event) || isForeign(event, counted)) ignored.add(request)
    const names = belonging(event, learner)
    if (names === 'other' || (names === 'own' && requests.get(request) !== 'other'))
      requests.set(request, names)
  }
  const sorted: Record<'own' | 'other' | 'withAnonymous', KeptEvent[]> = {
    own: [],
    other: [],
    withAnonymous: [],
  }
  for (const event of events) {
    const request = requestOf(event)
    if ((request !== undefined && ignored.has(request)) || isForeign(event, counted)) continue
    const named = belonging(event, learner)
    const names = named === 'nobody' ? (requests.get(request ?? '') ?? 'nobody') : named
    if (names !== 'nobody') sorted[names].push(event)
    if (names !== 'other') sorted.withAnonymous.push(event)
  }
  return { events: sorted.own, others: sorted.other, withAnonymous: sorted.withAnonymous, before }
}

/** From here on a repeated wrong attempt is answered with another sentence. */
const TIMES = 3

/** Only an attempt after everything that the check found counts. */
function mistakeIn(mistakes: readonly Mistake[], evidence: Evidence, verdict: Verdict): Verdict | undefined {
  const every = candidates(evidence, { event: '', anyone: true })
  const reached = verdict.events.at(-1)
  const after = reached === undefined ? 0 : every.indexOf(reached) + 1
  let latest: { readonly at: number; readonly mistake: Mistake } | undefined
  for (const mistake of mistakes) {
    const own = new Set(candidates(evidence, mistake))
    const at = every.findLastIndex((event, i) => i >= after && own.has(event) && fits(event, mistake))
    if (at >= 0 && (latest === undefined || at > latest.at)) latest = { at, mistake }
  }
  if (latest === undefined) return undefined
  const { mistake } = latest
  const events = candidates(evidence, mistake).filter(event => fits(event, mistake))
  return { done: false, why: events.length >= TIMES ? mistake.again : mistake.why, events }
}

/** For somebody who works as another client or user than the task names. */
function strayed(evidence: Evidence, { client, user }: Facts): Verdict | undefined {
  // A request for authorization names the client before anybody has logged in.
  const named = evidence.events.filter(each => (each.username ?? each.sub) !== undefined)
  // A flow ends at the resource server, often just after the task before was done.
  const other = evidence.others.findLast(
    ({ type, username, sub, client_id: id }) =>
      type !== 'request.answered' && !type.startsWith('resource.') && (username ?? sub ?? id) !== undefined,
  )
  if (named.length > 0 || other === undefined) return undefined
  const { client_id: id, username, sub } = other
  const person = username ?? (sub === id ? undefined : sub)
  const who = [
    ...(id === undefined ? [] : [`client ${String(id)}`]),
    ...(person === undefined ? [] : [`user ${String(person)}`]),
  ].join(' and ')
  const why = `That was ${who}; this task counts client ${client} and user ${user}.`
  return { done: false, why, events: [other] }
}

/** For somebody who did the task before it was shown: it is not praised, and it is asked all the same. */
function doneBefore(task: Task, evidence: Evidence, facts: Facts): Verdict | undefined {
  if (evidence.before.size === 0) return undefined
  const { done, events } = task.check({ ...evidence, before: new Set() }, facts)
  const last = done ? events.at(-1) : undefined
  if (last === undefined) return undefined
  const what = `${last.type} at ${last.at.slice(11, 19)}`
  return {
    done: false,
    why: `You have done this already: ${what} came before the task was shown. Do it once more, now for the question of the task.`,
    events: [],
  }
}

/** @param recent the evidence since the task was shown: earlier wrong attempts do not count */
export function judge(task: Task, evidence: Evidence, facts: Facts, recent: Evidence = evidence): Verdict {
  const verdict = task.check(evidence, facts)
  if (verdict.done) return verdict
  const client = task.clients?.join(' or ') ?? facts.client
  const better =
    mistakeIn(task.mistakes, recent, verdict) ??
    doneBefore(task, evidence, facts) ??
    (verdict.events.length === 0 && task.probe === undefined && facts.answers.length === 0
      ? strayed(recent, { ...facts, client })
      : undefined)
  const { why, events } = (better ?? verdict) as Extract<Verdict, { done: false }>
  return { done: false, why: fill(why, { ...facts, client }), events }
}

export interface Session {
  readonly lesson: Lesson
  /** Undefined when all tasks are done. */
  readonly task: Task | undefined
  readonly current: CurrentLesson
  /** True while the lesson waits for its prediction; its tasks are shown after it. */
  readonly predicts: boolean
  /** Missing defences that the lab does not name. */
  readonly hidden?: Facts['hidden']
}

/** The current task. @throws UsageError when no lesson was started, or when it is gone */
export function sessionOf(
  lessons: readonly Lesson[],
  { current, capstone, lessons: done }: Progress,
): Session {
  if (current === undefined && capstone !== undefined) {
    throw new UsageError(`the capstone ${capstone} goes on, and it gives no help`, [
      'See how far it is:  oauth-lab learn check',
      'A lesson instead:   oauth-lab learn start NAME',
    ])
  }
  if (current === undefined) {
    throw new UsageError('no lesson was started', ['Start the next one:  oauth-lab learn start'])
  }
  const found = lessons.find(each => each.name === current.lesson)
  if (found === undefined) {
    throw new UsageError(`the lesson ${current.lesson} was started, but is not here`, [
      current.folder === undefined
        ? 'Start another one:  oauth-lab learn start'
        : `It was one of  --lessons ${current.folder}`,
    ])
  }
  const record = done[found.name]
  const lesson = drawnLesson(found, record?.seed)
  const tasks = record?.tasks ?? {}
  const { review } = current
  const idea = review === IDEA && record !== undefined ? ideaTask(lesson, record) : undefined
  const task =
    idea ??
    lesson.tasks.find(({ name }) =>
      review === undefined ? tasks[name]?.doneAt === undefined : name === review,
    )
  const predicts = task !== undefined && review === undefined && record?.prediction === undefined
  return { lesson, task, current, predicts, ...defined({ hidden: hiddenOf(lesson, { lessons: done }) }) }
}

/** With the facts and the evidence behind it. */
export interface Judged {
  readonly verdict: Verdict
  readonly evidence: Evidence
  readonly facts: Facts
  /** Events since the start are gone from the event file. */
  readonly lost: boolean
  /** Events were read up to here. */
  readonly mark: EventMark
}

export interface Known {
  readonly home: string
  readonly places: Places
  readonly learner?: string | undefined
}

/** Judges a task by the events since the start of the lesson; what ends it came after it was shown. */
export async function judgeTask(
  { lesson, current, hidden }: Session,
  task: Task,
  progress: Progress,
  { home, places, learner }: Known,
): Promise<Judged> {
  const since = current.review === undefined ? progress.lessons[lesson.name]?.since : undefined
  const shown = since && isAfter(since, current.mark) ? since : current.mark
  const { events: fresh, lost, mark } = await readEvents(home, shown)
  const earlier = shown === current.mark ? [] : (await readEvents(home, current.mark, shown)).events
  const { client, user } = current
  const { clients = [client], newcomers } = task
  const weak = shownWeak(needsOf(lesson, task, progress).weak ?? [])
  const counted = defined({ clients, user, newcomers, name: learner, weak })
  const evidence = evidenceOf([...earlier, ...fresh], counted, new Set(earlier))
  const recent = earlier.length > 0 ? evidenceOf(fresh, counted) : evidence
  const { answers, probe } = progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
  const facts: Facts = { client, user, ...places, answers, ...defined({ probe, hidden }) }
  return { verdict: judge(task, evidence, facts, recent), evidence, facts, lost, mark }
}

/** The last task ends the lesson. */
export function withDone(
  progress: Progress,
  { lesson }: Session,
  task: Task,
  { verdict, at, since }: { readonly verdict: Verdict; readonly at: string; readonly since: EventMark },
): Progress {
  const { guesses } = progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
  const right = task.asks === true && guesses !== undefined ? { guesses: Math.max(0, guesses - 1) } : {}
  if (progress.current?.review !== undefined) {
    const { review: _, before, ...current } = progress.current
    const answered = withTask(progress, lesson.name, task.name, right)
    const reviewed = withLesson(answered, lesson.name, old => ({ ...old, reviews: [...old.reviews, at] }))
    return { ...reviewed, current: before ?? current }
  }
  const marked = withLesson(progress, lesson.name, old => ({ ...old, since }))
  const changed = withTask(marked, lesson.name, task.name, {
    doneAt: at,
    events: verdict.events,
    ...right,
  })
  const tasks = changed.lessons[lesson.name]?.tasks ?? {}
  if (lesson.tasks.some(each => tasks[each.name]?.doneAt === undefined)) return changed
  return withLesson(changed, lesson.name, old => ({ ...old, doneAt: at }))
}
