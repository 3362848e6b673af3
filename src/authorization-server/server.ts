import { type HttpRequest, type HttpResponse, splitUrl, textResponse } from '../http/message.js'
import { createRouter, type Route } from '../http/routes.js'
import type { Site } from '../http/site.js'
import { OAuthError } from '../oauth/oauth-error.js'
import { createReplayGuard } from '../tokens/replay-guard.js'
import { createAccessTokenReader } from './access-tokens.js'
import { clientAt, unbuiltTokenEndpoint } from './at-stage.js'
import { createAnswers } from './authorization-answer.js'
import { authorizationEndpoint } from './authorization-endpoint.js'
import { createClientAuthentication } from './client-authentication.js'
import { jsonError } from './client-endpoint.js'
import { createCodes } from './codes.js'
import { withCrossOrigin } from './cross-origin.js'
import { createCsrf } from './csrf.js'
import { deviceAuthorizationEndpoint } from './device-authorization.js'
import { createDeviceCodes } from './device-codes.js'
import { deviceVerification } from './device-verification.js'
import { createDpopProofs } from './dpop.js'
import { endSessionEndpoint } from './end-session.js'
import { failurePage } from './error-page.js'
import { boundedEvent, describeFailure, type Publish } from './events.js'
import { createFaults, withFaults } from './faults.js'
import { createGrants } from './grants/index.js'
import { createIdTokens } from './id-token.js'
import { createInteraction } from './interaction.js'
import { introspectionEndpoint } from './introspection.js'
import { createIssuedTokens } from './issued-tokens.js'
import { withMacTokens } from './mac-tokens.js'
import { parEndpoint } from './par.js'
import { createPasswordCheck } from './passwords.js'
import { PUBLISHED_PATHS, publication } from './publication.js'
import { createPushedRequests } from './pushed-requests.js'
import { createRateLimit } from './rate-limit.js'
import { createReferenceServer } from './reference/server.js'
import { createRefreshTokens } from './refresh-tokens.js'
import { createRegistry } from './registry.js'
import { revocationEndpoint } from './revocation.js'
import { createSessions } from './sessions.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from './settings.js'
import { STAGES } from './stages.js'
import { tokenEndpoint } from './token-endpoint.js'
import { createTokenIssuer } from './token-issuer.js'
import { userinfoEndpoint } from './userinfo.js'

const greeting: Route = {
  path: '/',
  methods: { GET: () => textResponse(200, 'Hello from the oauth-lab authorization server.\n') },
}

/** Paths that scripts of other origins may read; never `/authorization`. */
const crossOriginPaths = new Set<string>([
  '/token',
  '/userinfo',
  '/par',
  '/revocation',
  ...Object.values(PUBLISHED_PATHS),
])

/**
 * The authorization server (interface specification; RFC 6749): a route table over stores in memory.
 * @throws UsageError for a password_hash that cannot be read
 */
