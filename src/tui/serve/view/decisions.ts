import type { LabEvent } from '../../../events/event.js'
import { numberOf, textOf } from './members.js'

/** Events wait for the answer of their request, so many at most: what nobody claims is dropped. */
const MAX_WAITING = 96
/** And so long, in milliseconds: no request takes longer. */
const LONGEST_WAIT = 60_000

/** Sites by the first word of the events they publish. */
const siteOfWord: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'authorization login session logout request push id_token code token refresh_token introspection revocation assertion password userinfo device_code device_authorization user_code fault'
      .split(' ')
      .map(word => [word, 'authorization']),
  ),
  resource: 'resource',
  keys: 'resource',
  cluster: 'cluster',
  dns: 'dns',
  chat: 'dns',
}

/** Events of which one request may have several. */
const several: ReadonlySet<string> = new Set(['token.revoked', 'keys.fetched', 'keys.failed'])

/** The site that published an event; undefined where the event does not tell. */
export function siteOf(event: LabEvent): string | undefined {
  const word = event.type.split('.', 1)[0]!
  return textOf(event, 'site') ?? (Object.hasOwn(siteOfWord, word) ? siteOfWord[word] : undefined)
}

/** An event that waits for the answer of its request. */
export interface Waiting {
  readonly event: LabEvent
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The events that wait, with one more. */
export function waiting(before: readonly Waiting[], event: LabEvent, at: number): readonly Waiting[] {
  return [...before.slice(1 - MAX_WAITING), { event, at }]
}

const agree = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined || one === other

/** Whether an event can have come of a request that was answered so. */
function fits(event: LabEvent, answered: LabEvent): boolean {
  return (
    agree(siteOf(event), answered.site) &&
    agree(event.client_id, answered.client_id) &&
    agree(event.status, answered.status)
  )
}

/**
 * What was decided on a request that was answered at `end`, out of the events that wait. Events name no request, since
 * following requests through the server would slow it; one after the other they are told apart by their order, side by
 * side by time, site, client and status, and of each kind the oldest is taken. What is too old for any is dropped.
 */
export function claim(
  events: readonly Waiting[],
  answered: LabEvent,
  end: number,
): { readonly claimed: readonly LabEvent[]; readonly left: readonly Waiting[] } {
  const began = end - Math.ceil(numberOf(answered, 'ms') ?? 0) - 1
  const claimed: LabEvent[] = []
  const left: Waiting[] = []
  for (const each of events) {
    const { event, at } = each
    const again = !several.has(event.type) && claimed.some(({ type }) => type === event.type)
    if (!again && at >= began && at <= end && fits(event, answered)) claimed.push(event)
    else if (at >= end - LONGEST_WAIT) left.push(each)
  }
  return { claimed, left }
}
