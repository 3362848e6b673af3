import { jsonResponse, redirectResponse, requestedHost, withNosniff } from '../../protocol/http/message.js'
import type { Handle, Site } from '../../protocol/http/site.js'
import type { Client } from '../../protocol/oauth/client.js'
import { keepRecentEvents } from '../../protocol/recent-events.js'
import { weakNotice } from '../../protocol/rules/weak-modes.js'
import { defined, keepLatest } from '../../protocol/values.js'
import type { AssertionIssuer } from '../../servers/authorization-server/model.js'
import type { PairwiseSalt } from '../../servers/authorization-server/pairwise/subjects.js'
import { MAX_FORM_BYTES } from '../../servers/authorization-server/parameters/form-body.js'
import type {
  AccountChooser,
  LocalLab,
  RegistrationSettings,
} from '../../servers/authorization-server/settings.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import type { MacTokens } from '../../servers/authorization-server/stores/mac-tokens.js'
import {
  createDocumentClients,
  type RegisteredClients,
} from '../../servers/authorization-server/stores/registry.js'
import { API_PREFIX, MAX_BODY_BYTES as DNS_LIMIT } from '../../servers/cloudflare/emulator/settings.js'
import { MAX_BODY_BYTES as CLIENT_LIMIT } from '../../servers/demo-client/settings.js'
import { MAX_BODY_BYTES as CLUSTER_LIMIT } from '../../servers/kubernetes/emulator/settings.js'
import { mcpResource } from '../../servers/resource-server/mcp/tools.js'
import { MAX_BODY_BYTES as RESOURCE_LIMIT } from '../../servers/resource-server/settings.js'
import type { LabAlgorithmKeyring } from '../keys/algorithm-keyring.js'
import { labDecryptionKeys } from '../keys/decryption-keys.js'
import type { LabConfig } from '../lab-file/config.js'
import { isLocal } from '../lab-file/names.js'
import { MAX_HEADERS } from '../listening/http-adapter.js'
import type { LabUrls, ListenerName } from '../listening/listeners.js'
import type { Mount, Mounts } from '../listening/mounts.js'
import type { Lab, LabOptions } from '../model.js'
import { ensureState } from '../state/alone.js'
import type { StateHome } from '../state/state-folder.js'
import {
  addressProblemOf,
  authorizationDefences,
  clientDefences,
  documentFetcher,
  resourceDefences,
} from '../weak/weak-defences.js'
import { withWeakNotice } from '../weak/weak-site.js'
import { DEMO_WEB, demoWeb } from './demo-web.js'

/** Loads the code of a site at its first request. @param make called again at the next request after a failure */
function lazySite(name: string, make: () => Promise<Site>): Site {
  let site: Site | undefined
  let making: Promise<Site> | undefined

  const first: Handle = async (request, context) => {
    making ??= make().finally(() => {
      making = undefined
    })
    site = await making
    return site.handle(request, context)
  }
  return { name, handle: (request, context) => (site?.handle ?? first)(request, context) }
}

/**
 * Redirects (302) every request to the same target over https.
 * @param httpsBaseUrl its host replaces a bad or missing Host
 */
export function createHttpsRedirect(httpsBaseUrl: string): Site {
  const { hostname, port } = new URL(httpsBaseUrl)
  return {
    name: 'http',
    async handle(request) {
      const host = requestedHost(request) ?? hostname
      // The adapter appended the target to the base URL byte for byte.
      const target = request.url.replace(/^https?:\/\/[^/]*/, '')
      const location = `https://${host}${port === '' ? '' : `:${port}`}${target}`
      return withNosniff(redirectResponse(location, [['content-type', 'text/plain; charset=utf-8']]))
    },
  }
}

/** A lab that other machines reach fetches documents only where its lab file says so: anyone could make it call addresses. */
export function fetchesClientDocuments(
  { clientIdDocuments: given, stage, profile }: Pick<LabConfig, 'clientIdDocuments' | 'stage' | 'profile'>,
  host: string | undefined,
): boolean {
  if (given === 'off' || !STAGES[stage].published || profile === 'reference') return false
  return given !== undefined || isLocal(host)
}

