import { type EVENTS, isRefusal } from '../../protocol/event-catalogue.js'
import { bounded, type LabEvent } from '../../protocol/events.js'
import { defined } from '../../protocol/values.js'
import type { Lane, LaneStep } from './model.js'

/** Lanes on the stage, and steps of a lane. The next step of the person begins another lane. */
export const MAX_LANES = 12
export const MAX_STEPS = 12

/** Requests that are not answered yet, and events that are kept of one. */
const MAX_OPEN = 500
const MAX_EVENTS = 20

/** Longest text and longest reason of a step, in UTF-16 units. */
const MAX_TEXT = 40
const MAX_REASON = 120

/** Milliseconds without a call of the cluster or of the DNS API, after which the next call begins another lane. */
const QUIET = 20_000

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Texts of token requests, by the last part of the grant type. */
const GRANTS: Readonly<Record<string, string>> = {
  authorization_code: 'redeems the code',
  refresh_token: 'refreshes the token',
  client_credentials: 'asks as itself',
  password: 'sends a password',
  device_code: 'asks for the device',
  'token-exchange': 'exchanges the token',
  'jwt-bearer': 'sends an assertion',
  'saml2-bearer': 'sends an assertion',
  ciba: 'asks for the person',
}

/** The last part of a grant type: `device_code` of `urn:ietf:params:oauth:grant-type:device_code`. */
const grantOf = ({ grant_type }: LabEvent): string => textOf(grant_type).split(':').at(-1)!

/** A client that polls hears this until the person has decided (RFC 8628 §3.5). */
const isPoll = ({ error }: LabEvent): boolean => error === 'authorization_pending' || error === 'slow_down'

function tokenText(event: LabEvent): string {
  if (isPoll(event)) return 'waits for the person'
  const grant = grantOf(event)
  return Object.hasOwn(GRANTS, grant) ? GRANTS[grant]! : 'asks for a token'
}

const objectText =
  (verb: string) =>
  ({ kind, name }: LabEvent): string =>
    `${verb} ${textOf(kind)} ${textOf(name)}`

const recordText =
  (verb: string) =>
  ({ record_type, name }: LabEvent): string =>
    `${verb} ${textOf(record_type)} ${textOf(name)}`

/** Method and path without the query; of a long path the last two segments. */
function requestText({ method, path }: LabEvent): string {
  const [plain = ''] = textOf(path).split('?')
  const short = plain.length > 16 ? `…/${plain.split('/').slice(-2).join('/')}` : plain
  return `${textOf(method)} ${short}`
}

interface StepRow extends Pick<LaneStep, 'part' | 'step'> {
  readonly on: readonly (keyof typeof EVENTS)[]
  readonly text: string | ((event: LabEvent) => string)
  /** True for an event that begins a flow. */
  readonly opens?: (event: LabEvent) => boolean
}

const always = (): boolean => true

