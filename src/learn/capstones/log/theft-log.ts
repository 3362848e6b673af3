import type { LabEvent } from '../../../protocol/events.js'
import { type Draw, drawsOf } from '../draw.js'
import type { Quiz } from '../quiz.js'
import { DEEDS, PEOPLE, type Person, service } from './honest.js'
import { openStreet, type Street, THIEF } from './street.js'
import { THEFTS, type Theft, thiefLogin } from './thefts.js'

export const EVENTS = 40

/** They say little about who got what, or name the keys of this run. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'request.answered',
  'login.shown',
  'consent.shown',
  'consent.applied',
  'session.resumed',
  'keys.fetched',
])

/** By these somebody gets in. */
const GAINED: ReadonlySet<string> = new Set(['code.redeemed', 'token.issued', 'resource.accepted'])

export interface TheftLog {
  /** One event a line, as JSON. */
  readonly lines: readonly string[]
  readonly quiz: Quiz
  readonly names: readonly string[]
  readonly theft: Theft
}

/** A working day of 2026, in milliseconds since the epoch. */
const startOf = (draw: Draw): number => Date.UTC(2026, draw.below(12), 1 + draw.below(28), 8, draw.below(60))

/** RFC 5737, each address once. */
const strangers = (draw: Draw): string[] =>
  draw.shuffled(Array.from({ length: 60 }, (_, i) => `198.51.100.${i + 20}`))

interface Attempt {
  readonly theft: Theft
  readonly victim: Person
  readonly from: string
}

/** Events in which the thief gained something. */
interface Gain {
  readonly from: number
  readonly to: number
}

/** Lives through a day. @returns the events of the theft, as places in the list of all events */
async function live(street: Street, draw: Draw, [theft, ...failing]: readonly Attempt[]): Promise<Gain> {
  if (theft === undefined) throw new RangeError('a log without a theft')
  const quiet = () => street.wait(5 + draw.below(50))
  const attempt = async ({ theft: { prepare, steal }, victim, from }: Attempt) => {
    const loot = await prepare(street, victim)
    quiet()
    await steal(street, loot, from)
  }
  const deeds = [
    () => thiefLogin(street, theft.from),
    ...failing.map(each => () => attempt(each)),
    () => service(street, 'alice'),
  ]
  const order = draw.shuffled(deeds)
  const before = draw.below(order.length)
  for (const deed of order.slice(0, before)) {
    await deed()
    quiet()
  }
  const loot = await theft.theft.prepare(street, theft.victim)
  quiet()
  // Another deed lies between, short enough for a code to live.
  await service(street, 'bob')
  quiet()
  const from = street.events.length
  await theft.theft.steal(street, loot, theft.from)
  const to = street.events.length
  for (const deed of order.slice(before)) {
    quiet()
    await deed()
  }
  while (told(street.events).length < EVENTS) {
    quiet()
    await draw.one(DEEDS)(street, draw.one(PEOPLE))
  }
  return { from, to }
}

const told = (events: readonly LabEvent[]): readonly LabEvent[] =>
  events.filter(({ type }) => !LEFT_OUT.has(type))

/** The ids are new in every run. */
const keyIds = (events: readonly LabEvent[]): string[] =>
  events.flatMap(({ type, kids }) => (type === 'keys.fetched' && Array.isArray(kids) ? kids.map(String) : []))

/** Leaves out the names of weak modes; addresses and names of keys are the usual ones. */
function lineOf(
  { weak: _, ...event }: LabEvent,
  { urls, events }: Street,
  cuts: Map<string, string>,
  draw: Draw,
): string {
  const { access_token: token } = event
  let shown: Record<string, unknown> = event
  if (typeof token === 'string') {
    // Signatures differ between runs, so their ends are drawn.
    const end = Buffer.from([draw.below(256), draw.below(256), draw.below(256)])
      .toString('base64url')
      .slice(0, 3)
    // Two tokens may end alike: an issued one is new.
    const known = event.type === 'token.issued' ? undefined : cuts.get(token)
    const cut = known ?? `${token.slice(0, -3)}${end}`
    cuts.set(token, cut)
    shown = { ...event, access_token: cut }
  }
  let line = JSON.stringify(shown)
    .replaceAll(urls.authorization, 'https://localhost:8443')
    .replaceAll(urls.resource, 'https://localhost:8444')
    // A bounded text may end inside a port.
    .replace(/localhost:\d{1,5}…/g, 'localhost:…')
  for (const kid of keyIds(events)) line = line.replaceAll(kid, 'lab-key')
  return line
}

const textsOf = (events: readonly LabEvent[], names: readonly string[]): string[] => {
  const values = events.flatMap(event => names.map(name => event[name]))
  return [...new Set(values.filter(value => typeof value === 'string'))]
}

/** In the order in which a seed draws them: the first one succeeds. */
function drawThefts(draw: Draw): readonly [Theft, ...Theft[]] {
  const [first, ...others] = draw.shuffled(THEFTS)
  if (first === undefined) throw new RangeError('there is no theft')
  return [first, ...others]
}

export const theftOf = (seed: number): Theft => drawThefts(drawsOf(seed, 'log'))[0]

/** The same seed makes the same log, by living it at a lab. */
export async function theftLog(seed: number): Promise<TheftLog> {
  const draw = drawsOf(seed, 'log')
  const [theft, ...others] = drawThefts(draw)
  const from = strangers(draw)
  const attempts = [theft, ...others.slice(0, 2)].map((each, i) => ({
    theft: each,
    victim: draw.one(PEOPLE),
    from: from[i] ?? '',
  }))
  const street = await openStreet(seed, { weak: [theft.weak], start: startOf(draw) })
  try {
    const gain = await live(street, draw, attempts)
    const events = told(street.events).slice(0, EVENTS)
    const gained = street.events.slice(gain.from, gain.to).filter(({ type }) => GAINED.has(type))
    const cuts = new Map<string, string>()
    const numbers = gained.flatMap(event => {
      const at = events.indexOf(event)
      return at < 0 ? [] : [String(at + 1)]
    })
    const client = theft.weak === 'code-not-bound' ? [THIEF.client] : []
    return {
      theft,
      lines: events.map(event => lineOf(event, street, cuts, draw)),
      names: textsOf(events, ['remoteAddress', 'client_id', 'username', 'sub']),
      quiz: [
        { key: 'when', right: numbers },
        { key: 'who', right: [from[0] ?? '', THIEF.username, ...client] },
        { key: 'defence', right: [theft.weak] },
      ],
    }
  } finally {
    await street.stop()
  }
}