export function createAuthorizationServer(
  settings: AuthorizationServerSettings,
  ports: AuthorizationServerPorts,
): Site {
  if (settings.profile === 'reference') return createReferenceServer(settings, ports)
  const { now, random, keyring, macTokens } = ports
  const { users, lifetimes } = settings
  const stage = STAGES[settings.stage]
  const publish: Publish = event => ports.publish(boundedEvent(event))
  const faults = createFaults(settings.faults, publish)
  const scopes = Object.keys(settings.scopes)
  const registry = createRegistry(settings.clients, users, client => clientAt(stage, client, scopes))
  const issuedTokens = createIssuedTokens({ lifetime: lifetimes.accessToken, now })
  const codes = createCodes({ lifetime: lifetimes.code, retention: lifetimes.accessToken, now, random })
  const refreshTokens = createRefreshTokens({ lifetime: lifetimes.refreshToken, now, random })
  const readAccessToken = createAccessTokenReader({ settings, ports, issuedTokens })
  const readShownToken = withMacTokens(readAccessToken, { tokens: macTokens, now })
  const dpop = createDpopProofs({
    ...{ issuer: settings.issuer, now, random, nonceRequired: settings.dpopNonceRequired },
  })
  const deviceCodes = createDeviceCodes({ lifetime: lifetimes.code, now, random })
  const checkPassword = createPasswordCheck(users)
  const grants = createGrants({
    ...{
      settings,
      now,
      registry,
      codes,
      issuedTokens,
      refreshTokens,
      deviceCodes,
      readAccessToken,
      checkPassword,
      publish,
    },
    passwordLimit: createRateLimit(settings.rateLimits.passwordGrant, { now }),
    assertionReplay: createReplayGuard({ now }),
  })
  const signIdToken = createIdTokens({ settings, ports })
  const issueTokens = createTokenIssuer({ settings, ports, issuedTokens, signIdToken, publish })
  const authenticateClient = createClientAuthentication({
    registry,
    issuer: settings.issuer,
    now,
    replay: createReplayGuard({ now }),
  })
  const csrf = createCsrf(random)
  const sessions = createSessions({ lifetime: lifetimes.login, now, random })
  const pushed = createPushedRequests({ now, random })
  const loginLimit = createRateLimit(settings.rateLimits.login, { now })
  const interaction = createInteraction({
    settings,
    ports,
    registry,
    csrf,
    checkPassword,
    loginLimit,
    sessions,
    makeAnswer: createAnswers({ registry, codes, issuedTokens, issueTokens, signIdToken, now, publish }),
    publish,
  })

  /** Everything that needs a signature. */
  const tokenRoutes = (): readonly Route[] => [
    withFaults(
      'token',
      tokenEndpoint({
        ...{ authenticateClient, grants, issueTokens, dpop, publish },
        offersMac: macTokens !== undefined,
      }),
      faults,
    ),
    withFaults('userinfo', userinfoEndpoint({ registry, readAccessToken, dpop, publish }), faults),
    withFaults('par', parEndpoint({ settings, registry, authenticateClient, dpop, pushed, publish }), faults),
    withFaults(
      'revocation',
      revocationEndpoint({
        authenticateClient,
        readAccessToken: readShownToken,
        issuedTokens,
        refreshTokens,
        publish,
      }),
      faults,
    ),
    withFaults(
      'introspection',
      introspectionEndpoint({
        ...{ issuer: settings.issuer, registry, authenticateClient, refreshTokens, publish },
        readAccessToken: readShownToken,
      }),
      faults,
    ),
    withFaults(
      'device_authorization',
      deviceAuthorizationEndpoint({ settings, authenticateClient, deviceCodes, publish }),
      faults,
    ),
    deviceVerification({
      ...{ settings, registry, csrf, checkPassword, loginLimit, deviceCodes, now, publish },
    }),
  ]
  const publishedRoutes = (): readonly Route[] => {
    const published = publication({
      settings,
      grantTypes: [...grants.keys(), 'implicit'],
      keys: keyring.published,
    })
    return published.map(each =>
      withFaults(each.path === PUBLISHED_PATHS.keys ? 'jwks' : 'discovery', each, faults),
    )
  }
  const routes: readonly Route[] = [
    greeting,
    authorizationEndpoint({ settings, registry, csrf, pushed, interaction, faults, publish }),
    endSessionEndpoint({
      hints: { issuer: settings.issuer, keyring, registry, now },
      registry,
      csrf,
      sessions,
      publish,
    }),
    ...(stage.signing === 'nothing' ? [unbuiltTokenEndpoint()] : tokenRoutes()),
    ...(stage.published ? publishedRoutes() : []),
  ]
  const route = createRouter(routes)

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await route(request)
    } catch (error) {
      const { path } = splitUrl(request.url)
      publish({ type: 'server.failed', path, description: describeFailure(error) })
      return failure(path)
    }
  }
  return { name: 'authorization', handle: withCrossOrigin(crossOriginPaths, handle) }
}

/** Paths that people see. */
const pages = new Set(['/authorization', '/end-session', '/device'])

/** A failure of ours, in the form of the endpoint. */
function failure(path: string): HttpResponse {
  if (pages.has(path)) return failurePage()
  const error = new OAuthError('server_error', {
    description: 'the server failed to answer this request',
    rule: 'RFC 6749 §4.1.2.1',
  })
  return jsonError(error, 500)
}
