import { createCsrf } from '../../protocol/http/csrf.js'
import {
  type HttpRequest,
  type HttpResponse,
  splitUrl,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import type { RequestContext, Site } from '../../protocol/http/site.js'
import { createRouter, type Route, withCrossOrigin } from '../../protocol/http/site.js'
import { createDecryptionKeys } from '../../protocol/tokens/encryption.js'
import { createReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { backchannelRoutes } from './backchannel/routes.js'
import { serverDocuments } from './client-documents/documents.js'
import { type Defences, type DefendedSettings, STRICT } from './defences.js'
import { authorizationEndpoint } from './endpoints/authorization/authorization-endpoint.js'
import { createAnswers, createResponseSender } from './endpoints/authorization/authorization-response.js'
import { createInteraction } from './endpoints/authorization/interaction.js'
import { authMethodsAt, createClientAuthentication } from './endpoints/client-authentication.js'
import { internalFailure } from './endpoints/client-endpoint.js'
import { deviceAuthorizationEndpoint, deviceVerification } from './endpoints/device-authorization.js'
import { createDpopProofs } from './endpoints/dpop.js'
import { endSessionEndpoint } from './endpoints/end-session.js'
import { createFaults, withFaults } from './endpoints/faults.js'
import { introspectionEndpoint } from './endpoints/introspection.js'
import { parEndpoint } from './endpoints/par.js'
import { deliveryModes, PUBLISHED_PATHS, publication } from './endpoints/publication.js'
import { revocationEndpoint } from './endpoints/revocation.js'
import { tokenEndpoint } from './endpoints/token-endpoint.js'
import { userinfoEndpoint } from './endpoints/userinfo.js'
import { type Context, describeFailure, type Publish } from './events.js'
import { createClientlessClients } from './grants/assertions.js'
import { createGrants, GRANTS, type MakeGrant } from './grants/index.js'
import { createGuessLimit, createRateLimit } from './logins/guess-limit.js'
import { createOneTimeCodes } from './logins/login.js'
import { createPasswordCheck } from './logins/passwords.js'
import { createPendingLogins, createSessions } from './logins/sessions.js'
import { checkSessionFrame } from './logout/check-session.js'
import { createEndSession, createSessionStart } from './logout/end-session.js'
import { createSectorCheck } from './pairwise/sector-documents.js'
import { createFindKnownResources } from './parameters/resources.js'
import { underProfile } from './profiles/profiles.js'
import { createReferenceServer } from './reference/server.js'
import { REGISTRATION_PATH, registrationRoutes } from './registration/endpoint.js'
import { createOpenRequests } from './request-objects/open-request.js'
import type { AuthorizationServerPorts } from './settings.js'
import { clientAt, unbuiltTokenEndpoint } from './stages/at-stage.js'
import { STAGES } from './stages/stages.js'
import { createClientKeys } from './stores/client-keys.js'
import { createCodes } from './stores/codes.js'
import { createBackchannelRequests, createDeviceCodes } from './stores/device-codes.js'
import { createIssuedTokens } from './stores/issued-tokens.js'
import { createPushedRequests } from './stores/pushed-requests.js'
import { createRefreshTokens } from './stores/refresh-tokens.js'
import { createRegisteredClients, createRegistry, withClients } from './stores/registry.js'
import { createTokenParts } from './tokens/token-parts.js'

/**
 * Makes the authorization server (interface specification; RFC 6749). Its stores are in memory.
 * @param table the grants of the server
 * @throws UsageError for a password_hash that cannot be read
 */
export function createAuthorizationServer(
  settings: DefendedSettings,
  ports: AuthorizationServerPorts,
  table: readonly MakeGrant[] = GRANTS,
): Site {
  if (settings.profile === 'reference') return createReferenceServer(settings, ports)
  const { now, random, keyring, macTokens } = ports
  const { users, lifetimes, defences = STRICT } = settings
  const stage = STAGES[settings.stage]
  const faults = createFaults(settings.faults)
  const scopes = Object.keys(settings.scopes)
  const registered = ports.registeredClients ?? createRegisteredClients()
  const documents = serverDocuments({ settings, defences, ports, registered, abilities: () => abilities })
  const registry = createRegistry(settings.clients, users, {
    registered: client => clientAt(stage, underProfile(client, settings.profile), scopes),
    ownClient: settings.ownClient,
    sources: documents === undefined ? [registered] : [registered, documents],
  })
  const clientless = createClientlessClients()
  const issuedTokens = createIssuedTokens({ lifetime: lifetimes.accessToken, now, random })
  const codes = createCodes({ lifetime: lifetimes.code, retention: lifetimes.accessToken, now, random })
  const refreshTokens = createRefreshTokens({ lifetime: lifetimes.refreshToken, now, random })
  const clientKeys = createClientKeys({ now, fetchDocument: ports.fetchDocument })
  const tokens = createTokenParts({ settings, ports, registry, clientless, issuedTokens, clientKeys })
  const { subjects, responses, claimSources, readAccessToken, readShownToken, issueTokens } = tokens
  const checkSector = createSectorCheck({ now, fetchDocument: ports.fetchDocument })
  const dpop = createDpopProofs({
    issuer: settings.issuer,
    mtlsUrl: settings.mtlsUrl,
    now,
    random,
    nonceRequired: settings.dpopNonceRequired,
  })
  const deviceCodes = createDeviceCodes({ lifetime: lifetimes.code, now, random })
  const backchannelRequests = createBackchannelRequests({ lifetime: lifetimes.code, now, random })
  const checkPassword = createPasswordCheck(users)
  const grants = createGrants(table, {
    settings,
    defences,
    now,
    registry,
    codes,
    issuedTokens,
    refreshTokens,
    deviceCodes,
    backchannelRequests,
    readAccessToken,
    checkPassword,
    passwordLimit: createGuessLimit(settings.rateLimits.passwordGrant, { now }),
    clientless,
    assertionReplay: createReplayGuard({ now }),
  })
  const abilities = {
    grantTypes: [...grants.keys(), 'implicit'],
    authMethods: () => authMethodsAt(settings.mtlsUrl?.()),
    detailTypes: Object.keys(settings.detailTypes ?? {}),
    deliveryModes: deliveryModes(ports.clientCalls !== undefined),
    addressProblem: ports.addressProblem,
  }
  const findKnownResources = createFindKnownResources(settings, ports.findTrustedResources)
  const authentication = {
    registry,
    issuer: settings.issuer,
    now,
    replay: createReplayGuard({ now }),
    secretLimit: createRateLimit(settings.rateLimits.clientSecret, { now }),
    clientKeys,
    mtlsUrl: settings.mtlsUrl,
  }
  const authenticateClient = createClientAuthentication(authentication)
  const authenticateIntrospector = createClientAuthentication({
    ...authentication,
    registry: withClients(registry, settings.introspectors),
  })
  const csrf = createCsrf('__Host-oauth-lab-login', random, defences.csrfForm)
  const sessions = createSessions({
    lifetime: lifetimes.login,
    isUser: name => registry.user(name) !== undefined,
    now,
    random,
  })
  const endSession = createEndSession({ settings, ports, registry, subjects, responses })
  const pushed = createPushedRequests({ now, random })
  const decryptionKeys = ports.decryptionKeys ?? createDecryptionKeys()
  const requests = createOpenRequests({ settings, ports, registry, clientKeys, decryptionKeys, pushed })
  const sender = createResponseSender({ issuer: settings.issuer, defences, responses, now })
  /** The parts of pages on which people log in. */
  const people = {
    ...{ registry, csrf, checkPassword, sessions, subjects },
    loginLimit: createGuessLimit(settings.rateLimits.login, { now }),
    checkOneTimeCode: createOneTimeCodes({ now }),
    startSession: createSessionStart({ sessions, endSession }),
  }
  const interaction = createInteraction({
    ...{ ...people, settings, defences, ports },
    pendingLogins: createPendingLogins({ now, random }),
    makeAnswer: createAnswers({ settings, registry, codes, issuedTokens, ...tokens, now }),
    sender,
  })

  /** The endpoints that need signed tokens. */
  const tokenRoutes = (): readonly Route[] => [
    claimSources.route,
    withFaults(
      'token',
      tokenEndpoint({
        authenticateClient,
        grants,
        issuedTokens,
        issueTokens,
        responses,
        dpop,
        settings,
        defences,
        findKnownResources,
        checkSector,
        offersMac: macTokens !== undefined,
      }),
      faults,
    ),
    withFaults(
      'userinfo',
      userinfoEndpoint({ settings, registry, subjects, readAccessToken, dpop, responses, claimSources }),
      faults,
    ),
    withFaults(
      'par',
      parEndpoint({
        settings,
        defences,
        registry,
        authenticateClient,
        findKnownResources,
        dpop,
        pushed,
        requests,
      }),
      faults,
    ),
    withFaults(
      'revocation',
      revocationEndpoint({
        authenticateClient,
        clientless,
        readAccessToken: readShownToken,
        issuedTokens,
        refreshTokens,
      }),
      faults,
    ),
    withFaults(
      'introspection',
      introspectionEndpoint({
        issuer: settings.issuer,
        now,
        signs: () => keyring.current().alg !== 'HS256',
        responses,
        registry,
        subjects,
        clientless,
        authenticateClient: authenticateIntrospector,
        refreshTokens,
        readAccessToken: readShownToken,
      }),
      faults,
    ),
    withFaults(
      'device_authorization',
      deviceAuthorizationEndpoint({
        settings,
        defences,
        authenticateClient,
        findKnownResources,
        deviceCodes,
      }),
      faults,
    ),
    deviceVerification({ ...people, settings, defences, deviceCodes, now }),
    ...backchannelRoutes({
      ...{ ...people, settings, defences, ports, clientKeys, faults },
      ...{ authenticateClient, findKnownResources, backchannelRequests },
    }),
  ]
  const publishedRoutes = (): readonly Route[] => {
    const published = publication({
      settings,
      defences,
      registry,
      grantTypes: abilities.grantTypes,
      keyring,
      decryptionKeys,
      callsClients: ports.clientCalls !== undefined,
    })
    return published.map(each =>
      withFaults(each.path === PUBLISHED_PATHS.keys ? 'jwks' : 'discovery', each, faults),
    )
  }
  const routes: readonly Route[] = [
    authorizationEndpoint({
      settings,
      defences,
      registry,
      csrf,
      findKnownResources,
      checkSector,
      requests,
      interaction,
      sender,
      faults,
    }),
    endSessionEndpoint({
      hints: { issuer: settings.issuer, keyring, registry, subjects, now },
      registry,
      csrf,
      sessions,
      endSession,
    }),
    checkSessionFrame(() => registry.clients()),
    ...(stage.signing === 'nothing' ? [unbuiltTokenEndpoint()] : tokenRoutes()),
    ...(stage.published
      ? [
          ...registrationRoutes({
            settings,
            defences,
            ports,
            clients: registered,
            registry,
            abilities,
            checkSector,
          }),
          ...publishedRoutes(),
        ]
      : []),
  ]
  return authorizationSite(routes, { defences, prepare: documents?.prepare })
}

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
function authorizationSite(routes: readonly Route[], { defences, prepare }: SiteParts): Site {
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