/** The steps of flows, by the events that report them. Other events of the same request add nothing for the back row. */
const ROWS: readonly StepRow[] = [
  {
    on: ['authorization.requested', 'authorization.refused'],
    part: 'browser',
    step: 'authorize',
    text: ({ response_type: asked }) => `asks for ${asked === 'code' ? 'a code' : textOf(asked) || 'access'}`,
    opens: always,
  },
  {
    on: ['request.pushed', 'push.refused'],
    part: 'authorization',
    step: 'authorize',
    text: 'pushes a request',
    opens: always,
  },
  {
    on: ['device_code.issued', 'device_authorization.refused'],
    part: 'authorization',
    step: 'authorize',
    text: 'asks for a device',
    opens: always,
  },
  {
    on: ['ciba.requested', 'ciba.refused'],
    part: 'authorization',
    step: 'authorize',
    text: 'asks for a person',
    opens: always,
  },
  { on: ['login.succeeded', 'login.failed'], part: 'browser', step: 'login', text: 'logs in' },
  { on: ['session.resumed'], part: 'browser', step: 'login', text: 'is logged in' },
  {
    on: ['second_factor.succeeded', 'second_factor.failed'],
    part: 'browser',
    step: 'login',
    text: 'one-time code',
  },
  { on: ['session.ended', 'logout.refused'], part: 'browser', step: 'login', text: 'logs out' },
  {
    on: ['consent.granted', 'consent.failed', 'device_code.approved', 'ciba.approved'],
    part: 'browser',
    step: 'consent',
    text: 'allows access',
  },
  {
    on: ['consent.denied', 'device_code.denied', 'ciba.denied'],
    part: 'browser',
    step: 'consent',
    text: 'denies access',
  },
  { on: ['user_code.refused'], part: 'browser', step: 'consent', text: 'types the user code' },
  { on: ['code.issued'], part: 'authorization', step: 'code', text: 'issues a code' },
  {
    on: ['token.issued', 'token.refused'],
    part: 'authorization',
    step: 'token',
    text: tokenText,
    opens: event => ['client_credentials', 'password'].includes(grantOf(event)),
  },
  {
    on: ['token.introspected', 'introspection.refused'],
    part: 'authorization',
    step: 'api',
    text: 'asks about a token',
  },
  { on: ['revocation.refused'], part: 'authorization', step: 'api', text: 'revokes a token' },
  {
    on: ['client.registered', 'registration.refused'],
    part: 'authorization',
    step: 'api',
    text: 'registers',
  },
  { on: ['userinfo.answered', 'userinfo.refused'], part: 'authorization', step: 'api', text: 'GET userinfo' },
  {
    on: ['resource.accepted', 'resource.refused'],
    part: 'resource',
    step: 'api',
    text: event => textOf(event.rpc_method) || requestText(event),
    // `flow resource` begins without a token, and learns where to get one (RFC 6750 §3.1).
    opens: ({ type, error }) => type === 'resource.refused' && error === undefined,
  },
  {
    on: ['cluster.token_requested'],
    part: 'cluster',
    step: 'token',
    text: ({ account }) => `token for ${textOf(account).split('/').at(-1)}`,
  },
  { on: ['cluster.token_reviewed'], part: 'cluster', step: 'api', text: 'reviews a token' },
  { on: ['cluster.object_created'], part: 'cluster', step: 'api', text: objectText('creates') },
  { on: ['cluster.object_updated'], part: 'cluster', step: 'api', text: objectText('changes') },
  { on: ['cluster.object_deleted'], part: 'cluster', step: 'api', text: objectText('deletes') },
  { on: ['cluster.request_refused'], part: 'cluster', step: 'api', text: requestText },
  { on: ['dns.zones_read'], part: 'dns', step: 'api', text: 'lists zones' },
  {
    on: ['dns.records_read', 'dns.zone_exported'],
    part: 'dns',
    step: 'api',
    text: ({ zone }) => `lists records of ${textOf(zone)}`,
  },
  { on: ['dns.record_created'], part: 'dns', step: 'api', text: recordText('creates') },
  { on: ['dns.record_changed'], part: 'dns', step: 'api', text: recordText('changes') },
  { on: ['dns.record_deleted'], part: 'dns', step: 'api', text: recordText('deletes') },
  { on: ['dns.batch_applied', 'dns.zone_imported'], part: 'dns', step: 'api', text: 'changes records' },
  { on: ['dns.events_read'], part: 'dns', step: 'api', text: 'reads security events' },
  { on: ['dns.token_verified'], part: 'dns', step: 'api', text: 'verifies its token' },
  { on: ['dns.refused'], part: 'dns', step: 'api', text: requestText },
]

const rowByType: ReadonlyMap<string, StepRow> = new Map(
  ROWS.flatMap(row => row.on.map(type => [type, row] as const)),
)

/** Documents that programs read on their way: no step of a flow. */
const DOCUMENTS = /^\/(\.well-known|openid|openapi|version)\b|^\/api(\/v1)?$|^\/apis(\/[\w.-]+){0,2}$/

/** The sites whose every other request is a call. A page of the authorization server is not one. */
const CALLED: ReadonlySet<unknown> = new Set(['resource', 'cluster', 'dns'])

function reasonOf({ error, description, why, message }: LabEvent): string {
  const said = [error, description ?? why ?? message].map(textOf).filter(each => each !== '')
  return bounded(said.join(': '), MAX_REASON)
}

/** A step, and whether it begins a flow. */
interface Taken {
  readonly step: LaneStep
  readonly opens: boolean
}

function takenOf({ part, step, text, opens }: StepRow, event: LabEvent, status: number): Taken {
  const refused = isRefusal(event) && !isPoll(event)
  const why =
    refused && defined({ reason: reasonOf(event) || undefined, rule: textOf(event.rule) || undefined })
  const said = bounded(typeof text === 'string' ? text : text(event), MAX_TEXT)
  return { step: { part, step, text: said, status, refused, ...why }, opens: opens?.(event) ?? false }
}

