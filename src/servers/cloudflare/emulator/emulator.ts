import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  splitUrl,
} from '../../../protocol/http/message.js'
import type { Site } from '../../../protocol/http/site.js'
import { withoutEnd } from '../../../protocol/values.js'
import { accountRoutes, invalidToken, verifiesTokens } from './account-routes.js'
import { createApi } from './api.js'
import { createChatSink } from './chat/chat-sink.js'
import { type Credentials, credentialsOf, UNKNOWN_TOKEN } from './credentials.js'
import { failure } from './envelope.js'
import type { Context, EmulatorEvent } from './events.js'
import { answerGraphql, graphqlError } from './graphql/endpoint.js'
import { GraphqlRefusal } from './graphql/refusal.js'
import { API_PREFIX, MAX_BODY_BYTES } from './limits.js'
import { createRateBudget } from './rate-budget.js'
import { recordRoutes } from './record-routes.js'
import { noRoute, Refusal, refusal } from './refusal.js'
import { createEventLog, type EventLog } from './security-events/event-log.js'
import { eventRoutes } from './security-events/routes.js'
import type { EmulatorPorts, EmulatorSettings } from './settings.js'
import { zoneRoutes } from './zone-routes.js'
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
  const budget = createRateBudget(settings.rate, now)
  const chat = createChatSink(ports)
  let opened: ReturnType<typeof open> | undefined

  function credentials(request: HttpRequest, path: string): Credentials {
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
   * Returns the answer, and the headers of the budget. The budget belongs to the user of the lab, so only requests with credentials spend it.
   */
  async function answered(
    request: HttpRequest,
    path: string,
    context: Context,
  ): Promise<{ readonly answer: HttpResponse; readonly rate: HeaderList }> {
    const { headers: before, refused } = budget.state()
    let rate = before
    try {
      if (request.body.length > MAX_BODY_BYTES) {
        throw refusal(413, 10413, `A body has at most ${MAX_BODY_BYTES} bytes.`)
      }
      if (refused) throw refused
      const allowed = credentials(request, path)
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
