import { type HttpRequest, type HttpResponse, splitUrl } from '../../http/message.js'
import type { Site } from '../../http/site.js'
import { accountRoutes, invalidToken, verifiesTokens } from './account-routes.js'
import { createApi } from './api.js'
import { createChatSink } from './chat-sink.js'
import { type Credentials, credentialsOf, UNKNOWN_TOKEN } from './credentials.js'
import { failure } from './envelope.js'
import { boundedPublish, type Publish } from './events.js'
import { answerGraphql, graphqlError } from './graphql/endpoint.js'
import { GraphqlRefusal } from './graphql/refusal.js'
import { API_PREFIX, MAX_BODY_BYTES } from './limits.js'
import { createRateBudget } from './rate-budget.js'
import { recordRoutes } from './record-routes.js'
import { noRoute, Refusal, refusal } from './refusal.js'
import { createEventLog, type EventLog } from './security-events/event-log.js'
import { eventRoutes } from './security-events/routes.js'
import type { EmulatorPorts, EmulatorSettings } from './settings.js'
import { openZones } from './zones.js'

const NO_STORE = 'no-store, no-cache, must-revalidate, post-check=0, pre-check=0'

/** The path without slashes at its end. */
const trimmed = (path: string): string => path.replace(/\/+$/, '')

function open(settings: EmulatorSettings, ports: EmulatorPorts, publish: Publish) {
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
      ...accountRoutes(settings, zones, publish),
      ...recordRoutes(ports, publish),
      ...eventRoutes(logOf, { now, publish }),
    },
    zones,
  )
  return { zones, logOf, api }
}

/**
 * The DNS and security-event API, as the service and its clients know it. A request goes through the rate limit,
 * its credentials, its route, its body and the rules, in this order. Records and events are made at the first
 * request.
 */
export function createCloudflareEmulator(settings: EmulatorSettings, ports: EmulatorPorts): Site {
  const { now, random } = ports
  const publish = boundedPublish(ports.publish)
  const budget = createRateBudget(settings.rate, now)
  const chat = createChatSink(now, publish)
  let opened: ReturnType<typeof open> | undefined

  function credentials(request: HttpRequest, path: string): Credentials {
    try {
      return credentialsOf(request, settings)
    } catch (error) {
      const unknown = error instanceof Refusal && error.errors[0]?.code === UNKNOWN_TOKEN
      throw unknown && verifiesTokens(path) ? invalidToken() : error
    }
  }

  function told(request: HttpRequest, path: string, status: number, code: number, message: string): void {
    publish({ type: 'dns.refused', method: request.method, path, status, code, message })
  }

  async function graphql(request: HttpRequest, path: string): Promise<HttpResponse> {
    if (request.method !== 'POST')
      throw refusal(405, 10405, 'Method not allowed: POST is.', [['allow', 'POST']])
    opened ??= open(settings, ports, publish)
    const read = (zone: string, count: number) =>
      publish({ type: 'dns.events_read', zone, count, api: 'graphql' })
    return answerGraphql(request, { ...opened, now, read }, ({ status, message }) =>
      told(request, path, status, 0, message),
    )
  }

  async function called(request: HttpRequest, path: string): Promise<HttpResponse> {
    const who = credentials(request, path)
    if (path === '/graphql') return graphql(request, path)
    opened ??= open(settings, ports, publish)
    return opened.api(request, path, who)
  }

  async function answered(
    request: HttpRequest,
    path: string,
    spent: Refusal | undefined,
  ): Promise<HttpResponse> {
    try {
      if (request.body.length > MAX_BODY_BYTES) {
        throw refusal(413, 10413, `A body has at most ${MAX_BODY_BYTES} bytes.`)
      }
      if (spent) throw spent
      return await called(request, path)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, message } = error.errors[0]!
      told(request, path, error.status, code, message)
      if (error !== spent || path !== '/graphql') return failure(error)
      const wait = 'rate limiter budget depleted, try again after 5 minutes'
      const answer = graphqlError(new GraphqlRefusal(429, wait), now())
      return { ...answer, headers: [...answer.headers, ...error.headers] }
    }
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const whole = trimmed(splitUrl(request.url).path)
    const within = whole === API_PREFIX || whole.startsWith(`${API_PREFIX}/`)
    const path = within ? whole.slice(API_PREFIX.length) : whole
    const posted = chat(request, path)
    if (posted) return posted
    if (!within) return failure(noRoute())
    const { headers, refused } = budget.take()
    const answer = await answered(request, path, refused)
    return {
      ...answer,
      headers: [
        ...answer.headers,
        ['cache-control', NO_STORE],
        ['x-content-type-options', 'nosniff'],
        ['cf-ray', `${Buffer.from(random(8)).toString('hex')}-LAB`],
        ...headers,
      ],
    }
  }

  return { name: 'dns', handle }
}
