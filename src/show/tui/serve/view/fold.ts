import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import { factChanges } from './fold-facts.js'
import { changeAll, entryAt, findLatest, push, replaceAt } from './history.js'
import type { AnsweredRequest, IssuedCode, IssuedToken, LabView, RefreshFamily } from './lab-view.js'
import { aboutOf, type Change, changed, type Kept, noted, numberOf, textOf, textsOf } from './members.js'

/** Clients that nobody registered are listed up to this number, so that they cannot push the others out. */
const MAX_CLIENTS = 150

function counted(view: LabView, { client, site, status, wireBytes, at }: AnsweredRequest): LabView {
  const refused = status >= 400 ? 1 : 0
  const failed = status >= 500 ? 1 : 0
  const withClient =
    client === undefined
      ? view
      : noted(
          view,
          'clients',
          { id: client, requests: 0, refused: 0 },
          each => ({
            ...each,
            requests: each.requests + 1,
            refused: each.refused + refused,
            lastAt: at,
          }),
          MAX_CLIENTS,
        )
  const begun = { name: site, requests: 0, refused: 0, failed: 0, wireBytes: 0 }
  return noted(withClient, 'sites', begun, each => ({
    ...each,
    requests: each.requests + 1,
    refused: each.refused + refused - failed,
    failed: each.failed + failed,
    wireBytes: each.wireBytes + wireBytes,
    lastAt: at,
  }))
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
function decided(view: LabView, event: LabEvent): LabView {
  const sid = textOf(event, 'sid')
  const sent = ({ type, ...of }: LabEvent) => type === 'logout_token.sent' && of.sid === sid
  const n = isRepeated(event)
    ? findLatest(view.requests, each => each.decisions.some(sent), DEPTH)
    : undefined
  const logout = n === undefined ? undefined : entryAt(view.requests, n)
  if (n === undefined || logout === undefined) return { ...view, undecided: undecided(view.undecided, event) }
  const requests = replaceAt(view.requests, n, { ...logout, decisions: [...logout.decisions, event] })
  return { ...view, requests }
}

/** The history with a request more. Requests of a run share one entry, but those of an attack, which people follow one by one. */
function withRequest({ requests }: LabView, request: AnsweredRequest): LabView['requests'] {
  const name = textOf(request.event, 'run')
  if (name === undefined || name.startsWith('attack ')) return push(requests, request)
  const n = findLatest(requests, each => each.run?.name === name, DEPTH)
  const before = n === undefined ? undefined : entryAt(requests, n)?.run
  const run = {
    name,
    requests: (before?.requests ?? 0) + 1,
    refused: (before?.refused ?? 0) + (request.status >= 400 ? 1 : 0),
  }
  const entry = { ...request, run }
  return n === undefined ? push(requests, entry) : replaceAt(requests, n, entry)
}

/** `request.answered`, of any site. Older labs do not name their requests; those have no decisions. */
function answered(view: LabView, event: LabEvent, at: number): LabView {
  const wireBytes = numberOf(event, 'wireBytes') ?? 0
  const id = numberOf(event, 'request')
  const isOwn = (each: LabEvent): boolean => id !== undefined && each.request === id
  const decisions = view.undecided.filter(isOwn)
  const request: AnsweredRequest = {
    at,
    site: textOf(event, 'site') ?? 'unknown',
    method: textOf(event, 'method') ?? '',
    path: textOf(event, 'path') ?? '',
    status: numberOf(event, 'status') ?? 0,
    wireBytes,
    bodyBytes: numberOf(event, 'bodyBytes') ?? wireBytes,
    ms: numberOf(event, 'ms') ?? 0,
    ...defined({ coding: textOf(event, 'coding'), client: textOf(event, 'client_id') }),
    event,
    decisions,
  }
  const others = decisions.length === 0 ? view.undecided : view.undecided.filter(each => !isOwn(each))
  return counted({ ...view, undecided: others, requests: withRequest(view, request) }, request)
}

/** A change of the code of an event. A code whose beginning nobody saw is known from here on. */
const codeChange =
  (what: (view: LabView, event: LabEvent, at: number) => Partial<IssuedCode>): Change =>
  (view, event, at) => {
    const code = textOf(event, 'code')
    if (code === undefined) return view
    const begun = { code, ...aboutOf(event), ...defined({ scope: textOf(event, 'scope') }) }
    return noted(view, 'codes', begun, each => ({ ...each, ...what(view, event, at) }))
  }

/** The end of what an event issued, by its `expires_in`; `usual` where it has none. Milliseconds since the epoch. */
function expiryOf(event: LabEvent, at: number, usual?: number): number | undefined {
  const seconds = numberOf(event, 'expires_in') ?? numberOf(event, 'granted')
  const lifetime = seconds === undefined ? usual : seconds * 1000
  return lifetime === undefined ? undefined : at + lifetime
}

/** Number of tokens of a family that are remembered, to recognise one that comes again. */
const MAX_GENERATIONS = 32

function tokenIssued(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'access_token')
  const { client, user } = aboutOf(event)
  const one: IssuedToken = {
    id: textOf(event, 'jti') ?? token ?? '?',
    kind: textOf(event, 'token_type') ?? 'Bearer',
    issuedAt: at,
    accepted: 0,
    ...defined({
      token,
      subject: user,
      for: client ?? textOf(event, 'aud'),
      grant: textOf(event, 'grant_type'),
      scope: textOf(event, 'scope'),
      expiresAt: expiryOf(event, at),
    }),
  }
  return withFamily({ ...view, tokens: push(view.tokens, one) }, event, at)
}

