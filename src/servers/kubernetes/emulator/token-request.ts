import { cut } from '../../../protocol/events.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { quote } from '../encoding/go-json.js'
import type { BoundObjectReference, Pod, TokenRequest, TokenRequestSpec } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest, conflict, invalid, notFound, wrongValue } from './api-error.js'
import { type Call, readCreated } from './call.js'
import { createdFields } from './objects/managed-fields.js'
import { checkNamespace } from './objects/stored.js'
import { apiVersionOf, groupVersionOf } from './resources.js'
import { signAccountToken, type TokenContents } from './service-account-token.js'
import { apiAudiencesOf, type ClusterSettings, EXTENDED_LIFETIME, MOUNTED_LIFETIME } from './settings.js'
import { apiTime, randomUuid, type StoredObject, type StoredResource } from './store/store.js'

const NAMED = { group: 'authentication.k8s.io', name: 'TokenRequest' } as const

const DEFAULT_LIFETIME = 3600
const SHORTEST = 600
const LONGEST = 2 ** 32

/** The account of the path. Its namespace is checked first. */
function accountOf(call: Call, named: string | undefined): StoredObject {
  const { namespace, name } = call.asked
  checkNamespace(call)
  if (named && named !== name) {
    const problem = 'must match the service account name if specified'
    throw invalid(NAMED, name, [wrongValue('metadata.name', quote(named), problem)])
  }
  const account = call.cluster.store.get('serviceaccounts', namespace, name)
  if (account === undefined) throw notFound({ group: '', name: 'serviceaccounts' }, name)
  return account
}

function checkLifetime(seconds: number): void {
  if (seconds >= SHORTEST && seconds <= LONGEST) return
  const problem =
    seconds < SHORTEST
      ? 'may not specify a duration less than 10 minutes'
      : 'may not specify a duration larger than 2^32 seconds'
  throw invalid(NAMED, '', [wrongValue('spec.expirationSeconds', seconds, problem)])
}

/** The object that a token is bound to, and expires with. */
type Bound = Pick<TokenContents, 'pod' | 'node' | 'secret'>

const BOUND_TO: Readonly<Record<string, StoredResource>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' }

/**
 * The object that a token is to be bound to.
 * @throws ApiError 400, 404 or 409
 */
function findBound(call: Call, reference: BoundObjectReference | undefined): Bound {
  if (reference === undefined) return {}
  const { kind = '', name = '', uid = '', apiVersion } = reference
  // Go's GroupVersionKind prints an unreadable apiVersion as an empty one.
  const { group, version } = groupVersionOf(apiVersion ?? '') ?? { group: '', version: '' }
  const resource = group === '' && Object.hasOwn(BOUND_TO, kind) ? BOUND_TO[kind] : undefined
  if (resource === undefined) {
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  }
  if (name === '') throw badRequest('Name parameter required.')
  const inside = resource === 'nodes' ? '' : call.asked.namespace
  const found = call.cluster.store.get(resource, inside, name)
  if (found === undefined) throw notFound({ group: '', name: resource }, name)
  const bound = boundTo(call, resource, found)
  if (uid === '' || uid === found.metadata.uid) return bound
  const problem = `the UID in the bound object reference (${uid}) does not match the UID in record`
  throw conflict(
    { group, name: kind },
    name,
    `${problem}. The object might have been deleted and then recreated`,
  )
}

function boundTo({ cluster, asked }: Call, resource: StoredResource, found: StoredObject): Bound {
  const { name, uid } = found.metadata
  if (resource === 'secrets') return { secret: found }
  if (resource === 'nodes') return { node: { name, uid } }
  const { serviceAccountName, nodeName } = found.spec as NonNullable<Pod['spec']>
  if (serviceAccountName !== asked.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${quote(asked.name)} to pod running with different serviceaccount name.`,
    )
  }
  if (nodeName === undefined) return { pod: found }
  const node = cluster.store.get('nodes', '', nodeName)
  return { pod: found, node: { name: nodeName, ...(node && { uid: node.metadata.uid }) } }
}

/** True for the token of the default volume of a pod, which outlives the requested time. */
function isMounted(settings: ClusterSettings, spec: TokenRequestSpec, { pod }: Bound): boolean {
  return (
    settings.extendedExpiration &&
    pod !== undefined &&
    spec.expirationSeconds === MOUNTED_LIFETIME &&
    apiAudiencesOf(settings).every(each => spec.audiences?.includes(each))
  )
}

/** `POST /api/v1/namespaces/NS/serviceaccounts/NAME/token`: issues a token of a service account. */
export async function requestToken(call: Call): Promise<HttpResponse> {
  const { settings, ports } = call.cluster
  const { object, options } = await readCreated<TokenRequest>(call)
  const asked = object.spec ?? {}
  const account = accountOf(call, object.metadata?.name)
  const wanted = asked.expirationSeconds ?? DEFAULT_LIFETIME
  checkLifetime(wanted)
  const boundObjectRef = asked.boundObjectRef ?? null
  const bound = findBound(call, boundObjectRef ?? undefined)
  const granted = Math.min(wanted, settings.maxTokenExpiration)
  if (granted < wanted) {
    call.warnings.push(`requested expiration of ${wanted} seconds shortened to ${granted} seconds`)
  }
  const audiences = asked.audiences?.length ? asked.audiences : apiAudiencesOf(settings)
  const spec = { audiences, expirationSeconds: granted, boundObjectRef }
  const mounted = isMounted(settings, spec, bound)
  const now = ports.now()
  const issuedAt = Math.floor(now / 1000)
  const expiresAt = issuedAt + (mounted ? EXTENDED_LIFETIME : granted)
  const jti = randomUuid(ports.random)
  const key = (await ports.keyring()).current()
  if (key.alg !== 'RS256') throw badRequest('the cluster has no key pair')
  const warnAfter = mounted ? issuedAt + granted : undefined
  const { issuer } = settings
  const contents = defined({ issuer, account, audiences, jti, issuedAt, expiresAt, warnAfter, ...bound })
  const token = await signAccountToken(contents, key)
  const { namespace = '', name } = account.metadata
  const { labels, annotations } = object.metadata ?? {}
  call.publish(
    defined({
      type: 'cluster.token_requested',
      account: `${namespace}/${name}`,
      audiences,
      asked: wanted,
      granted,
      expires_in: expiresAt - issuedAt,
      bound_to: boundObjectRef ? `${boundObjectRef.kind}/${boundObjectRef.name}` : undefined,
      jti,
      token: cut(token),
      by: call.user.username ?? '',
    }),
  )
  const set = { metadata: { labels, annotations }, spec: { ...asked, expirationSeconds: wanted } }
  return objectAnswer(call.request, 201, {
    kind: call.resource.kind,
    apiVersion: apiVersionOf(call.resource),
    metadata: defined({
      name,
      namespace,
      creationTimestamp: apiTime(now),
      labels,
      annotations,
      managedFields: createdFields(call, options, set),
    }),
    spec,
    status: { token, expirationTimestamp: apiTime((issuedAt + granted) * 1000) },
  })
}