/** Hosts at private addresses that clients which introduce themselves may name. */
export function allowedClientHosts(
  { clientIdDocuments: given }: Pick<LabConfig, 'clientIdDocuments'>,
  host: string | undefined,
): readonly string[] {
  const own = given === 'off' ? undefined : given?.allow
  return own ?? (isLocal(host) ? ['localhost'] : [])
}

/** Undefined for a lab that other machines reach: they would log in without a password. */
export function accountChooser(
  { accountChooser: given, users, builtInUsers }: LabConfig,
  host: string | undefined,
): AccountChooser | undefined {
  if (!isLocal(host) || given === 'off') return undefined
  return { users: given === undefined ? builtInUsers : users, hinted: given === 'always' }
}

/** At the introspection endpoint. */
const CLIENT_ID = 'oauth-lab-resource-server'

/** The client of a lab's resource server, in no lab file. It may only introspect tokens, and its secret is new for each lab. */
function createIntrospector(
  random: (length: number) => Uint8Array,
): Client & { readonly client_secret: string } {
  return {
    client_id: CLIENT_ID,
    client_name: 'Resource server of the lab',
    client_secret: Buffer.from(random(32)).toString('base64url'),
    redirect_uris: [],
    enabled: true,
    grant_types: [],
    response_types: [],
    require_pkce: false,
    code_challenge_methods: ['S256'],
    token_profile: 'jwt',
  }
}

const FILE = 'pairwise-salt'

/** Makes the salt, 0600, when a pairwise client is first used. */
export function labPairwiseSalt(home: StateHome, random: (length: number) => Uint8Array): PairwiseSalt {
  const read = (text: string) => Buffer.from(text, 'base64url')
  return () => ensureState(home, FILE, read, () => Buffer.from(random(32)).toString('base64url'))
}

/** Joins lists of ids; the same list until one of them is another list. */
export function joinedIds(...lists: readonly (() => readonly string[])[]): () => readonly string[] {
  const join = keepLatest((...parts: (readonly string[])[]) => parts.flat())
  return () => join(...lists.map(list => list()))
}

export interface SitePorts
  extends Pick<Lab, 'now' | 'random'>,
    Pick<Mounts, 'certificates' | 'events' | 'trace'> {
  readonly keyring: LabAlgorithmKeyring
  /** Left out: the listener that asks for certificates stays closed. */
  readonly clientCaPem?: string
  readonly registeredClients: RegisteredClients
  /** Absent: clients cannot register themselves. */
  readonly registration?: RegistrationSettings
  /** Of the listeners that are open already. */
  readonly urls: () => Partial<LabUrls>
  /** Left out: the built-in one. */
  readonly assertionIssuers?: readonly AssertionIssuer[]
}

export interface LabSite
  extends Pick<Mount, 'anyHost' | 'bodyLimit' | 'clientCaPem' | 'scheme' | 'tooManyHeaders'> {
  /** After the base URL. */
  readonly prefix?: string
  /** Its code is loaded at its first request. */
  readonly make: (baseUrl: string, issuer: string) => Site
}

/** JSON, as the token endpoint always answers. */
const oauthTooManyHeaders = jsonResponse(
  431,
  { error: 'invalid_request', error_description: `the request has more than ${MAX_HEADERS} headers` },
  [
    ['cache-control', 'no-store'],
    ['pragma', 'no-cache'],
  ],
)

/** Refreshes the keys before each request. */
function withFreshKeys(keyring: LabAlgorithmKeyring, { name, handle }: Site): Site {
  return {
    name,
    handle(request, context) {
      const reading = keyring.refresh()
      return reading === undefined ? handle(request, context) : reading.then(() => handle(request, context))
    },
  }
}

/** Authorization server and resource server share the tokens of type `mac`. */
function sharedMacTokens({ config }: LabOptions, { now, random }: SitePorts): () => Promise<MacTokens> {
  let tokens: MacTokens | undefined
  return async () => {
    const { createMacTokens } = await import('../../servers/authorization-server/stores/mac-tokens.js')
    tokens ??= createMacTokens({ lifetime: config.lifetimes.accessToken, now, random })
    return tokens
  }
}

