import { cut } from '../../../protocol/events.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { ApiObject, SubjectAccessReview, TokenReview } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest, type FieldProblem, invalid, wrongValue } from './api-error.js'
import { UNKNOWN_TOKEN, type Verdict } from './authenticator.js'
import { type Call, readCreated } from './call.js'
import { createdFields } from './objects/managed-fields.js'
import { type Action, decide, rulesOf } from './rbac/authorizer.js'
import { apiVersionOf } from './resources.js'
import { apiAudiencesOf } from './settings.js'
import { apiTime } from './store/store.js'

// Questions that the API server answers and does not keep: whose a token is, and who may do what.

function reviewed({ request, resource }: Call, members: object): HttpResponse {
  return objectAnswer(request, 201, {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    ...members,
  })
}

/**
 * The token as the real server reads it: text after a space, and white space at the end, is ignored. A token that
 * begins with white space is refused; the real server would take the sender for anonymous.
 */
function tokenOf(sent: string): string | undefined {
  if (/^\s/.test(sent)) return undefined
  return sent.trimEnd().split(' ', 1)[0]
}

/** `POST /apis/authentication.k8s.io/v1/tokenreviews`: whose token it is. A refused token is an answer too. */
export async function reviewToken(call: Call): Promise<HttpResponse> {
  const { settings, authenticator } = call.cluster
  const { object, options } = await readCreated<TokenReview>(call)
  const { token: sent = '', audiences } = object.spec ?? {}
  if (sent === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted = audiences?.length ? audiences : apiAudiencesOf(settings)
  const token = tokenOf(sent)
  const verdict: Verdict = token
    ? await authenticator.token(token, wanted)
    : { ok: false, error: UNKNOWN_TOKEN }
  call.publish({
    type: 'cluster.token_reviewed',
    authenticated: verdict.ok,
    audiences: wanted,
    token: cut(sent.trim()),
    ...(verdict.ok ? { username: verdict.user.username ?? '' } : { error: verdict.error }),
    by: call.user.username ?? '',
  })
  const { name, generateName, labels, annotations } = object.metadata ?? {}
  const set = { metadata: { labels, annotations }, spec: { token: sent, audiences } }
  return reviewed(call, {
    metadata: defined({
      name: name || undefined,
      generateName: generateName || undefined,
      creationTimestamp: null,
      labels,
      annotations,
      managedFields: createdFields(call, options, set),
    }),
    spec: audiences?.length ? { token: sent, audiences } : { token: sent },
    status: verdict.ok
      ? { authenticated: true, user: verdict.user, audiences: verdict.audiences }
      : { user: {}, error: verdict.error },
  })
}

/** `POST /apis/authentication.k8s.io/v1/selfsubjectreviews`: the user of the sender. */
export async function reviewSelf(call: Call): Promise<HttpResponse> {
  await readCreated<ApiObject>(call)
  const metadata = { creationTimestamp: apiTime(call.cluster.ports.now()) }
  return reviewed(call, { metadata, status: { userInfo: call.user } })
}

/** `POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews`: all permissions of the sender in a namespace. */
export async function reviewRules(call: Call): Promise<HttpResponse> {
  const { object } = await readCreated<ApiObject & { spec?: { namespace?: string } }>(call)
  if (!object.spec?.namespace) throw badRequest('no namespace on request')
  const { rules, problem } = rulesOf(call.cluster.rbac, call.user, object.spec.namespace)
  const resourceRules = rules.filter(each => each.resources?.length)
  const pathRules = rules.filter(each => each.nonResourceURLs?.length)
  return reviewed(call, {
    metadata: { creationTimestamp: null },
    spec: {},
    status: defined({
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames }) =>
        defined({ verbs, apiGroups, resources, resourceNames }),
      ),
      nonResourceRules: pathRules.map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: problem !== undefined,
      evaluationError: problem,
    }),
  })
}

type Spec = NonNullable<SubjectAccessReview['spec']>

/** The problems of a question about one action, as Go prints the values. */
function actionProblems(own: boolean, { resourceAttributes, nonResourceAttributes }: Spec): FieldProblem[] {
  if ((resourceAttributes === undefined) !== (nonResourceAttributes === undefined)) return []
  const rule = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  if (!own) {
    if (resourceAttributes === undefined) return [wrongValue('spec.resourceAttributes', 'null', rule)]
    const both = 'cannot be specified in combination with resourceAttributes'
    return [wrongValue('spec.nonResourceAttributes', JSON.stringify(nonResourceAttributes), both)]
  }
  const pointer = (name: string, value: unknown) =>
    `${name}:(*authorization.${name})(${value === undefined ? 'nil' : '0x0'})`
  const both = `${pointer('ResourceAttributes', resourceAttributes)}, ${pointer('NonResourceAttributes', nonResourceAttributes)}`
  return [wrongValue('spec', `authorization.SelfSubjectAccessReviewSpec{${both}}`, rule)]
}

function actionOf({ resourceAttributes, nonResourceAttributes }: Spec): Action {
  const { verb = '', path = '' } = nonResourceAttributes ?? {}
  if (resourceAttributes === undefined) return { verb, path }
  const none = { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' }
  return { ...none, ...resourceAttributes }
}

/**
 * `POST /apis/authorization.k8s.io/v1/subjectaccessreviews`, `selfsubjectaccessreviews` and `namespaces/NS/localsubjectaccessreviews`: one
 * permission of the sender, or of any user, for services that let the API server decide.
 */
export async function reviewAccess(call: Call): Promise<HttpResponse> {
  const { group, kind } = call.resource
  const { namespace } = call.asked
  const { object, options } = await readCreated<Omit<SubjectAccessReview, 'kind'>>(call)
  const spec: Spec = object.spec ?? {}
  const own = kind === 'SelfSubjectAccessReview'
  const local = kind === 'LocalSubjectAccessReview'
  const problems = actionProblems(own, spec)
  if (!own && !spec.user && !spec.groups?.length) {
    problems.push(wrongValue('spec.user', '""', 'at least one of user or group must be specified'))
  }
  if (problems.length > 0) throw invalid({ group, name: kind }, '', problems)
  const asked = spec.resourceAttributes?.namespace ?? ''
  if (local && (spec.resourceAttributes === undefined || asked !== namespace)) {
    const { field, message } = wrongValue(
      'spec.resourceAttributes.namespace',
      JSON.stringify(asked),
      'must match metadata.namespace',
    )
    throw badRequest(`${field}: ${message}`)
  }
  const { user: username = '', groups, uid, extra } = spec
  const user = own ? call.user : defined({ username, groups, uid, extra })
  const { allowed, reason } = decide(call.cluster.rbac, user, actionOf(spec))
  return reviewed(call, {
    metadata: defined({
      namespace: local ? namespace : undefined,
      creationTimestamp: null,
      managedFields: createdFields(call, options, { spec }),
    }),
    spec,
    status: defined({ allowed, reason: reason || undefined }),
  })
}
