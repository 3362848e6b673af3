import type { Exchange } from '../../../../src/protocol/http/exchange.js'
import type { HeaderList } from '../../../../src/protocol/http/message.js'
import type { ClusterAccess } from '../../../../src/servers/kubernetes/client/access.js'
import type { ApiRequest } from '../../../../src/servers/kubernetes/client/requests.js'
import type { ServiceAccountToken } from '../../../../src/servers/kubernetes/client/service-account-token.js'

/** A cluster nobody is asked at. */
export const access: ClusterAccess = {
  server: 'https://cluster.example:6443',
  via: 'a test',
  credential: { kind: 'bearer', token: 'sender', from: 'a test' },
  kubectl: ['--context', 'test'],
}

/** A request whose answer is to be a TokenReview. */
export const request: ApiRequest = { method: 'POST', path: '/apis/x', kind: 'TokenReview' }

/** An exchange that ended with this answer. */
export function answered(status: number, body: string, headers: HeaderList = []): Exchange {
  return {
    request: { method: 'POST', url: `${access.server}/apis/x`, headers: [], body: '' },
    response: { status, headers: [['content-type', 'application/json'], ...headers], body },
    wireBytes: { request: 0, response: body.length },
    bodyBytes: body.length,
    ms: 1,
    at: '2026-11-21T11:00:00.000Z',
  }
}

/** A token of lab/demo for `api`, bound to a pod, of ten minutes. */
export const token: ServiceAccountToken = {
  namespace: 'lab',
  account: { name: 'demo', uid: 'u-demo' },
  boundTo: { kind: 'pod', name: 'web-0', uid: 'u-web-0' },
  issuer: 'https://issuer.example',
  subject: 'system:serviceaccount:lab:demo',
  audiences: ['api'],
  issuedAt: 1_700_000_000,
  expires: 1_700_000_600,
}
