import { cut } from '../../../protocol/events.js'
import type { HttpResponse } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import type { TokenReview } from '../shapes.js'
import { objectAnswer } from './answer.js'
import { badRequest } from './api-error.js'
import type { Verdict } from './authenticator.js'
import { type Call, type Cluster, readCreated } from './call.js'
import { managedFields } from './objects/managed-fields.js'
import { apiAudiencesOf } from './settings.js'
import { apiTime } from './times.js'

const KIND = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' } as const
const API_VERSION = 'authentication.k8s.io/v1'

/**
 * The token as the real server reads it: text after a space, and white space at the end, is ignored. A token that
 * begins with white space is refused; the real server would take the sender for anonymous.
 */
function tokenOf(sent: string): string | undefined {
  if (/^\s/.test(sent)) return undefined
  return sent.trimEnd().split(' ', 1)[0]
}

/** `POST /apis/authentication.k8s.io/v1/tokenreviews`: whose token it is. A refused token is an answer too. */
export async function reviewToken(cluster: Cluster, call: Call): Promise<HttpResponse> {
  const { settings, ports, authenticator } = cluster
  const { object, options } = await readCreated<TokenReview>(call, KIND)
  const { token: sent = '', audiences } = object.spec ?? {}
  if (sent === '') throw badRequest('token is required for TokenReview in authentication')
  const wanted = audiences?.length ? audiences : apiAudiencesOf(settings)
  const token = tokenOf(sent)
  const verdict: Verdict = token
    ? await authenticator.token(token, wanted)
    : { ok: false, error: 'invalid bearer token' }
  call.publish({
    type: 'cluster.token_reviewed',
    authenticated: verdict.ok,
    audiences: wanted,
    token: cut(sent.trim()),
    ...(verdict.ok ? { username: verdict.user.username ?? '' } : { error: verdict.error }),
    by: call.user.username ?? '',
  })
  const { name, generateName, labels, annotations } = object.metadata ?? {}
  const fields = managedFields({
    manager: options.manager,
    apiVersion: API_VERSION,
    time: apiTime(ports.now()),
    set: { metadata: { labels, annotations }, spec: { token: sent, audiences } },
  })
  return objectAnswer(call.request, 201, {
    kind: KIND.kind,
    apiVersion: API_VERSION,
    metadata: defined({
      name: name || undefined,
      generateName: generateName || undefined,
      creationTimestamp: null,
      labels,
      annotations,
      managedFields: fields,
    }),
    spec: audiences?.length ? { token: sent, audiences } : { token: sent },
    status: verdict.ok
      ? { authenticated: true, user: verdict.user, audiences: verdict.audiences }
      : { user: {}, error: verdict.error },
  })
}