const holds =
  (token: string) =>
  ({ tokens }: RefreshFamily): boolean =>
    tokens.includes(token)

/** A refresh token beside the access token begins a family, unless it is the next one of a family. */
function withFamily(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'refresh_token')
  if (token === undefined || findLatest(view.families, holds(token)) !== undefined) return view
  const { refreshLifetime } = view.facts
  const family: RefreshFamily = {
    tokens: [token],
    issuedAt: at,
    uses: 0,
    ...aboutOf(event),
    ...defined({
      scope: textOf(event, 'scope'),
      expiresAt: refreshLifetime === undefined ? undefined : at + refreshLifetime,
    }),
  }
  return { ...view, families: push(view.families, family) }
}

function familyUsed(view: LabView, event: LabEvent, at: number): LabView {
  const used = textOf(event, 'refresh_token')
  const next = textOf(event, 'replaced_by')
  if (used === undefined) return view
  const { refreshLifetime } = view.facts
  const use = (family: RefreshFamily): RefreshFamily => ({
    ...family,
    tokens: (next === undefined ? family.tokens : [next, ...family.tokens]).slice(0, MAX_GENERATIONS),
    uses: family.uses + 1,
    usedAt: at,
    ...(refreshLifetime !== undefined && { expiresAt: at + refreshLifetime }),
  })
  if (findLatest(view.families, holds(used)) !== undefined) return changed(view, 'families', holds(used), use)
  const begun: RefreshFamily = { tokens: [used], issuedAt: at, uses: 0, ...aboutOf(event) }
  return { ...view, families: push(view.families, use(begun)) }
}

const familyEnded =
  (because: (event: LabEvent) => string): Change =>
  (view, event, at) => {
    const token = textOf(event, 'refresh_token')
    if (token === undefined) return view
    return changed(view, 'families', holds(token), family =>
      family.revokedAt === undefined ? { ...family, revokedAt: at, revokedBecause: because(event) } : family,
    )
  }

/** The access token was used, where `isAccepted`. */
const tokenUsed =
  (name: string, isAccepted: (event: LabEvent) => boolean): Change =>
  (view, event) => {
    const token = textOf(event, name)
    if (token === undefined || !isAccepted(event)) return view
    const use = (each: IssuedToken) => ({ ...each, accepted: each.accepted + 1 })
    return changed(view, 'tokens', each => each.token === token, use)
  }

function tokenRevoked(view: LabView, event: LabEvent, at: number): LabView {
  const id = textOf(event, 'jti')
  const because = defined({ revokedBecause: textOf(event, 'reason') })
  return changed(
    view,
    'tokens',
    each => each.id === id,
    each => ({ ...each, revokedAt: at, ...because }),
  )
}

