import { createCsrf } from '../../protocol/http/csrf.js'
import { type HttpRequest, type HttpResponse, splitUrl, withNosniff } from '../../protocol/http/message.js'
import {
  createRouter,
  type RequestContext,
  type Route,
  type Site,
  withCrossOrigin,
} from '../../protocol/http/site.js'
import { createDecryptionKeys } from '../../protocol/tokens/encryption.js'
import { createReplayGuard } from '../../protocol/tokens/replay-guard.js'
import { approvalPage } from './backchannel/approval-page.js'
import { backchannelAuthenticationEndpoint } from './backchannel/authentication-endpoint.js'
import { serverDocuments } from './client-documents/documents.js'
import { isDependent } from './client-documents/fetch-failure.js'
import { type Defences, type DefendedSettings, STRICT } from './defences.js'
import { authorizationEndpoint } from './endpoints/authorization/authorization-endpoint.js'
import { createResponseSender } from './endpoints/authorization/authorization-response.js'
import { authMethodsAt, createClientAuthentication } from './endpoints/client-authentication.js'
import { internalFailure } from './endpoints/client-endpoint.js'
import { deviceAuthorizationEndpoint, deviceVerification } from './endpoints/device-authorization.js'
import { createDpopProofs } from './endpoints/dpop.js'
import { endSessionEndpoint } from './endpoints/end-session.js'
import { createFaults, withFaults } from './endpoints/faults.js'
import { frontRoutes } from './endpoints/front-page.js'
import { introspectionEndpoint } from './endpoints/introspection.js'
import { parEndpoint } from './endpoints/par.js'
import type { ServerParts } from './endpoints/parts.js'
import { deliveryModes, PUBLISHED_PATHS, publication } from './endpoints/publication.js'
import { revocationEndpoint } from './endpoints/revocation.js'
import { tokenEndpoint } from './endpoints/token-endpoint.js'
import { userinfoEndpoint } from './endpoints/userinfo.js'
import { type Context, describeFailure, type Publish } from './events.js'
import { createGrants, GRANTS, type MakeGrant } from './grants/index.js'
import { createGuessLimit } from './logins/guess-limit.js'
import { createOneTimeCodes } from './logins/one-time-codes.js'
import { createPasswordCheck } from './logins/passwords.js'
import { createPendingLogins, createSessions } from './logins/sessions.js'
import { checkSessionFrame } from './logout/check-session.js'
import { createEndSession } from './logout/end-session.js'
import { createSectorCheck } from './pairwise/sector-documents.js'
import { createFindKnownResources } from './parameters/resources.js'
import type { BaseParts } from './parts.js'
import { underProfile } from './profiles/profiles.js'
import { createReferenceServer } from './reference/server.js'
import { REGISTRATION_PATH, registrationRoutes } from './registration/endpoint.js'
import { createOpenRequests } from './request-objects/open-request.js'
import type { AuthorizationServerPorts } from './settings.js'
import { clientAt, unbuiltTokenEndpoint } from './stages/at-stage.js'
import { STAGES } from './stages/stages.js'
import { createClientKeys } from './stores/client-keys.js'
import { createClientlessClients } from './stores/clientless-clients.js'
import { createCodes } from './stores/codes.js'
import { createBackchannelRequests, createDeviceCodes } from './stores/device-codes.js'
import { createIssuedTokens } from './stores/issued-tokens.js'
import { createPushedRequests } from './stores/pushed-requests.js'
import { createRefreshTokens } from './stores/refresh-tokens.js'
import { createRegisteredClients, createRegistry, withClients } from './stores/registry.js'
import { withTokenParts } from './tokens/token-parts.js'

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
  const { now, random, clientCalls } = ports
  const { issuer, users, lifetimes, rateLimits, defences = STRICT } = settings
  const stage = STAGES[settings.stage]
  const scopes = Object.keys(settings.scopes)
  const registered = ports.registeredClients ?? createRegisteredClients()
  const given = { settings, ports, defences, registered }
  const documents = serverDocuments({ ...given, abilities: () => abilities })
  const registry = createRegistry(settings.clients, users, {
    registered: client => clientAt(stage, underProfile(client, settings.profile), scopes),
    ownClient: settings.ownClient,
    sources: documents === undefined ? [registered] : [registered, documents],
  })
  const base: BaseParts = {
    ...given,
    faults: createFaults(settings.faults),
    issuer,
    now,
    random,
    keyring: ports.keyring,
    decryptionKeys: ports.decryptionKeys ?? createDecryptionKeys(),
    registry,
    clientless: createClientlessClients(),
    clientKeys: createClientKeys(ports),
    codes: createCodes({ lifetime: lifetimes.code, retention: lifetimes.accessToken, now, random }),
    issuedTokens: createIssuedTokens({ lifetime: lifetimes.accessToken, now, random }),
    refreshTokens: createRefreshTokens({ lifetime: lifetimes.refreshToken, now, random }),
    deviceCodes: createDeviceCodes({ lifetime: lifetimes.code, now, random }),
    backchannelRequests: createBackchannelRequests({ lifetime: lifetimes.code, now, random }),
    pushed: createPushedRequests({ now, random }),
    pendingLogins: createPendingLogins({ now, random }),
    sessions: createSessions({
      lifetime: lifetimes.login,
      isUser: name => registry.user(name) !== undefined,
      now,
      random,
    }),
    csrf: createCsrf('__Host-oauth-lab-login', random, defences.csrfForm),
    checkPassword: createPasswordCheck(users),
    checkOneTimeCode: createOneTimeCodes({ now }),
    checkSector: createSectorCheck(ports),
    findKnownResources: createFindKnownResources(settings, ports.findTrustedResources),
    loginLimit: createGuessLimit(rateLimits.login, { now }),
    passwordLimit: createGuessLimit(rateLimits.passwordGrant, { now }),
    secretLimit: createGuessLimit(rateLimits.clientSecret, { now }),
    assertionReplay: createReplayGuard({ now }),
    clientAssertionReplay: createReplayGuard({ now }),
  }
  const tokens = withTokenParts(base)
  const grants = createGrants(table, tokens)
  const abilities = {
    grantTypes: [...grants.keys(), 'implicit'],
    authMethods: () => authMethodsAt(settings.mtlsUrl?.()),
    detailTypes: Object.keys(settings.detailTypes ?? {}),
    deliveryModes: deliveryModes(clientCalls !== undefined),
    addressProblem: ports.addressProblem,
  }
  const parts: ServerParts = {
    ...tokens,
    grants,
    abilities,
    authenticateClient: createClientAuthentication(base),
    authenticateIntrospector: createClientAuthentication({
      ...base,
      registry: withClients(registry, settings.introspectors),
    }),
    dpop: createDpopProofs(base),
    requests: createOpenRequests(base),
    endSession: createEndSession(tokens),
    sender: createResponseSender(tokens),
  }
  const routes: readonly Route[] = [
    ...frontRoutes(parts),
    authorizationEndpoint(parts),
    endSessionEndpoint(parts),
    checkSessionFrame(() => registry.clients()),
    ...(stage.signing === 'nothing' ? [unbuiltTokenEndpoint()] : tokenRoutes(parts)),
    ...(stage.published ? [...registrationRoutes(parts), ...publication(parts)] : []),
  ]
  return authorizationSite(routes, { defences, prepare: documents?.prepare })
}

