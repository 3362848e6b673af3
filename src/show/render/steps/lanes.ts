import type { PlannedStep, Role } from '../../../flows/step.js'
import type { Masking } from '../../../protocol/safe-output/mask.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { cutLine, foreign, line, span } from '../text/spans.js'
import { cutEnd, pad, width } from '../text/text.js'
import { type Entry, type Message, messagesOf, ROLE_NAMES, statusSign } from './sequence.js'

const order: readonly Role[] = ['attacker', 'user_agent', 'client', 'authorization_server', 'resource_server']

const shortNames: Readonly<Record<Role, string>> = {
  ...ROLE_NAMES,
  authorization_server: 'authorization',
  resource_server: 'resource',
}

/** Names for five lanes in 60 columns. */
const shortestNames: Readonly<Record<Role, string>> = { ...shortNames, authorization_server: 'server' }

/** Room for long names, and for a wider margin before the first lane. */
const ROOMY = 90

interface Lane {
  readonly role: Role
  readonly name: string
  readonly at: number
}

/** The positions of the lanes of a plan. */
export interface Lanes {
  readonly columns: number
  readonly lanes: readonly Lane[]
}

/** Places the lanes of the roles that take part over `columns`. */
export function placeLanes(plan: readonly PlannedStep[], columns: number): Lanes {
  const present = new Set(plan.flatMap(({ from, to }) => [from, to]))
  const roles = order.filter(role => present.has(role))
  const names = columns >= ROOMY ? ROLE_NAMES : shortNames
  const [first, margin] = columns >= ROOMY ? [12, 10] : [10, 7]
  const last = columns - Math.max(margin, Math.ceil(width(names[roles.at(-1) ?? 'client']) / 2))
  const gaps = Math.max(1, roles.length - 1)
  const at = (i: number): number => first + Math.round(((last - first) * i) / gaps)
  const lanesOf = (of: typeof names) =>
    roles.map((role, i) => {
      // Two people have browsers in an attack.
      const name = role === 'user_agent' && present.has('attacker') ? 'victim' : of[role]
      return { role, name, at: at(i) }
    })
  const lanes = lanesOf(names)
  return { columns, lanes: lanes.some(touchesNext) ? lanesOf(shortestNames) : lanes }
}

/** The column in which the name of a lane starts. */
const nameStart = ({ name, at }: Lane): number => at - Math.floor(width(name) / 2)

function touchesNext(lane: Lane, i: number, lanes: readonly Lane[]): boolean {
  const next = lanes[i + 1]
  return next !== undefined && nameStart(lane) + width(lane.name) >= nameStart(next)
}

/** The line with the names of the roles. */
export function laneNames({ lanes }: Lanes): Line {
  let text = ''
  for (const lane of lanes) text = pad(text, nameStart(lane)) + lane.name
  return line(text, 'dim')
}

/** An arrow that fills `room` columns: `─── GET /jwks ──►`, `◄┄┄ 200 ┄┄`. */
function arrow({ label, happened }: Message, rightward: boolean, room: number, signs: Signs): string {
  const dash = happened ? signs.solid : signs.dotted
  const safe = cutEnd(foreign(label, signs), room - 6, signs.ellipsis)
  const text = safe === '' ? '' : ` ${safe} `
  const dashes = room - 1 - width(text)
  const before = Math.max(0, rightward ? Math.floor(dashes / 2) : Math.ceil(dashes / 2) - 1)
  const body = dash.repeat(before) + text + dash.repeat(dashes - before)
  return rightward ? body + signs.arrowRight : signs.arrowLeft + body
}

/** The work of a role by itself, beside its lane: `┄ sign a JWT assertion`. */
function ownWork({ label, happened }: Message, room: number, signs: Signs): string {
  const dash = happened ? signs.solid : signs.dotted
  return pad(` ${dash} ${cutEnd(foreign(label, signs), room - 4, signs.ellipsis)}`, room)
}

function drawMessage(entry: Entry, message: Message, lanes: Lanes, signs: Signs): Line {
  const { sign, tone } = statusSign(message.refused ? 'refused' : entry.status, signs)
  const ends = lanes.lanes.filter(({ role }) => role === message.from || role === message.to)
  const from = lanes.lanes.find(({ role }) => role === message.from)
  const [left, right] = ends
  const looked = message.refused || entry.status === 'now' || entry.status === 'refused'
  const arrowTone = looked ? 'strong' : message.happened ? 'plain' : 'dim'
  const pieces = [span(pad(`${sign} ${entry.n}`, lanes.lanes[0]?.at ?? 0), tone)]
  let at = lanes.lanes[0]?.at ?? 0
  let previous: Lane | undefined
  for (const lane of lanes.lanes) {
    if (left && right && lane.at > left.at && lane.at < right.at) continue
    if (lane === right && left) {
      const drawn = arrow(message, from === left, right.at - left.at - 1, signs)
      pieces.push(span(drawn, arrowTone))
    } else if (previous !== undefined && previous === left && message.from === message.to) {
      pieces.push(span(ownWork(message, lane.at - at, signs), arrowTone))
    } else pieces.push(span(' '.repeat(lane.at - at)))
    pieces.push(span(signs.vertical, 'dim'))
    at = lane.at + 1
    previous = lane
  }
  return cutLine(pieces, lanes.columns, signs)
}

/** The sequence diagram of a flow: one line an arrow, solid where it happened, dotted where it is planned. */
export function drawLanes(
  entries: readonly Entry[],
  lanes: Lanes,
  options: { readonly masking: Masking; readonly signs: Signs },
): { readonly entry: number; readonly line: Line }[] {
  return entries.flatMap((entry, i) =>
    messagesOf(entry, options.masking).map(message => ({
      entry: i,
      line: drawMessage(entry, message, lanes, options.signs),
    })),
  )
}
