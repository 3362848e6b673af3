import type { Evidence, Facts, Mistake, Task, Verdict } from '../model.js'
import { candidates, fits } from './patterns.js'
import { fill } from './texts.js'

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

/** @param recent the evidence since the task before was done: earlier wrong attempts do not count */
export function judge(task: Task, evidence: Evidence, facts: Facts, recent: Evidence = evidence): Verdict {
  const verdict = task.check(evidence, facts)
  if (verdict.done) return verdict
  const client = task.clients?.join(' or ') ?? facts.client
  const better =
    mistakeIn(task.mistakes, recent, verdict) ??
    (verdict.events.length === 0 && task.probe === undefined && facts.answers.length === 0
      ? strayed(recent, { ...facts, client })
      : undefined)
  const { why, events } = (better ?? verdict) as Extract<Verdict, { done: false }>
  return { done: false, why: fill(why, { ...facts, client }), events }
}
