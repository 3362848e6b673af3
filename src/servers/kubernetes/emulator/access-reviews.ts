import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { SelfSubjectAccessReview, SubjectAccessReview, UserInfo } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest, type FieldProblem, invalid } from './api-error.js'
import { type Call, type CallHandler, type Cluster, readCreated } from './call.js'
import { managedFields } from './objects/managed-fields.js'
import { decide } from './rbac/authorizer.js'
import type { Action } from './rbac/model.js'
import { apiTime } from './times.js'

// Reviews of one permission: of the sender, or of any user, for services that let the API server decide.

const GROUP = 'authorization.k8s.io'
const API_VERSION = 'authorization.k8s.io/v1'

type Spec = NonNullable<SubjectAccessReview['spec']>

const problem = (field: string, message: string): FieldProblem => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${message}`,
})

/** The problems of a question about one action, as Go prints the values. */
function actionProblems(kind: string, { resourceAttributes, nonResourceAttributes }: Spec): FieldProblem[] {
  if ((resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return []
  const rule = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  if (kind !== 'SelfSubjectAccessReview') {
    if (resourceAttributes === undefined) return [problem('spec.resourceAttributes', `null: ${rule}`)]
    const both = 'cannot be specified in combination with resourceAttributes'
    return [problem('spec.nonResourceAttributes', `${JSON.stringify(nonResourceAttributes)}: ${both}`)]
  }
  const pointer = (name: string, value: unknown) =>
    `${name}:(*authorization.${name})(${value === undefined ? 'nil' : '0x0'})`
  const shown = `authorization.SelfSubjectAccessReviewSpec{${pointer('ResourceAttributes', resourceAttributes)}, ${pointer('NonResourceAttributes', nonResourceAttributes)}}`
  return [problem('spec', `${shown}: ${rule}`)]
}

function actionOf({ resourceAttributes, nonResourceAttributes }: Spec): Action {
  const { verb = '', path = '' } = nonResourceAttributes ?? {}
  if (resourceAttributes === undefined) return { verb, path }
  const none = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' }
  return { ...none, ...resourceAttributes }
}

async function review(
  { rbac, ports }: Cluster,
  call: Call,
  kind: 'LocalSubjectAccessReview' | 'SelfSubjectAccessReview' | 'SubjectAccessReview',
): Promise<HttpResponse> {
  const { object, options } = await readCreated<SubjectAccessReview | SelfSubjectAccessReview>(call, {
    group: GROUP,
    version: 'v1',
    kind,
  })
  const spec: Spec = object.spec ?? {}
  const own = kind === 'SelfSubjectAccessReview'
  const problems = actionProblems(kind, spec)
  if (!own && !spec.user && !spec.groups?.length) {
    problems.push(problem('spec.user', '"": at least one of user or group must be specified'))
  }
  if (problems.length > 0) throw invalid({ group: GROUP, name: kind }, '', problems)
  const { namespace } = call.resource
  if (kind === 'LocalSubjectAccessReview') {
    const asked = spec.resourceAttributes?.namespace ?? ''
    if (spec.resourceAttributes === undefined || asked !== namespace) {
      const message = 'must match metadata.namespace'
      throw badRequest(
        `spec.resourceAttributes.namespace: Invalid value: ${JSON.stringify(asked)}: ${message}`,
      )
    }
  }
  const user: UserInfo = own
    ? call.user
    : defined({ username: spec.user ?? '', groups: spec.groups, uid: spec.uid, extra: spec.extra })
  const { allowed, reason } = decide(rbac, user, actionOf(spec))
  return objectAnswer(call.request, 201, {
    kind,
    apiVersion: API_VERSION,
    metadata: defined({
      namespace: kind === 'LocalSubjectAccessReview' ? namespace : undefined,
      creationTimestamp: null,
      managedFields: managedFields({
        manager: options.manager,
        apiVersion: API_VERSION,
        time: apiTime(ports.now()),
        set: { spec },
      }),
    }),
    spec,
    status: defined({ allowed, reason: reason || undefined }),
  })
}

/** `POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews` */
export const reviewOwnAccess: CallHandler = (cluster, call) =>
  review(cluster, call, 'SelfSubjectAccessReview')

/** `POST /apis/authorization.k8s.io/v1/subjectaccessreviews` */
export const reviewSubject: CallHandler = (cluster, call) => review(cluster, call, 'SubjectAccessReview')

/** `POST /apis/authorization.k8s.io/v1/namespaces/NS/localsubjectaccessreviews` */
export const reviewLocalSubject: CallHandler = (cluster, call) =>
  review(cluster, call, 'LocalSubjectAccessReview')