/** A request that no event explains: a call of a site, or none for documents and pages. */
function callOf(answer: LabEvent, status: number): readonly Taken[] {
  const { site, path } = answer
  if (!CALLED.has(site) || DOCUMENTS.test(textOf(path).split('?', 1)[0]!)) return []
  const part = site as LaneStep['part']
  const text = bounded(requestText(answer), MAX_TEXT)
  return [{ step: { part, step: 'api', text, status, refused: status >= 400 }, opens: false }]
}

/**
 * Returns the steps of one request: at most one of each kind, and of two the later, which decides. The doctor asks a
 * hundred questions, which are no flow.
 * @param answer the event `request.answered`
 * @param events the events before it
 */
function stepsOf(answer: LabEvent, events: readonly LabEvent[]): readonly Taken[] {
  if (textOf(answer.run).startsWith('doctor ')) return []
  const status = typeof answer.status === 'number' ? answer.status : 0
  const steps = new Map<string, Taken>()
  for (const event of events) {
    const row = rowByType.get(event.type)
    if (row) steps.set(row.step, takenOf(row, event, status))
  }
  return steps.size > 0 ? [...steps.values()] : callOf(answer, status)
}

/** The flows that lanes hold apart: those of OAuth, and calls of the cluster and of the DNS API. */
const sceneOf = ({ part }: LaneStep): string => (part === 'cluster' || part === 'dns' ? part : 'oauth')

/** A lane, and what decides whether the next step belongs to it. */
interface OpenLane extends Lane {
  readonly last: Taken
  /** Milliseconds since the epoch. */
  readonly lastAt: number
}

/** True for a step that begins another flow than that of the lane. */
function begins({ step, opens }: Taken, { steps, last, lastAt }: OpenLane, at: number): boolean {
  if (steps.length >= MAX_STEPS || sceneOf(step) !== sceneOf(last.step)) return true
  if (sceneOf(step) !== 'oauth') return at - lastAt > QUIET
  // A browser is sent on by a refused call, or with a pushed request.
  const isSent = step.part === 'browser' && last.step.part !== 'browser' && last.step.step !== 'token'
  return opens && !(last.opens && isSent)
}

/** The lanes of a room. */
export interface Lanes {
  /**
   * Takes an event. The events of a request become steps once the request is answered.
   * @param who the person whose request it is, where that is known
   * @returns true when a lane has changed
   */
  add(event: LabEvent, who: string | undefined): boolean
  /** The newest flow of each person, newest first, of the twelve people who began last. */
  lanes(): readonly Lane[]
}

/** Makes the lanes of a room without a flow. What they keep is bounded, and each event costs the same. */
export function createLanes(): Lanes {
  const open = new Map<number, { readonly events: LabEvent[]; who?: string }>()
  /** By person, the newest flow last. */
  const lanes = new Map<string, OpenLane>()

  function take(who: string, taken: Taken, at: string): boolean {
    const lane = lanes.get(who)
    const { step } = taken
    const time = { last: taken, lastAt: Date.parse(at) }
    if (lane === undefined || begins(taken, lane, time.lastAt)) {
      lanes.delete(who)
      lanes.set(who, { who, at, steps: [step], ...time })
      if (lanes.size > MAX_LANES) lanes.delete(lanes.keys().next().value!)
      return true
    }
    // A client that polls, or that lists the same again, takes no further step.
    const { text, status } = lane.last.step
    const repeats = !step.refused && step.text === text && step.status === status
    lanes.set(who, { ...lane, steps: repeats ? lane.steps : [...lane.steps, step], ...time })
    return !repeats
  }

  return {
    add(event, who) {
      const { request, type, at } = event
      if (request === undefined) return false
      const entry = open.get(request) ?? { events: [] }
      if (who !== undefined) entry.who = who
      if (type !== 'request.answered') {
        if (entry.events.length < MAX_EVENTS) entry.events.push(event)
        open.set(request, entry)
        if (open.size > MAX_OPEN) open.delete(open.keys().next().value!)
        return false
      }
      open.delete(request)
      const owner = entry.who
      if (owner === undefined) return false
      const changes = stepsOf(event, entry.events).map(taken => take(owner, taken, at))
      return changes.includes(true)
    },
    lanes: () => Array.from(lanes.values(), ({ who, at, steps }) => ({ who, at, steps })).reverse(),
  }
}
