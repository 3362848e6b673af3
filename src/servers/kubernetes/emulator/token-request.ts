import { cut } from '../../../protocol/events.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { TokenRequest, TokenRequestSpec } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest, type FieldProblem, invalid, notFound } from './api-error.js'
import { type Bound, findBound } from './bound-object.js'
import { type Call, type Cluster, readCreated } from './call.js'
import { quote } from './go/quote.js'
import { EXTENDED_LIFETIME, MOUNTED_LIFETIME } from './lifetimes.js'
import { managedFields } from './objects/managed-fields.js'
import { signAccountToken } from './service-account-token.js'
import { apiAudiencesOf, type ClusterSettings } from './settings.js'
import type { StoredObject } from './store/model.js'
import { apiTime } from './times.js'
import { randomUuid } from './uuid.js'

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' } as const
const API_VERSION = 'authentication.k8s.io/v1'
const NAMED = { group: KIND.group, name: KIND.kind } as const

const DEFAULT_LIFETIME = 3600
const SHORTEST = 600
const LONGEST = 2 ** 32

/** The account of the path. Its namespace is checked first. */
function accountOf({ store }: Cluster, { resource }: Call, named: string | undefined): StoredObject {
  const { namespace, name } = resource
  if (store.get('namespaces', '', namespace) === undefined) {
    throw notFound({ group: '', name: 'namespaces' }, namespace)
  }
  if (named && named !== name) {
    const message = `Invalid value: ${quote(named)}: must match the service account name if specified`
    throw invalid(NAMED, name, [{ reason: 'FieldValueInvalid', field: 'metadata.name', message }])
  }
  const account = store.get('serviceaccounts', namespace, name)
  if (account === undefined) throw notFound({ group: '', name: 'serviceaccounts' }, name)
  return account
}

function checkLifetime(seconds: number): void {
  const problem =
    seconds < SHORTEST
      ? 'may not specify a duration less than 10 minutes'
      : seconds > LONGEST
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined
  if (problem === undefined) return
  const message = `Invalid value: ${seconds}: ${problem}`
  const found: FieldProblem = { reason: 'FieldValueInvalid', field: 'spec.expirationSeconds', message }
  throw invalid(NAMED, '', [found])
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
export async function requestToken(cluster: Cluster, call: Call): Promise<HttpResponse> {
  const { settings, ports, store } = cluster
  const { object, options } = await readCreated<TokenRequest>(call, KIND)
  const asked = object.spec ?? {}
  const account = accountOf(cluster, call, object.metadata?.name)
  const wanted = asked.expirationSeconds ?? DEFAULT_LIFETIME
  checkLifetime(wanted)
  const bound = findBound(store, call.resource, asked.boundObjectRef ?? undefined)
  const granted = Math.min(wanted, settings.maxTokenExpiration)
  if (granted < wanted) {
    call.warnings.push(`requested expiration of ${wanted} seconds shortened to ${granted} seconds`)
  }
  const audiences = asked.audiences?.length ? asked.audiences : apiAudiencesOf(settings)
  const spec = { audiences, expirationSeconds: granted, boundObjectRef: asked.boundObjectRef ?? null }
  const mounted = isMounted(settings, spec, bound)
  const now = ports.now()
  const issuedAt = Math.floor(now / 1000)
  const jti = randomUuid(ports.random)
  const key = (await cluster.keyring()).current()
  if (key.alg !== 'RS256') throw badRequest('the cluster has no key pair')
  const contents = defined({
    issuer: settings.issuer,
    account,
    audiences,
    jti,
    issuedAt,
    expiresAt: issuedAt + (mounted ? EXTENDED_LIFETIME : granted),
    warnAfter: mounted ? issuedAt + granted : undefined,
    ...bound,
  })
  const token = await signAccountToken(contents, key)
  const { namespace = '', name } = account.metadata
  const { labels, annotations } = object.metadata ?? {}
  const time = apiTime(now)
  const boundTo = asked.boundObjectRef ?? undefined
  call.publish(
    defined({
      type: 'cluster.token_requested',
      account: `${namespace}/${name}`,
      audiences,
      asked: wanted,
      granted,
      expires_in: contents.expiresAt - issuedAt,
      bound_to: boundTo && `${boundTo.kind}/${boundTo.name}`,
      jti,
      token: cut(token),
      by: call.user.username ?? '',
    }),
  )
  return objectAnswer(call.request, 201, {
    kind: KIND.kind,
    apiVersion: API_VERSION,
    metadata: defined({
      name,
      namespace,
      creationTimestamp: time,
      labels,
      annotations,
      managedFields: managedFields({
        manager: options.manager,
        apiVersion: API_VERSION,
        time,
        subresource: 'token',
        set: { metadata: { labels, annotations }, spec: { ...asked, expirationSeconds: wanted } },
      }),
    }),
    spec,
    status: { token, expirationTimestamp: apiTime((issuedAt + granted) * 1000) },
  })
}
