import { isUrl } from '../../../protocol/http/address.js'
import { REQUEST_OBJECT_TYPE } from '../../../protocol/oauth/authorization-request.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { type AuthorizationErrorCode, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import {
  type DocumentPorts,
  documentKind,
  documentReader,
  UNREADABLE,
} from '../client-documents/fetch-failure.js'
import type { Publish } from '../events.js'
import { invalidUri } from './verify-object.js'

const REQUEST_TYPE = `application/${REQUEST_OBJECT_TYPE}`

/** Longest request_uri, in characters (OpenID Connect Core §6.2). */
const MAX_URI = 512

export interface FetchObjectParts extends DocumentPorts {
  /** Hosts, with their port where it is not 443, that request objects are fetched from. Empty: none. */
  readonly hosts: readonly string[]
}

/** Media types of request objects. A page or a JSON document is not one (RFC 9101 §10.4.1). */
const OBJECT_TYPES = /^(application\/(oauth-authz-req\+jwt|jwt|jose|octet-stream)|text\/plain)\s*(;|$)/i

/** Returns an address without its fragment, which is no part of the request for it. */
function withoutFragment(uri: string): string {
  return uri.replace(/#.*$/s, '')
}

/** @throws OAuthError for a request_uri that this server does not fetch for the client (RFC 9101 §10.4.1, §11.1) */
function checkUri(uri: string, client: Client, hosts: readonly string[]): void {
  const evidence = uri.slice(0, MAX_URI)
  if (hosts.length === 0) {
    const code: AuthorizationErrorCode = 'request_uri_not_supported'
    const description = 'this server fetches no request objects; send request, or push the request'
    throw new OAuthError(code, { description, rule: 'OpenID Connect Core §3.1.2.6', evidence })
  }
  const rule = 'OpenID Connect Core §6.2'
  if (uri.length > MAX_URI) {
    throw invalidUri(`request_uri is longer than ${MAX_URI} characters`, { rule, evidence })
  }
  if (!isUrl(uri) || new URL(uri).protocol !== 'https:') {
    throw invalidUri('request_uri is no https address', { rule: 'RFC 9101 §5.2', evidence })
  }
  const registered = client.request_uris ?? []
  if (!registered.some(each => withoutFragment(each) === withoutFragment(uri))) {
    throw invalidUri('request_uri is not registered for this client', { rule: 'RFC 9101 §10.4.1', evidence })
  }
  if (!hosts.includes(new URL(uri).host)) {
    throw invalidUri('this server fetches no request objects from the host of request_uri', {
      rule: 'RFC 9101 §11.1',
      evidence,
    })
  }
}

/**
 * Fetches the request object of a client (RFC 9101 §5.2.3). A fragment with the hash of the content lets servers notice that a
 * kept copy is old (OpenID Connect Core §6.2). This server keeps none, so the fragment has no meaning.
 * @throws OAuthError `invalid_request_uri`, `request_uri_not_supported`
 */
export async function fetchObject(
  uri: string,
  client: Client,
  { hosts, ...ports }: FetchObjectParts,
  publish: Publish,
): Promise<string> {
  checkUri(uri, client, hosts)
  const about = { client_id: client.client_id, request_uri: uri }
  const address = {
    url: withoutFragment(uri),
    accept: `${REQUEST_TYPE}, application/jwt`,
    kind: documentKind(client),
  }
  try {
    const object = await documentReader(ports)(address, ({ body, contentType = REQUEST_TYPE }) => {
      if (OBJECT_TYPES.test(contentType)) return body.trim()
      throw new Error(`its content type is ${contentType.slice(0, 80)}, not ${REQUEST_TYPE}`)
    })
    publish({ type: 'request_object.fetched', ...about })
    return object
  } catch (error) {
    const description = error instanceof Error ? error.message : 'unknown'
    const rule = 'RFC 9101 §5.2.3'
    publish({ type: 'request_object.failed', ...about, description, rule })
    throw invalidUri(`the request object at request_uri: ${UNREADABLE}`, { rule, evidence: uri })
  }
}
