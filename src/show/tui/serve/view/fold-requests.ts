import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import { changeOrPush, entryAt, findLatest, push, replaceAt, size } from './history.js'
import type { AnsweredRequest, KnownClient, LabView } from './lab-view.js'
import { numberOf, textOf } from './members.js'

/** Clients that nobody registered are listed up to this number, so that they cannot push the others out. */
const MAX_CLIENTS = 150

function countClient(view: LabView, { client, status, at }: AnsweredRequest): LabView {
  if (client === undefined) return view
  const n = findLatest(view.clients, each => each.id === client)
  const before: KnownClient =
    n === undefined ? { id: client, requests: 0, refused: 0 } : entryAt(view.clients, n)!
  const after = {
    ...before,
    requests: before.requests + 1,
    refused: before.refused + (status >= 400 ? 1 : 0),
    lastAt: at,
  }
  if (n !== undefined) return { ...view, clients: replaceAt(view.clients, n, after) }
  return size(view.clients) < MAX_CLIENTS ? { ...view, clients: push(view.clients, after) } : view
}

function countSite(view: LabView, { site, status, wireBytes, at }: AnsweredRequest): LabView {
  const sites = changeOrPush(
    view.sites,
    each => each.name === site,
    () => ({ name: site, requests: 0, refused: 0, failed: 0, wireBytes: 0 }),
    each => ({
      ...each,
      requests: each.requests + 1,
      refused: each.refused + (status >= 400 && status < 500 ? 1 : 0),
      failed: each.failed + (status >= 500 ? 1 : 0),
      wireBytes: each.wireBytes + wireBytes,
      lastAt: at,
    }),
  )
  return { ...view, sites }
}

/** Most events that are kept until their request is answered. */
const MAX_UNDECIDED = 256

/** The events of unanswered requests, with one more. A lab that starts has no such requests. */
function undecided(before: readonly LabEvent[], event: LabEvent): readonly LabEvent[] {
  if (event.type === 'lab.ready') return []
  return event.request === undefined ? before : [...before.slice(1 - MAX_UNDECIDED), event]
}

/** Entries among which the one of a run, or of an earlier message, is looked up. */
const DEPTH = 256

/** True for an event about a logout token that is sent again, after the logout was answered. */
const isRepeated = (event: LabEvent): boolean =>
  event.type.startsWith('logout_token.') && (numberOf(event, 'attempt') ?? 1) > 1

/** Gives an event to its request: one that is not answered yet, or that of the logout whose message it repeats. */
export function decided(view: LabView, event: LabEvent): LabView {
  const sid = textOf(event, 'sid')
  const n = isRepeated(event)
    ? findLatest(
        view.requests,
        each => each.decisions.some(({ type, ...of }) => type === 'logout_token.sent' && of.sid === sid),
        DEPTH,
      )
    : undefined
  const logout = n === undefined ? undefined : entryAt(view.requests, n)
  if (n === undefined || logout === undefined) return { ...view, undecided: undecided(view.undecided, event) }
  const requests = replaceAt(view.requests, n, { ...logout, decisions: [...logout.decisions, event] })
  return { ...view, requests }
}

/** The history with a request more. Requests of a run share one entry, but those of an attack, which people follow one by one. */
function withRequest(view: LabView, request: AnsweredRequest): LabView['requests'] {
  const name = textOf(request.event, 'run')
  if (name === undefined || name.startsWith('attack ')) return push(view.requests, request)
  const n = findLatest(view.requests, each => each.run?.name === name, DEPTH)
  const before = n === undefined ? undefined : entryAt(view.requests, n)?.run
  const run = {
    name,
    requests: (before?.requests ?? 0) + 1,
    refused: (before?.refused ?? 0) + (request.status >= 400 ? 1 : 0),
  }
  return n === undefined
    ? push(view.requests, { ...request, run })
    : replaceAt(view.requests, n, { ...request, run })
}

/** `request.answered`, of any site. Older labs do not name their requests; those have no decisions. */
export function answered(view: LabView, event: LabEvent, at: number): LabView {
  const wireBytes = numberOf(event, 'wireBytes') ?? 0
  const coding = textOf(event, 'coding')
  const client = textOf(event, 'client_id')
  const id = numberOf(event, 'request')
  const decisions = id === undefined ? [] : view.undecided.filter(each => each.request === id)
  const others = decisions.length === 0 ? view.undecided : view.undecided.filter(each => each.request !== id)
  const request: AnsweredRequest = {
    at,
    site: textOf(event, 'site') ?? 'unknown',
    method: textOf(event, 'method') ?? '',
    path: textOf(event, 'path') ?? '',
    status: numberOf(event, 'status') ?? 0,
    wireBytes,
    bodyBytes: numberOf(event, 'bodyBytes') ?? wireBytes,
    ms: numberOf(event, 'ms') ?? 0,
    ...defined({ coding, client }),
    event,
    decisions,
  }
  return countSite(
    countClient({ ...view, undecided: others, requests: withRequest(view, request) }, request),
    request,
  )
}
