import type { Send } from '../protocol/http/exchange.js'
import { type HttpRequest, mediaType, splitUrl, text } from '../protocol/http/message.js'
import { parseBasic } from '../protocol/oauth/client-auth.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'

/** A credential, and the origins of the server that it was given or issued for. */
export interface BoundCredential {
  /** For messages, such as `the secret of client demo`. */
  readonly what: string
  readonly value: string
  /** Discovery may add origins: an issuer may have its endpoints elsewhere. */
  readonly origins: ReadonlySet<string>
  /** The next move of a person who means the other origin. */
  readonly hint?: string
}

/** The parameters of queries and forms that hold credentials. */
const PARAMETERS = new Set([
  'client_secret',
  'client_password',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'subject_token',
  'actor_token',
  'assertion',
  'id_token_hint',
])

/** The values that stand where a request has its credentials. */
function* credentialsIn(request: HttpRequest): Generator<string> {
  for (const [, value] of request.headers) {
    yield value
    yield value.replace(/^\S+ +/, '')
    for (const { secret } of parseBasic(value) ?? []) yield secret
  }
  const isForm = mediaType(request) === 'application/x-www-form-urlencoded'
  for (const pairs of [splitUrl(request.url).query, isForm ? text(request.body) : ''])
    for (const [name, value] of new URLSearchParams(pairs)) if (PARAMETERS.has(name)) yield value
}

/** @throws OAuthError `sent_elsewhere` for a request that would take a credential to another origin than its own */
function refuseElsewhere(request: HttpRequest, credentials: readonly BoundCredential[]): void {
  const { origin } = new URL(request.url)
  const foreign = credentials.filter(({ origins }) => !origins.has(origin))
  if (foreign.length === 0) return
  const carried = new Set(credentialsIn(request))
  const found = foreign.find(({ value }) => carried.has(value))
  if (found === undefined) return
  const { what, origins, hint } = found
  throw new OAuthError('sent_elsewhere', {
    description: `${what} is for ${[...origins].join(', ')}, and the request would take it to ${origin}; nothing was sent`,
    rule: 'RFC 6749 §10.3',
    evidence: origin,
    ...(hint !== undefined && { hints: [hint] }),
  })
}

/** Sends no request that takes a credential to another origin than its own, redirects included. */
export function bound(send: Send, credentials: readonly BoundCredential[]): Send {
  return async (request, options) => {
    refuseElsewhere(request, credentials)
    return send(request, options)
  }
}

/** Returns the origins of some addresses. */
export function originsOf(addresses: readonly (string | undefined)[]): Set<string> {
  return new Set(addresses.flatMap(each => (each === undefined ? [] : new URL(each).origin)))
}
