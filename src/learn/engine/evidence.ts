import type { KeptEvent } from '../../lab/state/event-file.js'
import type { Evidence } from '../model.js'

/** Their events count for a task. */
export interface Learner {
  readonly clients: readonly string[]
  readonly user: string
  /** Clients that introduced themselves count too. */
  readonly newcomers?: boolean
}

interface Counted extends Pick<Learner, 'user'> {
  readonly clients: ReadonlySet<unknown>
}

type Belonging = 'own' | 'other' | 'nobody'

/** The doctor tries everything and attacks play both people: they would end lessons that nobody did. */
const ofProgram = ({ run }: KeptEvent): boolean => typeof run === 'string' && /^(?:attack|doctor) /.test(run)

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

/** An event without names belongs to the client and user that other events of its request name. */
export function evidenceOf(
  events: readonly KeptEvent[],
  { clients, user, newcomers = false }: Learner,
): Evidence {
  const learner = { clients: new Set([...clients, ...(newcomers ? newcomersIn(events) : [])]), user }
  const requests = new Map<string, Belonging>()
  const ignored = new Set<string>()
  for (const event of events) {
    const request = requestOf(event)
    if (request === undefined) continue
    if (ofProgram(event)) ignored.add(request)
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
    if (request !== undefined && ignored.has(request)) continue
    const named = belonging(event, learner)
    const names = named === 'nobody' ? (requests.get(request ?? '') ?? 'nobody') : named
    if (names !== 'nobody') sorted[names].push(event)
    if (names !== 'other') sorted.withAnonymous.push(event)
  }
  return { events: sorted.own, others: sorted.other, withAnonymous: sorted.withAnonymous }
}