/** The built-in one is made at the first assertion. */
function issuersOf(
  { assertionIssuers: named }: SitePorts,
  { home, seed }: LabOptions,
): () => Promise<readonly AssertionIssuer[]> {
  let found: Promise<readonly AssertionIssuer[]> | undefined
  async function find(): Promise<readonly AssertionIssuer[]> {
    if (named !== undefined) return named
    const { builtInAssertionIssuer } = await import('./built-in-assertion-issuer.js')
    return [await builtInAssertionIssuer(home, seed)]
  }
  return () => {
    found ??= find().catch(error => {
      found = undefined
      throw error
    })
    return found
  }
}

/** The parts of a lab that its front page shows. */
function labOfThisComputer({ config, dashboardKey }: LabOptions, { events, urls, now }: SitePorts): LocalLab {
  return {
    ...defined({ dashboardKey }),
    events: keepRecentEvents(events, now()),
    builtInUsers: config.builtInUsers,
    httpUrl: () => urls().http,
    clientUrl: () => urls().client,
  }
}

/** How each site is made and mounted. */
export function labSites(options: LabOptions, ports: SitePorts): Readonly<Record<ListenerName, LabSite>> {
  const { config, home } = options
  const notice = weakNotice(config.weak)
  const { keyring, certificates, trace, registeredClients, now, random } = ports
  const { publish } = ports.events
  const documentClients = createDocumentClients()
  const localLab = isLocal(options.host) ? labOfThisComputer(options, ports) : undefined
  const registeredIds = joinedIds(registeredClients.ids, documentClients.ids)
  const macTokens = sharedMacTokens(options, ports)
  const assertionIssuers = issuersOf(ports, options)
  const ownClient = demoWeb({ random, weak: config.weak, url: () => ports.urls().client })
  // FAPI 2.0 Security Profile §5.3.4-3: the resource server knows of revoked tokens.
  const introspects = config.resource.introspection || config.profile === 'fapi2'
  const introspector = introspects ? createIntrospector(random) : undefined

  let authorizationServer: Promise<Site> | undefined

  /** Two listeners share it with all its stores. */
  function authorization(issuer: string): Promise<Site> {
    authorizationServer ??= makeAuthorization(issuer).catch(error => {
      authorizationServer = undefined
      throw error
    })
    return authorizationServer
  }

  async function makeAuthorization(issuer: string): Promise<Site> {
    const [
      { createAuthorizationServer },
      { withPayloads },
      { dictionaryCodings },
      { createTrustedResources },
      { scopesOfResource },
      { createClientCalls },
    ] = await Promise.all([
      import('../../servers/authorization-server/server.js'),
      import('../../servers/compression/payload.js'),
      import('../../protocol/http/codings.js'),
      import('../outgoing/trusted-resources.js'),
      import('./resource-settings.js'),
      import('../outgoing/client-sender.js'),
    ])
    const { weakOutside = `${ports.urls().resource ?? 'https://outside.example'}/public` } = options
    const protectedResources = () =>
      [ports.urls().resource, ports.urls().mtls].filter(url => url !== undefined)
    const settings = defined({
      ...config,
      defences: await authorizationDefences(config, weakOutside),
      clientIdDocuments: fetchesClientDocuments(config, options.host),
      accountChooser: accountChooser(config, options.host),
      issuer,
      faults: options.faults ?? [],
      assertionIssuers,
      resources:
        config.resources === 'any'
          ? config.resources
          : [...config.resources, ...(config.resource.audiences ?? [])],
      registration: ports.registration,
      ownClient,
      introspectors: introspector ? [introspector] : [],
      protectedResources,
      namedResources: () => protectedResources().map(mcpResource),
      resourceScopes: (resource: string) =>
        scopesOfResource(resource, protectedResources(), config.resource.routes),
      mtlsUrl: () => ports.urls().mtls,
    })
    const { host, hosts } = options
    const allowed = allowedClientHosts(config, host)
    const network = defined({ caPem: certificates.caPem, host, hosts, allowed })
    const shared = {
      now,
      random,
      keyring,
      ...defined({ localLab }),
      macTokens: await macTokens(),
      registeredClients,
      documentClients,
      decryptionKeys: labDecryptionKeys(home),
      pairwiseSalt: labPairwiseSalt(home, random),
      fetchDocument: await documentFetcher(config, network),
      addressProblem: await addressProblemOf(config, network),
      clientCalls: createClientCalls(network),
      findTrustedResources: createTrustedResources({ issuer, caPem: certificates.caPem }),
    }
    const dictionaries = config.compression && (await dictionaryCodings()).length > 0
    return withPayloads(withFreshKeys(keyring, createAuthorizationServer(settings, shared)), { dictionaries })
  }

  async function resource(baseUrl: string, issuer: string, asksForCertificates = false): Promise<Site> {
    const [{ createResourceServer }, { labResourceSettings }, { createDocumentReader }] = await Promise.all([
      import('../../servers/resource-server/server.js'),
      import('./resource-settings.js'),
      import('../lab-file/document-reader.js'),
    ])
    const issuesMac = STAGES[config.stage].signing !== 'nothing' && config.profile !== 'reference'
    const { fetchJson, postForm } = createDocumentReader(certificates.caPem, trace)
    const defences = await resourceDefences(config)
    const settings = labResourceSettings({
      config,
      keyring,
      issuer,
      baseUrl,
      registeredIds,
      introspector,
      asksForCertificates,
      defences,
    })
    const site = createResourceServer(
      settings,
      defined({
        now,
        random,
        fetchJson,
        postForm,
        macKeys: issuesMac ? (await macTokens()).find : undefined,
      }),
    )
    return withFreshKeys(keyring, site)
  }

  async function mtls(baseUrl: string, issuer: string): Promise<Site> {
    const { createMutualTlsSite } = await import('../listening/mutual-tls.js')
    return createMutualTlsSite(await authorization(issuer), await resource(baseUrl, issuer, true))
  }

  async function cluster(baseUrl: string, labIssuer: string): Promise<Site> {
    const { labCluster } = await import('./cluster.js')
    const { caPem } = certificates
    const place = { home, baseUrl, issuer: options.clusterIssuer, caPem, labIssuer, trace }
    return labCluster(config.cluster, place, { now, random, publish })
  }

  async function dns(): Promise<Site> {
    const { labDns } = await import('./dns.js')
    return labDns(config.effective, { now, random })
  }

  async function client(baseUrl: string, issuer: string): Promise<Site> {
    const { labDemoClient } = await import('./demo-client.js')
    const registered = ownClient.client(config.clients.findLast(each => each.client_id === DEMO_WEB))
    if (registered === undefined) throw new Error('the demo client has no address yet')
    const { caPem } = certificates
    const moreIssuers = [...config.clientIssuers, ...(options.clientIssuers ?? [])]
    const place = { baseUrl, issuer, caPem, trace, client: registered, moreIssuers, now, random }
    return labDemoClient(place, await clientDefences(config))
  }

  const lazily =
    (
      name: string,
      site: (baseUrl: string, issuer: string) => Promise<Site>,
      forPrograms = false,
    ): LabSite['make'] =>
    (baseUrl, issuer) =>
      lazySite(name, async () => {
        const made = await site(baseUrl, issuer)
        return notice === undefined ? made : withWeakNotice(made, { notice, forPrograms })
      })

  return {
    authorization: {
      bodyLimit: MAX_FORM_BYTES,
      tooManyHeaders: oauthTooManyHeaders,
      make: lazily('authorization', authorization),
    },
    http: {
      scheme: 'http',
      anyHost: true,
      bodyLimit: null,
      make: (_, issuer) => createHttpsRedirect(issuer),
    },
    resource: { bodyLimit: RESOURCE_LIMIT, make: lazily('resource', resource) },
    cluster: { bodyLimit: CLUSTER_LIMIT, make: lazily('cluster', cluster, true) },
    dns: { bodyLimit: DNS_LIMIT, prefix: API_PREFIX, make: lazily('dns', dns, true) },
    client: { bodyLimit: CLIENT_LIMIT, make: lazily('client', client) },
    mtls: {
      bodyLimit: Math.max(MAX_FORM_BYTES, RESOURCE_LIMIT),
      tooManyHeaders: oauthTooManyHeaders,
      ...defined({ clientCaPem: ports.clientCaPem }),
      make: lazily('mtls', mtls),
    },
  }
}
