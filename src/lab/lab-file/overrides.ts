import { defined } from '../../protocol/values.js'
import type { StageName } from '../../servers/authorization-server/stages/stages.js'
import type { RegistrationMode } from '../schema/registration-modes.js'
import { trustingOwnIssuer } from '../sites/kubernetes-client.js'
import { parseWeakNames } from '../weak/weak-lab.js'
import type { LabConfig } from './config.js'
import { type AddedRedirectUri, parseRedirectUri, withAddresses } from './redirect-uri-option.js'
import { withRegistrationMode } from './registration-config.js'

/** Settings of one run of a lab, which override the lab file. */
export interface LabOverrides {
  readonly stage?: StageName
  readonly profile?: LabConfig['profile']
  readonly responseTypeErrors?: LabConfig['responseTypeErrors']
  readonly registration?: RegistrationMode
  readonly compression?: true
  /** Names of weak modes, unchecked; they replace those of the lab file. */
  readonly weak?: readonly string[]
  readonly apiAudience?: readonly string[]
  /** Seconds. */
  readonly maxTokenExpiration?: number
  readonly publicDiscovery: boolean
  readonly anonymous: boolean
  /** The cluster accepts ID tokens of the lab. */
  readonly clusterOidc?: true
  /** `URI` for the demo clients, or `CLIENT=URI`. */
  readonly redirectUri?: readonly string[]
  readonly rateLimit?: string
  readonly hostile?: true
}

/**
 * The lab file with the settings of a run. `ENABLE_COMPRESSION` counts when it is not empty, whatever its value is.
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
