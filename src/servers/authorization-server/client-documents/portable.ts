import { parseScope } from '../../../protocol/oauth/scope.js'
import type { JsonObject } from '../../../protocol/values.js'

/** The values that a server has a use for. */
export interface ServerValues {
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly string[]
  readonly scopes: readonly string[]
}

/** Returns the values of a list that a server knows; the value itself when it is no list, or nothing would be left. */
function knownOf(value: unknown, known: readonly string[]): unknown {
  if (!Array.isArray(value)) return value
  const left = value.filter(each => typeof each !== 'string' || known.includes(each))
  return left.length === 0 ? value : left
}

/** Returns the scope that a server knows; undefined, which is every scope, when it knows none of it. */
function knownScope(value: unknown, known: readonly string[]): unknown {
  const tokens = typeof value === 'string' ? parseScope(value) : undefined
  if (tokens === undefined) return value
  const left = tokens.filter(each => known.includes(each))
  return left.length === 0 ? undefined : left.join(' ')
}

/**
 * Returns the metadata of a document as one server reads them. A document is for every server, so grant types, response
 * types and scope values that this one lacks are left out. A client without a method publishes no secret, so it is public.
 */
export function portableMetadata(metadata: JsonObject, server: ServerValues): JsonObject {
  return {
    ...metadata,
    token_endpoint_auth_method: metadata.token_endpoint_auth_method ?? 'none',
    grant_types: knownOf(metadata.grant_types, server.grantTypes),
    response_types: knownOf(metadata.response_types, server.responseTypes),
    scope: knownScope(metadata.scope, server.scopes),
  }
}
