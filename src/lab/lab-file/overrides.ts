import { UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import type { Client } from '../../protocol/oauth/client.js'
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.js'
import { defined } from '../../protocol/values.js'
import { DEMO_CLIENTS } from '../../servers/authorization-server/endpoints/authorization/registration-help.js'
import type { StageName } from '../../servers/authorization-server/stages/stages.js'
import type { RegistrationMode } from '../schema/registration-modes.js'
import { trustingOwnIssuer } from '../sites/kubernetes-client.js'
import { parseWeakNames } from '../weak/weak-lab.js'
import type { LabConfig } from './config.js'
import { withRegistrationMode } from './registration-config.js'

/** Settings of one run, which override the lab file. */
interface LabOverrides {
  readonly stage?: StageName
  readonly profile?: LabConfig['profile']
  readonly responseTypeErrors?: LabConfig['responseTypeErrors']
  readonly pick?: true
  readonly registration?: RegistrationMode
  readonly compression?: true
  /** Unchecked; they replace those of the lab file. */
  readonly weak?: readonly string[]
  readonly apiAudience?: readonly string[]
  /** Seconds. */
  readonly maxTokenExpiration?: number
  readonly publicDiscovery: boolean
  readonly anonymous: boolean
  readonly clusterOidc?: true
  /** `URI` for the demo clients, or `CLIENT=URI`. */
  readonly redirectUri?: readonly string[]
  readonly rateLimit?: string
  readonly hostile?: true
}

/**
 * `ENABLE_COMPRESSION` counts when it is not empty, whatever its value is.
 * @throws UsageError for a redirect_uri that cannot be added, or a weak mode that does not exist
 */
export function withOverrides(
  loaded: LabConfig,
  overrides: LabOverrides,
  env: NodeJS.ProcessEnv = process.env,
): LabConfig {
  const { stage, profile, responseTypeErrors, redirectUri = [] } = overrides
  const config = overrides.clusterOidc ? trustingOwnIssuer(loaded) : loaded
  const added = redirectUri.map(each => parseRedirectUri(each, config.clients))
  return {
    ...config,
    clients: config.clients.map(each => ({
      ...each,
      redirect_uris: withAddresses(each.client_id, each.redirect_uris, added),
    })),
    stage: stage ?? config.stage,
    profile: profile ?? config.profile,
    responseTypeErrors: responseTypeErrors ?? config.responseTypeErrors,
    ...(overrides.pick && { accountChooser: 'always' as const }),
    registration: withRegistrationMode(config.registration, overrides.registration),
    weak: overrides.weak === undefined ? config.weak : parseWeakNames(overrides.weak, '--weak'),
    compression: overrides.compression ?? (env.ENABLE_COMPRESSION ? true : config.compression),
    cluster: clusterWith(config.cluster, overrides),
    effective: clientsWith(effectiveWith(config.effective, overrides), added),
  }
}

function clientsWith(
  effective: LabConfig['effective'],
  added: readonly AddedRedirectUri[],
): LabConfig['effective'] {
  if (added.length === 0) return effective
  const { clients = [] } = effective
  return {
    ...effective,
    clients: clients.map(each => ({
      ...each,
      redirect_uris: withAddresses(each.client_id, each.redirect_uris ?? [], added),
    })),
  }
}

function clusterWith(cluster: LabConfig['cluster'], overrides: LabOverrides): LabConfig['cluster'] {
  const { apiAudience, maxTokenExpiration, publicDiscovery, anonymous } = overrides
  return {
    ...cluster,
    apiAudiences: apiAudience ?? cluster.apiAudiences,
    maxTokenExpiration: maxTokenExpiration ?? cluster.maxTokenExpiration,
    publicDiscovery: publicDiscovery && cluster.publicDiscovery,
    anonymous: anonymous && cluster.anonymous,
  }
}

function effectiveWith(
  effective: LabConfig['effective'],
  { rateLimit, hostile }: LabOverrides,
): LabConfig['effective'] {
  if (rateLimit === undefined && hostile === undefined) return effective
  return { ...effective, dns: { ...effective.dns, ...defined({ rate_limit: rateLimit, hostile }) } }
}

interface AddedRedirectUri {
  readonly uri: string
  readonly clientIds: readonly string[]
}

/** A scheme: an address, not `CLIENT=URI`. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

function split(text: string, ids: readonly string[]): { readonly id?: string; readonly uri: string } {
  // A client_id may have any printable character, `=` and `:` as well.
  const id = ids.filter(each => text.startsWith(`${each}=`)).sort((a, b) => b.length - a.length)[0]
  if (id !== undefined) return { id, uri: text.slice(id.length + 1) }
  if (ADDRESS.test(text) || !text.includes('=')) return { uri: text }
  const unknown = text.slice(0, text.indexOf('='))
  const near = nearest(unknown, ids)
  throw new UsageError(`--redirect-uri: there is no client ${JSON.stringify(unknown)}`, [
    `Clients: ${ids.join(', ')}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
  ])
}

/** Reads `URI`, which is for `demo`, `demo-spa` and `demo-native`, or `CLIENT=URI`. @throws UsageError */
export function parseRedirectUri(text: string, clients: readonly Client[]): AddedRedirectUri {
  const ids = clients.map(each => each.client_id)
  const { id, uri } = split(text, ids)
  const wrong = redirectUriProblem(uri)
  if (wrong !== undefined) {
    throw new UsageError(`--redirect-uri ${JSON.stringify(uri)}: ${wrong.problem} (${wrong.rule})`, [
      'It looks like --redirect-uri http://localhost:9876/callback, or --redirect-uri demo=https://client.example/cb',
    ])
  }
  const clientIds = id === undefined ? DEMO_CLIENTS.filter(each => ids.includes(each)) : [id]
  if (clientIds.length > 0) return { uri, clientIds }
  throw new UsageError('--redirect-uri needs a client of this lab file', [
    `It looks like --redirect-uri CLIENT=${uri}`,
    `Clients: ${ids.join(', ')}`,
  ])
}

function withAddresses(
  clientId: string,
  own: readonly string[],
  added: readonly AddedRedirectUri[],
): string[] {
  const mine = added.filter(({ clientIds }) => clientIds.includes(clientId)).map(({ uri }) => uri)
  return [...new Set([...own, ...mine])]
}