function clusterTokenIssued(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'token')
  const audiences = textsOf(event, 'audiences').join(' ')
  const one: IssuedToken = {
    id: textOf(event, 'jti') ?? token ?? '?',
    kind: 'cluster',
    issuedAt: at,
    accepted: 0,
    ...defined({
      token,
      subject: textOf(event, 'account'),
      for: audiences === '' ? undefined : audiences,
      boundTo: textOf(event, 'bound_to'),
      expiresAt: expiryOf(event, at),
    }),
  }
  return { ...view, tokens: push(view.tokens, one) }
}

/** With an object go the tokens that are bound to it; with an account its own. */
function objectDeleted(view: LabView, event: LabEvent, at: number): LabView {
  const kind = textOf(event, 'kind')
  const name = textOf(event, 'name')
  const namespace = textOf(event, 'namespace')
  const ends = ({ kind: of, subject, boundTo, revokedAt }: IssuedToken): boolean =>
    of === 'cluster' &&
    revokedAt === undefined &&
    ((kind === 'ServiceAccount' && subject === `${namespace}/${name}`) ||
      (boundTo === `${kind}/${name}` &&
        (namespace === undefined || subject?.startsWith(`${namespace}/`) === true)))
  const end = { revokedAt: at, revokedBecause: `${kind} ${name} was deleted` }
  return { ...view, tokens: changeAll(view.tokens, token => (ends(token) ? { ...token, ...end } : token)) }
}

/** Names that only failed log-ins brought are listed up to this number, so that they push nobody out. */
const MAX_USERS = 150

const userCount =
  (which: 'logins' | 'failures'): Change =>
  (view, event, at) => {
    const name = textOf(event, 'username')
    if (name === undefined) return view
    const count = (each: Kept<'users'>) => ({ ...each, [which]: each[which] + 1, lastAt: at })
    return noted(view, 'users', { name, logins: 0, failures: 0 }, count, MAX_USERS)
  }

/** The changes that each event makes beside its record, by type. */
const changes: Readonly<Record<string, Change>> = {
  ...factChanges,
  'code.issued': codeChange((view, event, at) => ({
    issuedAt: at,
    ...defined({ expiresAt: expiryOf(event, at, view.facts.codeLifetime) }),
  })),
  'code.redeemed': codeChange((_view, _event, at) => ({ redeemedAt: at })),
  'code.replayed': codeChange((_view, _event, at) => ({ replayedAt: at })),
  'token.issued': tokenIssued,
  'token.revoked': tokenRevoked,
  'resource.accepted': tokenUsed('access_token', () => true),
  'refresh_token.rotated': familyUsed,
  'refresh_token.reused': familyEnded(() => 'a used one came again'),
  'refresh_token.revoked': familyEnded(event => textOf(event, 'reason') ?? 'revoked'),
  'cluster.token_requested': clusterTokenIssued,
  'cluster.token_reviewed': tokenUsed('token', ({ authenticated }) => authenticated === true),
  'cluster.object_deleted': objectDeleted,
  'login.succeeded': userCount('logins'),
  'login.failed': userCount('failures'),
  'password.refused': userCount('failures'),
}

/** Events that are no news of their own. */
const unlisted: ReadonlySet<string> = new Set(['lab.ready', 'lab.configured'])

/**
 * The lab after one more event, whatever site it is of: of a live server, of `serve --json` in a pipe, or of a file.
 * Takes the same time however long the lab has been running, and never more memory than its histories are long.
 */
export function fold(view: LabView, event: LabEvent): LabView {
  const { type } = event
  const parsed = Date.parse(event.at)
  const at = Number.isNaN(parsed) ? (view.lastAt ?? 0) : parsed
  const timed = Number.isNaN(parsed)
    ? view
    : { ...view, startedAt: view.startedAt ?? at, lastAt: Math.max(at, view.lastAt ?? at) }
  if (type === 'request.answered') return answered(timed, event, at)
  const followed = decided(timed, event)
  const news = unlisted.has(type) ? followed : { ...followed, events: push(timed.events, event) }
  return Object.hasOwn(changes, type) ? changes[type]!(news, event, at) : news
}
