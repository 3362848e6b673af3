import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { ApiObject } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest } from './api-error.js'
import { type Call, type Cluster, readCreated } from './call.js'
import { rulesOf } from './rbac/authorizer.js'
import { apiTime } from './times.js'

// Reviews of the sender: its user, and all of its permissions.

/** `POST /apis/authentication.k8s.io/v1/selfsubjectreviews` */
export async function reviewSelf({ ports }: Cluster, call: Call): Promise<HttpResponse> {
  const kind = { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' }
  await readCreated<ApiObject>(call, kind)
  return objectAnswer(call.request, 201, {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: apiTime(ports.now()) },
    status: { userInfo: call.user },
  })
}

/** `POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews` */
export async function reviewRules({ rbac }: Cluster, call: Call): Promise<HttpResponse> {
  const kind = { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectRulesReview' }
  const { object } = await readCreated<ApiObject & { spec?: { namespace?: string } }>(call, kind)
  if (!object.spec?.namespace) throw badRequest('no namespace on request')
  const { rules, problem } = rulesOf(rbac, call.user, object.spec.namespace)
  const resourceRules = rules.filter(each => each.resources?.length)
  const pathRules = rules.filter(each => each.nonResourceURLs?.length)
  return objectAnswer(call.request, 201, {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
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
