import {
  type HttpRequest,
  type HttpResponse,
  splitUrl,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import type { RequestContext, Site } from '../../protocol/http/site.js'
import { createRouter, type Route, withCrossOrigin } from '../../protocol/http/site.js'
import type { Defences } from './defences.js'
import { internalFailure } from './endpoints/internal-failure.js'
import { PUBLISHED_PATHS } from './endpoints/publication.js'
import { type Context, describeFailure, type Publish } from './events.js'
import { REGISTRATION_PATH } from './registration/endpoint.js'

const greeting: Route = {
  path: '/',
  methods: { GET: () => textResponse(200, 'Hello from the oauth-lab authorization server.\n') },
}

/** Paths that scripts of other origins may read. `/authorization` must not be one: it shows pages to people. */
const crossOriginPaths = new Set<string>([
  '/token',
  '/userinfo',
  '/par',
  '/revocation',
  ...Object.values(PUBLISHED_PATHS),
])

/** The paths of registrations, which web applications call too. */
const registrationPaths = {
  has: (path: string) => path === REGISTRATION_PATH || path.startsWith(`${REGISTRATION_PATH}/`),
}

/** The parts around the routes. */
export interface SiteParts {
  readonly defences: Pick<Defences, 'showPage'>
  /** Runs before the endpoint of each request. Absent: nothing does. */
  readonly prepare?: ((request: HttpRequest, publish: Publish) => Promise<void>) | undefined
}

/** Makes the site of the authorization server from its routes: pages as the defences have them, and an answer to every failure. */
export function authorizationSite(routes: readonly Route[], { defences, prepare }: SiteParts): Site {
  const route = createRouter([greeting, ...routes])

  async function handle(request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
    const { publish }: Context = context
    try {
      await prepare?.(request, publish)
      return withNosniff(defences.showPage(request, await route(request, context)))
    } catch (error) {
      const { path } = splitUrl(request.url)
      publish({ type: 'server.failed', path, description: describeFailure(error) })
      return withNosniff(internalFailure(path))
    }
  }
  const managed = withCrossOrigin({ methods: 'GET, POST, PUT, DELETE', paths: registrationPaths }, handle)
  return {
    name: 'authorization',
    handle: withCrossOrigin({ methods: 'GET, POST', paths: crossOriginPaths }, managed),
  }
}
