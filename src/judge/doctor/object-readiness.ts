import { asksForOpenId } from '../../flows/options.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { type ClientKey, withAnnounced } from '../../protocol/tokens/client-assertion.js'
import { MIN_SIGNING_SECRET, type WantedRequestObject } from '../../protocol/tokens/request-object.js'
import type { ClientIdentity } from '../tamper/situation.js'
import { notApplicable, notTried } from './finding.js'
import type { Readiness } from './move-flow.js'
import { type Requester, tokensIn } from './requester.js'
import { flowOptions } from './server-under-test.js'

/** True for a server that announces request objects (OpenID Connect Discovery §3, RFC 9101 §10.5). */
function announcesObjects({
  request_parameter_supported: supported,
  request_object_signing_alg_values_supported: algorithms,
  require_signed_request_object: required,
}: AuthorizationServerMetadata): boolean {
  return supported === undefined ? algorithms !== undefined || required === true : supported === true
}

/** Returns the request objects that a client can make; undefined where the server takes none of them. */
function objectsOf(
  { clientSecret: secret = '' }: ClientIdentity,
  key: ClientKey | undefined,
  { request_object_signing_alg_values_supported: announced }: AuthorizationServerMetadata,
  scope: string | undefined,
): WantedRequestObject | undefined {
  const algorithms: readonly unknown[] = Array.isArray(announced) ? announced : ['HS256', 'none']
  const signer = key && withAnnounced(key, announced)
  if (signer !== undefined && (announced === undefined || algorithms.includes(signer.alg))) {
    return { kind: 'signed', key: signer }
  }
  const isLong = Buffer.byteLength(secret) >= MIN_SIGNING_SECRET
  if (isLong && algorithms.includes('HS256')) return { kind: 'signed', secret }
  // Only a login may have an unsigned one (OpenID Connect Core §6.1, RFC 9101 §10.1).
  return algorithms.includes('none') && asksForOpenId(scope) ? { kind: 'unsigned' } : undefined
}

/** Finds out if request objects can be sent, by an honest one. A server that does not announce them gets none. */
export async function intoObjects({ metadata, server, honest }: Requester): Promise<Readiness> {
  if (!announcesObjects(metadata)) {
    return { closed: notApplicable('the server announces no request objects') }
  }
  const { scope, requestObject: own } = flowOptions(server, metadata)
  const { key } = server.equipment?.extras ?? {}
  const requestObject = own ?? objectsOf(server.client, key, metadata, scope)
  if (requestObject === undefined) {
    return { closed: notApplicable('the client has neither a key nor a secret that signs request objects') }
  }
  // A server may take unsigned ones through the browser alone.
  const unpushed = requestObject.kind === 'unsigned'
  if (unpushed && metadata.require_pushed_authorization_requests === true) {
    return { closed: notApplicable('requests must be pushed, and the client cannot sign them') }
  }
  const options = unpushed ? { requestObject, push: false } : { requestObject }
  const { steps, outcome } = await honest(options)
  if (tokensIn(steps) !== undefined) {
    const { kind } = requestObject
    return { options, situation: unpushed ? { requestObject: kind, pushed: false } : { requestObject: kind } }
  }
  const why = outcome?.error?.error_description ?? 'no outcome'
  return { closed: notTried(`no token by a request object: ${why}`) }
}
