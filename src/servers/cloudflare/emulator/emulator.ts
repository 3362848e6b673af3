import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
} from '../../../protocol/http/message.js'
import type { Site } from '../../../protocol/http/site.js'
import { secretsEqual } from '../../../protocol/secrets.js'
import { withoutEnd } from '../../../protocol/values.js'
import type { ApiError } from '../shapes.js'
import { failure, noRoute, Refusal, refusal } from './answers.js'
import { createChatSink } from './chat.js'
import { createEventLog, type EventLog } from './event-log.js'
import { eventRoutes } from './event-routes.js'
import type { Context, EmulatorEvent } from './events.js'
import { GraphqlRefusal } from './graphql/event-nodes.js'
import { answerGraphql, graphqlError } from './graphql/execute.js'
import { recordRoutes } from './record-routes.js'
import { type Credentials, createApi } from './router.js'
import type { EmulatorPorts, EmulatorSettings, RequestRate } from './settings.js'
import { API_PREFIX, MAX_BODY_BYTES } from './settings.js'
import { accountRoutes, invalidToken, verifiesTokens, zoneRoutes } from './zone-routes.js'
import { openZones } from './zones.js'

const NO_STORE = 'no-store, no-cache, must-revalidate, post-check=0, pre-check=0'

function refusedEvent(
  { method }: HttpRequest,
  path: string,
  { status, code, message }: { readonly status: number; readonly code: number; readonly message: string },
): EmulatorEvent {
  return { type: 'dns.refused', method, path, status, code, message }
}

/** Removes slashes at the end of a path. */
const trimmed = (path: string): string => withoutEnd(path, '/')

function open(settings: EmulatorSettings, ports: EmulatorPorts) {
  const { now } = ports
  const zones = openZones(settings, ports)
  const [first] = settings.zones
  const log =
    first &&
    createEventLog(ports, {
      zone: zones.get(first.id)?.zone.name ?? first.name,
      hostile: settings.hostile === true,
    })
  const logOf = (zone: string): EventLog | undefined => (zone === first?.id ? log : undefined)
  const api = createApi(
    {
      ...accountRoutes(settings, zones),
      ...zoneRoutes(ports),
      ...recordRoutes(ports),
      ...eventRoutes(logOf, { now }),
    },
    zones,
  )
  return { zones, logOf, api }
}

/**
 * Creates the emulator of the DNS and security-event API. It checks a request in this order: rate limit, credentials, route, body, rules. Records and
 * events are created at the first request.
 */
export function createCloudflareEmulator(
  settings: EmulatorSettings,
  ports: EmulatorPorts,
): Site<EmulatorEvent> {
  const { now, random } = ports
  const { tokens = [] } = settings
  const sharedBudget = createRateBudget(settings.rate, now)
  const budgets = new Map(tokens.map(({ name }) => [name, createRateBudget(settings.rate, now)]))
  const chat = createChatSink(ports)
  let opened: ReturnType<typeof open> | undefined

  /** The owner of the token of a request. It compares with all tokens, so that the time reveals nothing. */
  function ownerOf(request: HttpRequest): string | undefined {
    const sent = bearerIn(header(request, 'authorization') ?? '')
    const [found] = tokens.filter(({ token }) => secretsEqual(sent, `Bearer ${token}`))
    return found?.name
  }

  function credentials(request: HttpRequest, path: string, owner: string | undefined): Credentials {
    if (owner !== undefined) return 'token'
    try {
      return credentialsOf(request, settings)
    } catch (error) {
      const unknown = error instanceof Refusal && error.errors[0]?.code === UNKNOWN_TOKEN
      throw unknown && verifiesTokens(path) ? invalidToken() : error
    }
  }

  async function graphql(request: HttpRequest, path: string, { publish }: Context): Promise<HttpResponse> {
    if (request.method !== 'POST')
      throw refusal(405, 10405, 'Method not allowed: POST is.', [['allow', 'POST']])
    opened ??= open(settings, ports)
    const read = (zone: string, count: number) =>
      publish({ type: 'dns.events_read', zone, count, api: 'graphql' })
    return answerGraphql(request, { ...opened, now, read }, ({ status, message }) =>
      publish(refusedEvent(request, path, { status, code: 0, message })),
    )
  }

  async function called(
    request: HttpRequest,
    path: string,
    allowed: Credentials,
    context: Context,
  ): Promise<HttpResponse> {
    if (path === '/graphql') return graphql(request, path, context)
    opened ??= open(settings, ports)
    return opened.api({ request, publish: context.publish, credentials: allowed }, path)
  }

  /**
   * Returns the answer, and the headers of the budget. The budget belongs to the owner of the token, else to the user of the lab, so only requests with
   * credentials spend it.
   */
  async function answered(
    request: HttpRequest,
    path: string,
    unowned: Context,
  ): Promise<{ readonly answer: HttpResponse; readonly rate: HeaderList }> {
    const owner = ownerOf(request)
    const budget = (owner === undefined ? undefined : budgets.get(owner)) ?? sharedBudget
    const context: Context =
      owner === undefined
        ? unowned
        : { ...unowned, publish: event => unowned.publish(Object.assign({}, event, { by: owner })) }
    const { headers: before, refused } = budget.state()
    let rate = before
    try {
      if (request.body.length > MAX_BODY_BYTES) {
        throw refusal(413, 10413, `A body has at most ${MAX_BODY_BYTES} bytes.`)
      }
      if (refused) throw refused
      const allowed = credentials(request, path, owner)
      rate = budget.take().headers
      return { answer: await called(request, path, allowed, context), rate }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, errors, headers } = error
      context.publish(refusedEvent(request, path, { status, ...errors[0]! }))
      if (status !== 429 || path !== '/graphql') return { answer: failure(error), rate }
      const wait = 'rate limiter budget depleted, try again after 5 minutes'
      const answer = graphqlError(new GraphqlRefusal(429, wait), now())
      return { answer: { ...answer, headers: [...answer.headers, ...headers] }, rate }
    }
  }

  async function handle(request: HttpRequest, context: Context): Promise<HttpResponse> {
    const whole = trimmed(splitUrl(request.url).path)
    const within = whole === API_PREFIX || whole.startsWith(`${API_PREFIX}/`)
    const path = within ? whole.slice(API_PREFIX.length) : whole
    const posted = chat(request, path, context)
    if (posted) return posted
    if (!within) return failure(noRoute())
    const { answer, rate } = await answered(request, path, context)
    return {
      ...answer,
      headers: [
        ...answer.headers,
        ['cache-control', NO_STORE],
        ['x-content-type-options', 'nosniff'],
        ['cf-ray', `${Buffer.from(random(8)).toString('hex')}-LAB`],
        ...rate,
      ],
    }
  }

  return { name: 'dns', handle }
}