/** The endpoints that need signed tokens. */
function tokenRoutes(parts: ServerParts): readonly Route[] {
  const { faults, claimSources } = parts
  return [
    claimSources.route,
    withFaults('token', tokenEndpoint(parts), faults),
    withFaults('userinfo', userinfoEndpoint(parts), faults),
    withFaults('par', parEndpoint(parts), faults),
    withFaults('revocation', revocationEndpoint(parts), faults),
    withFaults('introspection', introspectionEndpoint(parts), faults),
    withFaults('device_authorization', deviceAuthorizationEndpoint(parts), faults),
    deviceVerification(parts),
    withFaults('backchannel_authentication', backchannelAuthenticationEndpoint(parts), faults),
    approvalPage(parts),
  ]
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

export interface SiteParts {
  readonly defences: Pick<Defences, 'showPage'>
  /** Runs before the endpoint of each request. Absent: nothing does. */
  readonly prepare?: ((request: HttpRequest, publish: Publish) => Promise<unknown> | undefined) | undefined
}

/** Makes the site of the authorization server from its routes: pages as the defences have them, and an answer to every failure. */
function authorizationSite(routes: readonly Route[], { defences, prepare }: SiteParts): Site {
  const route = createRouter(routes)

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
  const hides = ({ status }: HttpResponse, { publish }: Context) => status >= 400 && isDependent(publish)
  const managed = withCrossOrigin(
    { methods: 'GET, POST, PUT, DELETE', paths: registrationPaths, hides },
    handle,
  )
  return {
    name: 'authorization',
    handle: withCrossOrigin({ methods: 'GET, POST', paths: crossOriginPaths, hides }, managed),
  }
}
