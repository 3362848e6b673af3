import { TransportError } from '../../errors.js'
import type { Send } from '../../http/exchange.js'
import type { AuthorizationServerMetadata } from '../../oauth/metadata.js'
import type { CodeFlowOptions } from '../code.js'
import { type ClientIdentity, isPublic, type Situation } from '../tamper/move.js'

/** The server that is examined, and what is known of it. */
export interface Patient {
  readonly issuer: string
  readonly client: ClientIdentity
  /** A public client of the same server, for what only public clients must do. */
  readonly publicClient?: ClientIdentity
  /** Another client, for a code that is not its own. */
  readonly other?: ClientIdentity
  readonly redirectUri: string
  readonly scope?: string
  /** Who logs in; absent where the server asks nobody. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** What the client is registered for, where that is known. */
  readonly responseTypes?: readonly string[]
  /** A protected resource elsewhere that takes this server's tokens. */
  readonly resource?: string
  /** For a server whose clock is ours. */
  readonly advance?: (ms: number) => void
  readonly lifetimes?: Situation['lifetimes']
}

/** More requests than an examination needs. */
export const MAX_REQUESTS = 1000

/** Sends at most MAX_REQUESTS. */
export function bounded(send: Send): Send {
  let count = 0
  return async (request, options) => {
    count += 1
    if (count > MAX_REQUESTS) throw new TransportError(`more than ${MAX_REQUESTS} requests`, 'EBUDGET')
    return send(request, options)
  }
}

/** The client, sending its secret in the body where the server takes it nowhere else (RFC 8414 §2). */
export function withSecretPlace(patient: Patient, metadata: AuthorizationServerMetadata): Patient {
  const { client } = patient
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const bodyOnly = !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
  if (client.auth !== 'client_secret_basic' || !bodyOnly) return patient
  return { ...patient, client: { ...client, auth: 'client_secret_post' } }
}

/** The scope to ask for: `openid` where the server knows it, so that there is an id_token and userinfo to look at. */
function defaultScope({
  scopes_supported: scopes,
  userinfo_endpoint,
}: AuthorizationServerMetadata): string | undefined {
  const openId = scopes === undefined ? userinfo_endpoint !== undefined : scopes.includes('openid')
  return openId ? 'openid' : undefined
}

/** The flow that an examination walks. */
export function flowOptions(
  patient: Patient,
  metadata: AuthorizationServerMetadata,
  client: ClientIdentity = patient.client,
): CodeFlowOptions {
  const scope = patient.scope ?? defaultScope(metadata)
  return {
    metadata,
    ...client,
    redirectUri: patient.redirectUri,
    pkce: true,
    // What an access token holds is a matter between the servers; the doctor is none of them.
    foreignAccessTokens: true,
    ...(scope !== undefined && { scope }),
  }
}

/** Where access tokens are shown. */
export interface Place {
  readonly kind: 'userinfo' | 'resource'
  readonly url: string
}

/** Every place where an access token can be shown. */
export function placesOf({ resource }: Patient, metadata: AuthorizationServerMetadata): Place[] {
  const { userinfo_endpoint: userinfo } = metadata
  return [
    ...(userinfo === undefined ? [] : [{ kind: 'userinfo', url: userinfo } as const]),
    ...(resource === undefined ? [] : [{ kind: 'resource', url: resource } as const]),
  ]
}

/** What the moves depend on. */
export function situationOf(
  patient: Patient,
  metadata: AuthorizationServerMetadata,
  client: ClientIdentity,
  place: Place | undefined,
): Situation {
  const { redirectUri, credentials, responseTypes, advance, lifetimes } = patient
  const other = [patient.other, patient.publicClient].find(each => each && each.clientId !== client.clientId)
  return {
    client,
    redirectUri,
    pkce: true,
    challengeMethods: metadata.code_challenge_methods_supported ?? [],
    issPromised: metadata.authorization_response_iss_parameter_supported === true,
    resourceServer: place?.kind === 'resource',
    ...(other && { other }),
    ...(place && { presentAt: place.url }),
    ...(credentials && { credentials }),
    ...(responseTypes && { responseTypes }),
    ...(advance && { advance }),
    ...(lifetimes && { lifetimes }),
  }
}

/** The client for a move: the public one where only public clients have to do what it leaves out. */
export function clientFor(name: string, { client, publicClient }: Patient): ClientIdentity {
  return name === 'no-challenge' && publicClient && !isPublic(client) ? publicClient : client
}
