import type { Client } from '../../protocol/oauth/client.js'
import { stricterProfile } from '../../protocol/oauth/client.js'
import { sameResource } from '../../protocol/oauth/scope.js'
import type { AcceptedAlgorithms, Keyring } from '../../protocol/tokens/keys.js'
import { type JwkSet, publicPem } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import { acceptedAlgorithms } from '../../servers/authorization-server/profiles/refusals.js'
import { STAGES } from '../../servers/authorization-server/stages/stages.js'
import type { Defences } from '../../servers/resource-server/defences.js'
import { MCP_SCOPES, mcpResource } from '../../servers/resource-server/mcp/tools.js'
import { routeScopes } from '../../servers/resource-server/publication.js'
import type { KeySettings, ResourceServerSettings } from '../../servers/resource-server/settings.js'
import type { LabConfig } from '../lab-file/config.js'

export interface LabResource {
  readonly config: LabConfig
  readonly keyring: Keyring
  readonly issuer: string
  readonly baseUrl: string
  /** The same list until a registered client comes or goes. */
  readonly registeredIds: () => readonly string[]
  /** Absent: no token is introspected. */
  readonly introspector?: Client | undefined
  /** True behind the listener that asks for certificates. */
  readonly asksForCertificates?: boolean | undefined
  /** Absent: strict. */
  readonly defences?: Defences | undefined
}

/** For a server that publishes no key. After a rotation it includes the older keys. */
function givenKey(keyring: Keyring): KeySettings {
  const key = keyring.current()
  if (key.alg === 'HS256') return { kind: 'shared-secret', secret: key.secret.export().toString('utf8') }
  let seen = keyring.published()
  let text = pemOf(seen)
  const pem = () => {
    const now = keyring.published()
    if (now !== seen) {
      seen = now
      text = pemOf(now)
    }
    return text
  }
  return { kind: 'public-key', pem }
}

function pemOf({ keys }: JwkSet): string {
  return keys.map(publicJwk => publicPem({ publicJwk })).join('')
}

/** Undefined: the profile leaves all of them. */
export function proofAlgorithms({ profile }: Pick<LabConfig, 'profile'>): AcceptedAlgorithms | undefined {
  const name = stricterProfile(undefined, profile)
  return name && acceptedAlgorithms({ profile: name })
}

/** The lab file's, else every client and the resource server itself. Clients can be added later. */
function audiencesOf({ config, baseUrl, registeredIds }: LabResource): () => readonly string[] {
  const { resource, clients } = config
  if (resource.audiences !== undefined) return () => resource.audiences!
  let known: readonly string[] = []
  let ids: readonly string[] = []
  return () => {
    const registered = registeredIds()
    if (ids === registered && known.length === clients.length + ids.length + 1) return known
    ids = registered
    known = [...clients.map(each => each.client_id), ...ids, baseUrl]
    return known
  }
}

/** Has keys only when the issuer publishes none. */
export function labResourceSettings(resource: LabResource): ResourceServerSettings {
  const { config, keyring, issuer, baseUrl, introspector, asksForCertificates, defences } = resource
  const { signing, published } = STAGES[config.stage]
  const audiences = audiencesOf(resource)
  const publishes = published && config.profile !== 'reference'
  return {
    baseUrl,
    issuer,
    get audiences() {
      return audiences()
    },
    routes: config.resource.routes,
    dpopNonceRequired: config.dpopNonceRequired,
    ...(asksForCertificates && { asksForCertificates }),
    ...defined({ proofAlgorithms: proofAlgorithms(config) }),
    ...(defences !== undefined && { defences }),
    ...(introspector?.client_secret !== undefined && {
      introspection: {
        endpoint: `${issuer}/introspection`,
        clientId: introspector.client_id,
        clientSecret: introspector.client_secret,
      },
    }),
    keys: publishes || signing === 'nothing' ? { kind: 'discovery' } : givenKey(keyring),
  }
}

/** None for a resource of somebody else. */
export function scopesOfResource(
  resource: string,
  baseUrls: readonly string[],
  routes: ResourceServerSettings['routes'],
): readonly string[] {
  if (baseUrls.some(url => sameResource(url, resource))) return routeScopes(routes)
  return baseUrls.some(url => sameResource(mcpResource(url), resource)) ? MCP_SCOPES : []
}