type Known = Pick<EmulatorSettings, 'key' | 'email' | 'token'>

// The formats of keys and tokens, before 2026 and since then.
const keyForm = /^(?:[0-9a-f]{37,45}|cfk_[A-Za-z0-9]{40,})$/
const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const bearerForm = /^bearer +([A-Za-z0-9_-]{40,})$/i

function malformed(chain: readonly ApiError[]): Refusal {
  return new Refusal(400, [{ code: 6003, message: 'Invalid request headers', error_chain: chain }])
}

/** The code for an unknown token, on all routes except the route that verifies tokens. */
const UNKNOWN_TOKEN = 9109

/** An Authorization header with the scheme as it is compared. */
const bearerIn = (authorization: string): string => authorization.trim().replace(/^bearer +/i, 'Bearer ')

function bearer(authorization: string, { token }: Known): Credentials {
  const given = bearerIn(authorization)
  // Equality is checked first because the token of a lab may have any form.
  if (secretsEqual(given, `Bearer ${token}`)) return 'token'
  if (bearerForm.test(given)) throw refusal(403, UNKNOWN_TOKEN, 'Invalid access token')
  throw malformed([{ code: 6111, message: 'Invalid format for Authorization header' }])
}

function keyAndEmail(key: string, email: string, known: Known): Credentials {
  const sameKey = secretsEqual(key, known.key)
  if (secretsEqual(email.toLowerCase(), known.email.toLowerCase()) && sameKey) return 'key'
  const chain = [
    ...(emailForm.test(email) ? [] : [{ code: 6102, message: 'Invalid format for X-Auth-Email header' }]),
    ...(sameKey || keyForm.test(key)
      ? []
      : [{ code: 6103, message: 'Invalid format for X-Auth-Key header' }]),
  ]
  if (chain.length > 0) throw malformed(chain)
  throw refusal(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email')
}

/**
 * Returns the credentials of a request. An Authorization header overrides X-Auth-Key and X-Auth-Email.
 * @throws Refusal
 */
function credentialsOf(request: HttpRequest, known: Known): Credentials {
  const authorization = header(request, 'authorization')
  if (authorization !== undefined) return bearer(authorization, known)
  const key = header(request, 'x-auth-key')
  const email = header(request, 'x-auth-email')
  if (key === undefined && email === undefined) {
    throw refusal(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers')
  }
  return keyAndEmail((key ?? '').trim(), (email ?? '').trim(), known)
}

/** The rest of a budget. */
interface BudgetState {
  readonly headers: HeaderList
  /** The refusal of every request, when the budget is spent. */
  readonly refused?: Refusal
}

/** The error code that the service sends with 429. */
const TOO_MANY = 971

/**
 * Creates a budget of requests for the one user of a lab. Its window starts with the first request and ends by the lab's clock. A spent budget refuses all requests until then.
 */
export function createRateBudget(rate: RequestRate, now: () => number) {
  if (rate === 'off')
    return { state: (): BudgetState => ({ headers: [] }), take: (): BudgetState => ({ headers: [] }) }
  const { attempts, window } = rate
  const seconds = window / 1000
  let since = Number.NEGATIVE_INFINITY
  let taken = 0

  /** True when the window is over. A clock that was set back starts a new window. */
  const isOver = (at: number): boolean => at >= since + window || at < since

  function described(at: number, left: number): HeaderList {
    const wait = isOver(at) ? seconds : Math.ceil((since + window - at) / 1000)
    return [
      ['ratelimit', `"default";r=${left};t=${wait}`],
      ['ratelimit-policy', `"default";q=${attempts};w=${seconds}`],
    ]
  }

  /** Returns the rest, and takes nothing. */
  function state(): BudgetState {
    const at = now()
    const left = isOver(at) ? attempts : attempts - taken
    const headers = described(at, left)
    if (left > 0) return { headers }
    const message = `More than ${attempts} requests per ${seconds} seconds reached. Please wait and consider throttling your request speed`
    const wait = String(Math.ceil((since + window - at) / 1000))
    return { headers, refused: refusal(429, TOO_MANY, message, [['retry-after', wait]]) }
  }

  return {
    state,
    /** Takes one request from the budget. The refusal means that nothing was left to take. */
    take(): BudgetState {
      const before = state()
      if (before.refused) return before
      const at = now()
      if (isOver(at)) {
        since = at
        taken = 0
      }
      taken++
      return { headers: described(at, attempts - taken) }
    },
  }
}
