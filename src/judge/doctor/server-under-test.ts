import { type ClientExtras, clientMiddleware, proofOf } from '../../flows/middleware/client-middleware.js'
import { outgoing } from '../../flows/middleware/middleware.js'
import type { FlowOptions } from '../../flows/options.js'
import type { NetworkPorts } from '../../flows/ports.js'
import type { AssertionSource } from '../../flows/requests/assertion-source.js'
import { TransportError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { CarriedKeys } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import type { Move } from '../tamper/move.js'
import { announcedIn, type ClientIdentity, isPublic, keysIn, type Situation } from '../tamper/situation.js'
import type { DoctorPorts } from './ports.js'
import type { DoctorProfile } from './profiles.js'

/** The means of a client for the metadata of its server: how it authenticates and asks, and what its requests show. */
interface Equipment {
  readonly options: Partial<FlowOptions> & Pick<FlowOptions, 'auth'>
  readonly extras: ClientExtras
}

/** Chooses the means of a client by the metadata of its server. */
type Equip = (metadata: AuthorizationServerMetadata) => Promise<Equipment>

/** The ports of one flow of the client, whose requests go through these layers. */
export function flowPorts(ports: DoctorPorts, layers = ports.layers) {
  const { client: send, browser } = outgoing(ports.send, layers)
  return { ...ports, send, userAgent: ports.agentWith(browser) }
}

/** The way from the client to its server: with its proofs and assertions. */
export function sentAs({ send, layers }: Pick<NetworkPorts, 'send' | 'layers'>): Send {
  return outgoing(send, layers).client
}

/** The server under test and the known facts about it. */
export interface ServerUnderTest {
  readonly issuer: string
  readonly client: ClientIdentity
  /** Chooses the means of the client. Absent: it has no more than its name and secret. */
  readonly equip?: Equip
  /** The means of the client, once the metadata are known. */
  readonly equipment?: Equipment
  /** True when the client is registered for tokens that are bound to a key (RFC 9449 §5.2); undefined: nobody here knows. */
  readonly boundClient?: boolean
  /** True for a client with a stricter profile than the server has for others: what it is refused may be supported. */
  readonly ownProfile?: boolean
  /** A public client of the same server, for the rules that bind only public clients. */
  readonly publicClient?: ClientIdentity
  /** A client that redeems a code of another client. */
  readonly other?: ClientIdentity
  readonly redirectUri: string
  /** The registered address for the browser after a logout, where one is known. */
  readonly postLogoutRedirectUri?: string
  /** Addresses that are known otherwise, for a server that publishes no metadata. */
  readonly known?: AuthorizationServerMetadata
  /** Keys of such a server, from the configuration of its clients. */
  readonly carriedKeys?: CarriedKeys
  readonly scope?: string
  /** The profile whose demands on what a server publishes are checked too. */
  readonly profile?: DoctorProfile
  /** The user who logs in. Absent for a server without a login. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** The name of another user, who can log in too. */
  readonly secondUser?: string
  /** True when the person logs in with their own browser, whose login form nobody changes. */
  readonly ownBrowser?: boolean
  /** The response types that the client is registered for, where they are known. */
  readonly responseTypes?: readonly string[]
  /** An issuer whose assertions the server takes as grants (RFC 7521 §4.1), and whose key is here. */
  readonly assertion?: AssertionSource
  /** A protected resource on another server that accepts this server's tokens. */
  readonly resource?: string
  /** Set when the client shows a certificate (RFC 8705). */
  readonly certificate?: Situation['certificate']
  /** Sets the server's clock forward, in milliseconds; absent where the clock is not ours. */
  readonly advance?: (ms: number) => void
  readonly lifetimes?: Situation['lifetimes']
}

/** An examination: the server under test, its metadata, and the ways to it. */
export interface Examined {
  readonly ports: DoctorPorts
  readonly server: ServerUnderTest
  readonly metadata: AuthorizationServerMetadata
}

/** Most requests of an examination. */
export const MAX_REQUESTS = 1000

/** Limits a `send` to MAX_REQUESTS. */
export function bounded(send: Send): Send {
  let count = 0
  return async (request, options) => {
    count += 1
    if (count > MAX_REQUESTS) throw new TransportError(`more than ${MAX_REQUESTS} requests`, 'EBUDGET')
    return send(request, options)
  }
}

/** The server with a client that sends its secret in the body, where the server takes it nowhere else (RFC 8414 §2). */
function withSecretPlace(server: ServerUnderTest, metadata: AuthorizationServerMetadata): ServerUnderTest {
  const { client } = server
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const bodyOnly = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  if (client.auth !== 'client_secret_basic' || !bodyOnly) return server
  return { ...server, client: { ...client, auth: 'client_secret_post' } }
}

/** The server, with its client set up for its metadata. */
export async function equipped(
  asked: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
): Promise<ServerUnderTest> {
  const equipment = await asked.equip?.(metadata)
  if (equipment === undefined) return withSecretPlace(asked, metadata)
  const { options, extras } = equipment
  const { auth, clientSecret } = options
  const client = defined({ clientId: asked.client.clientId, auth, clientSecret, proof: proofOf(extras) })
  return { ...asked, client, equipment }
}

/** The ports of a client: its requests show what its means say. */
export function portsOf(
  ports: DoctorPorts,
  { equipment }: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
): DoctorPorts {
  if (equipment === undefined) return ports
  return { ...ports, layers: { client: clientMiddleware(metadata, equipment.extras, ports).layers } }
}

/** The means of a client: those of the one that examines, or none. */
export function equipmentOf(
  { client, equipment }: ServerUnderTest,
  { clientId }: Pick<ClientIdentity, 'clientId'>,
): Partial<Equipment> {
  return clientId === client.clientId ? (equipment ?? {}) : {}
}

/** The scope to ask for: `openid` where the server knows it, so that there is an id_token and userinfo to check. */
function defaultScope(
  { carriedKeys }: ServerUnderTest,
  { scopes_supported: scopes, userinfo_endpoint }: AuthorizationServerMetadata,
  client: ClientIdentity,
): string | undefined {
  // A public client cannot share the secret that signs its id_tokens (OpenID Connect Core §10.1).
  const shared = carriedKeys?.keys.kind === 'key' && carriedKeys.keys.alg === 'HS256'
  if (shared && isPublic(client)) return undefined
  const openId = scopes === undefined ? userinfo_endpoint !== undefined : scopes.includes('openid')
  return openId ? 'openid' : undefined
}

/** The flow that an examination walks. */
export function flowOptions(
  server: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
  client: ClientIdentity = server.client,
): FlowOptions {
  const scope = server.scope ?? defaultScope(server, metadata, client)
  const { carriedKeys } = server
  const { clientId, clientSecret, auth } = client
  return defined({
    metadata,
    ...equipmentOf(server, client).options,
    clientId,
    clientSecret,
    auth,
    carriedKeys,
    redirectUri: server.redirectUri,
    pkce: true,
    // The content of an access token is for resource servers to judge, and the doctor is not one.
    foreignAccessTokens: true,
    scope,
  })
}

/** A place where access tokens are shown. */
export interface Place {
  readonly kind: 'userinfo' | 'resource'
  readonly url: string
}

/** Every place where an access token can be shown. */
export function placesOf({ server: { resource }, metadata }: Omit<Examined, 'ports'>): Place[] {
  const { userinfo_endpoint: userinfo } = metadata
  return [
    ...(userinfo === undefined ? [] : [{ kind: 'userinfo', url: userinfo } as const]),
    ...(resource === undefined ? [] : [{ kind: 'resource', url: resource } as const]),
  ]
}

/** The situation that the moves depend on. */
export function situationOf(
  server: ServerUnderTest,
  metadata: AuthorizationServerMetadata,
  client: ClientIdentity,
  place: Place | undefined,
): Situation {
  const { boundClient, redirectUri, credentials, secondUser, certificate, advance, lifetimes } = server
  const announced = metadata.response_types_supported
  // No client may use a response type that the server does not have.
  const responseTypes = server.responseTypes ?? (announced?.includes('token') ? undefined : announced)
  const { options, extras } = equipmentOf(server, client)
  const other = [server.other, server.publicClient].find(each => each && each.clientId !== client.clientId)
  return defined({
    ...announcedIn(metadata),
    ...keysIn(extras),
    client,
    boundClient,
    pushed: options?.push,
    requestObject: options?.requestObject?.kind,
    redirectUri,
    logoutReturn: server.postLogoutRedirectUri,
    pkce: true,
    resourceServer: place?.kind === 'resource',
    ownBrowser: server.ownBrowser === true,
    other,
    presentAt: place?.url,
    credentials,
    secondUser,
    certificate,
    responseTypes,
    advance,
    lifetimes,
  })
}

/** The client for a move: a public one where its rule binds only public clients. */
export function clientFor(
  { publicOnly }: Pick<Move, 'publicOnly'>,
  { client, publicClient }: ServerUnderTest,
): ClientIdentity {
  return publicOnly && publicClient && !isPublic(client) ? publicClient : client
}
