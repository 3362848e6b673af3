import type { HttpResponse } from '../../http/message.js'
import type { ApiObject, SelfSubjectAccessReview } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest, invalid } from './api-error.js'
import { isAllowed, type Rule, rulesOf, type Wish } from './authorizer.js'
import { type Call, type Cluster, readCreated } from './call.js'
import { managedFields } from './managed-fields.js'
import { apiTime } from './times.js'

// Reviews of the sender: its user, one of its permissions, all of its permissions.

const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' } as const
const AUTHORIZATION = { group: 'authorization.k8s.io', version: 'v1' } as const

/** `POST /apis/authentication.k8s.io/v1/selfsubjectreviews` */
export async function reviewSelf({ ports }: Cluster, call: Call): Promise<HttpResponse> {
  await readCreated<ApiObject>(call, { ...AUTHENTICATION, kind: 'SelfSubjectReview' })
  return objectAnswer(call.request, 201, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: apiTime(ports.now()) },
    status: { userInfo: call.user },
  })
}

function wishOf({
  resourceAttributes,
  nonResourceAttributes,
}: NonNullable<SelfSubjectAccessReview['spec']>): Wish {
  if ((resourceAttributes === undefined) === (nonResourceAttributes === undefined)) {
    const pointer = (name: string, value: unknown) =>
      `${name}:(*authorization.${name})(${value === undefined ? 'nil' : '0x0'})`
    const shown = `authorization.SelfSubjectAccessReviewSpec{${pointer('ResourceAttributes', resourceAttributes)}, ${pointer('NonResourceAttributes', nonResourceAttributes)}}`
    const problem = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalid({ group: AUTHORIZATION.group, name: 'SelfSubjectAccessReview' }, '', [
      { reason: 'FieldValueInvalid', field: 'spec', message: `Invalid value: ${shown}: ${problem}` },
    ])
  }
  const { verb = '', path = '' } = nonResourceAttributes ?? {}
  if (resourceAttributes === undefined) return { verb, path }
  const none = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' }
  return { ...none, ...resourceAttributes }
}

/** `POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews` */
export async function reviewAccess({ settings, ports }: Cluster, call: Call): Promise<HttpResponse> {
  const kind = { ...AUTHORIZATION, kind: 'SelfSubjectAccessReview' }
  const { object, options } = await readCreated<SelfSubjectAccessReview>(call, kind)
  const spec = object.spec ?? {}
  const allowed = isAllowed(rulesOf(call.user, settings.publicDiscovery), wishOf(spec))
  const apiVersion = 'authorization.k8s.io/v1'
  return objectAnswer(call.request, 201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion,
    metadata: {
      creationTimestamp: null,
      managedFields: managedFields({
        manager: options.manager,
        apiVersion,
        time: apiTime(ports.now()),
        set: { spec },
      }),
    },
    spec,
    status: { allowed },
  })
}

const resourceRule = (rule: Rule) =>
  'resources' in rule ? [{ verbs: rule.verbs, apiGroups: rule.groups, resources: rule.resources }] : []

const pathRule = (rule: Rule) => ('paths' in rule ? [{ verbs: rule.verbs, nonResourceURLs: rule.paths }] : [])

/** `POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews` */
export async function reviewRules({ settings }: Cluster, call: Call): Promise<HttpResponse> {
  const kind = { ...AUTHORIZATION, kind: 'SelfSubjectRulesReview' }
  const { object } = await readCreated<ApiObject & { spec?: { namespace?: string } }>(call, kind)
  if (!object.spec?.namespace) throw badRequest('no namespace on request')
  const rules = rulesOf(call.user, settings.publicDiscovery)
  return objectAnswer(call.request, 201, {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
    spec: {},
    status: {
      resourceRules: rules.flatMap(resourceRule),
      nonResourceRules: rules.flatMap(pathRule),
      incomplete: false,
    },
  })
}
